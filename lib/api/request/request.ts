// The inputs that a route reads from a request: path and query parameters, preconditions, the body.

import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CmsError } from '../../base/errors.ts'
import type { Limits } from '../../config/limits.ts'
import { type BodyLimits, type ParseElsewhere, readJsonBody } from '../../http/body.ts'
import type { Client } from '../../http/client-disconnect.ts'
import { matchesIfMatch } from '../../http/conditional.ts'
import type { Allowance } from '../../http/memory-budget.ts'
import type { Holder } from '../../http/quota.ts'
import { readQueryString } from '../../http/request-target.ts'
import type { Precondition } from '../../operations/context.ts'
import { refuseField, requireObject } from '../../schema/check.ts'
import { closest } from '../../schema/message-text.ts'
import { parseIdentifier } from '../../schema/names.ts'

export interface RequestLimits extends Limits {
  /** Defined only if the qry is an object in a body. */
  readonly qryBytes?: number
}

/**
 * The kinds of JSON bodies have different limits. json: a record. credentials: a few fields with a password.
 * views: the saved views of a user. nested: a record with a list of objects. page: a record with a text.
 */
type BodyKind = 'json' | 'credentials' | 'views' | 'search' | 'nested' | 'page' | 'entry' | 'bulk'

export interface Request {
  readonly message: IncomingMessage
  readonly limits: RequestLimits
  readonly id: string
  /** The address of the client: see client-address.ts. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Must be called before the body is read: the client may be waiting for it. */
  readonly continueBody: () => void
  readonly client: Client
  /** Hash that distinguishes requests with the same Idempotency-Key. Code that reads a body updates the hash. */
  readonly fingerprint: Hash | undefined
  /** The history mark in the ETags of records: see historyMark. */
  readonly history: string
  /** The memory budget. The server releases what the request has taken when the response is sent. */
  readonly allowance: Allowance
  readonly holder: Holder
  /** The JSON body; undefined if there is none and `isOptional` is set. */
  json(limit?: BodyKind, isOptional?: boolean): Promise<unknown>
  /** The same request with the query of its body. */
  withQuery(query: URLSearchParams, limits: RequestLimits): Request
}

export interface RequestParts {
  readonly message: IncomingMessage
  readonly limits: RequestLimits
  readonly id: string
  readonly address: string
  /** The quota key of the address; undefined if many clients may share the address. */
  readonly source: string | undefined
  readonly params: Readonly<Record<string, string>>
  /** Path and query. */
  readonly target: string
  readonly continueBody: () => void
  readonly client: Client
  readonly allowance: Allowance
  readonly bodyLimits: Readonly<Record<BodyKind, BodyLimits>>
  readonly parseElsewhere: ParseElsewhere
}

interface Sender {
  /** Undefined on open routes, which have no caller. */
  readonly party: Holder['party']
  readonly history: () => string
}

export function buildRequest(parts: RequestParts, sender: Sender): Request {
  return new PartsRequest(parts, sender)
}

/** Reads what a step asks for when it asks for it: most requests need neither the query nor a holder. */
class PartsRequest implements Request {
  readonly message: IncomingMessage
  readonly params: Request['params']
  readonly fingerprint: Hash | undefined
  readonly #parts: RequestParts
  readonly #sender: Sender
  #query: URLSearchParams | undefined
  #holder: Holder | undefined

  constructor(parts: RequestParts, sender: Sender, query?: URLSearchParams) {
    const { method, url, headers } = parts.message
    this.message = parts.message
    this.params = parts.params
    this.#parts = parts
    this.#sender = sender
    this.#query = query
    this.fingerprint =
      headers['idempotency-key'] === undefined
        ? undefined
        : createHash('sha256').update(`${method} ${url}\n`)
  }

  get limits(): RequestLimits {
    return this.#parts.limits
  }

  get id(): string {
    return this.#parts.id
  }

  get address(): string {
    return this.#parts.address
  }

  get client(): Client {
    return this.#parts.client
  }

  get allowance(): Allowance {
    return this.#parts.allowance
  }

  get continueBody(): () => void {
    return this.#parts.continueBody
  }

  get query(): URLSearchParams {
    this.#query ??= withoutRepeated(readQueryString(this.#parts.target), this.params)
    return this.#query
  }

  get history(): string {
    return this.#sender.history()
  }

  get holder(): Holder {
    this.#holder ??= { party: this.#sender.party, source: this.#parts.source }
    return this.#holder
  }

  json(limit: BodyKind = 'json', isOptional = false): Promise<unknown> {
    const { bodyLimits, parseElsewhere, continueBody, allowance } = this.#parts
    return readJsonBody(this.message, bodyLimits[limit], {
      parseElsewhere,
      isOptional,
      continueBody,
      onBytes: (sizeBytes) => allowance.takeBody(this.message, this.holder, sizeBytes),
      onChunk: (chunk) => void this.fingerprint?.update(chunk),
    })
  }

