// Builders of the responses and request bodies in the OpenAPI documents, and the problem responses by status.

import type {
  HeadersObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { type ErrorCode } from '../base/errors.ts'
import { PROBLEMS } from '../base/problem-table.ts'
import { exampleProblem } from './examples.ts'
import { schemaRef } from './schemas.ts'

type Schema = SchemaObject | ReferenceObject

const CODES = Object.keys(PROBLEMS) as ErrorCode[]

/** Schema of an opaque body. */
export const BYTES_SCHEMA: SchemaObject = { type: 'string', format: 'binary' }

const HEADERS = {
  ETag: 'For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response.',
  Location: 'Address of the new record. Absent if a list was created.',
  Link: 'Address of the next page, rel="next".',
  'X-Total': 'Number of all matches, if known; the same as page.total.',
  'Server-Timing':
    'Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site.',
  'Last-Modified':
    'The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second.',
  'Content-Range': 'The range of bytes in this response.',
  'Content-Disposition': 'Name of the file, and whether a browser may display it.',
  'X-Robots-Tag': 'noindex: search engines do not list the address.',
  'Preference-Applied': 'return=representation or return=minimal, if the request asked for it.',
  'Accept-Ranges': 'bytes: the header Range can request a part.',
  'X-Accel-Buffering': 'no: tells proxies to forward each event at once.',
  Allow: 'The methods of the address, with 405.',
  'WWW-Authenticate':
    'Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant.',
  'Retry-After': 'Seconds after which to try again, if waiting helps.',
  'Set-Cookie': 'The session cookie. Scripts cannot read it.',
  'Idempotency-Replayed': 'true: the response of an earlier request with the same Idempotency-Key.',
  'Tus-Resumable': 'The version of tus: 1.0.0.',
  'Tus-Version': 'The supported version of tus: 1.0.0.',
  'Upload-Offset': 'Bytes of the upload that are durable.',
  'Upload-Length': 'Size of the whole upload. Absent while it is deferred.',
  'Upload-Defer-Length': '1 while the length is deferred.',
  'Upload-Metadata': 'The header as it was sent when the upload began.',
  'Upload-Expires':
    'When the upload expires if no more bytes arrive. Absent if the upload is complete.',
  'Upload-Asset-File-Id':
    'The asset_file_id of the new or replaced file. Absent until the upload is complete.',
} as const

interface JsonAnswer {
  readonly schema: Schema
  /** A real response. An example that Swagger UI makes from the schema would show the maximum of each number. */
  readonly example: object
  readonly headers?: readonly (keyof typeof HEADERS)[]
}

export function jsonAnswer(
  description: string,
  { schema, example, headers = [] }: JsonAnswer,
): ResponseObject {
  return {
    description,
    ...(headers.length > 0 && { headers: headersOf(headers) }),
    content: { 'application/json': { schema, example } },
  }
}

export function otherAnswer(
  description: string,
  mediaType: string,
  headers: readonly (keyof typeof HEADERS)[] = [],
): ResponseObject {
  const isText = mediaType.startsWith('text/')
  const content = { [mediaType]: { schema: isText ? TEXT_SCHEMA : BYTES_SCHEMA } }
  return { description, ...(headers.length > 0 && { headers: headersOf(headers) }), content }
}

const TEXT_SCHEMA: SchemaObject = { type: 'string' }

/** Adds the header of replayed responses, for requests that accept an Idempotency-Key. */
export function withReplayed(
  answers: Readonly<Record<number, ResponseObject>>,
): Readonly<Record<number, ResponseObject>> {
  const replayed = headersOf(['Idempotency-Replayed'])
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...answer.headers, ...replayed } },
    ]),
  )
}

/** The answer to a deletion with more dependents than one commit can delete. */
export const PENDING_REMOVAL: ResponseObject = jsonAnswer(
  'More records are deleted with this one than fit into one commit. All of them will be deleted, even after a restart; until then the record can be read, but nothing new can refer to it.',
  {
    schema: {
      type: 'object',
      required: ['deletion'],
      properties: { deletion: { type: 'string', enum: ['pending'] } },
    },
    example: { deletion: 'pending' },
  },
)

export const NO_CONTENT: ResponseObject = { description: 'Done. The response has no body.' }

export const SIGNED_OUT: ResponseObject = {
  ...NO_CONTENT,
  headers: headersOf(['Set-Cookie']),
}

export const NOT_MODIFIED: ResponseObject = {
  description: 'The response has not changed since the ETag in If-None-Match.',
  headers: headersOf(['ETag']),
}

/** For bytes, whose responses also have a date. */
export const BYTES_NOT_MODIFIED: ResponseObject = {
  ...NOT_MODIFIED,
  headers: headersOf(['ETag', 'Last-Modified']),
}

interface JsonBody {
  readonly schema: SchemaObject
  readonly example: object
  /** The size limits of the body, as a sentence. */
  readonly limit: string
}

