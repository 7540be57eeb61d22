// Creates, updates and deletes users, for callers with the admin grant and all rights of the user
// (auth/delegation.ts), and for the command line, which acts as the operator.

import { type Caller, recheck } from '../../auth/caller.ts'
import { isUserWithin } from '../../auth/delegation.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { globalGrants, missingGrant } from '../../auth/grants.ts'
import { categoryRoles } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { apiKey } from '../../schema/api-key.ts'
import {
  checkCreate,
  checkUpdate,
  refuseFaults,
  refuseField,
  type Values,
} from '../../schema/check.ts'
import type { RevokeWork } from '../../schema/pending-work.ts'
import { buildRecord } from '../../schema/record.ts'
import { savedViews } from '../../schema/saved-views.ts'
import {
  nextSecondFactor,
  secondFactor,
  type User,
  user,
  userLink,
  userPassword,
} from '../../schema/user.ts'
import type { JsonValue, Stored } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { ChangeContext, Context, RecordInput, RecordUpdate } from '../context.ts'
import { withNewId } from '../new-id.ts'
import type { ObjectRules } from '../object-rules.ts'
import { newWorkId, putWork, runWork } from '../pending-work.ts'
import { presentValue } from '../present.ts'
import { type Loaded, nameTaken, requireMatch, requireRecord } from '../requirements.ts'
import { doerOf } from '../trail/audit.ts'
import { viewOf } from '../visibility.ts'
import { revokeTask } from './revoking.ts'
import { withRoleGrants } from './roles.ts'
import { endSessions } from './session-records.ts'
import { findNamed, renamed } from './user-names.ts'
import { requireVisibleUser, seesUser, userVisibility } from './user-visibility.ts'

export const userRules: ObjectRules = {
  ...userVisibility,
  readAccess: 'key',
  changeAccess: { create: ['admin'], update: ['admin'], remove: ['admin'] },
  body: 'nested',
  needsRoom: 'record',
  create: createUser,
  update: updateUser,
  remove: removeUser,
}

async function createUser(context: Context, body: unknown): Promise<Stored> {
  const values = checkCreate(user, body)
  return withNewId(context.records, user.recordType, (id) =>
    context.records.commit((unit) => {
      const caller = requireAdmin(unit, context)
      requireFolders(unit, caller, values)
      const named = withRoleGrants(unit, values, { most: context.limits.usersPerRole })
      requireWithin(unit, caller, named)
      return putNewUser(unit, {
        id,
        values: named,
        caller,
        owner: caller.user.name,
        now: context.now(),
      })
    }),
  )
}

interface NewUser {
  readonly id: number
  readonly values: Values
  /** Undefined for the command line. */
  readonly caller?: Caller
  readonly owner: string
  readonly now: Date
}

export function putNewUser(unit: Unit, { id, values, caller, owner, now }: NewUser): Stored {
  requireFreeName(unit, String(values['name']), { caller })
  unit.put(user.recordType, [id], buildRecord(user, values, { id, owner, now: now.toISOString() }))
  return requireRecord(unit, user, id).stored
}

interface NameOwner {
  readonly caller?: Caller | undefined
  /** The user who gets the name. */
  readonly id?: number
}

/** Throws name-taken if another user has or had the name. */
function requireFreeName(unit: Unit, name: string, { caller, id }: NameOwner): void {
  const taken = findNamed(unit, name)
  if (taken === undefined || taken === id) return
  const { record } = requireRecord(unit, user, taken)
  const isTold = caller === undefined || seesUser(unit, caller, record)
  throw nameTaken(user, name, isTold ? taken : undefined)
}

async function updateUser(context: Context, input: RecordUpdate): Promise<Stored> {
  return context.records.commit((unit) => {
    const caller = requireAdmin(unit, context)
    const { stored, record } = requireChangeable(unit, caller, input.id)
    requireMatch(input.precondition, stored)

    const view = viewOf(context, { reader: unit, as: caller })
    const current = presentValue(view, userVisibility, stored)
    const values = checkUpdate(user, input.body, current)
    if (Object.keys(values).length === 0) return stored
    requireFolders(unit, caller, values, record)
    const most = context.limits.usersPerRole
    const named = withRoleGrants(unit, values, { before: record, most })
    requireWithin(unit, caller, { ...record, ...named })
    const now = context.now().toISOString()
    return putChangedUser(unit, record, { ...named, date_modified: now }, caller)
  })
}

