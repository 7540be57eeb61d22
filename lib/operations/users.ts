// Users: create, update, delete; for callers with the admin grant, and for the command line, which
// acts in the name of the operator.

import { type Caller, recheck } from '../auth/caller.ts'
import { globalGrants, missingGrant, noSuchRecord } from '../auth/grants.ts'
import { CmsError } from '../errors.ts'
import { type ApiKeySecret, apiKey, apiKeySecret, apiKeyUse } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import {
  checkCreate,
  checkUpdate,
  refuseFaults,
  refuseField,
  type Values,
} from '../schema/check.ts'
import { foldName } from '../schema/names.ts'
import { buildRecord, valueOf } from '../schema/record.ts'
import { type CategoryRole, type User, user, userPassword } from '../schema/user.ts'
import type { Reader, Records, Stored, Unit } from '../storage/port.ts'
import type { Context, Precondition } from './context.ts'
import { nameTaken, requireMatch, requireRecord } from './require.ts'

export async function createUser(context: Context, body: unknown): Promise<Stored> {
  const values = checkCreate(user, body)
  const id = context.records.nextId(user.recordType)
  return context.records.commit((unit) => {
    const caller = requireAdmin(unit, context)
    return putNewUser(unit, { id, values, owner: caller.user.name, now: context.now() })
  })
}

export interface NewUser {
  readonly id: number
  readonly values: Values
  readonly owner: string
  readonly now: Date
}

export function putNewUser(unit: Unit, { id, values, owner, now }: NewUser): Stored {
  const name = String(values['name'])
  const taken = findUserId(unit, name)
  if (taken !== undefined) throw nameTaken(user, name, taken)
  requireFolders(unit, values)
  unit.put(user.recordType, [id], buildRecord(user, values, { id, owner, now: now.toISOString() }))
  return requireRecord(unit, user, id).stored
}

export async function updateUser(
  context: Context,
  input: {
    readonly id: number
    readonly body: unknown
    readonly precondition: Precondition | undefined
  },
): Promise<Stored> {
  return context.records.commit((unit) => {
    requireAdmin(unit, context)
    const { stored, record } = requireRecord<User>(unit, user, input.id)
    requireMatch(input.precondition, stored)

    const values = checkUpdate(user, input.body, valueOf(stored))
    if (Object.keys(values).length === 0) return stored
    if ('name' in values) refuseField('name', 'cannot be changed: records name their owner by it')
    requireFolders(unit, values)
    return putChangedUser(unit, record, { ...values, date_modified: context.now().toISOString() })
  })
}

/** Every change of a user ends here, whoever makes it. */
export function putChangedUser(unit: Unit, record: User, values: Values): Stored {
  const next = { ...record, ...values }
  if (!isAdministrator(next)) requireOtherAdministrator(unit, record)
  unit.put(user.recordType, [record.user_id], next)
  return requireRecord(unit, user, record.user_id).stored
}

/** Deletes a user and its keys. What it created keeps its name as owner. */
export async function removeUser(
  context: Context,
  { id, precondition }: { readonly id: number; readonly precondition: Precondition | undefined },
): Promise<void> {
  await context.records.commit((unit) => {
    requireAdmin(unit, context)
    const { stored, record } = requireRecord<User>(unit, user, id)
    requireMatch(precondition, stored)
    requireOtherAdministrator(unit, record)

    for (const [keyId] of unit.lookup(apiKey.recordType, 'user_id', [id]))
      removeKeyRecords(unit, Number(keyId))
    unit.remove(userPassword, id)
    unit.remove(user.recordType, id)
  })
}

/** A user for who may see it: itself, or with the admin grant anybody. */
export function requireVisibleUser(context: Context, id: number): Stored {
  const { stored } = requireRecord(context.records, user, id)
  if (globalGrants(context.caller).has('admin') || id === context.caller.user.user_id) return stored
  throw noSuchRecord()
}

export function findUserId(reader: Reader, name: string): number | undefined {
  const [ids] = reader.lookup(user.recordType, 'by_name', [foldName(name)], 1)
  return ids === undefined ? undefined : Number(ids[0])
}

export async function setPassword(records: Records, userId: number, hashed: string): Promise<void> {
  await records.commit((unit) => {
    requireRecord(unit, user, userId)
    unit.put(userPassword, [userId], { password: hashed })
  })
}

/** Removes a key, its secrets and the note of its use. */
export function removeKeyRecords(unit: Unit, keyId: number): void {
  removeSecrets(unit, keyId)
  unit.remove(apiKeyUse, keyId)
  unit.remove(apiKey.recordType, keyId)
}

export function removeSecrets(unit: Unit, keyId: number): readonly ApiKeySecret[] {
  return unit.lookup(apiKeySecret, 'api_key_id', [keyId]).flatMap(([hash]) => {
    const stored = unit.get(apiKeySecret, String(hash))
    unit.remove(apiKeySecret, String(hash))
    return stored === undefined ? [] : [valueOf<ApiKeySecret>(stored)]
  })
}

function requireAdmin(unit: Unit, context: Context): Caller {
  const caller = recheck(unit, context.caller, context.now())
  if (globalGrants(caller).has('admin')) return caller
  throw missingGrant('admin', 'for users')
}

function isAdministrator({ role, status }: Pick<User, 'role' | 'status'>): boolean {
  return role === 'admin' && status === 'active'
}

/** Without one, nobody could manage users and keys through the interface any more. */
function requireOtherAdministrator(unit: Unit, record: User): void {
  if (!isAdministrator(record)) return
  const hasOther = unit.lookup(user.recordType, 'role', ['admin']).some(([id]) => {
    const other = requireRecord<User>(unit, user, Number(id)).record
    return other.user_id !== record.user_id && isAdministrator(other)
  })
  if (hasOther) return
  throw new CmsError(
    'in-use',
    `${record.name} is the last active administrator. Give another user the role admin first, or make one with: cms-server user create NAME --role admin`,
  )
}

function requireFolders(reader: Reader, values: Values): void {
  const roles = (values['category_roles'] ?? []) as unknown as readonly CategoryRole[]
  const faults = roles.flatMap(({ asset_category_id: id }, index) =>
    reader.get(assetCategory.recordType, id) === undefined
      ? [
          {
            pointer: `/category_roles/${index}/asset_category_id`,
            detail: `must be the identifier of an asset category; there is no ${id}`,
          },
        ]
      : [],
  )
  refuseFaults(faults)
}
