// Answers and bodies as the documents describe them, and the problems by status.

import type {
  HeadersObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { type ErrorCode, PROBLEMS } from '../base/errors.ts'
import { exampleProblem } from './problem-examples.ts'
import { schemaRef } from './schemas.ts'

type Schema = SchemaObject | ReferenceObject

const CODES = Object.keys(PROBLEMS) as ErrorCode[]

/** Of a body that a client is to take as it comes. */
export const BYTES_SCHEMA: SchemaObject = { type: 'string', format: 'binary' }

const HEADERS = {
  ETag: 'For If-Match and If-None-Match: the revision with a mark of the history of the site, a dot, and a checksum of this very answer.',
  Location: 'Address of the new record; a list of them has none.',
  Link: 'Address of the next page, rel="next".',
  'X-Total': 'How many match in all, where that is known: page.total.',
  'Server-Timing':
    'How many records were looked at, and how many are in this page; for keys with the grant admin on the whole site.',
  'Last-Modified':
    'The end of the second in which the bytes at this address changed last. Left out for two seconds after a change: until then a date does not tell two contents apart.',
  'Content-Range': 'Which bytes these are.',
  'Content-Disposition': 'Name of the file, and whether it may be shown.',
  'Preference-Applied': 'return=representation, where that was asked for.',
  'Accept-Ranges': 'bytes: a part can be asked for by the header Range.',
  'X-Accel-Buffering': 'no: a proxy passes each event on at once.',
  Allow: 'The methods of the address, with 405.',
  'WWW-Authenticate':
    'What to sign with: Bearer, beside it Basic for the feed of a calendar; with 403 the scope is the grant that is missing.',
  'Retry-After': 'Seconds after which to try again, where waiting helps.',
  'Set-Cookie': 'The cookie of the session; no page can read it.',
  'Idempotency-Replayed': 'true: this is the answer to an earlier request with the same key.',
} as const

interface JsonAnswer {
  readonly schema: Schema
  /** An answer as it is given; a page that makes one up from the schema shows the largest of numbers. */
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

/** The answers to what may be sent under an Idempotency-Key. */
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

export const NO_CONTENT: ResponseObject = { description: 'Done; there is nothing to answer.' }

export const SIGNED_OUT: ResponseObject = {
  ...NO_CONTENT,
  headers: headersOf(['Set-Cookie']),
}

export const NOT_MODIFIED: ResponseObject = {
  description: 'The answer is still the one that If-None-Match names.',
  headers: headersOf(['ETag']),
}

interface JsonBody {
  readonly schema: SchemaObject
  readonly example: object
  /** What a body may have at most, in words. */
  readonly limit: string
}

export function jsonBody({ schema, example, limit }: JsonBody): RequestBodyObject {
  const content = { 'application/json': { schema, example } }
  return { description: limit, required: true, content }
}

/** Codes that follow from access and method; other codes of these statuses belong to single operations. */
const COMMON: Readonly<Record<number, readonly ErrorCode[]>> = {
  401: ['key-required', 'key-invalid'],
  403: ['grant-missing'],
  503: ['unavailable', 'outcome-unknown', 'read-only'],
}

export function commonCodes(status: 401 | 403 | 503): readonly ErrorCode[] {
  return COMMON[status] ?? []
}

/** A component that lists these codes of the status; without codes, the usual ones. */
export function problemRef(status: number, codes?: readonly ErrorCode[]): ReferenceObject {
  const isUsual = codes === undefined || codes.join() === COMMON[status]?.join()
  const name = isUsual ? problemName(status) : [problemName(status), ...codes].join('.')
  return { $ref: `#/components/responses/${name}` }
}

/** The component that problemRef names; `prefix` is in front of the types of problems. */
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

/** For statuses that every endpoint may answer. */
export const OTHER_PROBLEM: ReferenceObject = { $ref: '#/components/responses/problem' }

export function otherProblemAnswer(prefix: string): ResponseObject {
  const answer = problemAnswer('Any other problem: the member code names it.', ['internal'], prefix)
  return { ...answer, headers: headersOf(['Allow', 'Retry-After']) }
}

/** RFC 9457. */
export const PROBLEM_SCHEMA: SchemaObject = {
  type: 'object',
  description: 'Some have members of their own, such as the identifier of what has a name.',
  additionalProperties: true,
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', description: 'Address of a page that explains the problem.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 300, maximum: 599 },
    detail: { type: 'string', description: 'What to do.' },
    code: { type: 'string', enum: CODES },
    request_id: { type: 'string', description: 'The log has the reason under it.' },
    errors: {
      type: 'array',
      description: 'The faults of a body; of more than 100 the last line tells how many.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'Where, as a JSON pointer (RFC 6901).' },
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
    total: { type: ['integer', 'null'], description: 'All that match, where that is known.' },
    next: { type: ['string', 'null'], description: 'The cursor of the next page; null: the last.' },
    complete: {
      type: 'boolean',
      description:
        'false: the search has looked at enough records for one page, or for long enough. The page may be empty; ' +
        'more may follow behind next. Otherwise the member is left out.',
    },
    hint: {
      type: 'string',
      description:
        'For people: how to ask instead, where nothing was found and the search has * or % in a text, or compares letters as they are written. ' +
        'Otherwise the member is left out.',
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

function headersOf(names: readonly (keyof typeof HEADERS)[]): HeadersObject {
  return Object.fromEntries(
    names.map((name) => [name, { description: HEADERS[name], schema: { type: 'string' } }]),
  )
}
