// Changes passwords: users change their own, and administrators those of other users. A new password ends the user's
// sessions, except the session of the request; API keys stay valid.

import { globalGrants, missingGrant } from '../../auth/grants.ts'
import { recheck } from '../../auth/caller.ts'
import { user, userLink, userPassword } from '../../schema/user.ts'
import type { Records, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireRecord } from '../requirements.ts'
import {
  beginAttempt,
  requireOtherUser,
  requirePerson,
  requireRightPassword,
  wrongPassword,
} from './reauthentication.ts'
import { requirePassword } from './password-rules.ts'
import { endSessions } from './session-records.ts'
import { requireChangeable } from './users.ts'

export interface OwnPassword {
  /** The current password; undefined if there is none. */
  readonly password: unknown
  readonly newPassword: unknown
}

export async function changeOwnPassword(context: Context, input: OwnPassword): Promise<void> {
  const { records, passwords, caller, now } = context
  requirePerson(
    context,
    'Users can change their own password only while signed in. With the grant admin, set it with POST /api/v2/user/{id}/password.',
  )
  const { user_id: id } = caller.user
  const next = requirePassword(input.newPassword, 'new_password')
  const hashed = records.get(userPassword, id)?.value.password
  if (hashed !== undefined) {
    const attempt = await beginAttempt(context)
    await requireRightPassword(context, { hashed, password: input.password })
    attempt.succeed()
  }

  const password = await passwords.hash(next)
  await records.commit((unit) => {
    const { key } = recheck(unit, caller, now())
    // The password was changed during comparing and hashing.
    if (unit.get(userPassword, id)?.value.password !== hashed) throw wrongPassword()
    putPassword(unit, { id, password, spared: key.api_key_id })
  })
}

/** Null removes the password. */
export async function setPasswordOf(
  context: Context,
  { id, password }: { readonly id: number; readonly password: unknown },
): Promise<void> {
  const { records, passwords, caller, now } = context
  const next = password === null ? null : requirePassword(password, 'password')
  const hashed = next === null ? null : await passwords.hash(next)
  await records.commit((unit) => {
    const current = recheck(unit, caller, now())
    if (!globalGrants(current).has('admin')) throw missingGrant('admin', 'for users')
    requireChangeable(unit, current, id)
    requireOtherUser(current, id, '/api/v2/me/password')
    putPassword(unit, { id, password: hashed })
  })
}

/** For the command line, which acts as the operator. */
export async function setPassword(records: Records, id: number, password: string): Promise<void> {
  await records.commit((unit) => {
    requireRecord(unit, user, id)
    putPassword(unit, { id, password })
  })
}

interface NewPassword {
  readonly id: number
  readonly password: string | null
  /** The key of the session that stays. */
  readonly spared?: number
}

/** Puts the password last, because the audit row describes the last put. */
export function putPassword(unit: Unit, { id, password, spared }: NewPassword): void {
  endSessions(unit, id, spared)
  unit.remove(userLink, id)
  if (password === null) unit.remove(userPassword, id)
  else unit.put(userPassword, [id], { password })
}
