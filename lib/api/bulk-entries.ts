// Changes of all entries that a search selects: POST …/bulk_update and POST …/bulk_delete.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../config/limits.ts'
import { jsonAnswer, jsonBody } from '../docs/answers.ts'
import { BODY_LIMITS } from '../docs/body-limits.ts'
import type { DocumentedModule, EndpointDocs, ModuleEndpointDocs } from '../docs/endpoint.ts'
import { exampleEntry } from '../docs/examples.ts'
import { closed, updateSchema } from '../docs/schemas.ts'
import { type Client, whilePresent } from '../http/client-disconnect.ts'
import { json, type Reply } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import {
  type BulkOutcome,
  removeMatching,
  updateMatching,
} from '../operations/modules/bulk-entries.ts'
import { requireModuleByAnyName } from '../operations/modules/find-module.ts'
import type { MatchingInput } from '../operations/modules/matching-entries.ts'
import { refuseField } from '../schema/check.ts'
import { sizeOf } from '../schema/entry.ts'
import { maxListEntries } from '../shared/list-size.ts'
import { common, PREFER_STRICT } from './docs/entry-docs.ts'
import { readAddress } from './entry-lists.ts'
import { readBoolean } from './request/action-body.ts'
import {
  readKnownFields,
  refusePrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const SELECTION = {
  qry: {
    type: 'object',
    additionalProperties: true,
    description: 'Selects the entries, as in a search. {} selects every entry, and needs expect.',
  },
  expect: {
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'The number of entries that must match; otherwise the response is 409 with the number in matched.',
  },
  dry_run: {
    type: 'boolean',
    description: 'Check everything and return the numbers, without changing anything.',
  },
} as const satisfies Record<string, SchemaObject>

const COUNT: SchemaObject = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const OUTCOME: SchemaObject = {
  type: 'object',
  required: ['matched', 'changed', 'dry_run'],
  properties: {
    matched: { ...COUNT, description: 'Entries that qry selects.' },
    changed: {
      ...COUNT,
      description:
        'Entries that were changed or deleted, or that a dry run would change or delete.',
    },
    dry_run: { type: 'boolean' },
  },
}

const bulkUpdateDocs: ModuleEndpointDocs = (module) => {
  const { object, uniqueColumns } = module.entry
  const values = closed(updateSchema(object))
  // Several entries cannot get the same value in a unique column.
  const unique = new Set(uniqueColumns.map(({ column }) => column.name))
  const shared = Object.entries(exampleEntry(object)).filter(([name]) => !unique.has(name))
  return {
    ...bulk('bulk_update', module),
    parameters: [PREFER_STRICT],
    body: jsonBody({
      schema: {
        type: 'object',
        required: ['qry', 'values'],
        properties: { ...SELECTION, values },
        additionalProperties: false,
      },
      example: { qry: {}, values: Object.fromEntries(shared), dry_run: true },
      limit: BODY_LIMITS.entry,
    }),
  }
}

const bulkDeleteDocs: ModuleEndpointDocs = (module) => ({
  ...bulk('bulk_delete', module),
  body: jsonBody({
    schema: {
      type: 'object',
      required: ['qry'],
      properties: SELECTION,
      additionalProperties: false,
    },
    example: { qry: {}, dry_run: true },
    limit: BODY_LIMITS.entry,
  }),
})

function bulk(verb: string, module: DocumentedModule): Omit<EndpointDocs, 'body' | 'parameters'> {
  const max = maxListEntries(sizeOf(module.entry), LIMITS).toLocaleString('en')
  return {
    ...common(verb, module),
    problems: [308, 404, 409],
    description:
      `One commit changes all entries that match at that moment, or none; at most ${max} entries. If more match, the response is 413 and ` +
      'says how to select a part. Also needs the grant view, because a search reveals values.',
    answers: {
      200: jsonAnswer('The numbers of entries.', {
        schema: OUTCOME,
        example: { matched: 2, changed: 2, dry_run: true },
      }),
    },
  }
}

const MODULE = '/api/v2/module/:type/:module_id/:module_name'

export const bulkRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: `${MODULE}/bulk_update`,
    access: ['modify'],
    action: 'update',
    summary: 'Update all entries that a search selects, in one commit',
    docs: bulkUpdateDocs,
    read: (request) => readSelection(request, ['values']),
    run: (context, input) => whileAsked(input, (all) => updateMatching(context, all)),
    keepsOutcome: true,
    recall: (context, input, { outcome }) =>
      replay(context, { ...input, grant: 'modify' }, outcome),
    reply: bulkReply,
  }),
  defineRoute({
    method: 'POST',
    path: `${MODULE}/bulk_delete`,
    access: ['delete'],
    action: 'delete',
    // A delete frees space, so it works on a full disk.
    needsRoom: undefined,
    summary: 'Delete all entries that a search selects, in one commit',
    docs: bulkDeleteDocs,
    read: (request) => readSelection(request, []),
    run: (context, input) => whileAsked(input, (all) => removeMatching(context, all)),
    keepsOutcome: true,
    recall: (context, input, { outcome }) =>
      replay(context, { ...input, grant: 'delete' }, outcome),
    reply: bulkReply,
  }),
]

