// The steps of a create: one record, or for objects with bulk create a list, of which all records are created or none.

import { CmsError } from '../base/errors.ts'
import { joinJson, jsonText, type Reply } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import type { ObjectRules, Written } from '../operations/object-rules.ts'
import { presenterOf } from '../operations/present.ts'
import { replayAllMade, replayMade } from '../operations/replay.ts'
import type { Made } from '../schema/idempotency-key.ts'
import type { Stored } from '../schema/values.ts'
import { recordReply } from './request/record-reply.ts'
import { type Request, requireKnownParameters } from './request/request.ts'
import { viewOf } from '../operations/visibility.ts'

/** The output of a bulk create. */
export interface Listed {
  readonly list: readonly Stored[]
}

export async function readNew(request: Request, rules: ObjectRules): Promise<unknown> {
  requireKnownParameters(request.query, [])
  const body = await request.json(rules.body)
  const { maxNewFiles } = request.limits
  if (!takesList(rules, body) || (body.length >= 1 && body.length <= maxNewFiles)) return body
  throw new CmsError(
    'invalid-content',
    `A list must have 1 to ${maxNewFiles} ${rules.object.label}s; this one has ${body.length}. Send several lists.`,
  )
}

/** Reads the body of …/bulk, which must be a list. */
export async function readNewList(request: Request, rules: ObjectRules): Promise<unknown> {
  const body = await readNew(request, rules)
  if (takesList(rules, body)) return body
  const { name, label } = rules.object
  throw new CmsError(
    'invalid-content',
    `The body must be a list of ${label}s. One ${label} is created by POST /api/v2/${name}.`,
  )
}

export async function createNew(
  context: Context,
  rules: ObjectRules,
  body: unknown,
): Promise<Written | Listed> {
  const { create, createAll } = rules
  if (createAll !== undefined && Array.isArray(body))
    return { list: await createAll(context, body) }
  return written(rules, body, await create(context, body))
}

/** Rebuilds the output of an earlier request with this body from the current records. */
export function recallNew(
  context: Context,
  rules: ObjectRules,
  body: unknown,
  made: Made,
): Written | Listed {
  return takesList(rules, body)
    ? { list: replayAllMade(context, rules, made) }
    : written(rules, body, replayMade(context, rules, made))
}

export function createdReply(
  context: Context,
  request: Request,
  rules: ObjectRules,
  output: Written | Listed,
): Reply | Promise<Reply> {
  const { object } = rules
  if ('list' in output) {
    const view = viewOf(context)
    const texts = output.list.map(presenterOf(view, rules))
    return jsonText(201, joinJson(`{"${object.name}":[`, texts, ']}'))
  }
  const location = `/api/v2/${object.name}/${Number(output.stored.value[object.idField])}`
  return recordReply(context, request, {
    status: 201,
    showing: rules,
    ...output,
    headers: { location },
  })
}

export function written({ remark }: ObjectRules, body: unknown, output: Stored | Written): Written {
  return 'stored' in output ? output : { stored: output, extra: remark?.(body) ?? {} }
}

function takesList({ createAll }: ObjectRules, body: unknown): body is readonly unknown[] {
  return createAll !== undefined && Array.isArray(body)
}