  withQuery(query: URLSearchParams, limits: RequestLimits): Request {
    return new PartsRequest({ ...this.#parts, limits }, this.#sender, query)
  }
}

/** Removes query parameters that repeat a path parameter with the same value, because generic clients send them. */
function withoutRepeated(query: URLSearchParams, params: Request['params']): URLSearchParams {
  for (const name in params) {
    if (query.has(name) && query.getAll(name).every((value) => value === params[name]))
      query.delete(name)
  }
  return query
}

/** Reads an identifier from the path. Anything but digits means that the address does not exist. */
export function readId({ params }: Request, name: string): number {
  const text = params[name] ?? ''
  const id = parseIdentifier(text)
  if (id !== undefined) return id
  const detail = text === '' ? 'leave out the slash at its end' : `${name} is a whole number from 1`
  throw new CmsError('not-found', `There is nothing at this address: ${detail}.`)
}

/** The ETag of a record response, possibly changed by a proxy or compression: `"r7-5d8f0b21.c4a1"`, `"r7-5d8f0b21.c4a1-gzip"`. */
const TEXT_TAGS = /"((?:r\d+|p[0-9a-f]+)-[0-9a-f]{8})\.[0-9a-f]+(?:-+[a-z]+)?"/g

/** Reads If-Match. Only the part of an ETag before the dot is compared: see etagOfText. */
export function readPrecondition(request: Request): Precondition | undefined {
  const header = request.message.headers['if-match']
  return header === undefined ? undefined : preconditionOf(request, header)
}

/** The precondition of an ETag, or of a value of If-Match. */
export function preconditionOf(
  { history }: Pick<Request, 'history'>,
  header: string,
): Precondition {
  const revisions = header.replaceAll(TEXT_TAGS, '"$1"')
  const shown = (etag: string): string => markedTag(etag, history)
  return { matches: (etag) => matchesIfMatch(revisions, shown(etag)), shown }
}

/** Rejects If-Match where it cannot be compared with one record, because a condition must not be ignored. */
export function refusePrecondition({ message }: Request): void {
  if (message.headers['if-match'] === undefined) return
  throw new CmsError(
    'bad-request',
    'If-Match compares one record, and this request may change several. Remove the header; for bulk_update and bulk_delete, expect is a condition.',
  )
}

/** Adds the history mark to a tag such as `"r7"`. A tag without the current mark never matches. */
export function markedTag(etag: string, history: string): string {
  return `${etag.slice(0, -1)}-${history}"`
}

/** Rejects repeated and unknown query parameters, because a mistyped name must not be ignored. */
export function requireKnownParameters(query: URLSearchParams, known: readonly string[]): void {
  requireOnce(query, known)
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      const near = closest(name, known)
      const hint = near === undefined ? '' : `did you mean "${near}"? `
      const list =
        known.length === 0 ? 'there are none here' : `${hint}known are ${known.join(', ')}`
      throw new CmsError(
        'bad-request',
        `The query parameter ${JSON.stringify(name)} is not known; ${list}.`,
      )
    }
  }
}

/**
 * Rejects repetitions of known parameters and ignores all others. For downloads, because pages and programs add
 * parameters (?v=2, ?_=1732280000) to bypass caches.
 */
export function requireOnce(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name) || query.getAll(name).length === 1) continue
    throw new CmsError(
      'bad-request',
      `The query parameter ${JSON.stringify(name)} was sent more than once. Send it once.`,
    )
  }
}

/** A whole number from a query parameter; undefined if the parameter is absent. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (/^\d{1,16}$/.test(text) && value >= 1 && value <= max) return value
  throw new CmsError(
    'bad-request',
    `The query parameter ${name} must be a whole number from 1 to ${max}.`,
  )
}

/** A boolean query parameter; false if absent. */
export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  if (text === null || text === 'false') return false
  if (text === 'true') return true
  throw new CmsError('bad-request', `The query parameter ${name} must be true or false.`)
}

/**
 * Reads a body that is not a record: an object with a few fields. The default kind is for bodies with a password.
 * Rejects unknown fields, because silently ignoring a misspelt field would surprise the client.
 */
export async function readKnownFields(
  request: Request,
  known: readonly string[],
  limit: BodyKind = 'credentials',
): Promise<Readonly<Record<string, unknown>>> {
  const body = requireObject(await request.json(limit))
  for (const name of Object.keys(body))
    if (!known.includes(name)) refuseField(name, `is not known here; known are ${known.join(', ')}`)
  return body
}

const PREFERENCES = {
  /** Return the whole record. */
  'return=representation': /(?:^|,)\s*return\s*=\s*"?representation"?\s*(?:;|,|$)/i,
  /** Return no body. */
  'return=minimal': /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:;|,|$)/i,
  /** Reject values that would be stored differently from what was sent. */
  'handling=strict': /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:;|,|$)/i,
} as const

/** Preferences of a request (RFC 7240). Unknown preferences are ignored (section 2). */
export function prefers(
  { headers }: Pick<IncomingMessage, 'headers'>,
  preference: keyof typeof PREFERENCES,
): boolean {
  return PREFERENCES[preference].test(String(headers['prefer'] ?? ''))
}
