// api_key: authenticates the requests of a client. The secret is shown once and stored as a hash.

import { type Grant, GRANTS, isGrant } from '../shared/grants.ts'
import {
  accept,
  type Checked,
  choice,
  dateTime,
  reference,
  refuse,
  string,
  structure,
} from './field.ts'
import { NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'
import type { Jump } from './retention-clock.ts'
import type { Index, RecordType } from './values.ts'

/** Only for keys that a key created. */
const MADE_BY: Index = {
  name: 'made_by',
  width: 1,
  rows: ({ made_by: id }) => (typeof id === 'number' ? [[id]] : []),
}

export const KEY_STATES = ['active', 'inactive', 'user-disabled', 'expired'] as const

export const apiKey = defineObject({
  name: 'api_key',
  label: 'API key',
  description:
    'Authenticates requests. A key never grants more than its user has at the time of the request. It can read and change itself ' +
    'and keys of its user that grant no more than itself; with the admin grant, also keys of other users.',
  example: {
    create: { name: 'website', grants: ['view'] },
    update: { status: 'inactive' },
    record: { api_key_id: 2, user_id: 1, hint: 'cms_eO4e…', made_by: 1, state: 'active' },
    changed: { state: 'inactive', state_reason: 'Its status is inactive.' },
  },
  fields: {
    name: string('required', {
      description: 'Purpose of the key.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    user_id: {
      ...reference('optional', {
        description: 'The user that the key belongs to; default: the caller. It cannot be changed.',
      }),
      // Null in a body stands for the caller.
      isNullable: false,
    },
    grants: structure(
      'optional',
      { type: 'array', items: { type: 'string', enum: GRANTS } },
      checkGrants,
      {
        description:
          'The grants that the key is limited to; null: all grants of its user. modify includes create; create alone allows ' +
          'only creates.',
      },
    ),
    asset_category_id: reference('optional', {
      description: 'The folder whose subtree the key is limited to; null: no limit.',
    }),
    status: choice('optional', ['active', 'inactive'], {
      // Null would mean active and restore access that was withdrawn.
      isClearable: false,
      description: 'An inactive key is rejected from its next request on.',
      initial: 'active',
    }),
    date_expires: dateTime('optional', {
      description:
        'The key is rejected from this time on; null: it never expires. Stored to the millisecond; with Prefer: handling=strict, a more precise time is rejected with 422.',
    }),
    hint: string('assigned', {
      isNullable: false,
      description: 'The first characters of the secret, to tell keys apart.',
      isIndexed: false,
    }),
    made_by: reference('assigned', {
      // Found by MADE_BY.
      isIndexed: false,
      description:
        'The key that created this key, even if it no longer exists; null if it was created on the command line or by a signed-in ' +
        'user. Revoking that key with ?cascade=true also revokes this key.',
    }),
    date_signed_in: dateTime('assigned', {
      // Keys of earlier builds have no value and no row.
      isIndexed: false,
      description:
        'When the user signed in, if the key is a session; null for a key of a program. Deleting a session signs the user out.',
    }),
    state: choice('assigned', KEY_STATES, {
      description:
        'Whether the key is accepted now. inactive: the status of the key is inactive. user-disabled: its user is disabled. expired: the ' +
        'server clock has reached date_expires, even if the clock was set back later.',
      isNullable: false,
      isStored: false,
    }),
    state_reason: string('assigned', {
      description: 'Why the key is rejected; null if it is accepted.',
      isStored: false,
    }),
    last_used: dateTime('assigned', {
      description: 'When the key was last used, to the minute.',
      isStored: false,
    }),
  },
  indexes: [MADE_BY],
})

export type ApiKey = RecordOf<typeof apiKey>

/** Whether the key belongs to a signed-in user: see session.ts. */
export function isSession({ date_signed_in: date }: Pick<ApiKey, 'date_signed_in'>): boolean {
  return typeof date === 'string'
}

/** Key: [SHA-256 of the secret, hexadecimal]. */
export interface ApiKeySecret {
  readonly api_key_id: number
  /** Set when the key was rotated: the old secret expires at this time. */
  readonly date_expires: string | null
}

export const apiKeySecret: RecordType<ApiKeySecret> = {
  name: 'api_key_secret',
  indexes: [{ name: 'api_key_id', rows: (record) => [[Number(record['api_key_id'])]] }],
}

/** Key: [api_key_id]. Stored separately, so that using a key does not change its record. */
export interface ApiKeyUse {
  readonly last_used: string
  /** Addresses of its last clients, latest first; missing if no address was known. */
  readonly sources?: readonly string[]
}

export const apiKeyUse: RecordType<ApiKeyUse> = { name: 'api_key_use', indexes: [] }

/**
 * Key: [api_key_id] of a deleted key that created other keys. With these rows, all descendants of a key are
 * found even if keys in between were revoked.
 */
export interface KeyTombstone {
  readonly made_by: number | null
}

export const keyTombstone: RecordType<KeyTombstone> = { name: 'gone_maker', indexes: [MADE_BY] }

/** Key: [1]. Observed times of the clock. */
export interface SeenTime {
  /** The latest time, so that setting the clock back does not revive expired keys. */
  readonly date_seen: string
  /** The last time, which is earlier than date_seen after the clock was set back. */
  readonly date_last: string
  readonly jumps: readonly Jump[]
}

export const seenTime: RecordType<SeenTime> = { name: 'seen_time', indexes: [] }

/** Grants in the order of the body. */
export function checkGrants(value: unknown): Checked<readonly Grant[]> {
  if (!Array.isArray(value) || !value.every(isGrant)) {
    return refuse(`must be a list of grants: ${GRANTS.join(', ')}`)
  }
  return new Set(value).size === value.length
    ? accept(value)
    : refuse('must not name a grant twice')
}

/** The member that shows a new secret. */
export const SECRET_SCHEMA = {
  type: 'object',
  required: ['secret'] as string[],
  properties: { secret: { type: 'string', description: 'Shown only once.' } },
} as const

export const EXAMPLE_SECRET = 'cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL'

/** Key: [SHA-256 of the cookie, hexadecimal]. */
export interface Session {
  readonly api_key_id: number
  readonly user_id: number
  /** The session ends at this time, however much it is used; its key expires earlier if it is unused. */
  readonly date_ends: string
}

/**
 * session: a user signed in with a browser. A session is an API key with all grants of its user, whose secrets
 * live for minutes, and a cookie, which can only get the next secret. The cookie therefore authenticates
 * nothing that another site could make a browser send.
 */
export const session: RecordType<Session> = {
  name: 'session',
  indexes: [
    { name: 'api_key_id', rows: (record) => [[Number(record['api_key_id'])]] },
    { name: 'user_id', rows: (record) => [[Number(record['user_id'])]] },
  ],
}
