// Webhooks: rules, create, update, delete, and their actions. Requires every grant on the whole site; each commit
// checks the caller again.

import { recheck } from '../../auth/caller.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import {
  checkCreate,
  checkUpdate,
  refuseField,
  requireObject,
  type Values,
} from '../../schema/check.ts'
import { buildRecord } from '../../schema/record.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import {
  EXAMPLE_WEBHOOK_SECRET,
  type Webhook,
  webhook,
  WEBHOOK_SECRET_SCHEMA,
  type WebhookDelivery,
  webhookDelivery,
  type WebhookProgress,
  webhookProgress,
  webhookSecret,
} from '../../schema/webhook.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, RecordInput, RecordUpdate } from '../context.ts'
import type { ObjectRules } from '../object-rules.ts'
import { presentValue } from '../present.ts'
import { type Loaded, requireMatch, requireRecord } from '../requirements.ts'
import { readChangeLog } from '../trail/change-log.ts'
import { newestSequence } from '../trail/changes.ts'
import { viewOf } from '../visibility.ts'
import { newWebhookSecret } from './attempt.ts'
import {
  restartedProgress,
  initialProgress,
  progressOf,
  requireWebhookChange,
  webhookVisibility,
} from './webhook-visibility.ts'

export const webhookRules: ObjectRules = {
  ...webhookVisibility,
  readAccess: ['admin'],
  changeAccess: { create: ['admin'], update: ['admin'], remove: ['admin'] },
  body: 'json',
  needsRoom: 'record',
  async create(context, body) {
    const { stored, secret } = await createWebhook(context, body)
    return { stored, extra: { secret } }
  },
  hasSecret: true,
  update: updateWebhook,
  remove: removeWebhook,
  notes: {
    create: ['The webhook sends all later changes; `POST …/replay` sends earlier ones.'],
    created: WEBHOOK_SECRET_SCHEMA,
    createdExample: { secret: EXAMPLE_WEBHOOK_SECRET },
  },
}

interface WebhookWithSecret {
  readonly stored: Stored
  /** Shown once. */
  readonly secret: string
}

/** The webhook gets all changes from now on. */
async function createWebhook(context: Context, body: unknown): Promise<WebhookWithSecret> {
  const values = checkCreate(webhook, body)
  const { records, webhooks, limits } = context
  const { shown, encrypted } = newWebhookSecret(webhooks.cipher)
  const position = newestSequence(context)
  requireAddress(context, values)

  const stored = await records.commit((unit) => {
    const caller = requireAdmin(unit, context)
    requireFew(unit, limits.webhooks)
    requireTarget(unit, values)
    const id = records.nextId(webhook.recordType)
    const made = { id, owner: caller.user.name, now: context.now().toISOString() }
    unit.put(webhookSecret, [id], { secret: encrypted, previous: null })
    unit.put(webhookProgress, [id], initialProgress(position))
    unit.put(webhook.recordType, [id], buildRecord(webhook, values, made))
    return requireRecord(unit, webhook, id).stored
  })
  webhooks.notice(stored.value.webhook_id)
  return { stored, secret: shown }
}

async function updateWebhook(
  context: Context,
  { id, body, precondition }: RecordUpdate,
): Promise<Stored> {
  return change(context, { id, precondition }, (unit, { stored, record }, caller) => {
    const view = viewOf(context, { reader: unit, as: caller })
    const shown = presentValue(view, webhookVisibility, stored)
    const values = checkUpdate(webhook, withoutProgress(body, shown), shown)
    requireAddress(context, values)
    requireTarget(unit, values)
    const { status, url } = values as Partial<Webhook>
    // Failures at another address do not count for the new one.
    if (status === 'active' || url !== undefined) beginAnew(unit, record)
    return Object.keys(values).length === 0 ? undefined : values
  })
}

async function removeWebhook(context: Context, { id, precondition }: RecordInput): Promise<void> {
  await context.records.commit((unit) => {
    requireAdmin(unit, context)
    requireMatch(precondition, requireRecord(unit, webhook, id).stored)
    for (const [, number = 0] of unit.list(webhookDelivery, [id]))
      unit.remove(webhookDelivery, id, number)
    unit.remove(webhookProgress, id)
    unit.remove(webhookSecret, id)
    unit.remove(webhook.recordType, id)
  })
  context.webhooks.notice(id)
}

export async function pauseWebhook(context: Context, input: RecordInput): Promise<Stored> {
  return change(context, input, (_, { record }) =>
    record.status === 'paused' ? undefined : { status: 'paused' },
  )
}

