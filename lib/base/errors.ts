// The only error class of the server. Its codes are those of problem-table.ts.

import { PROBLEMS } from './problem-table.ts'

export type ErrorCode = keyof typeof PROBLEMS

/** One fault of a body: where (RFC 6901 pointer) and what is accepted there. */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

export interface ErrorFacts {
  /** All faults of a body at once. */
  readonly errors?: readonly Fault[]
  /** Further members of the problem document, for example the identifier of the record that has the name. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Headers that belong to the answer, for example Allow. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * The only error class. The message becomes the detail: it tells the caller what to do and contains no path or
 * secret.
 */
export class CmsError extends Error {
  readonly code: ErrorCode
  readonly facts: ErrorFacts

  constructor(code: ErrorCode, detail: string, facts: ErrorFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'CmsError'
    this.code = code
    this.facts = facts
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }
}

/**
 * Thrown when a reader process cannot answer a request itself. The request is then forwarded unchanged to the
 * writer process (processes/hand-over.ts). No part of its body has been read at this point.
 */
export class HandOver extends Error {}

export function isNotFound(error: unknown): boolean {
  return error instanceof CmsError && error.code === 'not-found'
}

/**
 * Faults after which the same change may succeed later: a full disk, a database that does not answer.
 */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'outcome-unknown',
  'disk-full',
  'read-only',
])

/** True if a later attempt may succeed. */
export function mayPass(error: unknown): boolean {
  return error instanceof CmsError && PASSING.has(error.code)
}

/** For work whose client has disconnected; only the log shows this error. */
export function requestEnded(): CmsError {
  return new CmsError('unavailable', 'The request ended before its response was ready.')
}
