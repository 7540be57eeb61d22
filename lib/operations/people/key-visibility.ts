// Decides which callers see an API key, and adds the time of its last use and whether it is accepted now.

import { isExpired } from '../../auth/caller.ts'
import { holdsAll } from '../../auth/delegation.ts'
import { findSeen } from '../../auth/key-use.ts'
import { type ApiKey, apiKey, apiKeyUse, type KEY_STATES } from '../../schema/api-key.ts'
import { refuseField, type Values } from '../../schema/check.ts'
import { laterFields } from '../../schema/record.ts'
import { user } from '../../schema/user.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Visibility } from '../visibility.ts'
import { requireVisibleKey, seesKey } from './key-authority.ts'

export const keyVisibility: Visibility<ApiKey> = {
  object: apiKey,
  seen: {
    requireRead: readKey,
    requireMade: readKey,
    visibility: ({ records, caller }) =>
      holdsAll(caller) ? undefined : (record) => seesKey(records, caller, record),
  },
  isTimed: true,
  derive:
    ({ reader, now }) =>
    (key) => ({
      // Keys of earlier builds lack this field.
      ...laterFields(key, ['date_signed_in']),
      ...keyStateOf(reader, key, now),
      last_used: lastUse(reader, key.api_key_id),
    }),
}

function readKey({ records, caller }: Context, id: number): Stored<ApiKey> {
  return requireVisibleKey(records, caller, id).stored
}

function lastUse(reader: Reader, id: number): string | null {
  return reader.get(apiKeyUse, id)?.value.last_used ?? null
}

interface KeyState {
  readonly state: (typeof KEY_STATES)[number]
  readonly state_reason: string | null
}

type Ends = Pick<ApiKey, 'status' | 'user_id' | 'date_expires'>

export function keyStateOf(reader: Pick<Reader, 'get'>, key: Ends, now: Date): KeyState {
  if (key.status !== 'active') return { state: 'inactive', state_reason: 'Its status is inactive.' }
  if (reader.get(user.recordType, key.user_id ?? 0)?.value.status !== 'active')
    return { state: 'user-disabled', state_reason: 'Its user is disabled.' }
  const reason = expiryReason(reader, key.date_expires, now)
  if (reason !== undefined) return { state: 'expired', state_reason: reason }
  return { state: 'active', state_reason: null }
}

/** Undefined if the key has not expired. */
export function expiryReason(
  reader: Pick<Reader, 'get'>,
  dateEnds: string | null,
  now: Date,
): string | undefined {
  if (!isExpired(reader, dateEnds, now)) return undefined
  if (dateEnds === null || dateEnds <= now.toISOString()) return `The key has expired: ${dateEnds}.`
  const seen = findSeen(reader)?.date_seen
  return `The key has expired: ${dateEnds}, a time that the server's clock had passed (${seen}) before it was set back. To use the key again, set date_expires to a later time.`
}

/** Rejects an expiry in the past, even if the clock was set back since then; mostly the year is wrong. */
export function requireFuture(
  reader: Pick<Reader, 'get'>,
  { date_expires: end }: Values,
  now: Date,
): void {
  if (typeof end !== 'string' || !isExpired(reader, end, now)) return
  if (end > now.toISOString())
    refuseField(
      'date_expires',
      `must be after ${findSeen(reader)?.date_seen}, because the server's clock showed that time before it was set back`,
    )
  refuseField(
    'date_expires',
    'must lie in the future; to disable a key now, set its status to inactive',
  )
}
