// OpenAPI descriptions of bulk updates and bulk deletes of entries.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../../config/limits.ts'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { DocumentedModule, EndpointDocs, ModuleEndpointDocs } from '../../docs/endpoint.ts'
import { exampleEntry } from '../../docs/examples.ts'
import { closed, updateSchema } from '../../docs/schemas.ts'
import { sizeOf } from '../../schema/entry.ts'
import { maxListEntries } from '../../shared/list-size.ts'
import { common, PREFER_STRICT } from './entry-docs.ts'

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
      description: 'Entries that were changed or deleted; in a dry run, entries that would be.',
    },
    dry_run: { type: 'boolean' },
  },
}

export const bulkUpdateDocs: ModuleEndpointDocs = (module) => {
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

export const bulkDeleteDocs: ModuleEndpointDocs = (module) => ({
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
