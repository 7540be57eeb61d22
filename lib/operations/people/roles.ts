// Roles that the site defines. Each user record repeats the grants of the user's own roles (`role_grants`), so that a
// request reads no role. A change of a role therefore changes its users in the same commit.

import { recheck } from '../../auth/caller.ts'
import { globalGrants, missingGrant, requireEverywhere } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { checkCreate, checkUpdate, refuseFaults, type Values } from '../../schema/check.ts'
import { foldName } from '../../schema/names.ts'
import { buildRecord } from '../../schema/record.ts'
import { type OwnRole, role } from '../../schema/role.ts'
import { type User, user } from '../../schema/user.ts'
import type { Stored } from '../../schema/values.ts'
import { type Grant, GRANTS, isRole } from '../../shared/grants.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, RecordInput, RecordUpdate } from '../context.ts'
import { withNewId } from '../new-id.ts'
import type { ObjectRules } from '../object-rules.ts'
import { presentValue } from '../present.ts'
import { nameTaken, requireMatch, requireRecord } from '../requirements.ts'
import { type Visibility, viewOf } from '../visibility.ts'

const roleVisibility: Visibility<OwnRole> = {
  object: role,
  seen: {
    requireRead: readRole,
    requireMade: readRole,
    visibility(context) {
      requireAdmin(context)
      return undefined
    },
  },
}

export const roleRules: ObjectRules = {
  ...roleVisibility,
  readAccess: ['admin'],
  changeAccess: { create: ['admin'], update: ['admin'], remove: ['admin'] },
  body: 'json',
  needsRoom: 'record',
  create: createRole,
  update: updateRole,
  remove: removeRole,
}

function requireAdmin({ caller }: Pick<Context, 'caller'>): void {
  if (!globalGrants(caller).has('admin')) throw missingGrant('admin', 'for roles')
}

function readRole(context: Context, id: number): Stored<OwnRole> {
  requireAdmin(context)
  return requireRecord(context.records, role, id).stored
}

/** Requires every grant: a role may hold any of them, and its users may be anywhere. */
function requireChange(unit: Unit, context: Context): Context['caller'] {
  const caller = recheck(unit, context.caller, context.now())
  for (const grant of GRANTS) requireEverywhere(caller, grant, 'to change roles')
  return caller
}

async function createRole(context: Context, body: unknown): Promise<Stored> {
  const values = inOrder(checkCreate(role, body))
  return withNewId(context.records, role.recordType, (id) =>
    context.records.commit((unit) => {
      const caller = requireChange(unit, context)
      const name = String(values['name'])
      const taken = findRole(unit, name)
      if (taken !== undefined) throw nameTaken(role, name, taken.role_id)
      const most = context.limits.roles
      if (unit.list(role.recordType, [], most).length >= most)
        throw new CmsError('in-use', `A site has at most ${most} roles. Delete one first.`)
      const origin = { id, owner: caller.user.name, now: context.now().toISOString() }
      unit.put(role.recordType, [id], buildRecord(role, values, origin))
      return requireRecord(unit, role, id).stored
    }),
  )
}

async function updateRole(
  context: Context,
  { id, body, precondition }: RecordUpdate,
): Promise<Stored> {
  return context.records.commit((unit) => {
    const caller = requireChange(unit, context)
    const { stored, record } = requireRecord(unit, role, id)
    requireMatch(precondition, stored)
    const view = viewOf(context, { reader: unit, as: caller })
    const values = inOrder(checkUpdate(role, body, presentValue(view, roleVisibility, stored)))
    if (Object.keys(values).length === 0) return stored
    const date_modified = context.now().toISOString()
    const next = { ...record, ...values, date_modified }
    const taken = findRole(unit, next.name)
    if (taken !== undefined && taken.role_id !== id) throw nameTaken(role, next.name, taken.role_id)
    if ('grants' in values || 'name' in values) putHolders(unit, record.name, next)
    // Put last, because the audit row describes the last put.
    unit.put(role.recordType, [id], next)
    return requireRecord(unit, role, id).stored
  })
}

