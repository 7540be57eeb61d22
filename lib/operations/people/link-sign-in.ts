// Signs in with a link, which first sets the password of its user: the link of the first start (welcome-link.ts), or
// the link that an administrator made for a user (user-links.ts). Every unusable link gets the same answer.

import { CmsError } from '../../base/errors.ts'
import { secondFactor, type User, userPassword } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { ADMIN_NAME } from './first-start.ts'
import { requirePassword } from './password-rules.ts'
import { putPassword } from './passwords.ts'
import { isTimeCode, readCode } from './reauthentication.ts'
import {
  codeRequired,
  loadCodes,
  openSession,
  requireActive,
  requireCode,
  type SignedIn,
  type Visitor,
} from './sessions.ts'
import { findLinkedUser } from './user-links.ts'
import { findNamed } from './user-names.ts'

interface Opened {
  readonly user: User
  readonly isFirstStart: boolean
}

export interface ShownLink {
  readonly name: string
  readonly isFirstStart: boolean
}

/** Returns whose link it is; throws link-over. */
export async function readLink(
  { signInGuard, ...services }: Services,
  { token, source }: { readonly token: string; readonly source: string | undefined },
): Promise<ShownLink> {
  const attempt = await signInGuard.beginLink(source)
  const { user, isFirstStart } = requireLink(services, services.records, token)
  attempt.succeed()
  return { name: user.name, isFirstStart }
}

export interface LinkSignIn {
  readonly token: string
  readonly password: unknown
  /** A code of the second factor, or a recovery code; undefined if none was sent. */
  readonly code: unknown
  readonly visitor: Visitor
}

/** Throws link-over, and code-required or code-wrong for a user with a second factor, which a link does not replace. */
export async function signInWithLink(
  services: Services,
  { token, password, code: sentCode, visitor }: LinkSignIn,
): Promise<SignedIn> {
  const { passwords, records, signInGuard } = services
  const code = readCode(sentCode)
  const attempt = await signInGuard.beginLink(visitor.source)
  const { user, isFirstStart } = requireLink(services, records, token)
  const { user_id: id } = user
  // From here on, the client guesses no link.
  attempt.succeed()
  const text = requirePassword(password, 'password')
  const hasFactor = records.get(secondFactor, id) !== undefined
  if (hasFactor && code === undefined) throw codeRequired()
  const codes = hasFactor ? await loadCodes() : undefined
  const guess =
    hasFactor && code !== undefined && isTimeCode(code)
      ? await signInGuard.beginCode({ userId: id, familiarSource: undefined })
      : undefined

  const hashed = await passwords.hash(text)
  const plan = (unit: Unit): User => {
    // Another request or the command line may have been faster.
    requireLink(services, unit, token)
    requireCode(unit, codes, { userId: id, code, now: services.now() })
    putPassword(unit, { id, password: hashed })
    if (isFirstStart) services.welcome.putUsed(unit)
    return requireActive(unit, id)
  }
  const opened = await openSession(services, { visitor, plan })
  if (isFirstStart) services.welcome.end()
  guess?.succeed()
  return opened
}

function requireLink(
  services: Pick<Services, 'welcome' | 'revoking' | 'now'>,
  reader: Reader,
  token: string,
): Opened {
  const found = findLinkedUser(services, reader, token)
  if (found !== undefined) return { user: found, isFirstStart: false }
  const id = findNamed(reader, ADMIN_NAME)
  const isFirst =
    id !== undefined &&
    reader.get(userPassword, id) === undefined &&
    services.welcome.isGood(token, reader)
  if (isFirst) return { user: requireActive(reader, id), isFirstStart: true }
  throw linkOver()
}

function linkOver(): CmsError {
  const detail =
    'The link is not valid: it was used, has expired, or was replaced. Ask an administrator for a new link, or sign in.'
  return new CmsError('link-over', detail, {
    headers: { 'www-authenticate': 'Bearer realm="cms"' },
  })
}
