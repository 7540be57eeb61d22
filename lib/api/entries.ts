// The Module API: /api/v2/module/{type}/{module_id}/{module-name}. The same routes serve every module; the columns come
// from the module in the path.

import type { ModuleEndpointDocs } from '../docs/endpoint.ts'
import { bulkDocs, createDocs } from './docs/create-docs.ts'
import { entryDocs } from './docs/entry-docs.ts'
import { isPublicAddress, listEntries, readAddress, readListed } from './entry-lists.ts'
import { entryReply, readExpandedEntry } from './expanded-entries.ts'
import { SEARCH_SUMMARY } from '../docs/search-body.ts'
import { CmsError } from '../base/errors.ts'
import { empty, joinJson, jsonText, type Reply } from '../http/reply.ts'
import type { ChangeContext } from '../operations/context.ts'
import {
  type EntryInput,
  removeEntry,
  replayEntries,
  replayEntry,
  type Saved,
  updateEntry,
} from '../operations/modules/entries.ts'
import { createEntries, createEntry } from '../operations/modules/new-entries.ts'
import { replayUpsert, type Upserted, upsertEntries } from '../operations/modules/upsert.ts'
import { requireModule } from '../operations/modules/find-module.ts'
import { textsInSlices } from '../schema/time-slicing.ts'
import type { Module } from '../operations/modules/module-cache.ts'
import { entryText, givenText, sizeOf } from '../schema/entry.ts'
import { maxListEntries, UNIQUE_WEIGHT } from '../shared/list-size.ts'
import { etagOf } from '../schema/record.ts'
import type { Stored } from '../schema/values.ts'
import { withSearchBody } from './request/query.ts'
import {
  prefers,
  readId,
  readPrecondition,
  refusePrecondition,
  type Request,
  type RequestLimits,
  requireKnownParameters,
} from './request/request.ts'
import { etagOfText, minimalReply, removedReply } from './request/record-reply.ts'
import { defineRoute, type Route } from './request/route.ts'

const MODULE = '/api/v2/module/:type/:module_id/:module_name'
export const ENTRY = `${MODULE}/:entry_id`

export const moduleRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: MODULE,
    access: ['view'],
    isKept: true,
    isPublic: isPublicAddress,
    summary: 'List entries with their columns',
    docs: entryDocs.search,
    read: readListed,
    run: listEntries,
    reply: (reply) => reply,
  }),
  createRoute({
    path: MODULE,
    summary: 'Create an entry',
    docs: createDocs,
    read: (request) => request.json('bulk'),
  }),
  defineRoute({
    method: 'GET',
    path: ENTRY,
    access: ['view'],
    isPublic: isPublicAddress,
    summary: 'Read the base fields of an entry; with ?fields=* or ?fields=a,b also its columns',
    docs: entryDocs.read,
    read: (request) => {
      requireKnownParameters(request.query, ['fields', 'expand'])
      return { asked: readEntryInput(request), query: request.query }
    },
    run: readExpandedEntry,
    reply: (shown, request) => entryReply(request, shown),
  }),
  defineRoute({
    method: 'POST',
    path: ENTRY,
    access: ['modify'],
    action: 'update',
    summary: 'Update an entry; columns that are left out stay the same',
    docs: entryDocs.update,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      return { body: await request.json('entry'), ...readEntryInput(request) }
    },
    run: (context, input) => updateEntry(context, input),
    recall: (context, input) => replayEntry(context, input),
    reply: updatedReply,
  }),
  defineRoute({
    method: 'DELETE',
    path: ENTRY,
    access: ['delete'],
    action: 'delete',
    summary: 'Delete an entry',
    docs: entryDocs.remove,
    read: (request) => {
      requireKnownParameters(request.query, [])
      return readEntryInput(request)
    },
    run: (context, input) => removeEntry(context as ChangeContext, input),
    reply: removedReply,
  }),
  createRoute({
    path: `${MODULE}/bulk`,
    summary: 'Create many entries in one commit',
    docs: bulkDocs,
    read: readEntryList,
  }),
  defineRoute({
    method: 'POST',
    path: `${MODULE}/search`,
    access: ['view'],
    changesNothing: true,
    isSearch: true,
    summary: SEARCH_SUMMARY,
    docs: entryDocs.searchByPost,
    read: async (request) => readListed(await withSearchBody(request)),
    run: listEntries,
    reply: (reply) => reply,
  }),
]

interface CreateRoute {
  readonly path: string
  readonly summary: string
  readonly docs: ModuleEndpointDocs
  readonly read: (request: Request) => Promise<unknown>
}