interface Selection extends Omit<MatchingInput, 'signal'> {
  readonly values: unknown
  readonly client: Client
}

async function readSelection(request: Request, further: readonly string[]): Promise<Selection> {
  requireKnownParameters(request.query, [])
  refusePrecondition(request)
  const known = [...Object.keys(SELECTION), ...further]
  const body = await readKnownFields(request, known, 'entry')
  for (const name of ['qry', ...further])
    if ((body[name] ?? null) === null)
      refuseField(
        name,
        'is required; {"qry": {}} selects every entry, and then expect is required, too',
      )
  return {
    ...readQry(request, body['qry']),
    address: readAddress(request),
    values: body['values'],
    expect: readExpect(body['expect'] ?? undefined),
    isDryRun: readBoolean(body, 'dry_run'),
    limits: request.limits,
    client: request.client,
  }
}

/** The limits are those of a search: a string has the same limit as in a URL, an object that of a body. */
function readQry({ limits }: Request, qry: unknown): Pick<MatchingInput, 'qry' | 'qryBytes'> {
  if (typeof qry === 'string') return { qry, qryBytes: undefined }
  // The JSON parser returns a String object for a number that a double cannot represent.
  if (typeof qry !== 'object' || qry instanceof String)
    return refuseField('qry', 'must be an object, or a string that holds one as JSON')
  const { searchBytes, searchKeys } = limits
  if (countKeys(qry) > searchKeys) refuseField('qry', `may have at most ${searchKeys} keys`)
  return { qry: JSON.stringify(qry), qryBytes: searchBytes }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, item) => sum + countKeys(item), own)
}

function readExpect(expect: unknown): number | undefined {
  const isCount = Number.isSafeInteger(expect) && Number(expect) >= 0
  if (expect !== undefined && !isCount) refuseField('expect', 'must be a whole number from 0')
  return expect === undefined ? undefined : Number(expect)
}

function whileAsked<T>(
  { client, ...input }: Selection,
  work: (input: MatchingInput & { readonly values: unknown }) => Promise<T>,
): Promise<T> {
  return whilePresent(client, (signal) => work({ ...input, signal }))
}

/** The caller must still hold the grants. */
function replay(
  context: Context,
  { address, grant }: Pick<Selection, 'address'> & { readonly grant: 'modify' | 'delete' },
  outcome: unknown,
): BulkOutcome | undefined {
  requireModuleByAnyName(context, address, 'view')
  requireModuleByAnyName(context, address, grant)
  // The row has what the commit of updateMatching or removeMatching returned.
  return outcome as BulkOutcome | undefined
}

function bulkReply(outcome: BulkOutcome): Reply {
  return json(200, outcome)
}
