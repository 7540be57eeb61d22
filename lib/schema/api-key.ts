// api_key: what a client signs its requests with. The secret is shown once and kept as a hash.

import type { Index, RecordType } from './values.ts'
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
import { GRANTS, type Grant, isGrant } from './grants.ts'
import type { Jump } from './retention-clock.ts'
import { NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'

/** Only of keys that a key has made: those of earlier versions do not have the field. */
const MADE_BY: Index = {
  name: 'made_by',
  rows: ({ made_by: id }) => (typeof id === 'number' ? [[id]] : []),
}

export const KEY_STATES = ['active', 'inactive', 'user-disabled', 'expired'] as const

export const apiKey = defineObject({
  name: 'api_key',
  label: 'API key',
  description:
    'Signs requests. Holds at most what its user holds at the moment of the call. A key sees and changes itself ' +
    'and keys that hold no more: of its user, and with the grant admin of all.',
  example: {
    create: { name: 'website', grants: ['view'] },
    update: { status: 'inactive' },
    record: { api_key_id: 2, user_id: 1, hint: 'cms_eO4e…', made_by: 1, state: 'active' },
    changed: { state: 'inactive', state_reason: 'Its status is inactive.' },
  },
  fields: {
    name: string('required', {
      description: 'What the key is for.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    user_id: {
      ...reference('optional', {
        description: 'The user it belongs to; without it, the caller.',
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
          'The grants it is limited to; null: all of its user. modify holds create, too; create alone allows ' +
          'creates and nothing else.',
      },
    ),
    asset_category_id: reference('optional', {
      description: 'The folder whose subtree it is limited to; null: everywhere.',
    }),
    status: choice('optional', ['active', 'inactive'], {
      // Null would stand for active, and let in again who was shut out.
      isClearable: false,
      description: 'An inactive key is refused at its next request.',
      initial: 'active',
    }),
    date_expires: dateTime('optional', {
      description:
        'From then on the key is refused; null: never. Stored to the millisecond; with Prefer: handling=strict a more exact time is 422.',
    }),
    hint: string('assigned', {
      isNullable: false,
      description: 'The first characters of the secret, to tell keys apart.',
      isIndexed: false,
    }),
    made_by: reference('assigned', {
      // Keys of earlier versions have none, and no row: see MADE_BY.
      isIndexed: false,
      description:
        'The key that made it, which may be gone since; null for the command line, and for somebody who had signed ' +
        'in. Revoking that key with ?cascade=true ends this one, too.',
    }),
    date_signed_in: dateTime('assigned', {
      // As of made_by.
      isIndexed: false,
      description:
        'Of a session: when its person signed in. Null for a key that programs use. Deleting a session signs out.',
    }),
    state: choice('assigned', KEY_STATES, {
      description:
        'Whether the key is accepted at this moment. inactive: its status is. user-disabled: its user is. expired: the ' +
        'clock of the server has shown date_expires, also if the clock has been set back since.',
      isNullable: false,
      isStored: false,
    }),
    state_reason: string('assigned', {
      description: 'Why the key is refused; null where it is accepted.',
      isStored: false,
    }),
    last_used: dateTime('assigned', {
      description: 'When it was last used, to the minute.',
      isStored: false,
    }),
  },
  indexes: [MADE_BY],
})

export type ApiKey = RecordOf<typeof apiKey>

/** True for the key of somebody who has signed in: see session.ts. */
export function isSession({ date_signed_in: date }: Pick<ApiKey, 'date_signed_in'>): boolean {
  return typeof date === 'string'
}

/** Key: [SHA-256 of the secret, hexadecimal]. */
export interface ApiKeySecret {
  readonly api_key_id: number
  /** Set when the key was rotated: the old secret ends then. */
  readonly date_expires: string | null
}

export const apiKeySecret: RecordType<ApiKeySecret> = {
  name: 'api_key_secret',
  indexes: [{ name: 'api_key_id', rows: (record) => [[Number(record['api_key_id'])]] }],
}

/** Key: [api_key_id]; kept apart from the key, so that its use is no change of it. */
export interface ApiKeyUse {
  readonly last_used: string
  /** Addresses of its last clients, the latest first; not there where none was told apart. */
  readonly sources?: readonly string[]
}

export const apiKeyUse: RecordType<ApiKeyUse> = { name: 'api_key_use', indexes: [] }

/**
 * Key: [api_key_id] of a key that is gone, and by which others were made: so that all that descends from
 * a key is found, whatever was revoked in between.
 */
export interface GoneMaker {
  readonly made_by: number | null
}

export const goneMaker: RecordType<GoneMaker> = { name: 'gone_maker', indexes: [MADE_BY] }

/** Key: [1]; what the server has seen of the clock. Rows of before the jumps have the first alone. */
export interface SeenTime {
  /** The latest time, so that a clock set back revives no key. */
  readonly date_seen: string
  /** The last one, which a clock set back makes an earlier one. */
  readonly date_last?: string
  readonly jumps?: readonly Jump[]
}

export const seenTime: RecordType<SeenTime> = { name: 'seen_time', indexes: [] }

function checkGrants(value: unknown): Checked<readonly Grant[]> {
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
  properties: { secret: { type: 'string', description: 'Shown this once.' } },
} as const

export const EXAMPLE_SECRET = 'cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL'
