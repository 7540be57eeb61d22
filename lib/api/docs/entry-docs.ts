// OpenAPI descriptions of the Module API for one module, made from its address and its columns.

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { expandableOf } from '../../schema/expand.ts'
import { publicEntry } from '../../schema/public-entry.ts'
import {
  jsonAnswer,
  jsonBody,
  NO_CONTENT,
  NOT_MODIFIED,
  PENDING_REMOVAL,
} from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { DocumentedModule, EndpointDocs, ModuleEndpointDocs } from '../../docs/endpoint.ts'
import { exampleEntry, examplePage, exampleWholeEntry } from '../../docs/examples.ts'
import {
  fieldsParameter,
  flag,
  IF_MATCH,
  IF_NONE_MATCH,
  listParameters,
  queryParameter,
} from '../../docs/parameters.ts'
import {
  closed,
  pageSchema,
  schemaRef,
  mergePatchSchema,
  updateSchema,
  wholly,
} from '../../docs/schemas.ts'
import { searchByPost } from '../../docs/search-body.ts'

/** The name of the tag. It is unique, because it contains the identifier. */
export function moduleKey({ kind, id, record }: DocumentedModule): string {
  return `${kind} ${id}: ${record.name}`
}

export function entrySchemaName({ kind, id }: DocumentedModule): string {
  return `${kind}_${id}_entry`
}

const search: ModuleEndpointDocs = (module) => {
  const { object } = module.entry
  const schema = pageSchema(object.name, schemaRef(entrySchemaName(module)))
  return {
    ...common('search', module),
    // An answer may follow only so many references.
    problems: [308, 404, 413],
    description:
      `To search by identifier, use its qualified name: {"${object.name}.${object.idField}": 5}. ` +
      'All columns except long texts, JSON and places are indexed.',
    parameters: [
      ...listParameters(object),
      ...(module.kind === 'calendar' ? WINDOW : []),
      ...expandParameters(module),
      EXPLAIN,
    ],
    answers: {
      200: jsonAnswer('One page.', {
        schema,
        example: examplePage(object.name, exampleWholeEntry(object)),
        headers: ['Link', 'X-Total', 'Server-Timing'],
      }),
    },
  }
}

/** The time window of calendars. */
const WINDOW: readonly ParameterObject[] = [
  queryParameter(
    'from',
    'Together with to: return the entries that have an occurrence in this period of at most five years. An occurrence that ends ' +
      'exactly at the start of the period is not included.',
    { type: 'string' },
  ),
  queryParameter(
    'to',
    'The end of the period. Formats of from and to: RFC 3339, seconds since 1970, or YYYY-MM-DD, which is the start of that day in ' +
      'the time zone of the calendar.',
    { type: 'string' },
  ),
]

const OCCURRENCES =
  'true: return each occurrence instead of its entry, ordered by start_time, then by entry. page.next is the cursor of the next page. ' +
  'Not allowed together with start, orderStr, orderDir, count or explain.'

/** Without references, only the occurrences of a calendar can be expanded. */
function expandParameters({ kind, entry }: DocumentedModule): readonly ParameterObject[] {
  const names = expandableOf(entry).map(({ column }) => column)
  const isCalendar = kind === 'calendar'
  if (names.length === 0) return isCalendar ? [flag('expand', OCCURRENCES)] : []
  const words = [`${EXPAND} Fields: ${names.join(', ')}.`, ...(isCalendar ? [OCCURRENCES] : [])]
  return [queryParameter('expand', words.join(' '), { type: 'string' })]
}

const EXPAND =
  'References whose records are added as the member expanded, separated by commas. A name may follow two references, as in related.author. ' +
  'Null stands for a record that the key may not see.'

const EXPLAIN = queryParameter(
  'explain',
  '1: page.explain says which index was read, and how many records were examined and returned. Needs the grant admin in the folder of the module.',
  { type: 'integer', enum: [1] },
)

