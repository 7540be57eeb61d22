// Parameters of paths, queries and headers. Parameters are inline, without references, so that each list can name its own
// fields and generic clients need not resolve references.

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../config/limits.ts'
import { isListKind } from '../schema/field-value.ts'
import type { ObjectType } from '../schema/object.ts'
import { QRY_GROUPS, QRY_OPERATORS } from '../schema/qry.ts'

const ID: SchemaObject = { type: 'integer', minimum: 1 }

/** Schema and description of the parameters in paths, by name. */
const PATH_PARAMETERS: Readonly<Record<string, readonly [SchemaObject, string]>> = {
  id: [ID, 'Identifier of the record.'],
  entry_id: [ID, 'Identifier of the entry.'],
  change: [ID, 'Number of a change in the history of the entry.'],
  version: [ID, 'Number of a version.'],
  other: [ID, 'Number of the version to compare with.'],
  link: [ID, 'Identifier of the link.'],
  upload: [{ type: 'string' }, 'The last part of the address that Location gives.'],
  former_name: [{ type: 'string' }, 'A former name, as the list has it.'],
  token: [{ type: 'string' }, 'The secret part of the address, as in the field url of the link.'],
  number: [
    ID,
    'The asset_file_id of a file with this name, otherwise the asset_category_id of the folder that contains the file.',
  ],
  name: [{ type: 'string' }, 'Name of the file.'],
  code: [{ type: 'string' }, 'The value of code in a problem.'],
  rest: [{ type: 'string' }, 'The rest of the path, which may contain slashes.'],
}

export function pathParameters(path: string): readonly ParameterObject[] {
  return [...pathTemplate(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const [schema, description] = PATH_PARAMETERS[name] ?? [{ type: 'string' }, name]
    return pathParameter(name, description, schema)
  })
}

export function pathParameter(
  name: string,
  description: string,
  schema: SchemaObject = { type: 'string' },
): ParameterObject {
  return { name, in: 'path', required: true, description, schema }
}

/** The path in OpenAPI notation: `/datatable/{id}`. OpenAPI has no notation for a parameter that may contain slashes. */
export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')
}

export const IF_MATCH = headerParameter(
  'If-Match',
  'The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. ' +
    'Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored.',
)

export const IF_NONE_MATCH = headerParameter(
  'If-None-Match',
  'An ETag. If the response still has this ETag, the status is 304.',
)

/** The text is short, because every POST of every module repeats it. ABOUT_IDEMPOTENCY has the details. */
export const IDEMPOTENCY_KEY = headerParameter(
  'Idempotency-Key',
  'A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes ' +
    'nothing and gets the same response.',
  { type: 'string', pattern: '^[!-~]{1,255}$' },
)

/** Headers that the responses do not list. A test compares this text with the headers that the server sends. */
export const ABOUT_HEADERS =
  'Each operation lists its own response headers. Every response also has `X-Request-Id`, `Date` and `Cache-Control`; with a body, ' +
  '`Content-Type` and `Content-Length` or `Transfer-Encoding`; where they apply, `Connection`, `Keep-Alive`, `Vary` and ' +
  '`Content-Encoding`; and for browsers `Content-Security-Policy`, `X-Content-Type-Options`, ' +
  '`Referrer-Policy`, `Cross-Origin-Opener-Policy` or `Cross-Origin-Resource-Policy`. Origins that the operator allows get the ' +
  '`Access-Control-…` headers.'

/** A second success response would make each typed client check for a missing body, so this is described in words. */
export const ABOUT_MINIMAL =
  'With `Prefer: return=minimal` (RFC 7240), a create or update of a record returns 201 or 204 without a body, with `ETag` and ' +
  '`Preference-Applied`. Responses with a secret or a warning keep their body.'

export const ABOUT_IDEMPOTENCY =
  '`Idempotency-Key` makes it safe to retry a POST whose response was lost. The value has up to 255 visible characters ' +
  'and belongs to the API key that sends it. A retry with the same value, method, address and body gets the response of the ' +
  'first request, with `Idempotency-Replayed: true`. A response over 64 KiB is built again from the current records. ' +
  'While the first request is running, a retry gets 409 with `Retry-After`. A different request with the same value gets 422. ' +
  'A request that was rejected can be corrected and sent again with the same value. Operations on sessions, passwords and ' +
  'second factors ignore the header: a request that sets a password can simply be repeated.'

