// webhook: an address to which changes are sent, one at a time and in their order. What a delivery changes is kept apart
// from the record, so that it is no change of it.

import { CHANGE_ACTIONS, CHANGED_OBJECTS } from './change-log.ts'
import {
  accept,
  type Checked,
  choice,
  dateTime,
  type Field,
  integer,
  reference,
  refuse,
  string,
  structure,
} from './field.ts'
import { NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'
import type { RecordType } from './values.ts'

const STATES = ['delivering', 'waiting', 'given_up'] as const

const MAX_URL_LENGTH = 2_000

export const webhook = defineObject({
  name: 'webhook',
  label: 'webhook',
  description:
    'An address to which every change of the site is sent as it happens, or of some kinds of record, or of a folder: signed as ' +
    'Standard Webhooks describes, one at a time and in order. Read with the grant admin on the whole site, changed with every grant ' +
    'there. It goes on when who has made it is gone.',
  example: {
    create: { name: 'search index', url: 'https://search.example.org/changes' },
    update: { objects: ['asset_file'] },
    record: { webhook_id: 1, position: 7, state: 'delivering' },
  },
  fields: {
    name: string('required', {
      description: 'What it is for.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    url: string('required', {
      description:
        'Where changes are sent by POST: with https, or with http to what --webhook-allow names. Addresses of private networks are ' +
        'refused, also where a name resolves to one, unless --webhook-allow names them; redirects are not followed.',
      maxLength: MAX_URL_LENGTH,
      isIndexed: false,
      check: urlFault,
    }),
    objects: names(CHANGED_OBJECTS, 'The kinds of record whose changes are sent; null: all.'),
    asset_category_id: reference('optional', {
      description:
        'The folder of whose subtree changes are sent, and of nothing that lies in no folder; null: all.',
      isIndexed: false,
    }),
    actions: names(
      CHANGE_ACTIONS,
      'The actions that are sent; null: all. publish and stage also match a create, update or upload that published or ' +
        'staged the file.',
    ),
    status: choice('optional', ['active', 'paused'], {
      // Null would stand for active, and send again what somebody wanted kept back.
      isClearable: false,
      description: 'A paused one sends nothing; resumed, it goes on where it was.',
      initial: 'active',
    }),
    position: integer('assigned', {
      description: 'Whatever was changed up to this sequence was delivered, or is not to be sent.',
      isNullable: false,
      isStored: false,
    }),
    state: choice('assigned', STATES, {
      description:
        'delivering: it follows the changes. waiting: a delivery has failed, and is tried again at date_retry. given_up: nothing is ' +
        'sent any more before POST …/resume or …/replay; last_error tells why.',
      isNullable: false,
      isStored: false,
    }),
    last_error: string('assigned', {
      description:
        'Why the last delivery failed, or all are given up; null after one that did not.',
      isStored: false,
    }),
    date_delivered: dateTime('assigned', {
      description: 'When a change was last delivered.',
      isStored: false,
    }),
    date_retry: dateTime('assigned', {
      description: 'Of one that is waiting: when it is tried again.',
      isStored: false,
    }),
  },
})

export type Webhook = RecordOf<typeof webhook>

/** Key: [webhook_id]. Each is 32 bytes, encrypted by the key of the site: they are needed to sign. */
export interface WebhookSecret {
  readonly secret: string
  /** The one before, which signs, too, until then. */
  readonly previous: { readonly secret: string; readonly date_ends: string } | null
}

export const webhookSecret: RecordType<WebhookSecret> = { name: 'webhook_secret', indexes: [] }

/** Key: [webhook_id]. */
export interface WebhookProgress {
  readonly position: number
  /** Raised by whoever sets the position: what was on its way by then says nothing of it. */
  readonly turn: number
  readonly state: (typeof STATES)[number]
  /** That have failed, of the change after the position. */
  readonly attempts: number
  /** Of the first of them. */
  readonly date_failing: string | null
  readonly date_retry: string | null
  readonly last_error: string | null
  readonly date_delivered: string | null
  /** Rows of webhookDelivery that it ever had. */
  readonly deliveries: number
}

export const webhookProgress: RecordType<WebhookProgress> = {
  name: 'webhook_progress',
  indexes: [],
}

/** Key: [webhook_id, number], numbers from 1. */
export interface WebhookDelivery {
  /** As the receiver was told. */
  readonly type: string
  readonly message_id: string
  /** Of the change; null for a test. */
  readonly sequence: number | null
  readonly attempt: number
  readonly date: string
  /** Of the answer; null where there was none. */
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
  /** How the answer begins. */
  readonly answer: string | null
}

export const webhookDelivery: RecordType<WebhookDelivery> = {
  name: 'webhook_delivery',
  idCount: 2,
  indexes: [],
}

/** So it begins, by Standard Webhooks; base64 of 32 bytes follows. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

export const EXAMPLE_WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwN2zG1FQ5rXo='

/** The member that shows a new secret. */
export const WEBHOOK_SECRET_SCHEMA = {
  type: 'object',
  required: ['secret'] as string[],
  properties: {
    secret: {
      type: 'string',
      description: 'What deliveries are signed with. Shown this once.',
    },
  },
} as const

function urlFault(value: string): string | undefined {
  const url = URL.canParse(value) && !/[\s\\]/.test(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'must be an address with https, like https://example.org/changes'
  if (url.username !== '' || url.password !== '')
    return 'must hold no name and no password: deliveries are signed'
  return value.includes('#') ? 'must have no fragment: no server is sent one' : undefined
}

function names(
  known: readonly string[],
  description: string,
): Field<readonly string[], 'optional'> {
  const schema = {
    type: 'array',
    items: { type: 'string', enum: known },
    minItems: 1,
    maxItems: known.length,
    uniqueItems: true,
  }
  return structure('optional', schema, (value) => checkNames(value, known), { description })
}

function checkNames(value: unknown, known: readonly string[]): Checked<readonly string[]> {
  const isList = Array.isArray(value) && value.length > 0
  if (isList && value.length > known.length) return refuse(`may have at most ${known.length} names`)
  if (!isList || !value.every((item) => typeof item === 'string' && known.includes(item)))
    return refuse(`must be null, or a list of one or more of ${known.join(', ')}`)
  return new Set(value).size === value.length
    ? accept(value as readonly string[])
    : refuse('must not name one twice')
}
