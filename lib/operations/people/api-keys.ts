// API keys: rules, create, update, rotate; revoking.ts deletes them. Users may create keys of their own, and with the
// admin grant keys of others, as far as key-authority.ts allows.

import { recheck } from '../../auth/caller.ts'
import { timeOfEnds } from '../../auth/key-use.ts'
import { hashSecret, hintOf, newSecret } from '../../auth/secret.ts'
import { CmsError } from '../../base/errors.ts'
import {
  type ApiKey,
  apiKey,
  apiKeySecret,
  EXAMPLE_SECRET,
  isSession,
  SECRET_SCHEMA,
} from '../../schema/api-key.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import {
  checkCreate,
  checkUpdate,
  refuseFaults,
  refuseField,
  type Values,
} from '../../schema/check.ts'
import type { Made } from '../../schema/server-records.ts'
import { buildRecord } from '../../schema/record.ts'
import { lossFaults } from '../../schema/strict.ts'
import { user } from '../../schema/user.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, RecordInput, RecordUpdate } from '../context.ts'
import { withNewId } from '../new-id.ts'
import type { ObjectRules } from '../object-rules.ts'
import { presentValue } from '../present.ts'
import { requireMatch, requireRecord } from '../requirements.ts'
import { viewOf } from '../visibility.ts'
import {
  countKeyChange,
  noSuchFolder,
  requireEnd,
  requireFewKeys,
  requireFewMade,
  requireNarrower,
  requireOwner,
  requireResultWithin,
  requireRevivable,
  requireVisibleKey,
} from './key-authority.ts'
import { removeKey, removeSecrets } from './revoking.ts'
import { keyVisibility, requireFuture } from './key-visibility.ts'

const CASCADE = 'cascade'

export const keyRules: ObjectRules = {
  ...keyVisibility,
  readAccess: 'key',
  changeAccess: { create: 'key', update: 'key', remove: 'key' },
  body: 'json',
  needsRoom: 'record',
  async create(context, body) {
    const { stored, secret } = await createKey(context, body)
    return { stored, extra: { secret } }
  },
  hasSecret: true,
  update: updateKey,
  remove: (context, { options, ...input }) =>
    removeKey(context, { ...input, isCascade: options.has(CASCADE) }),
  removeOptions: [
    {
      name: CASCADE,
      description:
        'Also delete all keys that this key has created, directly or through other keys, if the key of the request ' +
        'may delete them.',
    },
  ],
  notes: { created: SECRET_SCHEMA, createdExample: { secret: EXAMPLE_SECRET } },
}

interface KeyWithSecret {
  readonly stored: Stored
  /** Shown once: only its hash is stored. */
  readonly secret: string
}

async function createKey(context: Context, body: unknown): Promise<KeyWithSecret> {
  const given = checkCreate(apiKey, body)
  if (context.isStrict === true) refuseFaults(lossFaults(apiKey, body))
  const secret = newSecret()
  await countKeyChange(context)

  const stored = await withNewId(context.records, apiKey.recordType, (id) =>
    context.records.commit((unit) => {
      const caller = recheck(unit, context.caller, context.now())
      const userId = Number(given['user_id'] ?? caller.user.user_id)
      // A signed-in user acts in person, so the new key does not depend on the session.
      const made_by = isSession(caller.key) ? null : caller.key.api_key_id
      const values: Values = { ...given, user_id: userId, made_by }
      requireOwner(unit, caller, userId)
      requireFewKeys(unit, userId, context.limits.keysPerUser)
      requireFewMade(unit, { caller, userId, now: context.now() }, context.limits)
      requireNarrower(unit, caller, values)
      requireEnd(caller, values['date_expires'])
      return putNewKey(unit, { id, values, secret, owner: caller.user.name, now: context.now() })
    }),
  )
  return { stored, secret }
}

interface NewKey {
  readonly id: number
  readonly values: Values
  readonly secret: string
  readonly owner: string
  readonly now: Date
}

export function putNewKey(unit: Unit, { id, values, secret, owner, now }: NewKey): Stored {
  requireTargets(unit, values)
  requireFuture(unit, values, now)
  const record = buildRecord(
    apiKey,
    { ...values, hint: hintOf(secret) },
    { id, owner, now: now.toISOString() },
  )
  unit.put(apiKey.recordType, [id], record)
  unit.put(apiKeySecret, [hashSecret(secret)], { api_key_id: id, date_expires: null })
  return requireRecord(unit, apiKey, id).stored
}

