// Commands of the command line that create and change users.

import { CmsError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { checkCreate, checkUpdate } from '../../schema/check.ts'
import { secondFactor, type User, user } from '../../schema/user.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Services } from '../context.ts'
import { withNewId } from '../new-id.ts'
import { requireRecord } from '../requirements.ts'
import { ADMIN_NAME } from './first-start.ts'
import { setPassword } from './passwords.ts'
import { withRoleGrants } from './roles.ts'
import { removeSecondFactor } from './second-factor.ts'
import { putUserLink, userLinkPath } from './user-links.ts'
import { findNamed } from './user-names.ts'
import { putChangedUser, putNewUser } from './users.ts'

export type CommandServices = Pick<Services, 'records' | 'now'>
export type CommandArguments = Readonly<Record<string, unknown>>
type UserChange = (services: CommandServices, args: CommandArguments) => Promise<null>

export async function createUser(
  { records, now }: CommandServices,
  args: CommandArguments,
): Promise<JsonObject> {
  const given = checkCreate(user, { name: args['name'], role: args['role'] ?? null })
  return withNewId(records, user.recordType, async (id) => {
    await records.commit((unit) => {
      const values = withRoleGrants(unit, given, { most: LIMITS.usersPerRole })
      return putNewUser(unit, { id, values, owner: ADMIN_NAME, now: now() })
    })
    return { user_id: id }
  })
}

export function setStatus(status: User['status']): UserChange {
  return async (services, args) => {
    const { user_id: id } = requireUser(services, textOf(args, 'name') ?? '')
    await services.records.commit((unit) => {
      const { record } = requireRecord(unit, user, id)
      if (record.status === status) return
      putChangedUser(unit, record, { status, date_modified: services.now().toISOString() })
    })
    return null
  }
}

export async function renameUser(services: CommandServices, args: CommandArguments): Promise<null> {
  const { user_id: id } = requireUser(services, textOf(args, 'name') ?? '')
  await services.records.commit((unit) => {
    const { record } = requireRecord(unit, user, id)
    const values = checkUpdate(user, { name: args['newName'] }, record)
    const date_modified = services.now().toISOString()
    putChangedUser(unit, record, { ...values, date_modified })
  })
  return null
}

export async function createUserLink(
  services: CommandServices,
  args: CommandArguments,
): Promise<JsonObject> {
  const { user_id: id } = requireUser(services, textOf(args, 'name') ?? '')
  const { records, now } = services
  const { token, dateExpires } = await records.commit((unit) =>
    putUserLink(unit, { record: requireRecord(unit, user, id).record, made_by: null, now: now() }),
  )
  return { path: userLinkPath(token), date_expires: dateExpires }
}

/** The password arrives hashed: it never crosses the socket. */
export async function changePassword(
  services: CommandServices,
  args: CommandArguments,
): Promise<null> {
  const { user_id: id } = requireUser(services, textOf(args, 'name') ?? '')
  await setPassword(services.records, id, textOf(args, 'hashed') ?? '')
  return null
}

export function readSecondFactor(services: CommandServices, args: CommandArguments): JsonObject {
  const { user_id: id } = requireUser(services, textOf(args, 'name') ?? '')
  return { has_second_factor: services.records.get(secondFactor, id) !== undefined }
}

export async function removeFactor(
  services: CommandServices,
  args: CommandArguments,
): Promise<null> {
  const { user_id: id } = requireUser(services, textOf(args, 'name') ?? '')
  await services.records.commit((unit) => removeSecondFactor(unit, id))
  return null
}

/** Also finds a user by a former name, for example after the user admin was renamed. */
export function requireUser({ records }: CommandServices, name: string): User {
  const id = findNamed(records, name)
  if (id !== undefined) return requireRecord(records, user, id).record
  throw new CmsError(
    'not-found',
    `There is no user ${JSON.stringify(name)}. Create it with: cms-server user create ${name || 'NAME'} --role viewer`,
  )
}

/** Refuses values other than text: ignoring one would drop a requested limit. */
export function textOf(args: CommandArguments, name: string): string | undefined {
  const value = args[name]
  if (value === undefined || typeof value === 'string') return value
  throw new CmsError('bad-request', `The argument ${name} of a command must be text.`)
}
