// The first start: the terminal shows a link that is valid once, for an hour, to set the password of the user admin
// and to sign in (welcome-link.ts).

import { CmsError } from '../../base/errors.ts'
import { userPassword } from '../../schema/user.ts'
import type { Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { ADMIN_NAME } from './first-start.ts'
import { requirePassword } from './password-rules.ts'
import { openSession, requireActive, type SignedIn, type Visitor } from './sessions.ts'
import { findUserId } from './user-names.ts'

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
  const { welcome, passwords, records } = services
  if (!welcome.isGood(token, records)) throw welcomeOver()
  const text = requirePassword(password, 'password')
  const hashed = await passwords.hash(text)
  const plan = (unit: Unit) => {
    const id = findUserId(unit, ADMIN_NAME)
    // Another request or the command line was faster.
    const isOver = id === undefined || unit.get(userPassword, id) !== undefined
    if (isOver || !welcome.isGood(token, unit)) throw welcomeOver()
    unit.put(userPassword, [id], { password: hashed })
    welcome.putUsed(unit)
    return requireActive(unit, id)
  }
  const opened = await openSession(services, { visitor, plan })
  welcome.end()
  return opened
}

function welcomeOver(): CmsError {
  const detail =
    'The first-start link is valid once, for one hour. Restart the server to get another link, or sign in.'
  return new CmsError('welcome-over', detail, {
    headers: { 'www-authenticate': 'Bearer realm="cms"' },
  })
}