async function updateKey(context: Context, input: RecordUpdate): Promise<Stored> {
  await countKeyChange(context)
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireVisibleKey(unit, caller, input.id)
    requireMatch(input.precondition, stored)

    const current = presentValue(
      viewOf(context, { reader: unit, as: caller }),
      keyVisibility,
      stored,
    )
    const values = checkUpdate(apiKey, input.body, current)
    if (context.isStrict === true) refuseFaults(lossFaults(apiKey, input.body))
    if (Object.keys(values).length === 0) return stored
    if ('user_id' in values)
      refuseField('user_id', 'cannot be changed: create a key for the other user')
    if (isSession(record)) requireOfSession(values)
    const next = { ...record, ...values, date_modified: context.now().toISOString() }
    requireNarrower(unit, caller, values)
    requireResultWithin(unit, caller, next)
    // A key that is reactivated or extended must not outlast the key that asks.
    if (values['status'] === 'active' || 'date_expires' in values)
      requireEnd(caller, next.date_expires)
    requireTargets(unit, values)
    requireFuture(unit, values, context.now())
    requireRevivable(unit, { caller, record, now: context.now() }, context.limits)
    unit.put(apiKey.recordType, [input.id], next)
    return requireRecord(unit, apiKey, input.id).stored
  })
}

/** Adds a second secret; the old one stays valid for `keepSeconds`. Older ones end now. */
export async function rotateKey(
  context: Context,
  input: RecordInput & { readonly keepSeconds: number },
): Promise<KeyWithSecret> {
  const secret = newSecret()
  await countKeyChange(context)
  const stored = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const found = requireVisibleKey(unit, caller, input.id)
    requireMatch(input.precondition, found.stored)
    requireEnd(caller, found.record.date_expires)
    if (isSession(found.record)) throw sessionRenewsItself()
    return putRotated(unit, {
      record: found.record,
      secret,
      keepSeconds: input.keepSeconds,
      now: context.now(),
    })
  })
  return { stored, secret }
}

interface Rotation {
  readonly record: ApiKey
  readonly secret: string
  readonly keepSeconds: number
  readonly now: Date
}

export function putRotated(unit: Unit, { record, secret, keepSeconds, now }: Rotation): Stored {
  const id = record.api_key_id
  const until = new Date(timeOfEnds(unit, now).getTime() + keepSeconds * 1_000).toISOString()
  for (const [hash] of unit.lookup(apiKeySecret, 'api_key_id', [id])) {
    const isCurrent =
      unit.get(apiKeySecret, String(hash))?.bytes.includes('"date_expires":null') === true
    if (isCurrent && keepSeconds > 0)
      unit.put(apiKeySecret, [String(hash)], { api_key_id: id, date_expires: until })
    else unit.remove(apiKeySecret, String(hash))
  }

  unit.put(apiKeySecret, [hashSecret(secret)], { api_key_id: id, date_expires: null })
  unit.put(apiKey.recordType, [id], {
    ...record,
    hint: hintOf(secret),
    date_modified: now.toISOString(),
  })
  return requireRecord(unit, apiKey, id).stored
}

/** Revokes the key permanently: its secrets are removed. The record stays, inactive. */
export function putRevoked(unit: Unit, record: ApiKey, now: Date): void {
  removeSecrets(unit, record.api_key_id)
  unit.put(apiKey.recordType, [record.api_key_id], {
    ...record,
    status: 'inactive',
    date_modified: now.toISOString(),
  })
}

/** The lifetime and grants of a session follow from its user and its use. */
function requireOfSession(values: Values): void {
  const [name] = Object.keys(values).filter((field) => field !== 'name' && field !== 'status')
  if (name !== undefined) refuseField(name, 'of a session cannot be changed: delete it to sign out')
}

function sessionRenewsItself(): CmsError {
  const detail =
    'A session renews its secrets automatically. Delete it to sign out, or create a key.'
  return new CmsError('invalid-content', detail)
}

/** Throws not-found if one of the created keys is no longer visible to the caller. */
export function requireReplayedKeys({ records, caller }: Context, made: Made): void {
  for (const id of made[apiKey.recordType.name] ?? []) requireVisibleKey(records, caller, id)
}

function requireTargets(reader: Reader, values: Values): void {
  const { user_id: userId, asset_category_id: categoryId } = values
  if (typeof userId === 'number' && reader.get(user.recordType, userId) === undefined) {
    refuseField('user_id', `must be the identifier of a user; there is no ${userId}`)
  }
  if (
    typeof categoryId === 'number' &&
    reader.get(assetCategory.recordType, categoryId) === undefined
  ) {
    refuseField('asset_category_id', noSuchFolder(categoryId))
  }
}

/** Longer durations are mistakes, and their end would not be a valid date. */
const MAX_DURATION_SECONDS = 100 * 365 * 86_400

/** `30d`, `12h`, `15m`, `90s` or plain seconds; at most 100 years. `field` is named in the error. */
export function parseDuration(value: unknown, field: string): number {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const match = /^(\d{1,9})([smhd]?)$/.exec(text)
  const seconds = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 }[match?.[2] ?? '']
  const duration = Number(match?.[1] ?? Number.NaN) * (seconds ?? Number.NaN)
  if (duration <= MAX_DURATION_SECONDS) return duration
  return refuseField(
    field,
    'must be a duration of at most 100 years: 30d, 12h, 15m, 90s or a number of seconds',
  )
}