export function jsonBody({ schema, example, limit }: JsonBody): RequestBodyObject {
  const content = { 'application/json': { schema, example } }
  return { description: limit, required: true, content }
}

/** Codes that follow from access and method. Other codes of these statuses belong to single operations. */
const COMMON: Readonly<Record<number, readonly ErrorCode[]>> = {
  401: ['key-required', 'key-invalid'],
  403: ['grant-missing'],
  503: ['unavailable', 'outcome-unknown', 'read-only'],
}

export function commonCodes(status: 401 | 403 | 503): readonly ErrorCode[] {
  return COMMON[status] ?? []
}

/** A reference to the component that lists these codes of the status; without codes, the usual codes. */
export function problemRef(status: number, codes?: readonly ErrorCode[]): ReferenceObject {
  const isUsual = codes === undefined || codes.join() === COMMON[status]?.join()
  const name = isUsual ? problemName(status) : [problemName(status), ...codes].join('.')
  return { $ref: `#/components/responses/${name}` }
}

/** The component that problemRef refers to. `prefix` precedes the type URLs of problems. */
export function problemAnswerOf(name: string, prefix: string): ResponseObject {
  const [head = '', ...own] = name.split('.')
  const status = Number(head.slice(problemName('').length))
  const usual = COMMON[status] ?? CODES.filter((code) => PROBLEMS[code].status === status)
  const codes = own.length > 0 ? CODES.filter((code) => own.includes(code)) : usual
  const titles = codes.map((code) => `${code}: ${PROBLEMS[code].title}.`)
  return { ...problemAnswer(titles.join(' '), codes, prefix), ...problemHeaders(status) }
}

const PROBLEM_HEADERS: Readonly<Record<number, readonly (keyof typeof HEADERS)[]>> = {
  308: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  412: ['ETag'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function problemHeaders(status: number): { readonly headers?: HeadersObject } {
  const names = PROBLEM_HEADERS[status]
  return names === undefined ? {} : { headers: headersOf(names) }
}

/** For statuses that any endpoint may return. */
export const OTHER_PROBLEM: ReferenceObject = { $ref: '#/components/responses/problem' }

export function otherProblemAnswer(prefix: string): ResponseObject {
  const answer = problemAnswer('Any other problem, named by code.', ['internal'], prefix)
  return { ...answer, headers: headersOf(['Allow', 'Retry-After']) }
}

/** RFC 9457. */
export const PROBLEM_SCHEMA: SchemaObject = {
  type: 'object',
  description:
    'Some problems have additional members, such as the identifier of the record that already has a name.',
  additionalProperties: true,
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', description: 'URL of a page that explains the problem.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 300, maximum: 599 },
    detail: { type: 'string', description: 'What to do.' },
    code: { type: 'string', enum: CODES },
    request_id: { type: 'string', description: 'Find the cause in the server log by this id.' },
    errors: {
      type: 'array',
      description:
        'The errors of the body. If there are more than 100, the last item says how many are left out.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: {
            type: 'string',
            description: 'Place of the error, a JSON pointer (RFC 6901).',
          },
          detail: { type: 'string', description: 'What is accepted there.' },
        },
      },
    },
  },
}

export const PAGE_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['start', 'length', 'total', 'next'],
  properties: {
    start: { type: ['integer', 'null'], description: 'Number of the page; null after a cursor.' },
    length: { type: 'integer' },
    total: { type: ['integer', 'null'], description: 'Number of all matches; null if unknown.' },
    next: {
      type: ['string', 'null'],
      description: 'The cursor of the next page; null: this is the last page.',
    },
    complete: {
      type: 'boolean',
      description:
        'false: the search stopped early, because it had scanned the maximum number of records or run for the maximum time. ' +
        'The page may be empty, and more records may follow: continue with next. Otherwise absent.',
    },
    hint: {
      type: 'string',
      description:
        'A message for people that suggests another search, if nothing was found and the search has * or % in a text or is case-sensitive. ' +
        'Otherwise absent.',
    },
    explain: {
      type: 'object',
      additionalProperties: true,
      description:
        'With explain=1: the fields whose index was read (index), whether the matches were sorted (isSorted), the records that were examined and returned, ' +
        'and the same for each condition on related records (related).',
    },
  },
}

function problemAnswer(
  description: string,
  codes: readonly ErrorCode[],
  prefix: string,
): ResponseObject {
  const examples = Object.fromEntries(
    codes.map((code) => [
      code,
      { summary: PROBLEMS[code].title, value: exampleProblem(code, prefix) },
    ]),
  )
  return {
    description,
    content: { 'application/problem+json': { schema: schemaRef('problem'), examples } },
  }
}

function problemName(status: number | ''): string {
  return `problem_${status}`
}

export function headersOf(names: readonly (keyof typeof HEADERS)[]): HeadersObject {
  return Object.fromEntries(
    names.map((name) => [name, { description: HEADERS[name], schema: { type: 'string' } }]),
  )
}