/** Continues at its position at once, also after it was given up or while it waits. */
export async function resumeWebhook(context: Context, input: RecordInput): Promise<Stored> {
  return change(context, input, (unit, { record }) => {
    beginAnew(unit, record)
    return { status: 'active' }
  })
}

/** Sends the changes after `since`, again or for the first time. */
export async function replayWebhook(
  context: Context,
  input: RecordInput & { readonly since: number },
): Promise<Stored> {
  const newest = newestSequence(context)
  const { removed } = readChangeLog(context.records)
  if (input.since > newest || input.since < removed) {
    refuseField(
      'since',
      `must be a whole number from ${removed}, just before the oldest stored change, to ${newest}, the newest change`,
    )
  }
  return change(context, input, (unit, { record }) => {
    beginAnew(unit, record, input.since)
    return {}
  })
}

export async function rotateWebhook(
  context: Context,
  { keepSeconds, ...input }: RecordInput & { readonly keepSeconds: number },
): Promise<WebhookWithSecret> {
  const { shown, encrypted } = newWebhookSecret(context.webhooks.cipher)
  const ends = new Date(context.now().getTime() + keepSeconds * 1_000).toISOString()
  const stored = await change(context, input, (unit) => {
    const before = unit.get(webhookSecret, input.id)?.value
    const previous =
      before === undefined || keepSeconds === 0 ? null : { secret: before.secret, date_ends: ends }
    unit.put(webhookSecret, [input.id], { secret: encrypted, previous })
    return {}
  })
  return { stored, secret: shown }
}

export async function testWebhook(context: Context, id: number): Promise<WebhookDelivery> {
  // A test stores a row, so a read-only server sends none.
  context.contents.requireWritable()
  requireAdmin(context.records, context)
  requireRecord(context.records, webhook, id)
  return context.webhooks.test(id)
}

/** A record that is posted back carries old progress, which is not a requested change. */
function withoutProgress(body: unknown, shown: JsonObject): unknown {
  const given = requireObject(body)
  if (!(webhook.idField in given)) return body
  const names = Object.entries(webhook.fields)
    .filter(([, { isStored }]) => !isStored)
    .map(([name]) => [name, shown[name]] as const)
    .filter(([name]) => name in given)
  return { ...given, ...Object.fromEntries(names) }
}

type Plan = (unit: Unit, loaded: Loaded<Webhook>, caller: Context['caller']) => Values | undefined

/**
 * The plan returns the changed values, or undefined for no change. Each change gets a row in the audit trail, even if
 * no field changes.
 */
async function change(
  context: Context,
  { id, precondition }: RecordInput,
  plan: Plan,
): Promise<Stored> {
  // A restart of the webhook must continue after the deliveries already made.
  await context.webhooks.written()
  const stored = await context.records.commit((unit) => {
    const caller = requireAdmin(unit, context)
    const loaded = requireRecord(unit, webhook, id)
    requireMatch(precondition, loaded.stored)
    const values = plan(unit, loaded, caller)
    if (values === undefined) return loaded.stored
    const date_modified = context.now().toISOString()
    unit.put(webhook.recordType, [id], { ...loaded.record, ...values, date_modified })
    return requireRecord(unit, webhook, id).stored
  })
  context.webhooks.notice(id)
  return stored
}

function beginAnew(unit: Unit, { webhook_id: id }: Webhook, position?: number): void {
  const next: WebhookProgress = restartedProgress(progressOf(unit, id), position)
  unit.put(webhookProgress, [id], next)
}

function requireAdmin(reader: Reader, context: Context): Context['caller'] {
  const caller = recheck(reader, context.caller, context.now())
  requireWebhookChange(caller)
  return caller
}

function requireFew(unit: Unit, most: number): void {
  if (unit.count(webhook.recordType) < most) return
  refuseField('name', `would exceed the limit of ${most} webhooks: delete some first`)
}

function requireAddress({ webhooks }: Context, { url }: Values): void {
  const fault = typeof url === 'string' ? webhooks.faultOf(url) : undefined
  if (fault !== undefined) refuseField('url', fault)
}

function requireTarget(reader: Reader, { asset_category_id: id }: Values): void {
  if (typeof id !== 'number' || reader.get(assetCategory.recordType, id) !== undefined) return
  refuseField('asset_category_id', `must be the identifier of an asset category; there is no ${id}`)
}
