// Lists of all modules for the API pages and for programs: their names, and TypeScript types of their entries.

import { crc32 } from 'node:zlib'
import type { SchemaObject } from 'openapi3-ts/oas31'
import { CmsError } from '../base/errors.ts'
import type { Caller } from '../auth/caller.ts'
import { jsonAnswer, NOT_MODIFIED, otherAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { IF_NONE_MATCH } from '../docs/parameters.ts'
import type { DocumentAudience } from '../docs/swagger-page.ts'
import { openTypes } from '../docs/typescript-types.ts'
import type { Context, Services } from '../operations/context.ts'
import { listModules } from '../operations/modules/find-module.ts'
import { openHasPublic } from '../operations/modules/public-module.ts'
import { openTimeSlice } from '../schema/time-slicing.ts'
import { type Document, documentReply, type Keeping } from './document-reply.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

/** Without a caller where everybody may read the documents. */
export type Reader = Services | Context

export function callerOf(reader: Reader): Caller | undefined {
  return 'caller' in reader ? reader.caller : undefined
}

export const ONLY_SEEN =
  'Contains only the modules in folders where the key holds some grant, and no trace of other modules.'

export function moduleListRoutes(audience: DocumentAudience, keeping: Keeping): readonly Route[] {
  const listRoute = ({ path, summary, docs, read }: ListRoute): Route =>
    defineRoute({
      method: 'GET',
      path,
      access: audience === 'keyed' ? 'key' : 'open',
      ...(audience === 'keyed' && { isPublic: openHasPublic() }),
      summary,
      docs: { ...docs, ...(audience === 'keyed' && { description: ONLY_SEEN }) },
      read: ({ query }) => requireKnownParameters(query, []),
      run: (reader: Reader) => read(reader),
      reply: (document, request) => documentReply(document, request, keeping),
    })
  return [
    listRoute({
      path: '/public/api/module/modules.json',
      summary: 'List the modules of the Module API',
      docs: NAMES_DOCS,
      read: readNames,
    }),
    listRoute({
      path: '/public/api/module/types.ts',
      summary: 'Read TypeScript types of the entries of all modules',
      docs: TYPES_DOCS,
      read: readTypes,
    }),
  ]
}

interface ListRoute {
  readonly path: string
  readonly summary: string
  readonly docs: EndpointDocs
  readonly read: (reader: Reader) => Promise<Document>
}

/** The list of modules that the page offers. */
async function readNames(reader: Reader): Promise<Document> {
  const items: string[] = []
  for await (const { key, name } of listModules(reader, callerOf(reader)))
    items.push(JSON.stringify({ module: key, name }))
  const text = Buffer.from(`{"modules":[${items.join(',')}]}`)
  return { pieces: [text], checksum: crc32(text).toString(16) }
}

async function readTypes(reader: Reader): Promise<Document> {
  const caller = callerOf(reader)
  const { head, write } = openTypes({ isWritable: caller?.isAnonymous !== true })
  const pieces = [Buffer.from(`${head}\n`)]
  let checksum = crc32(pieces[0] ?? '')
  const slice = openTimeSlice()
  const { documentBytes } = reader.limits
  let sizeBytes = 0
  for await (const { load } of listModules(reader, caller)) {
    const module = load()
    if (module === undefined) continue
    const piece = Buffer.from(`${write(module)}\n`)
    pieces.push(piece)
    sizeBytes += piece.length
    if (sizeBytes > documentBytes)
      throw new CmsError(
        'too-large',
        `The types of all modules would have more than ${documentBytes} bytes. Use a key that sees fewer folders.`,
      )
    checksum = crc32(piece, checksum)
    if (slice.isOver(piece.length)) await slice.next()
  }
  return { type: 'text/plain; charset=utf-8', pieces, checksum: checksum.toString(16) }
}

const NAMES: SchemaObject = {
  type: 'object',
  required: ['modules'],
  properties: {
    modules: {
      type: 'array',
      items: {
        type: 'object',
        required: ['module', 'name'],
        properties: {
          module: {
            type: 'string',
            description: 'Type and identifier of the module: datatable/5.',
          },
          name: { type: 'string' },
        },
      },
    },
  },
}

const NAMES_DOCS: EndpointDocs = {
  tag: 'service',
  operationId: 'list_documented_modules',
  parameters: [IF_NONE_MATCH],
  answers: {
    200: jsonAnswer('The names of the modules.', {
      schema: NAMES,
      example: { modules: [{ module: 'datatable/5', name: 'cities' }] },
      headers: ['ETag'],
    }),
    304: NOT_MODIFIED,
  },
}

const TYPES_DOCS: EndpointDocs = {
  tag: 'service',
  operationId: 'read_module_types',
  parameters: [IF_NONE_MATCH],
  problems: [413],
  answers: {
    200: otherAnswer('A TypeScript module.', 'text/plain', ['ETag']),
    304: NOT_MODIFIED,
  },
}
