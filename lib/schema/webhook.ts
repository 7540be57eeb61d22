// webhook: an address to which changes are sent, one at a time and in order. Data that a delivery changes is
// stored separately, so that a delivery does not change the record.

import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../shared/actions.ts'
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
    'An address to which changes of the site are sent as they happen: all changes, or only some kinds of record or a folder. Deliveries ' +
    'are signed according to Standard Webhooks and sent one at a time, in order. Reading webhooks needs the admin grant on the whole site, ' +
    'changing them every grant there. A webhook continues when the user who created it is deleted.',
  example: {
    create: { name: 'search index', url: 'https://search.example.org/changes' },
    update: { objects: ['asset_file'] },
    record: { webhook_id: 1, position: 7, state: 'delivering' },
  },
  fields: {
    name: string('required', {
      description: 'Purpose of the webhook.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    url: string('required', {
      description:
        'Address that receives changes by POST: https, or http for addresses in --webhook-allow. Addresses of private networks are ' +
        'rejected, even if a name resolves to them, unless --webhook-allow lists them; redirects are not followed.',
      maxLength: MAX_URL_LENGTH,
      isIndexed: false,
      check: urlFault,
    }),
    objects: names(CHANGED_OBJECTS, 'Kinds of record whose changes are sent; null: all.'),
    asset_category_id: reference('optional', {
      description:
        'The folder whose subtree is reported; changes of records that are in no folder are then not sent. Null: all.',
      isIndexed: false,
    }),
    actions: names(
      CHANGE_ACTIONS,
      'Actions that are sent; null: all. publish and stage also match a create, update or upload that published or ' +
        'staged the file.',
    ),
    status: choice('optional', ['active', 'paused'], {
      // Null would mean active and resume deliveries that were stopped on purpose.
      isClearable: false,
      description: 'A paused webhook sends nothing; after a resume it continues where it stopped.',
      initial: 'active',
    }),
    position: integer('assigned', {
      description: 'All changes up to this sequence number were delivered, or are not sent.',
      isNullable: false,
      isStored: false,
    }),
    state: choice('assigned', STATES, {
      description:
        'delivering: it follows the changes. waiting: a delivery failed and is retried at date_retry. given_up: nothing is ' +
        'sent until POST …/resume or …/replay; last_error gives the reason.',
      isNullable: false,
      isStored: false,
    }),
    last_error: string('assigned', {
      description:
        'Why the last delivery failed or deliveries were given up; null after a successful delivery.',
      isStored: false,
    }),
    date_delivered: dateTime('assigned', {
      description: 'When a change was last delivered.',
      isStored: false,
    }),
    date_retry: dateTime('assigned', {
      description: 'When a waiting delivery is retried.',
      isStored: false,
    }),
  },
})

export type Webhook = RecordOf<typeof webhook>

/**
 * Key: [webhook_id]. Each secret has 32 bytes and is encrypted with the key of the site, because signing needs
 * it.
 */
export interface WebhookSecret {
  readonly secret: string
  /** The previous secret, which also signs until date_ends. */
  readonly previous: { readonly secret: string; readonly date_ends: string } | null
}

export const webhookSecret: RecordType<WebhookSecret> = { name: 'webhook_secret', indexes: [] }

/** Key: [webhook_id]. */
export interface WebhookProgress {
  readonly position: number
  /**
   * Incremented when the position is set: deliveries that were in flight then do not affect the new position.
   */
  readonly turn: number
  readonly state: (typeof STATES)[number]
  /** Failed attempts for the change after the position. */
  readonly attempts: number
  /** Time of the first failed attempt. */
  readonly date_failing: string | null
  readonly date_retry: string | null
  readonly last_error: string | null
  readonly date_delivered: string | null
  /** Total number of rows of webhookDelivery. */
  readonly deliveries: number
}

export const webhookProgress: RecordType<WebhookProgress> = {
  name: 'webhook_progress',
  indexes: [],
}

/** Key: [webhook_id, number], numbers from 1. */
export interface WebhookDelivery {
  /** Event type as sent to the receiver. */
  readonly type: string
  readonly message_id: string
  /** Sequence number of the change; null for a test. */
  readonly sequence: number | null
  readonly attempt: number
  readonly date: string
  /** Status of the response; null without a response. */
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
  /** Beginning of the response. */
  readonly answer: string | null
}

export const webhookDelivery: RecordType<WebhookDelivery> = {
  name: 'webhook_delivery',
  idCount: 2,
  indexes: [],
}

/** Prefix of a secret by Standard Webhooks; base64 of 32 bytes follows. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

export const EXAMPLE_WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwN2zG1FQ5rXo='

/** The member that shows a new secret. */
export const WEBHOOK_SECRET_SCHEMA = {
  type: 'object',
  required: ['secret'] as string[],
  properties: {
    secret: {
      type: 'string',
      description: 'Secret that signs deliveries. Shown only once.',
    },
  },
} as const

function urlFault(value: string): string | undefined {
  const url = URL.canParse(value) && !/[\s\\]/.test(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'must be an address with https, like https://example.org/changes'
  if (url.username !== '' || url.password !== '')
    return 'must not contain a name or a password: deliveries are signed'
  return value.includes('#')
    ? 'must not have a fragment, because fragments are never sent'
    : undefined
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
    : refuse('must not contain a name twice')
}
