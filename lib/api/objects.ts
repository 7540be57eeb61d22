// The common object pattern of the System API: /api/v2/{object} and /api/v2/{object}/{id} for each object.

import { CmsError } from '../base/errors.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { joinJson, json, jsonText, type Reply } from '../http/reply.ts'
import type { ChangeContext, Context } from '../operations/context.ts'
import { commentRules } from '../operations/comments/comments.ts'
import { fileRules } from '../operations/files/asset-files.ts'
import { groupRules } from '../operations/files/file-groups.ts'
import { folderRules } from '../operations/folders/folder-rules.ts'
import { moduleRules } from '../operations/modules/module-rules.ts'
import type { ObjectRules, Option, Planned, Written } from '../operations/object-rules.ts'
import { keyRules } from '../operations/people/api-keys.ts'
import { roleRules } from '../operations/people/roles.ts'
import { userRules } from '../operations/people/users.ts'
import { presenterOf } from '../operations/present.ts'
import { replayAllMade, replayMade, viewOf } from '../operations/visibility.ts'
import { trashRules } from '../operations/trash/trash-visibility.ts'
import { auditRules } from '../operations/trail/audit-rules.ts'
import { webhookRules } from '../operations/webhooks/webhooks.ts'
import type { Made } from '../schema/server-records.ts'
import { textsInSlices } from '../schema/time-slicing.ts'
import type { Stored } from '../schema/values.ts'
import { objectDocs } from './docs/object-docs.ts'
import { readRoutes } from './object-reads.ts'
import { recordReply, removedReply } from './request/record-reply.ts'
import {
  readFlag,
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

/** The objects that clients can change, each with its rules. */
export const OBJECT_RULES: readonly ObjectRules[] = [
  folderRules,
  fileRules,
  groupRules,
  ...moduleRules,
  userRules,
  keyRules,
  roleRules,
  webhookRules,
  commentRules,
]

export const objectRoutes: readonly Route[] = [
  ...OBJECT_RULES.flatMap((rules) => [...readRoutes(rules), ...changeRoutes(rules)]),
  ...readRoutes(auditRules),
  ...readRoutes(trashRules),
]

// oxlint-disable-next-line eslint/max-lines-per-function -- a table of routes
function changeRoutes(rules: ObjectRules): readonly Route[] {
  const { object, changeAccess: access } = rules
  const listPath = `/api/v2/${object.name}`
  const recordPath = `${listPath}/:id`
  const docs = objectDocs(rules)

  return [
    createRoute(rules, {
      path: listPath,
      summary: `Create one ${object.label}`,
      docs: docs.create,
      read: readNew,
    }),
    defineRoute({
      method: 'POST',
      path: recordPath,
      access: access.update,
      action: 'update',
      summary: `Update one ${object.label}; fields that are left out stay the same`,
      docs: docs.update,
      read: async (request) => ({
        options: readOptions(request, rules.updateOptions),
        id: readId(request, 'id'),
        precondition: readPrecondition(request),
        body: await request.json(rules.body),
      }),
      run: async (context, input) =>
        updated(rules, input.body, await rules.update(context as ChangeContext, input)),
      recall: (context, { id, body }) => written(rules, body, rules.seen.requireMade(context, id)),
      reply: (output, request, context) =>
        'plan' in output
          ? json(200, output)
          : recordReply(context, request, { status: 200, visibility: rules, ...output }),
    }),
    defineRoute({
      method: 'DELETE',
      path: recordPath,
      access: access.remove,
      action: 'delete',
      summary: `Delete one ${object.label}`,
      docs: docs.remove,
      read: (request) => ({
        options: readOptions(request, rules.removeOptions),
        id: readId(request, 'id'),
        precondition: readPrecondition(request),
      }),
      run: (context, input) => rules.remove(context as ChangeContext, input),
      reply: removedReply,
    }),
    ...(rules.createAll === undefined
      ? []
      : [
          createRoute(rules, {
            path: `${listPath}/bulk`,
            summary: `Create several ${object.label}s in one commit`,
            docs: docs.bulk,
            read: readNewList,
          }),
        ]),
  ]
}

interface CreateRoute {
  readonly path: string
  readonly summary: string
  readonly docs: EndpointDocs
  readonly read: (request: Request, rules: ObjectRules) => Promise<unknown>
}

function createRoute(rules: ObjectRules, { path, summary, docs, read }: CreateRoute): Route {
  return defineRoute({
    method: 'POST',
    path,
    access: rules.changeAccess.create,
    action: 'create',
    summary,
    docs,
    needsRoom: rules.needsRoom,
    read: (request) => read(request, rules),
    run: (context, body) => createNew(context, rules, body),
    recall:
      rules.hasSecret === true
        ? 'secret'
        : (context, body, { made }) => recallNew(context, rules, body, made),
    reply: (output, request, context) => createdReply(context, request, rules, output),
  })
}

function updated(rules: ObjectRules, body: unknown, output: Stored | Planned): Written | Planned {
  if ('plan' in output) return { ...output, ...rules.remark?.(body) }
  return written(rules, body, output)
}

/** Returns the names of the options that are set. Other parameters are rejected. */
function readOptions({ query }: Request, options: readonly Option[] = []): ReadonlySet<string> {
  const names = options.map(({ name }) => name)
  requireKnownParameters(query, names)
  return new Set(options.filter((option) => isSet(query, option)).map(({ name }) => name))
}

function isSet(query: Request['query'], { name, word }: Option): boolean {
  if (word === undefined) return readFlag(query, name)
  const text = query.get(name)
  if (text === null || text === word) return text !== null
  throw new CmsError('bad-request', `The query parameter ${name} must be "${word}".`)
}

/** The output of a bulk create. */
interface Listed {
  readonly list: readonly Stored[]
}

async function readNew(request: Request, rules: ObjectRules): Promise<unknown> {
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
async function readNewList(request: Request, rules: ObjectRules): Promise<unknown> {
  const body = await readNew(request, rules)
  if (takesList(rules, body)) return body
  const { name, label } = rules.object
  throw new CmsError(
    'invalid-content',
    `The body must be a list of ${label}s. One ${label} is created by POST /api/v2/${name}.`,
  )
}

async function createNew(
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
function recallNew(
  context: Context,
  rules: ObjectRules,
  body: unknown,
  made: Made,
): Written | Listed {
  return takesList(rules, body)
    ? { list: replayAllMade(context, rules, made) }
    : written(rules, body, replayMade(context, rules, made))
}

function createdReply(
  context: Context,
  request: Request,
  rules: ObjectRules,
  output: Written | Listed,
): Reply | Promise<Reply> {
  const { object } = rules
  if ('list' in output) return listedReply(context, rules, output)
  const location = `/api/v2/${object.name}/${Number(output.stored.value[object.idField])}`
  return recordReply(context, request, {
    status: 201,
    visibility: rules,
    ...output,
    headers: { location },
  })
}

async function listedReply(context: Context, rules: ObjectRules, { list }: Listed): Promise<Reply> {
  const texts = await textsInSlices(list, presenterOf(viewOf(context), rules))
  return jsonText(201, joinJson(`{"${rules.object.name}":[`, texts, ']}'))
}

function written({ remark }: ObjectRules, body: unknown, output: Stored | Written): Written {
  return 'stored' in output ? output : { stored: output, extra: remark?.(body) ?? {} }
}

function takesList({ createAll }: ObjectRules, body: unknown): body is readonly unknown[] {
  return createAll !== undefined && Array.isArray(body)
}
