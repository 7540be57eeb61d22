// Finds the caller of a request: the key that signed the request, and the key's user. Both are read for every
// request, so that a revoked, expired or narrowed key stops working at the next request.

import { LRUCache } from 'lru-cache'
import { upTo } from '../base/cache-bound.ts'
import { CmsError } from '../base/errors.ts'
import { type ApiKey, type ApiKeySecret, apiKey, apiKeySecret } from '../schema/api-key.ts'
import { type User, user } from '../schema/user.ts'
import type { Reader, Records } from '../storage/port.ts'
import { findSeen, laterOf } from './key-use.ts'
import { isSecret, type Proof } from './secret.ts'

export interface Caller {
  readonly secretHash: string
  /** The earlier of the ends of the secret and of the key. */
  readonly dateEnds: string | null
  readonly key: ApiKey
  readonly user: User
  /** True for readers without a key: see anonymous.ts. */
  readonly isAnonymous?: boolean
}

const CHALLENGE = 'Bearer realm="cms"'

/** Well-formed credentials of another scheme; the request carries no key. */
const OTHER_SCHEME = /^(?!Bearer )[^\s,]+ +\S/i

/** RFC 7617: the password is the secret, under any user name. For programs that can send nothing else. */
export function readPassword([header = '', ...others]: readonly string[]): string | undefined {
  if (others.length > 0) return undefined
  const [, encoded = ''] = /^Basic +([\w+/=-]+) *$/i.exec(header) ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 || colon === text.length - 1 ? undefined : text.slice(colon + 1)
}

/** Adds a Basic challenge, so that programs ask their user for a password. */
export function withBasic(error: CmsError): CmsError {
  if (error.code !== 'key-required' && error.code !== 'key-invalid') return error
  const { headers } = error.facts
  const challenges = `Basic realm="cms", charset="UTF-8", ${headers?.['www-authenticate']}`
  const both = { ...headers, 'www-authenticate': challenges }
  return new CmsError(error.code, error.message, { ...error.facts, headers: both })
}

export function keyRequired(): CmsError {
  return new CmsError('key-required', 'Send the header "Authorization: Bearer <API_KEY>".', {
    headers: { 'www-authenticate': CHALLENGE },
  })
}

/** RFC 6750: one header; the scheme is case-insensitive. A secret of unknown form is simply not valid. */
export function readSecret(headers: readonly string[]): string {
  const [header = '', ...others] = headers
  if (headers.length === 0 || (others.length === 0 && OTHER_SCHEME.test(header))) {
    throw keyRequired()
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

/** Undefined if the key does not exist or is no longer valid. */
export type FindCaller = (proof: Proof, now: Date) => Caller | undefined

/** Caches up to `max` callers, each until one of its records changes. */
export function openCallers(records: Pick<Records, 'get' | 'trace'>, max: number): FindCaller {
  const known = new LRUCache<string, Known>(upTo(max))

  return ({ text, hash: secretHash }, now) => {
    const found = known.get(secretHash)
    if (found?.isCurrent() === true)
      return isExpired(records, found.caller.dateEnds, now) ? undefined : found.caller

    if (text !== undefined && !isSecret(text)) return undefined
    const trace = records.trace()
    const caller = callerOf(trace.records, secretHash, now)
    if (caller !== undefined) known.set(secretHash, { caller, isCurrent: trace.close() })
    return caller
  }
}

interface Known {
  readonly caller: Caller
  readonly isCurrent: () => boolean
}

/** The same caller in the newest state; throws key-invalid if the key is no longer valid. */
export function recheck(reader: Pick<Reader, 'get'>, caller: Caller, now: Date): Caller {
  const current = callerOf(reader, caller.secretHash, now)
  if (current === undefined) throw invalidKey()
  return current
}

/** The caller that each secret last stood for; valid while key and user are the same records. */
const CALLERS = new WeakMap<ApiKeySecret, Caller>()

function callerOf(reader: Pick<Reader, 'get'>, secretHash: string, now: Date): Caller | undefined {
  const storedSecret = reader.get(apiKeySecret, secretHash)
  if (storedSecret === undefined) return undefined
  const secret = storedSecret.value

  const storedKey = reader.get(apiKey.recordType, secret.api_key_id)
  if (storedKey === undefined) return undefined
  const key = storedKey.value

  const storedUser = reader.get(user.recordType, key.user_id)
  if (storedUser === undefined) return undefined
  const owner = storedUser.value

  const dateEnds = earlierOf(secret.date_expires, key.date_expires)
  const isActive = key.status === 'active' && owner.status === 'active'
  if (!isActive || isExpired(reader, dateEnds, now)) return undefined

  const known = CALLERS.get(secret)
  if (known?.key === key && known.user === owner) return known
  const caller = Object.freeze({ secretHash, dateEnds, key, user: owner })
  CALLERS.set(secret, caller)
  return caller
}

/** Key and user of a link, if both are active and the key has not expired or begun to be removed. */
export function findHolder(
  records: Pick<Reader, 'get'>,
  keyId: number,
  { revoking, now }: { readonly revoking: ReadonlySet<number>; readonly now: Date },
): Pick<Caller, 'key' | 'user'> | undefined {
  const key = records.get(apiKey.recordType, keyId)?.value
  const owner = key && records.get(user.recordType, key.user_id)?.value
  if (key?.status !== 'active' || owner?.status !== 'active') return undefined
  if (revoking.has(keyId) || isExpired(records, key.date_expires, now)) return undefined
  return { key, user: owner }
}

/** Also compares with the latest time ever seen: a clock that is set back must not revive an expired key. */
export function isExpired(
  reader: Pick<Reader, 'get'>,
  dateEnds: string | null,
  now: Date,
): boolean {
  return dateEnds !== null && dateEnds <= laterOf(findSeen(reader)?.date_seen, now)
}

function earlierOf(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return left < right ? left : right
}

/** A ticket is made by the site, so its holder may learn why it is no longer valid. */
export function expiredTicket(): CmsError {
  const detail =
    'The ticket has expired or is for another address. Request a new one: POST /api/v2/ticket.'
  const headers = { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` }
  return new CmsError('key-invalid', detail, { headers })
}

/** One answer for every reason, so that the answer does not reveal which one applies. */
export function invalidKey(): CmsError {
  return new CmsError('key-invalid', 'The key is unknown, inactive or expired. Use another key.', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  })
}
