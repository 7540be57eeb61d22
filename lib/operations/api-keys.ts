// API keys: create, update, rotate, delete. Everybody may make keys of their own, never with more
// than the key holds that asks; the admin grant may make keys of every user.

import { type Caller, recheck } from '../auth/caller.ts'
import { globalGrants, missingGrant, noSuchRecord } from '../auth/grants.ts'
import { hashSecret, hintOf, newSecret } from '../auth/secret.ts'
import { type ApiKey, apiKey, apiKeySecret } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { checkCreate, checkUpdate, refuseField, type Values } from '../schema/check.ts'
import { buildRecord } from '../schema/record.ts'
import { user } from '../schema/user.ts'
import type { JsonValue, Reader, Stored, Unit } from '../storage/port.ts'
import type { Context, Precondition, Services } from './context.ts'
import { presentValue } from './present.ts'
import { isInside, requireMatch, requireRecord } from './require.ts'
import { removeKeyRecords, removeSecrets } from './users.ts'

export interface KeyWithSecret {
  readonly stored: Stored
  /** Shown once: only its hash is kept. */
  readonly secret: string
}

export async function createKey(context: Context, body: unknown): Promise<KeyWithSecret> {
  const given = checkCreate(apiKey, body)
  const id = context.records.nextId(apiKey.recordType)
  const secret = newSecret()

  const stored = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const values: Values = { ...given, user_id: given['user_id'] ?? caller.user.user_id }
    requireOwnKey(caller, Number(values['user_id']))
    requireNarrower(unit, caller, values)
    return putNewKey(unit, { id, values, secret, owner: caller.user.name, now: context.now() })
  })
  return { stored, secret }
}

export interface NewKey {
  readonly id: number
  readonly values: Values
  readonly secret: string
  readonly owner: string
  readonly now: Date
}

export function putNewKey(unit: Unit, { id, values, secret, owner, now }: NewKey): Stored {
  requireTargets(unit, values)
  requireFuture(values, now)
  const record = buildRecord(
    apiKey,
    { ...values, hint: hintOf(secret) },
    { id, owner, now: now.toISOString() },
  )
  unit.put(apiKey.recordType, [id], record)
  unit.put(apiKeySecret, [hashSecret(secret)], { api_key_id: id, date_expires: null })
  return requireRecord(unit, apiKey, id).stored
}

export async function updateKey(
  context: Context,
  input: {
    readonly id: number
    readonly body: unknown
    readonly precondition: Precondition | undefined
  },
): Promise<Stored> {
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireVisibleKey(unit, caller, input.id)
    requireMatch(input.precondition, stored)

    const values = checkUpdate(apiKey, input.body, presentValue(unit, apiKey, stored))
    if (Object.keys(values).length === 0) return stored
    if ('user_id' in values)
      refuseField('user_id', 'cannot be changed: make a key for the other user')
    const next = { ...record, ...values, date_modified: context.now().toISOString() }
    requireNarrower(unit, caller, next)
    requireTargets(unit, values)
    requireFuture(values, context.now())
    unit.put(apiKey.recordType, [input.id], next)
    return requireRecord(unit, apiKey, input.id).stored
  })
}

/** A second secret; the old one stays valid for `keepSeconds`. Older ones end now. */
export async function rotateKey(
  context: Context,
  input: {
    readonly id: number
    readonly keepSeconds: number
    readonly precondition: Precondition | undefined
  },
): Promise<KeyWithSecret> {
  const secret = newSecret()
  const stored = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const found = requireVisibleKey(unit, caller, input.id)
    requireMatch(input.precondition, found.stored)
    requireNarrower(unit, caller, { ...found.record })
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
  const until = new Date(now.getTime() + keepSeconds * 1_000).toISOString()
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

/** For good: the secrets go with it. The record stays, inactive. */
export function putRevoked(unit: Unit, record: ApiKey, now: Date): void {
  removeSecrets(unit, record.api_key_id)
  unit.put(apiKey.recordType, [record.api_key_id], {
    ...record,
    status: 'inactive',
    date_modified: now.toISOString(),
  })
}

export async function removeKey(
  context: Context,
  { id, precondition }: { readonly id: number; readonly precondition: Precondition | undefined },
): Promise<void> {
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    requireMatch(precondition, requireVisibleKey(unit, caller, id).stored)
    removeKeyRecords(unit, id)
  })
}

export function readKey(context: Context, id: number): Stored {
  return requireVisibleKey(context.records, context.caller, id).stored
}

function requireVisibleKey(
  reader: Pick<Services['records'], 'get'>,
  caller: Caller,
  id: number,
): { readonly stored: Stored; readonly record: ApiKey } {
  const found = requireRecord<ApiKey>(reader, apiKey, id)
  if (globalGrants(caller).has('admin') || found.record.user_id === caller.user.user_id)
    return found
  throw noSuchRecord()
}

function requireOwnKey(caller: Caller, userId: number): void {
  if (globalGrants(caller).has('admin') || userId === caller.user.user_id) return
  throw missingGrant('admin', 'for keys of other users')
}

/** A key cannot make, or become by its own request, one that holds more than itself. */
function requireNarrower(
  unit: Unit,
  caller: Caller,
  values: Readonly<Record<string, unknown>>,
): void {
  if (globalGrants(caller).has('admin')) return
  const { grants, asset_category_id: scope, date_expires: until } = caller.key
  const wanted = values['grants'] as JsonValue as readonly string[] | null
  const folder = values['asset_category_id'] as number | null

  if (
    grants !== null &&
    (wanted === null || wanted.some((grant) => !grants.includes(grant as never)))
  ) {
    refuseField('grants', `may hold only what this key holds: ${grants.join(', ') || 'no grant'}`)
  }
  if (scope !== null && (folder === null || !isInside(unit, folder, scope))) {
    refuseField('asset_category_id', `must be the folder of this key, ${scope}, or one below it`)
  }
  const end = values['date_expires'] as string | null
  if (until !== null && (end === null || end > until)) {
    refuseField('date_expires', `must not be after that of this key, ${until}`)
  }
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
    refuseField(
      'asset_category_id',
      `must be the identifier of an asset category; there is no ${categoryId}`,
    )
  }
}

/** A key that is over before it begins is a mistake, mostly in the year. */
function requireFuture({ date_expires: end }: Values, now: Date): void {
  if (typeof end !== 'string' || end > now.toISOString()) return
  refuseField(
    'date_expires',
    'must lie in the future; to end a key now, set its status to inactive',
  )
}

/** Longer is a mistake, and its end no date. */
const MAX_DURATION_SECONDS = 100 * 365 * 86_400

/** `30d`, `12h`, `15m`, `90s` or plain seconds; at most 100 years. The field is for the message. */
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
