// Who sends a request: the key that signed it and the user it belongs to, read anew every time, so
// that a key that is revoked, expired or narrowed stops at its very next request.

import { CmsError } from '../errors.ts'
import { type ApiKey, type ApiKeySecret, apiKey, apiKeySecret } from '../schema/api-key.ts'
import { valueOf } from '../schema/record.ts'
import { type User, user } from '../schema/user.ts'
import type { Reader } from '../storage/port.ts'
import { findSeenTime, laterOf } from './key-use.ts'
import { hashSecret, isSecret } from './secret.ts'

export interface Caller {
  readonly secretHash: string
  readonly key: ApiKey
  readonly user: User
}

const CHALLENGE = 'Bearer realm="cms"'

/** Credentials of another scheme: well-formed, and no key. */
const OTHER_SCHEME = /^(?!Bearer )[^\s,]+ +\S/i

/** RFC 6750: one header, the scheme in any case. The secret of an unknown form is simply not valid. */
export function readSecret(headers: readonly string[]): string {
  const [header = '', ...others] = headers
  if (headers.length === 0 || (others.length === 0 && OTHER_SCHEME.test(header))) {
    throw new CmsError('key-required', 'Send the header "Authorization: Bearer <API_KEY>".', {
      headers: { 'www-authenticate': CHALLENGE },
    })
  }
  const match = others.length === 0 ? /^Bearer +(\S+) *$/i.exec(header) : null
  if (match?.[1] === undefined) {
    throw new CmsError(
      'invalid-request',
      'Send exactly one header "Authorization: Bearer <API_KEY>".',
      {
        headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_request"` },
      },
    )
  }
  return match[1]
}

/** Undefined when there is no such key, or it does not hold any more. */
export function findCaller(
  reader: Pick<Reader, 'get'>,
  secret: string,
  now: Date,
): Caller | undefined {
  return isSecret(secret) ? callerOf(reader, hashSecret(secret), now) : undefined
}

/** The same caller in the newest state; throws key-invalid when the key does not hold any more. */
export function recheck(reader: Pick<Reader, 'get'>, caller: Caller, now: Date): Caller {
  const current = callerOf(reader, caller.secretHash, now)
  if (current === undefined) throw invalidKey()
  return current
}

/** The caller that a secret stood for when it was last used; the same one while its records are. */
const CALLERS = new WeakMap<ApiKeySecret, Caller>()

function callerOf(reader: Pick<Reader, 'get'>, secretHash: string, now: Date): Caller | undefined {
  // Not the clock alone: set back, it would let in again whose time was over.
  const isOver = (date: string | null): boolean =>
    date !== null && date <= laterOf(findSeenTime(reader), now)

  const storedSecret = reader.get(apiKeySecret, secretHash)
  if (storedSecret === undefined) return undefined
  const secret = valueOf<ApiKeySecret>(storedSecret)

  const storedKey = reader.get(apiKey.recordType, secret.api_key_id)
  if (storedKey === undefined) return undefined
  const key = valueOf<ApiKey>(storedKey)

  const storedUser = reader.get(user.recordType, key.user_id)
  if (storedUser === undefined) return undefined
  const owner = valueOf<User>(storedUser)

  const isValid =
    key.status === 'active' &&
    owner.status === 'active' &&
    !isOver(secret.date_expires) &&
    !isOver(key.date_expires)
  if (!isValid) return undefined

  const known = CALLERS.get(secret)
  if (known?.key === key && known.user === owner) return known
  const caller = Object.freeze({ secretHash, key, user: owner })
  CALLERS.set(secret, caller)
  return caller
}

/** One answer for every reason: which of them it was is nobody's business. */
export function invalidKey(): CmsError {
  return new CmsError('key-invalid', 'The key is unknown, inactive or expired. Use another key.', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  })
}