export function queryParameter(
  name: string,
  description: string,
  schema: SchemaObject,
): ParameterObject {
  return { name, in: 'query', description, schema }
}

export const TICKET = queryParameter(
  'ticket',
  'A ticket from `POST /ticket`, in place of the header Authorization. It must be the last query parameter.',
  { type: 'string' },
)

export function flag(name: string, description: string): ParameterObject {
  return queryParameter(name, description, { type: 'boolean' })
}

/** The parameters of a list that is ordered by number, newest first: see api/request/newest-first.ts. */
export function newestFirstParameters(): readonly ParameterObject[] {
  return [
    queryParameter('cursor', 'The value page.next of the previous page.', {
      type: 'integer',
      minimum: 1,
    }),
    lengthParameter(),
  ]
}

export function lengthParameter(): ParameterObject {
  const description =
    'Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends ' +
    'after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that ' +
    'finds nothing in 2 s returns an empty page with page.complete false: continue with page.next.'
  return queryParameter('length', description, { type: 'integer', minimum: 1, maximum: 1_000 })
}

export function fieldsParameter(names: readonly string[], description: string): ParameterObject {
  return queryParameter('fields', `${description} Fields: ${names.join(', ')}.`, { type: 'string' })
}

const ORDER =
  `The field to sort by, or up to ${LIMITS.maxOrderFields} fields, separated by commas. Ties are sorted by identifier. With several ` +
  'fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted ' +
  'by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by ' +
  'that field. Text is sorted by code point: Z before a, z before ä.'

const DIRECTION =
  'ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas.'

const DIRECTIONS = `^(ASC|DESC)(,(ASC|DESC)){0,${LIMITS.maxOrderFields - 1}}$`

/** The parameters of every list, for the fields of this object. They have no defaults, because clients would send them. */
export function listParameters(object: ObjectType): readonly ParameterObject[] {
  const { name, fields, searchable } = object
  // Lists can be sorted by the identifier and by indexed fields with a single value.
  const sortable = [...searchable].filter(
    ([, { kind, isIndexed, isId, rises }]) =>
      (isIndexed && !isListKind(kind)) || isId === true || rises === true,
  )
  const sortNames = sortable.map(([field]) => field)
  const start: SchemaObject = { type: 'integer', minimum: 1 }

  return [
    qryParameter([...searchable.keys()], name),
    queryParameter('start', 'Number of the page, from 1. Not allowed together with cursor.', start),
    lengthParameter(),
    queryParameter(
      'cursor',
      'The value page.next of the previous page. Stable under concurrent writes.',
      {
        type: 'string',
      },
    ),
    queryParameter('orderStr', `${ORDER} Fields: ${sortNames.join(', ')}.`, { type: 'string' }),
    queryParameter('orderDir', DIRECTION, {
      type: 'string',
      pattern: DIRECTIONS,
    }),
    queryParameter(
      'table_filter',
      'Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored.',
      {
        type: 'string',
      },
    ),
    fieldsParameter(Object.keys(fields), 'The fields to return, separated by commas.'),
    queryParameter(
      'count',
      'exact: return the number of all matches in page.total, even if counting is slow.',
      {
        type: 'string',
        enum: ['exact'],
      },
    ),
  ]
}

const OPERATORS = QRY_OPERATORS.join(', ')
  .replace(
    '$regex, $options',
    '$regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i"',
  )
  .replace('$near, $within', '$near and $within for places')

function qryParameter(names: readonly string[], objectName: string): ParameterObject {
  const description =
    `A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: ${OPERATORS}. ` +
    `Conditions are grouped with ${QRY_GROUPS.join(', ')}. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of ` +
    `a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: ${names.join(', ')}. A field may ` +
    `be qualified, as in "${objectName}.${names[1] ?? names[0] ?? ''}".`
  // The type is a string with JSON, without `content`: with an object, generated clients would write qry[field]=… or fail.
  return queryParameter('qry', description, { type: 'string' })
}

export function headerParameter(
  name: string,
  description: string,
  schema: SchemaObject = { type: 'string' },
): ParameterObject {
  return { name, in: 'header', description, schema }
}
