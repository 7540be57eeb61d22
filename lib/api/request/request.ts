// What a route reads from a request: parameters of the path and the query, preconditions, the body.

import { createHash, type Hash } from 'node:crypto'
import { parseIdentifier } from '../../schema/identifier.ts'
import type { IncomingMessage } from 'node:http'
import { CmsError } from '../../base/errors.ts'
import type { Allowance } from '../../http/memory-budget.ts'
import { type BodyLimits, type ParseElsewhere, readJsonBody } from '../../http/body.ts'
import { matchesIfMatch } from '../../http/conditional.ts'
import type { Client } from '../../http/client-disconnect.ts'
import type { Holder } from '../../http/quota.ts'
import { readQueryString } from '../../http/request-target.ts'
import type { Precondition } from '../../operations/context.ts'
import { closest } from '../../schema/closest.ts'

/** Limits that endpoints need; config.ts has them all. */
export interface RequestLimits {
  readonly listLength: number
  readonly maxListLength: number
  readonly maxOrderFields: number
  readonly searchBytes: number
  /** Only where the qry is an object in a body. */
  readonly qryBytes?: number
  readonly maxWaitMs: number
  readonly maxBulk: number
  readonly maxBulkValues: number
  readonly maxNewFiles: number
  readonly maxCalendarEntries: number
  readonly formFieldBytes: number
  readonly formBytes: number
  readonly inlineUploadBytes: number
  readonly stallTimeoutMs: number
  readonly uploadWindowMs: number
  readonly uploadWindowBytes: number
}

/** What a body may be like: one record, a few fields with a password, a search, one with a list of objects in it, one with a page, one or many entries. */
export type BodyKind = 'json' | 'credentials' | 'search' | 'nested' | 'page' | 'entry' | 'bulk'

export interface Request {
  readonly message: IncomingMessage
  readonly limits: RequestLimits
  readonly id: string
  /** Of the client: see client-address.ts. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Must be called before the body is read: the client may be waiting for it. */
  readonly continueBody: () => void
  readonly client: Client
  /** What tells requests apart goes in here, where one has an Idempotency-Key: who reads a body adds it. */
  readonly fingerprint: Hash | undefined
  /** The mark that ETags of records carry: see historyMark. */
  readonly history: string
  /** What the request takes of it, for its holder, is given back when it is answered. */
  readonly allowance: Allowance
  readonly holder: Holder
  /** The JSON body; undefined when there is none and `isOptional`. */
  json(limit?: BodyKind, isOptional?: boolean): Promise<unknown>
}

export interface RequestParts {
  readonly message: IncomingMessage
  readonly limits: RequestLimits
  readonly id: string
  readonly address: string
  /** What the address is counted as; undefined: many clients may be behind it. */
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
  /** Undefined on open routes, which hold nothing. */
  readonly party: Holder['party']
  readonly history: () => string
}

export function buildRequest(parts: RequestParts, { party, history }: Sender): Request {
  const { message, limits, id, address, source, params, target } = parts
  const { continueBody, client, allowance, bodyLimits, parseElsewhere } = parts
  const { method, url, headers } = message
  const isKeyed = headers['idempotency-key'] !== undefined
  const fingerprint = isKeyed ? createHash('sha256').update(`${method} ${url}\n`) : undefined
  let query: URLSearchParams | undefined
  let holder: Holder | undefined
  return {
    message,
    limits,
    id,
    address,
    params,
    get query() {
      query ??= withoutRepeated(readQueryString(target), params)
      return query
    },
    continueBody,
    client,
    fingerprint,
    get history() {
      return history()
    },
    allowance,
    get holder() {
      holder ??= { party, source }
      return holder
    },
    json(limit, isOptional = false) {
      return readJsonBody(message, bodyLimits[limit ?? 'json'], {
        parseElsewhere,
        isOptional,
        continueBody,
        onBytes: (sizeBytes) => allowance.takeBody(message, this.holder, sizeBytes),
        onChunk: (chunk) => void fingerprint?.update(chunk),
      })
    },
  }
}

/** Generic clients send the parameters of the path in the query, too: what says the same is no fault. */
function withoutRepeated(query: URLSearchParams, params: Request['params']): URLSearchParams {
  for (const [name, value] of Object.entries(params)) {
    const repeated = query.getAll(name)
    if (repeated.length > 0 && repeated.every((item) => item === value)) query.delete(name)
  }
  return query
}

/** An identifier in the path: digits alone, or there is nothing at this address. */
export function readId({ params }: Request, name: string): number {
  const text = params[name] ?? ''
  const id = parseIdentifier(text)
  if (id !== undefined) return id
  const detail = text === '' ? 'leave out the slash at its end' : `${name} is a whole number from 1`
  throw new CmsError('not-found', `There is nothing at this address: ${detail}.`)
}

/** The ETag of a record in a body or after a proxy: `"r7-5d8f0b21.c4a1"`, with W/ or the name of a coding. */
const TEXT_TAGS = /"((?:r\d+|p[0-9a-f]+)-[0-9a-f]{8})\.[0-9a-f]+(?:-+[a-z]+)?"/g

/** If-Match against the current ETag. Only the part before the dot counts: see etagOfText. */
export function readPrecondition({ message, history }: Request): Precondition | undefined {
  const header = message.headers['if-match']
  if (header === undefined) return undefined
  const revisions = header.replaceAll(TEXT_TAGS, '"$1"')
  const shown = (etag: string): string => markedTag(etag, history)
  return { matches: (etag) => matchesIfMatch(revisions, shown(etag)), shown }
}

/** `"r7"` as clients know it. A tag without the mark of this history never matches. */
export function markedTag(etag: string, history: string): string {
  return `${etag.slice(0, -1)}-${history}"`
}

/** Query parameters, each at most once and only known ones: a mistyped name must not be ignored. */
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
 * These at most once, others as anybody likes: for downloads, whose addresses pages and programs make different
 * (?v=2, ?_=1732280000) so that no cache answers.
 */
export function requireOnce(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name) || query.getAll(name).length === 1) continue
    throw new CmsError('bad-request', `The query parameter ${JSON.stringify(name)} is there twice.`)
  }
}

/** A whole number from a query parameter; undefined when it is absent. */
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

/** `true` or `false`, absent: false. */
export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  if (text === null || text === 'false') return false
  if (text === 'true') return true
  throw new CmsError('bad-request', `The query parameter ${name} must be true or false.`)
}