const STRICT =
  'handling=strict: reject with 422 a value that would be stored differently from what was sent: more than three decimals of a second, ' +
  'a time of day in a date column, digits beyond the precision of a double.'

export const PREFER: ParameterObject = {
  name: 'Prefer',
  in: 'header',
  description: `return=representation: return the whole entry (RFC 7240). return=minimal: return no body. ${STRICT}`,
  schema: { type: 'string' },
}

export const PREFER_STRICT: ParameterObject = { ...PREFER, description: STRICT }

export const PREFER_UPDATE: ParameterObject = {
  ...PREFER,
  description: `return=minimal: return 204 without a body (RFC 7240). ${STRICT}`,
}

const read: ModuleEndpointDocs = (module) => {
  const { object, baseNames } = module.entry
  const schema = wholly(schemaRef(entrySchemaName(module)), [...sharedBaseNames(module)])
  return {
    ...common('read', module),
    parameters: [
      fieldsParameter(
        Object.keys(object.fields),
        'The columns to return in addition: * for all, or names separated by commas.',
      ),
      ...expandParameters({ ...module, kind: 'datatable' }),
      IF_NONE_MATCH,
    ],
    answers: {
      200: jsonAnswer('The base fields; with fields, also these columns.', {
        schema,
        example: partOf(exampleWholeEntry(object), baseNames),
        headers: ['ETag'],
      }),
      304: NOT_MODIFIED,
    },
  }
}

/** The base fields that every reader gets. Readers without a key get no owner, and of an event only the chosen fields. */
function sharedBaseNames({ kind, entry, record }: DocumentedModule): ReadonlySet<string> {
  if (!record.public) return entry.baseNames
  return publicEntry(entry, kind, record.public_columns ?? null).baseNames
}

const update: ModuleEndpointDocs = (module) => {
  const { object, autoColumns } = module.entry
  // Only a create assigns the next number.
  const kept = autoColumns.map(({ column }) => column.name)
  return {
    ...common('update', module),
    ...conflicts(module),
    parameters: [IF_MATCH, PREFER_UPDATE],
    body: jsonBody({
      schema: closed(updateSchema(object)),
      example: exampleEntry(object),
      limit: BODY_LIMITS.entry,
    }),
    mergePatch: closed(mergePatchSchema(object, kept)),
    answers: {
      200: jsonAnswer('The entry after the change.', {
        schema: wholeEntry(module),
        example: exampleWholeEntry(object),
        headers: ['ETag'],
      }),
    },
  }
}

const remove: ModuleEndpointDocs = (module) => ({
  ...common('delete', module),
  parameters: [IF_MATCH],
  answers: { 202: PENDING_REMOVAL, 204: NO_CONTENT },
  problems: [308, 404, 409],
})

const postedSearch: ModuleEndpointDocs = (module) => {
  const docs = search(module)
  return docs && searchByPost(docs)
}

export const entryDocs = {
  search,
  searchByPost: postedSearch,
  read,
  update,
  remove,
} as const

/** With a unique column, a create or update can conflict with another entry. */
export function conflicts({ entry }: DocumentedModule): Pick<EndpointDocs, 'problems'> {
  const { uniqueColumns, uniqueGroups, referenceColumns } = entry
  const hasConflicts = [...uniqueColumns, ...uniqueGroups, ...referenceColumns].length > 0
  return { problems: hasConflicts ? [308, 404, 409] : [308, 404] }
}

export function common(
  verb: string,
  module: DocumentedModule,
): Pick<EndpointDocs, 'tag' | 'operationId' | 'problems'> {
  const { kind, id, record } = module
  const name = record.module_name.replaceAll('-', '_')
  return {
    tag: moduleKey(module),
    operationId: `${verb}_${kind}_${id}_${name}`,
    problems: [308, 404],
  }
}

export function partOf(
  values: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
}

export function wholeEntry(module: DocumentedModule): SchemaObject {
  return wholly(schemaRef(entrySchemaName(module)), Object.keys(module.entry.object.fields))
}