/** Gives the users of the role its new name and grants. */
function putHolders(unit: Unit, before: string, { name, grants, date_modified }: OwnRole): void {
  const renamed = (given: string | null): string | null => (given === before ? name : given)
  for (const id of holdersOf(unit, before)) {
    const { record } = requireRecord(unit, user, id)
    const { [before]: _, ...others } = record.role_grants ?? {}
    unit.put(user.recordType, [id], {
      ...record,
      role: renamed(record.role),
      category_roles: (record.category_roles ?? []).map((item) => ({
        ...item,
        role: renamed(item.role),
      })),
      role_grants: { ...others, [name]: grants },
      date_modified,
    })
  }
}

async function removeRole(context: Context, { id, precondition }: RecordInput): Promise<void> {
  await context.records.commit((unit) => {
    requireChange(unit, context)
    const { stored, record } = requireRecord(unit, role, id)
    requireMatch(precondition, stored)
    const holders = holdersOf(unit, record.name)
    if (holders.length > 0) throw roleInUse(unit, record.name, holders)
    unit.remove(role.recordType, id)
  })
}

/** Users whom the error names. */
const NAMED_USERS = 5

/** A caller who may change roles sees all users. */
function roleInUse(unit: Unit, name: string, holders: readonly number[]): CmsError {
  const names = holders.slice(0, NAMED_USERS).map((id) => requireRecord(unit, user, id).record.name)
  const others = holders.length - names.length
  const who = others === 0 ? names.join(', ') : `${names.join(', ')} and ${others} more`
  const count = holders.length === 1 ? '1 user has' : `${holders.length} users have`
  return new CmsError(
    'in-use',
    `${count} the role ${name}: ${who}. Give them another role first.`,
    {
      members: { users: who },
    },
  )
}

function holdersOf(reader: Reader, name: string, limit?: number): readonly number[] {
  return reader.lookup(user.recordType, 'own_role', [name], limit).map(([id]) => Number(id))
}

function findRole(reader: Reader, name: string): OwnRole | undefined {
  const [ids] = reader.lookup(role.recordType, 'by_name', [foldName(name)], 1)
  return ids && reader.get(role.recordType, ...ids)?.value
}

/** In one order, which few different lists have. */
function inOrder(values: Values): Values {
  const { grants } = values as Partial<OwnRole>
  if (grants === undefined) return values
  return { ...values, grants: GRANTS.filter((grant) => grants.includes(grant)) }
}

interface RoleLimits {
  readonly before?: User | undefined
  /** Users of one role. */
  readonly most: number
}

/** Adds the grants of the roles of the site that the user will have. */
export function withRoleGrants(unit: Unit, values: Values, limits: RoleLimits): Values {
  const wanted: Partial<User> = { ...limits.before, ...values }
  const { role: everywhere = null, category_roles = null } = wanted
  const role_grants = requireRoleGrants(unit, { role: everywhere, category_roles }, limits)
  return { ...values, role_grants }
}

/** The grants of the own roles that a user has, for `role_grants`. Throws invalid-content for an unknown role. */
function requireRoleGrants(
  reader: Reader,
  { role: everywhere, category_roles: roles }: Pick<User, 'role' | 'category_roles'>,
  { before, most }: RoleLimits,
): User['role_grants'] {
  const given = [
    { pointer: '/role', name: everywhere },
    ...(roles ?? []).map((item, at) => ({
      pointer: `/category_roles/${at}/role`,
      name: item.role,
    })),
  ]
  const found = new Map<string, readonly Grant[]>()
  const faults = given.flatMap(({ pointer, name }) => {
    if (name === null || isRole(name) || found.has(name)) return []
    const own = findRole(reader, name)
    if (own?.name !== name)
      return [
        { pointer, detail: `must be a role of the site; there is no ${JSON.stringify(name)}` },
      ]
    if (isFull(reader, name, { before, most }))
      return [{ pointer, detail: `is a role that ${most} users have, the most` }]
    found.set(name, own.grants)
    return []
  })
  refuseFaults(faults)
  return found.size === 0 ? null : Object.fromEntries(found)
}

/** A change of the role changes all its users in one commit. */
function isFull(reader: Reader, name: string, { before, most }: RoleLimits): boolean {
  // Older records lack the member.
  if (Object.hasOwn(before?.role_grants ?? {}, name)) return false
  return holdersOf(reader, name, most).length >= most
}
