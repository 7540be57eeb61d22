// Parameters of paths, queries and headers. They stand where they are used, without references: each
// list can name its own fields, and generic clients need not resolve anything.

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../config/limits.ts'
import type { ObjectType } from '../schema/object.ts'
import { QRY_GROUPS, QRY_OPERATORS } from '../schema/qry.ts'

const ID: SchemaObject = { type: 'integer', minimum: 1 }

/** What the names in paths stand for. */
const PATH_PARAMETERS: Readonly<Record<string, readonly [SchemaObject, string]>> = {
  id: [ID, 'Identifier of the record.'],
  entry_id: [ID, 'Identifier of the entry.'],
  version: [ID, 'Number of a version.'],
  other: [ID, 'Number of the version to compare with.'],
  number: [
    ID,
    'An asset_file_id if that file has this name, else an asset_category_id whose folder holds it.',
  ],
  name: [{ type: 'string' }, 'Name of the file.'],
  code: [{ type: 'string' }, 'The member code of a problem.'],
  rest: [{ type: 'string' }, 'The rest of the address, which may have slashes in it.'],
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

/** As OpenAPI writes it: `/datatable/{id}`; it has no word for what may have slashes in it. */
export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')
}

export const IF_MATCH = header(
  'If-Match',
  'The ETag of the record as it was read: the change is refused with 412 when it has changed since. ' +
    'Only the part before the dot is compared, the revision of the record with a mark of the history of the site. W/ in front is ignored.',
)

export const IF_NONE_MATCH = header('If-None-Match', 'An ETag: 304 when the answer is still that.')

/** Short, because it is at every POST of every module; the rest is said once for the document. */
export const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'A new value for each request, a UUID for example: the same request sent again within 24 hours changes ' +
    'nothing and gets the same answer.',
  { type: 'string', pattern: '^[!-~]{1,255}$' },
)

/** Headers that no single answer lists. A test compares this text with what is sent. */
export const ABOUT_HEADERS =
  'Each operation lists the headers that are its own. Every answer also has `X-Request-Id`, `Date`, `Cache-Control`, ' +
  '`Content-Type` and `Content-Length` or `Transfer-Encoding` where there is a body, `Connection`, `Vary` and ' +
  '`Content-Encoding` where they apply, and for browsers `Content-Security-Policy`, `X-Content-Type-Options`, ' +
  '`Referrer-Policy`, `Cross-Origin-Opener-Policy` or `Cross-Origin-Resource-Policy`. Origins that the operator names get the ' +
  '`Access-Control-…` headers.'

export const ABOUT_IDEMPOTENCY =
  '`Idempotency-Key` makes a POST safe to send again when its answer was lost: of up to 255 visible characters, ' +
  'and of the API key that sends it. With the same key, method, address and body, the answer is that of the ' +
  'first request, with `Idempotency-Replayed: true`; one over 64 KiB is made anew, of the records as they are ' +
  'then. While the first request is running the answer is 409 with `Retry-After`; another request under the key ' +
  'is 422. A request that was refused may be corrected and sent again under its key. Sessions, passwords and ' +
  'second factors pass it over: what sets a password may be sent again as it is.'

export function query(name: string, description: string, schema: SchemaObject): ParameterObject {
  return { name, in: 'query', description, schema }
}

export const TICKET = query(
  'ticket',
  'In the place of the header Authorization, and at the end of the address: as `POST /ticket` answers it.',
  { type: 'string' },
)

export function flag(name: string, description: string): ParameterObject {
  return query(name, description, { type: 'boolean' })
}

export function lengthParameter(): ParameterObject {
  const description =
    'How many a page has at most; 100 unless it is given. It may have fewer and not be the last: when its ' +
    'records are large (16 MiB together), or more than 100,000 had to be looked at. page.next tells. A search that ' +
    'finds none in 2 s gives an empty page with page.complete false: ask on with page.next.'
  return query('length', description, { type: 'integer', minimum: 1, maximum: 1_000 })
}

export function fieldsParameter(names: readonly string[], description: string): ParameterObject {
  return query('fields', `${description} Known: ${names.join(', ')}.`, { type: 'string' })
}

const ORDER =
  `The field to sort by, or up to ${LIMITS.maxOrderFields} of them, separated by commas; then by identifier. Of several ` +
  'fields, not more than 10,000 records of a search may have the same value in the first one. Without it the ' +
  'order is by identifier; only a range or prefix on one field that finds more than 1,000 records comes in ' +
  'the order of that field. Text is ordered by code point: Z before a, z before ä.'

const DIRECTION =
  'ASC unless it is given. One for all fields of orderStr, or one for each, separated by commas.'

const DIRECTIONS = `^(ASC|DESC)(,(ASC|DESC)){0,${LIMITS.maxOrderFields - 1}}$`

/** Those of every list, for the fields of this object. No defaults: a client would send them along. */
export function listParameters(object: ObjectType): readonly ParameterObject[] {
  const { name, fields, searchable } = object
  // Sorted are fields of one value, and the identifier.
  const sortable = [...searchable].filter(
    ([, { kind, isIndexed, isId, rises }]) =>
      (isIndexed && kind !== 'integers') || isId === true || rises === true,
  )
  const sortNames = sortable.map(([field]) => field)
  const start: SchemaObject = { type: 'integer', minimum: 1 }

  return [
    qryParameter([...searchable.keys()], name),
    query('start', 'Number of the page, from 1. Not together with cursor.', start),
    lengthParameter(),
    query('cursor', 'The member page.next of the page before; stable while others write.', {
      type: 'string',
    }),
    query('orderStr', `${ORDER} Known: ${sortNames.join(', ')}.`, { type: 'string' }),
    query('orderDir', DIRECTION, {
      type: 'string',
      pattern: DIRECTIONS,
    }),
    query(
      'table_filter',
      'Text that one of the string fields holds, whatever its case and its Unicode form (NFC or NFD).',
      {
        type: 'string',
      },
    ),
    fieldsParameter(Object.keys(fields), 'The fields to answer, separated by commas.'),
    query('count', 'exact: count all that match, at whatever cost, into page.total.', {
      type: 'string',
      enum: ['exact'],
    }),
  ]
}

const OPERATORS = QRY_OPERATORS.join(', ').replace(
  '$regex, $options',
  '$regex (RE2; together at most 2,000 instructions, so that x{2000} is too much) with $options "i"',
)

function qryParameter(names: readonly string[], objectName: string): ParameterObject {
  const description =
    `A search as JSON: {"field": value}, several are AND. Operators as {"field": {"$gt": 5}}: ${OPERATORS}; ` +
    `around them ${QRY_GROUPS.join(', ')}. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so that a ` +
    `decomposed name, as a Mac sends it, is found by either form; $gt, $gte, $lt and $lte compare them as stored. Fields: ${names.join(', ')}; each may ` +
    `be qualified, like "${objectName}.${names[1] ?? names[0] ?? ''}".`
  // A string that holds JSON, and no `content`: generated clients would write qry[field]=… or fail.
  return query('qry', description, { type: 'string' })
}

function header(
  name: string,
  description: string,
  schema: SchemaObject = { type: 'string' },
): ParameterObject {
  return { name, in: 'header', description, schema }
}
