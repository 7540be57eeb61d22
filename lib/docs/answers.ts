// Answers and bodies as the documents describe them, and the problems by status.

import type {
  HeadersObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { PROBLEMS } from '../errors.ts'
import { schemaRef } from './schemas.ts'

type Schema = SchemaObject | ReferenceObject

const HEADERS = {
  ETag: 'For If-Match and If-None-Match: the revision, a dot, and a checksum of this very answer.',
  Location: 'Address of the new record.',
  Link: 'Address of the next page, rel="next".',
  'Server-Timing':
    'How many records were looked at, and how many are in this page; for keys with the grant admin on the whole site.',
  'Last-Modified': 'When the live version changed last.',
  'Content-Range': 'Which bytes these are.',
  'Content-Disposition': 'Name of the file, and whether it may be shown.',
  'Preference-Applied': 'return=representation, where that was asked for.',
  'Idempotency-Replayed': 'true: this is the answer to an earlier request with the same key.',
} as const

export function jsonAnswer(
  description: string,
  schema: Schema,
  headers: readonly (keyof typeof HEADERS)[] = [],
): ResponseObject {
  return {
    description,
    ...(headers.length > 0 && { headers: headersOf(headers) }),
    content: { 'application/json': { schema } },
  }
}

export function otherAnswer(
  description: string,
  mediaType: string,
  headers: readonly (keyof typeof HEADERS)[] = [],
): ResponseObject {
  const content = { [mediaType]: {} }
  return { description, ...(headers.length > 0 && { headers: headersOf(headers) }), content }
}

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

export const NOT_MODIFIED: ResponseObject = {
  description: 'The answer is still the one that If-None-Match names.',
}

export function jsonBody(schema: SchemaObject, example: object): RequestBodyObject {
  return { required: true, content: { 'application/json': { schema, example } } }
}

/** Every status of the error table with the problems that have it. */
export function problemAnswers(): Readonly<Record<string, ResponseObject>> {
  const statuses = new Set(Object.values(PROBLEMS).map(({ status }) => status))
  return Object.fromEntries(
    [...statuses].map((status) => [problemName(status), problemAnswer(titlesOf(status))]),
  )
}

export function problemRef(status: number): ReferenceObject {
  return { $ref: `#/components/responses/${problemName(status)}` }
}

/** For statuses that every endpoint may answer. */
export const OTHER_PROBLEM: ReferenceObject = { $ref: '#/components/responses/problem' }

export const OTHER_PROBLEM_ANSWER = problemAnswer('Any other problem: the member code names it.')

/** RFC 9457. */
export const PROBLEM_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', description: 'Address of a page that explains the problem.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What to do.' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
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
  },
}

function problemAnswer(description: string): ResponseObject {
  return { description, content: { 'application/problem+json': { schema: schemaRef('problem') } } }
}

function problemName(status: number): string {
  return `problem_${status}`
}

function titlesOf(status: number): string {
  const items = Object.entries(PROBLEMS).filter(([, problem]) => problem.status === status)
  return items.map(([code, { title }]) => `${code}: ${title}.`).join(' ')
}

function headersOf(names: readonly (keyof typeof HEADERS)[]): HeadersObject {
  return Object.fromEntries(
    names.map((name) => [name, { description: HEADERS[name], schema: { type: 'string' } }]),
  )
}