/** The common end of every change of a user. The caller is undefined for the command line. */
export function putChangedUser(unit: Unit, record: User, values: Values, caller?: Caller): Stored {
  const { name = record.name } = values as Partial<User>
  const id = record.user_id
  if (name !== record.name) requireFreeName(unit, name, { caller, id })
  const next: User = {
    ...record,
    ...values,
    ...(name !== record.name && renamed(record, name, LIMITS.formerNamesPerUser)),
  }
  if (!isAdministrator(next)) requireOtherAdministrator(unit, record)
  // Otherwise an open session would continue when the user is enabled again. The user is put last, because the audit
  // row describes the last put.
  if (next.status !== 'active') {
    endSessions(unit, record.user_id)
    unit.remove(userLink, record.user_id)
  }
  unit.put(user.recordType, [record.user_id], next)
  return requireRecord(unit, user, record.user_id).stored
}

/** Deletes a user and its keys. Records that the user created keep the name as owner. */
async function removeUser(
  context: ChangeContext,
  { id, precondition }: RecordInput,
): Promise<void> {
  const workId = newWorkId()
  const work = await context.records.commit((unit) => {
    const caller = requireAdmin(unit, context)
    const { stored, record } = requireChangeable(unit, caller, id)
    requireMatch(precondition, stored)
    requireOtherAdministrator(unit, record)

    // Keys without their user are refused; they are removed afterwards.
    const api_key_ids = unit.lookup(apiKey.recordType, 'user_id', [id]).map(([key]) => Number(key))
    const doer = doerOf(context.origin)
    const keys: RevokeWork = { kind: 'revoke', api_key_ids, spared: null, doer }
    putWork(unit, workId, keys)
    unit.remove(userPassword, id)
    unit.remove(userLink, id)
    unit.remove(nextSecondFactor, id)
    unit.remove(secondFactor, id)
    unit.remove(savedViews, id)
    unit.remove(user.recordType, id)
    return keys
  })
  await runWork(context, revokeTask(context, workId, work))
}

/** Callers must not give users more than they hold themselves. */
function requireWithin(
  unit: Unit,
  caller: Caller,
  values: Readonly<Record<string, JsonValue>>,
): void {
  const { role = null, category_roles = null, role_grants = null } = values as Partial<User>
  if (isUserWithin(unit, { role, category_roles, role_grants }, caller)) return
  refuseField('role', 'with category_roles may not hold more, in any folder, than this key does')
}

function requireAdmin(unit: Unit, context: Context): Caller {
  const caller = recheck(unit, context.caller, context.now())
  if (globalGrants(caller).has('admin')) return caller
  throw missingGrant('admin', 'for users')
}

function isAdministrator({ role, status }: Pick<User, 'role' | 'status'>): boolean {
  return role === 'admin' && status === 'active'
}

/** Without an administrator, nobody could manage users and keys through the API. */
function requireOtherAdministrator(unit: Unit, record: User): void {
  if (!isAdministrator(record)) return
  const hasOther = unit.lookup(user.recordType, 'role', ['admin']).some(([id]) => {
    const other = requireRecord(unit, user, Number(id)).record
    return other.user_id !== record.user_id && isAdministrator(other)
  })
  if (hasOther) return
  throw new CmsError(
    'in-use',
    `${record.name} is the last active administrator. Give another user the role admin first, or create one with: cms-server user create NAME --role admin`,
  )
}

/**
 * A hidden folder counts as missing; the caller may name folders in which its own role or the user's present role is
 * set.
 */
function requireFolders(unit: Unit, caller: Caller, values: Values, before?: User): void {
  const given = (values as Partial<User>).category_roles ?? []
  const visible = openVisibleFolders(unit, caller)
  const known = new Set(
    [...categoryRoles(caller), ...(before?.category_roles ?? [])].map(
      (item) => item.asset_category_id,
    ),
  )
  const faults = given.flatMap(({ asset_category_id: id }, index) => {
    if (known.has(id) || visible.sees(id)) return []
    const pointer = `/category_roles/${index}/asset_category_id`
    return [{ pointer, detail: `must be the identifier of an asset category; there is no ${id}` }]
  })
  refuseFaults(faults)
}

/** Every key sees its own user, but a key that holds less must not change the user. */
export function requireChangeable(reader: FolderReader, caller: Caller, id: number): Loaded<User> {
  const found = requireVisibleUser(reader, caller, id)
  if (isUserWithin(reader, found.record, caller)) return found
  throw missingGrant('admin', 'for a user who holds more than the key')
}
