// The first start: a link that the terminal shows is good once, and for an hour, to set the password of the user admin
// and to sign in. It is in memory alone; while nobody can get in, each start shows another one.

import { hashSecret, newToken } from '../../auth/secret.ts'
import { CmsError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { apiKey } from '../../schema/api-key.ts'
import { userPassword } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { ADMIN_NAME } from './first-start.ts'
import { requirePassword } from './password-rules.ts'
import { openSession, requireActive, type SignedIn, type Visitor } from './sessions.ts'
import { findUserId } from './users.ts'

export interface Welcome {
  /** What the link holds; undefined where somebody can get in already. */
  readonly begin: (reader: Reader) => string | undefined
  readonly isGood: (token: string) => boolean
  /** It has been used. */
  readonly end: () => void
}

/** By a clock that nobody sets. */
export function openWelcome(uptimeMs: () => number): Welcome {
  let good: { readonly hash: string; readonly endMs: number } | undefined
  return {
    begin(reader) {
      if (!isUnclaimed(reader)) return undefined
      const token = newToken()
      good = { hash: hashSecret(token), endMs: uptimeMs() + LIMITS.welcomeMs }
      return token
    },
    isGood: (token) =>
      good !== undefined && uptimeMs() < good.endMs && hashSecret(token) === good.hash,
    end() {
      good = undefined
    },
  }
}

/** No key, and no password of the user that was made first. */
function isUnclaimed(reader: Reader): boolean {
  if (reader.list(apiKey.recordType, [], 1).length > 0) return false
  const id = findUserId(reader, ADMIN_NAME)
  return id !== undefined && reader.get(userPassword, id) === undefined
}

export interface FirstSignIn {
  readonly token: string
  readonly password: unknown
  readonly visitor: Visitor
}

/** Throws welcome-over. */
export async function signInFirst(
  services: Services,
  { token, password, visitor }: FirstSignIn,
): Promise<SignedIn> {
  const { welcome, passwords } = services
  if (!welcome.isGood(token)) throw welcomeOver()
  const text = requirePassword(password, 'password')
  const hashed = await passwords.hash(text)
  const plan = (unit: Unit) => {
    const id = findUserId(unit, ADMIN_NAME)
    // Another request was faster, or the command line.
    const isOver = id === undefined || unit.get(userPassword, id) !== undefined
    if (isOver || !welcome.isGood(token)) throw welcomeOver()
    unit.put(userPassword, [id], { password: hashed })
    return requireActive(unit, id)
  }
  const opened = await openSession(services, { visitor, plan })
  welcome.end()
  return opened
}

function welcomeOver(): CmsError {
  const detail =
    'The link of the first start is good once, and for an hour. Start the server again for another one, or sign in.'
  return new CmsError('welcome-over', detail, {
    headers: { 'www-authenticate': 'Bearer realm="cms"' },
  })
}
