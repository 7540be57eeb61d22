// What a create reads, makes and answers: one record, or of objects that take a list all of it or none.

import { CmsError } from '../errors.ts'
import { joinJson, jsonText, type Reply } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import { presenterOf } from '../operations/present.ts'
import { recallAllMade, recallMade } from '../operations/trail/recall.ts'
import { assetFile } from '../schema/asset-file.ts'
import type { Made } from '../schema/idempotency-key.ts'
import { isModuleKind } from '../schema/module.ts'
import type { ObjectType } from '../schema/object.ts'
import { user } from '../schema/user.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import { recordReply } from './request/record-reply.ts'
import { type BodyKind, type Request, requireKnownParameters } from './request/request.ts'

/** What creates the records of an object. */
export interface Creating {
  readonly object: ObjectType
  readonly create: (context: Context, body: unknown) => Promise<Stored | Written>
  /** From a list of bodies. */
  readonly createAll?: (context: Context, bodies: readonly unknown[]) => Promise<readonly Stored[]>
  /** Members that only the answer has, and that follow from the body. */
  readonly extra?: (body: unknown) => JsonObject
  /** The answer shows a secret. */
  readonly hasSecret?: boolean
}

export interface Written {
  readonly stored: Stored
  /** Members that only this answer has. */
  readonly extra: JsonObject
}

/** The answer to a list of bodies. */
export interface Listed {
  readonly list: readonly Stored[]
}

export async function readNew(request: Request, creating: Creating): Promise<unknown> {
  requireKnownParameters(request.query, [])
  const body = await request.json(bodyKindOf(creating.object))
  const { maxNewFiles } = request.limits
  if (!takesList(creating, body) || (body.length >= 1 && body.length <= maxNewFiles)) return body
  throw new CmsError(
    'invalid-content',
    `A list must have 1 to ${maxNewFiles} files; this one has ${body.length}. Send several lists.`,
  )
}

export async function createNew(
  context: Context,
  creating: Creating,
  body: unknown,
): Promise<Written | Listed> {
  const { create, createAll } = creating
  if (createAll !== undefined && Array.isArray(body))
    return { list: await createAll(context, body) }
  return written(creating, body, await create(context, body))
}

/** What an earlier request with this body has made, as it is now. */
export function recallNew(
  context: Context,
  creating: Creating,
  body: unknown,
  made: Made,
): Written | Listed {
  const { object } = creating
  return takesList(creating, body)
    ? { list: recallAllMade(context, object, made) }
    : written(creating, body, recallMade(context, object, made))
}

export function createdReply(
  context: Context,
  request: Request,
  object: ObjectType,
  output: Written | Listed,
): Reply | Promise<Reply> {
  if ('list' in output) {
    const view = { reader: context.records, caller: context.caller, basePath: context.basePath }
    const texts = output.list.map(presenterOf(view, object))
    return jsonText(201, joinJson(`{"${object.name}":[`, texts, ']}'))
  }
  const location = `/api/v2/${object.name}/${Number(output.stored.value[object.idField])}`
  return recordReply(context, request, { status: 201, object, ...output, headers: { location } })
}

export function written({ extra }: Creating, body: unknown, output: Stored | Written): Written {
  return 'stored' in output ? output : { stored: output, extra: extra?.(body) ?? {} }
}

export function bodyKindOf({ name }: ObjectType): BodyKind {
  if (name === assetFile.name) return 'page'
  return name === user.name || isModuleKind(name) ? 'nested' : 'json'
}

function takesList({ createAll }: Creating, body: unknown): body is readonly unknown[] {
  return createAll !== undefined && Array.isArray(body)
}
