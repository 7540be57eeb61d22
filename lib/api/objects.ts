// The common pattern of the System API: /api/v2/{object} and /api/v2/{object}/{id}, for each object.

import { empty, jsonText, type Reply } from '../http/reply.ts'
import { createKey, removeKey, updateKey } from '../operations/api-keys.ts'
import { createCategory, removeCategory, updateCategory } from '../operations/asset-categories.ts'
import { createFile, removeFile, updateFile } from '../operations/asset-files.ts'
import type { Context, Precondition } from '../operations/context.ts'
import { createGroup, removeGroup, updateGroup } from '../operations/file-groups.ts'
import { readRecord } from '../operations/read.ts'
import { searchRecords, type SearchResult } from '../operations/search.ts'
import { createUser, removeUser, updateUser } from '../operations/users.ts'
import { apiKey } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { fileGroup } from '../schema/file-group.ts'
import type { ObjectType } from '../schema/object.ts'
import { user } from '../schema/user.ts'
import type { Query, Stored } from '../storage/port.ts'
import { readFields, readQuery } from './query.ts'
import { recordReply } from './record-reply.ts'
import {
  readFlag,
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request.ts'
import { type Access, defineRoute, type Route } from './route.ts'

interface UpdateInput {
  readonly id: number
  readonly body: unknown
  readonly precondition: Precondition | undefined
}

interface RemoveInput {
  readonly id: number
  readonly isRecursive: boolean
  readonly precondition: Precondition | undefined
}

/** What the pattern needs of an object: what creates, updates and removes, and the grants to begin with. */
interface ObjectOperations {
  readonly object: ObjectType
  readonly access: {
    readonly read: Access
    readonly create: Access
    readonly update: Access
    readonly remove: Access
  }
  readonly create: (context: Context, body: unknown) => Promise<Created>
  readonly update: (context: Context, input: UpdateInput) => Promise<Stored>
  readonly remove: (context: Context, input: RemoveInput) => Promise<void>
}

interface Created {
  readonly stored: Stored
  readonly extra?: Readonly<Record<string, string>>
}

const IN_FOLDERS = {
  read: ['view'],
  create: ['create'],
  update: ['modify'],
  remove: ['delete'],
} as const
const OWN = { read: 'key', create: 'key', update: 'key', remove: 'key' } as const
const ADMIN = { read: 'key', create: ['admin'], update: ['admin'], remove: ['admin'] } as const

const OPERATIONS: readonly ObjectOperations[] = [
  {
    object: assetCategory,
    access: IN_FOLDERS,
    create: async (context, body) => ({ stored: await createCategory(context, body) }),
    update: updateCategory,
    remove: removeCategory,
  },
  {
    object: assetFile,
    // A body with fileState alone needs publish or stage, and not modify.
    access: { ...IN_FOLDERS, update: ['modify', 'publish', 'stage'] },
    create: async (context, body) => ({ stored: await createFile(context, body) }),
    update: updateFile,
    remove: removeFile,
  },
  {
    object: fileGroup,
    access: IN_FOLDERS,
    create: async (context, body) => ({ stored: await createGroup(context, body) }),
    update: updateGroup,
    remove: removeGroup,
  },
  {
    object: user,
    access: ADMIN,
    create: async (context, body) => ({ stored: await createUser(context, body) }),
    update: updateUser,
    remove: removeUser,
  },
  {
    object: apiKey,
    access: OWN,
    create: async (context, body) => {
      const { stored, secret } = await createKey(context, body)
      return { stored, extra: { secret } }
    },
    update: updateKey,
    remove: removeKey,
  },
]

export const objectRoutes: readonly Route[] = OPERATIONS.flatMap(routesOf)

// oxlint-disable-next-line eslint/max-lines-per-function -- a table of routes
function routesOf(operations: ObjectOperations): readonly Route[] {
  const { object, access } = operations
  const listPath = `/api/v2/${object.name}`
  const recordPath = `${listPath}/:id`

  return [
    defineRoute({
      method: 'GET',
      path: listPath,
      access: access.read,
      summary: `Search: every ${object.label} that the key may view`,
      read: ({ query, limits }) => ({
        object,
        query: readQuery(query, object, limits),
        fields: readFields(query, object),
      }),
      run: async (context, input) => ({
        query: input.query,
        result: await searchRecords(context as Context, input),
      }),
      reply: ({ query, result }, request) => listReply(request, { object, query, result }),
    }),
    defineRoute({
      method: 'POST',
      path: listPath,
      access: access.create,
      summary: `Create one ${object.label}`,
      read: (request) => readBody(request, object),
      run: (context, body) => operations.create(context as Context, body),
      reply: ({ stored, extra }, request, context) =>
        recordReply(context as Context, request, {
          status: 201,
          object,
          stored,
          extra: extra ?? {},
          headers: { location: `${listPath}/${idOf(object, stored)}` },
        }),
    }),
    defineRoute({
      method: 'GET',
      path: recordPath,
      access: access.read,
      summary: `Read one ${object.label}`,
      read: (request) => {
        requireKnownParameters(request.query, ['fields'])
        return readId(request, 'id')
      },
      run: (context, id) => readRecord(context as Context, object, id),
      reply: (stored, request, context) =>
        recordReply(context as Context, request, { status: 200, object, stored, isRead: true }),
    }),
    defineRoute({
      method: 'POST',
      path: recordPath,
      access: access.update,
      summary: `Change some fields of one ${object.label}; fields that are left out stay`,
      read: async (request) => ({
        id: readId(request, 'id'),
        precondition: readPrecondition(request),
        body: await readBody(request, object),
      }),
      run: (context, input) => operations.update(context as Context, input),
      reply: (stored, request, context) =>
        recordReply(context as Context, request, { status: 200, object, stored }),
    }),
    defineRoute({
      method: 'DELETE',
      path: recordPath,
      access: access.remove,
      summary: `Delete one ${object.label}`,
      read: (request) => {
        requireKnownParameters(request.query, object === assetCategory ? ['recursive'] : [])
        return {
          id: readId(request, 'id'),
          isRecursive: readFlag(request.query, 'recursive'),
          precondition: readPrecondition(request),
        }
      },
      run: (context, input) => operations.remove(context as Context, input),
      reply: () => empty(204),
    }),
  ]
}

function readBody(request: Request, object: ObjectType): Promise<unknown> {
  requireKnownParameters(request.query, [])
  return request.json(object === assetFile ? 'page' : undefined)
}

function idOf(object: ObjectType, stored: Stored): number {
  return (JSON.parse(stored.bytes.toString()) as Record<string, number>)[object.idField] ?? 0
}

interface ListAnswer {
  readonly object: ObjectType
  readonly query: Query
  readonly result: SearchResult
}

/** Records are joined as the text they are; nothing is parsed to be written again. */
export function listReply(request: Request, { object, query, result }: ListAnswer): Reply {
  const { page, texts } = result
  const info = {
    start: query.cursor === undefined ? (query.start ?? 1) : null,
    length: query.length,
    total: page.total ?? null,
    next: page.next ?? null,
  }
  const body = `{"${object.name}":[${texts.join(',')}],"page":${JSON.stringify(info)}}`
  return jsonText(200, body, {
    'server-timing': `scan;desc="scanned ${page.scanned}, returned ${texts.length}"`,
    ...(page.next !== undefined && { link: nextLink(request, page.next) }),
  })
}

function nextLink({ message, query }: Request, cursor: string): string {
  const next = new URLSearchParams(query)
  next.delete('start')
  next.set('cursor', cursor)
  const path = (message.url ?? '').split('?', 1)[0] ?? ''
  return `<${path}?${next}>; rel="next"`
}
