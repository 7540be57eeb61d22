// Sign-in through an identity provider. It creates no users: the address must be assigned to an existing user. Our
// second factor is not requested, because the provider is responsible for authentication.

import type { BegunAttempt, NewAttempt, Oidc, ProviderAnswer } from '../../auth/oidc.ts'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import { type User, user } from '../../schema/user.ts'
import type { Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { openSession, type SignedIn, type Visitor } from './sessions.ts'

/** Passed to a page, because no program reads this answer: the browser is redirected. */
export interface Failed {
  readonly problem: ErrorCode
}

const REDIRECTED_CODES: ReadonlySet<ErrorCode> = new Set([
  'oidc-unavailable',
  'oidc-refused',
  'oidc-no-user',
])

export function beginOidc(services: Services, attempt: NewAttempt): Promise<BegunAttempt | Failed> {
  const oidc = requireOidc(services)
  return orFailed(() => oidc.begin(attempt))
}

export interface Returned {
  readonly answer: ProviderAnswer
  readonly visitor: Visitor
}

export function finishOidc(
  services: Services,
  { answer, visitor }: Returned,
): Promise<SignedIn | Failed> {
  const oidc = requireOidc(services)
  return orFailed(async () => {
    const { email, replaced } = await oidc.finish(answer)
    if (email === undefined) throw noUser()
    return openSession(services, {
      visitor: { ...visitor, replaced },
      plan: (unit) => requireOnlyUser(unit, email),
    })
  })
}

function requireOidc({ oidc }: Services): Oidc {
  if (oidc !== undefined) return oidc
  throw new CmsError('not-found', 'Sign-in by OpenID Connect is not set up: see --oidc-issuer.')
}

async function orFailed<T>(run: () => Promise<T>): Promise<T | Failed> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CmsError && REDIRECTED_CODES.has(error.code))
      return { problem: error.code }
    throw error
  }
}

/**
 * Finds the one active user with this address, as the provider writes the address or in lower case. Only ASCII
 * letters are folded: Unicode folding turns U+212A (KELVIN SIGN) into "k", so the owner of another address would sign
 * in as this user.
 */
function requireOnlyUser(unit: Unit, email: string): User {
  const forms = new Set([email, email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())])
  const ids = [...forms].flatMap((form) => unit.lookup(user.recordType, 'email', [form]))
  const active = ids
    .map(([id]) => unit.get(user.recordType, Number(id))?.value)
    .filter((found) => found?.status === 'active')
  const [only, ...others] = active
  if (only === undefined || others.length > 0) throw noUser()
  return only
}

function noUser(): CmsError {
  const detail =
    'No active user, or more than one, has the email address confirmed by the provider.'
  return new CmsError('oidc-no-user', detail)
}
