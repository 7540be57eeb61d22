// API keys: create, update, rotate, revoke. Everybody may make keys of their own, and with the admin grant
// of others; but never with more than the key holds that asks, and none that holds more is even seen
// (auth/reach.ts).

import { type Caller, recheck } from '../auth/caller.ts'
import { globalGrants, grantsAt, missingGrant, noSuchRecord } from '../auth/grants.ts'
import type { FolderReader } from '../auth/folders.ts'
import { isGrantsWithin, isKeyWithin, isUserWithin } from '../auth/reach.ts'
import { hashSecret, hintOf, newSecret } from '../auth/secret.ts'
import { type ApiKey, apiKey, apiKeySecret } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { checkCreate, checkUpdate, refuseField, type Values } from '../schema/check.ts'
import { buildRecord, valueOf } from '../schema/record.ts'
import { type User, user } from '../schema/user.ts'
import type { JsonValue, Reader, Stored, Unit } from '../storage/port.ts'
import type { ChangeContext, Context, Precondition } from './context.ts'
import { doerOf } from './audit.ts'
import { findDescendants, removeKeyRecords, removeSecrets } from './key-records.ts'
import { inSlices } from './in-turns.ts'
import { newWorkId, putWork, type RevokeWork } from './pending-work.ts'
import { presentValue } from './present.ts'
import { requireMatch, requireRecord } from './require.ts'
import { runRevoke } from './revoking.ts'

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
    const userId = Number(given['user_id'] ?? caller.user.user_id)
    const values: Values = { ...given, user_id: userId, made_by: caller.key.api_key_id }
    requireOwner(unit, caller, userId)
    requireFewKeys(unit, userId, context.limits.keysPerUser)
    requireNarrower(unit, caller, values)
    requireEnd(caller, values['date_expires'])
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

    const current = presentValue({ reader: unit, caller }, apiKey, stored)
    const values = checkUpdate(apiKey, input.body, current)
    if (Object.keys(values).length === 0) return stored
    if ('user_id' in values)
      refuseField('user_id', 'cannot be changed: make a key for the other user')
    const next = { ...record, ...values, date_modified: context.now().toISOString() }
    requireNarrower(unit, caller, values)
    // What is made to hold again, or longer, must not outlast the key that asks.
    if (values['status'] === 'active' || 'date_expires' in values)
      requireEnd(caller, next.date_expires)
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
    requireEnd(caller, found.record.date_expires)
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

export interface RemoveKeyInput {
  readonly id: number
  /** With all keys that descend from it. */
  readonly isCascade: boolean
  readonly precondition: Precondition | undefined
}

/** Of what descends from a key, only what the caller could end by itself: a stronger one is another's by now. */
export async function removeKey(
  context: ChangeContext,
  { id, isCascade, precondition }: RemoveKeyInput,
): Promise<void> {
  const workId = newWorkId()
  const work = isCascade ? await planRevoke(context, id) : undefined
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    requireMatch(precondition, requireVisibleKey(unit, caller, id).stored)
    if (work !== undefined) putWork(unit, workId, work)
    removeKeyRecords(unit, [id])
  })
  if (work !== undefined)
    await context.background.run('revoke', () => runRevoke(context, workId, work))
}

/** Undefined where nothing descends from the key. */
async function planRevoke(context: ChangeContext, id: number): Promise<RevokeWork | undefined> {
  const { records, caller } = context
  const newest = records.nextId(apiKey.recordType)
  const isWithin = (record: ApiKey): boolean => seesKey(records, caller, record)
  const within = await inSlices(findDescendants(records, id, isWithin))
  const api_key_ids = within.map((record) => record.api_key_id)
  const doer = doerOf(context.origin)
  return api_key_ids.length === 0 ? undefined : { kind: 'revoke', api_key_ids, newest, doer }
}

export function readKey({ records, caller }: Context, id: number): Stored {
  return requireVisibleKey(records, caller, id).stored
}

/** True for the key that asks, and for those of its user, or with the admin grant of all, that hold no more. */
export function seesKey(reader: FolderReader, caller: Caller, record: ApiKey): boolean {
  if (record.api_key_id === caller.key.api_key_id) return true
  if (record.user_id === caller.user.user_id)
    return isKeyWithin(reader, { user: caller.user, key: record }, caller)
  if (!globalGrants(caller).has('admin')) return false
  const stored = reader.get(user.recordType, record.user_id)
  return (
    stored !== undefined &&
    isKeyWithin(reader, { user: valueOf<User>(stored), key: record }, caller)
  )
}

function requireVisibleKey(
  reader: FolderReader,
  caller: Caller,
  id: number,
): { readonly stored: Stored; readonly record: ApiKey } {
  const found = requireRecord<ApiKey>(reader, apiKey, id)
  if (seesKey(reader, caller, found.record)) return found
  throw noSuchRecord()
}

/** A user that holds more than the caller is as good as none. */
function requireOwner(unit: Unit, caller: Caller, userId: number): void {
  if (userId === caller.user.user_id) return
  if (!globalGrants(caller).has('admin')) throw missingGrant('admin', 'for keys of other users')
  const stored = unit.get(user.recordType, userId)
  if (stored !== undefined && isUserWithin(unit, valueOf<User>(stored), caller)) return
  refuseField('user_id', `must be the identifier of a user; there is no ${userId}`)
}

function requireFewKeys(unit: Unit, userId: number, most: number): void {
  if (unit.lookup(apiKey.recordType, 'user_id', [userId], most).length < most) return
  refuseField('user_id', `has ${most} keys, and may have no more: delete some first`)
}

/** What is given to a key, by itself or another, is within what the caller holds. */
function requireNarrower(unit: Unit, caller: Caller, given: Values): void {
  const { grants, asset_category_id: scope } = caller.key
  const wanted = given['grants'] as readonly string[] | null | undefined
  if (wanted !== undefined && !isGrantsWithin(wanted, caller)) {
    refuseField('grants', `may hold only what this key holds: ${listOf(grants ?? [])}`)
  }
  const folder = given['asset_category_id']
  if (typeof folder === 'number' && grantsAt(unit, caller, folder).size === 0)
    refuseField('asset_category_id', noSuchFolder(folder))
  if (folder === null && scope !== null)
    refuseField('asset_category_id', `must be the folder of this key, ${scope}, or one below it`)
}

function listOf(grants: readonly string[]): string {
  return grants.length === 0 ? 'no grant' : grants.join(', ')
}

/** By the secret of the request, too: what remains of an old one is not made longer by it. */
function requireEnd({ dateEnds: until }: Caller, end: JsonValue | undefined): void {
  if (until === null || (typeof end === 'string' && end <= until)) return
  refuseField('date_expires', `must not be after the end of this key or its secret, ${until}`)
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

/** The same words whether there is none or the caller has no business in it. */
function noSuchFolder(id: number): string {
  return `must be the identifier of an asset category; there is no ${id}`
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
