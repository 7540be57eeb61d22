// Creates, updates and deletes users, for callers with the admin grant and all rights of the user
// (auth/delegation.ts), and for the command line, which acts as the operator.

import { type Caller, recheck } from '../../auth/caller.ts'
import { holdsAll, isUserWithin } from '../../auth/delegation.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { globalGrants, missingGrant, noSuchRecord } from '../../auth/grants.ts'
import { categoryRoles } from '../../auth/key-role.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import { apiKey, isSession } from '../../schema/api-key.ts'
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
import type { JsonObject, JsonValue, Stored } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { ChangeContext, Context, Precondition } from '../context.ts'
import { withNewId } from '../new-id.ts'
import type { ObjectRules } from '../object-rules.ts'
import { newWorkId, putWork } from '../pending-work.ts'
import { presentValue } from '../present.ts'
import { type Loaded, nameTaken, requireMatch, requireRecord } from '../requirements.ts'
import { doerOf } from '../trail/audit.ts'
import { type Visibility, viewOf } from '../visibility.ts'
import { runRevoke } from './revoking.ts'
import { withRoleGrants } from './roles.ts'
import { endSessions } from './session-records.ts'
import { findUserId } from './user-names.ts'

/** Fields that a program with a key need not know about its user. */
const NOT_TOLD = {
  has_password: null,
  has_second_factor: null,
  date_link_expires: null,
  recovery_codes_left: null,
}

/**
 * Decides which callers see a user: the user's own keys, and callers with the admin grant and at least as many rights.
 * Hides roles and personal fields where required.
 */
const userVisibility: Visibility<User> = {
  object: user,
  seen: {
    requireRead: ({ records, caller }, id) => requireVisibleUser(records, caller, id).stored,
    requireMade: ({ records, caller }, id) => requireVisibleUser(records, caller, id).stored,
    visibility: ({ records, caller }) =>
      holdsAll(caller) ? undefined : (record) => seesUser(records, caller, record),
  },
  derive:
    ({ reader, caller }) =>
    ({ user_id: id, role_grants: own, display_name: shownName }) => {
      // Older records lack these members.
      const older = shownName === undefined && { role_grants: own ?? null, display_name: null }
      if (!knowsPerson(caller)) return { ...older, ...NOT_TOLD }
      const factor = reader.get(secondFactor, id)?.value
      return {
        ...older,
        has_password: reader.get(userPassword, id) !== undefined,
        has_second_factor: factor !== undefined,
        date_link_expires: reader.get(userLink, id)?.value.date_expires ?? null,
        recovery_codes_left: factor?.recovery_codes.length ?? 0,
      }
    },
  mask({ caller }, visible) {
    const person = knowsPerson(caller) ? undefined : { email: null, display_name: null }
    if (caller.key.asset_category_id === null) return person && (() => person)
    return (record) => {
      const roles = maskRoles(visible, record)
      return roles || person ? { ...roles, ...person } : undefined
    }
  },
}

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
  const name = String(values['name'])
  const taken = findUserId(unit, name)
  if (taken !== undefined) {
    const { record } = requireRecord(unit, user, taken)
    const isTold = caller === undefined || seesUser(unit, caller, record)
    throw nameTaken(user, name, isTold ? taken : undefined)
  }
  unit.put(user.recordType, [id], buildRecord(user, values, { id, owner, now: now.toISOString() }))
  return requireRecord(unit, user, id).stored
}

async function updateUser(
  context: Context,
  input: {
    readonly id: number
    readonly body: unknown
    readonly precondition: Precondition | undefined
  },
): Promise<Stored> {
  return context.records.commit((unit) => {
    const caller = requireAdmin(unit, context)
    const { stored, record } = requireChangeable(unit, caller, input.id)
    requireMatch(input.precondition, stored)

    const view = viewOf(context, { reader: unit, as: caller })
    const current = presentValue(view, userVisibility, stored)
    const values = checkUpdate(user, input.body, current)
    if (Object.keys(values).length === 0) return stored
    if ('name' in values)
      refuseField('name', 'cannot be changed, because records refer to their owner by name')
    requireFolders(unit, caller, values, record)
    const most = context.limits.usersPerRole
    const named = withRoleGrants(unit, values, { before: record, most })
    requireWithin(unit, caller, { ...record, ...named })
    return putChangedUser(unit, record, { ...named, date_modified: context.now().toISOString() })
  })
}

/** The common end of every change of a user. */
export function putChangedUser(unit: Unit, record: User, values: Values): Stored {
  const next = { ...record, ...values }
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
  { id, precondition }: { readonly id: number; readonly precondition: Precondition | undefined },
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
  await context.background.run('revoke', () => runRevoke(context, workId, work))
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

/** A key without admin sees its own user only: a session belongs to the person, any other key to a program. */
export function knowsPerson(caller: Caller): boolean {
  return isSession(caller.key) || globalGrants(caller).has('admin')
}

export function seesUser(reader: FolderReader, caller: Caller, record: User): boolean {
  if (record.user_id === caller.user.user_id) return true
  return globalGrants(caller).has('admin') && isUserWithin(reader, record, caller)
}

export function requireVisibleUser(reader: FolderReader, caller: Caller, id: number): Loaded<User> {
  const found = requireRecord(reader, user, id)
  if (seesUser(reader, caller, found.record)) return found
  throw noSuchRecord()
}

/** Every key sees its own user, but a key that holds less must not change the user. */
export function requireChangeable(reader: FolderReader, caller: Caller, id: number): Loaded<User> {
  const found = requireVisibleUser(reader, caller, id)
  if (isUserWithin(reader, found.record, caller)) return found
  throw missingGrant('admin', 'for a user who holds more than the key')
}

/** A key for a folder sees only the roles in visible folders. */
function maskRoles(
  visible: VisibleFolders,
  { role, category_roles: roles, role_grants: own }: User,
): JsonObject | undefined {
  const seen = (roles ?? []).filter(({ asset_category_id: id }) => visible.sees(id))
  if (seen.length === roles?.length) return undefined
  const names = new Set([role, ...seen.map((item) => item.role)])
  const shown = Object.entries(own ?? {}).filter(([name]) => names.has(name))
  const role_grants = shown.length === 0 ? null : Object.fromEntries(shown)
  return { category_roles: seen, role_grants }
}