function createRoute({ path, summary, docs, read }: CreateRoute): Route {
  return defineRoute({
    method: 'POST',
    path,
    access: ['create'],
    action: 'create',
    summary,
    docs,
    read: async (request) => {
      requireKnownParameters(request.query, ['on_conflict'])
      const onConflict = request.query.get('on_conflict') ?? undefined
      if (onConflict !== undefined) refusePrecondition(request)
      const body = await read(request)
      return { address: readAddress(request), body, limits: request.limits, onConflict }
    },
    run: async (context, { address, body, limits, onConflict }): Promise<Created> => {
      const isList = Array.isArray(body)
      if (isList) requireCount(body.length, limits, requireModule(context, address, 'create'))
      if (onConflict !== undefined) {
        const bodies = isList ? body : [body]
        return {
          isList,
          ...(await upsertEntries(context, { address, bodies, isList, onConflict })),
        }
      }
      const saved = isList
        ? await createEntries(context, address, body)
        : [await createEntry(context, address, body)]
      return { isList, saved }
    },
    recall: (context, { address, body, onConflict }, { made, updated = {} }) => {
      const isList = Array.isArray(body)
      const bodies = isList ? body : [body]
      return onConflict === undefined
        ? { isList, saved: replayEntries(context, address, made) }
        : {
            isList,
            ...replayUpsert(context, { address, bodies, isList, onConflict }, { made, updated }),
          }
    },
    reply: (output, request) => createdReply(request, output),
  })
}

/** The whole entry, or no body with Prefer: return=minimal (RFC 7240). */
export function updatedReply({ module, stored }: Saved, request: Request): Reply {
  if (prefers(request.message, 'return=minimal'))
    return minimalReply(request, { status: 200, tag: etagOf(stored) })
  const text = entryText(module.entry, stored)
  return jsonText(200, text, { etag: etagOfText(request, etagOf(stored), text) })
}

/** The entries of a create; `created` and `isViewer` are defined for an upsert. */
interface Created extends Partial<Omit<Upserted, 'saved' | 'changed'>> {
  readonly isList: boolean
  readonly saved: readonly Saved[]
}

/** Reads the body of …/bulk, which must be a list. */
async function readEntryList(request: Request): Promise<unknown> {
  const body = await request.json('bulk')
  if (Array.isArray(body)) return body
  throw new CmsError(
    'invalid-content',
    'The body must be a list of entries. To create one entry, use the address without /bulk.',
  )
}

export function readEntryInput(request: Request): EntryInput {
  return {
    address: readAddress(request),
    entryId: readId(request, 'entry_id'),
    precondition: readPrecondition(request),
  }
}

function requireCount(count: number, limits: RequestLimits, { entry }: Module): void {
  const max = maxListEntries(sizeOf(entry), limits)
  if (count >= 1 && count <= max) return
  const { maxBulk, maxBulkValues } = limits
  const why = `${maxBulkValues} values in total; a value of a unique column counts ${UNIQUE_WEIGHT} times`
  throw new CmsError(
    'invalid-content',
    `A list must have 1 to ${max} entries${max < maxBulk ? ` here (${why})` : ''}; this one has ${count}. Send several lists.`,
  )
}

/**
 * By default, the response has no identifier. With Prefer: return=representation (RFC 7240) it has the whole entry, with
 * return=minimal no body. The response to an upsert tells which entries are new, by its status or by a list.
 */
async function createdReply(
  request: Request,
  { isList, saved, created, isViewer }: Created,
): Promise<Reply> {
  const [first] = saved
  if (first === undefined) return empty(201)
  const status = created !== undefined && (isList || created[0] === false) ? 200 : 201
  if (isViewer === false) return empty(status === 200 ? 204 : status)
  const { entry } = first.module
  const wantsAll = prefers(request.message, 'return=representation')
  if (!wantsAll && prefers(request.message, 'return=minimal'))
    return minimalReply(request, { status, ...(isList ? {} : newHeaders(first)) })
  const textOf = (stored: Stored): string =>
    wantsAll ? entryText(entry, stored) : givenText(entry, stored)
  const applied = wantsAll ? { 'preference-applied': 'return=representation' } : undefined
  if (isList) {
    const all = saved.map(({ stored }) => stored)
    const end = created === undefined ? ']}' : `],"created":${JSON.stringify(created)}}`
    const body = joinJson(`{"${entry.object.name}":[`, await textsInSlices(all, textOf), end)
    return jsonText(status, body, applied)
  }

  const { stored } = first
  const text = textOf(stored)
  const body = `{"${entry.object.name}":${text}}`
  if (!wantsAll) return jsonText(status, body)
  const { headers } = newHeaders(first)
  const etag = etagOfText(request, etagOf(stored), text)
  return jsonText(status, body, { ...headers, etag, ...applied })
}

function newHeaders({ module, stored }: Saved): { tag: string; headers: { location: string } } {
  const id = Number(stored.value[module.entry.object.idField])
  return { tag: etagOf(stored), headers: { location: `${module.record.module_url}/${id}` } }
}
