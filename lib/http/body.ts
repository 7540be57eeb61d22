// Reads a JSON body: checks type and size, reads the bytes, and parses them; large bodies are parsed in a worker. Also reads a
// text of another type.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { headerValues, parseMediaType } from './header-values.ts'
import { type JsonLimits, parseJson } from './json.ts'

export interface BodyLimits extends JsonLimits {
  readonly maxBytes: number
  /** Subject of the sentence about the limit; by default, a JSON body. */
  readonly what?: string
  /** A sentence that says what to send instead of a larger body. */
  readonly instead: string
  readonly inlineBytes: number
  readonly timeoutMs: number
}

export type ParseElsewhere = (bytes: Uint8Array, limits: JsonLimits) => Promise<unknown>

export interface BodyOptions {
  readonly parseElsewhere: ParseElsewhere
  readonly isOptional: boolean
  /** Called before the body is read, because the client may wait for 100 Continue. */
  readonly continueBody: () => void
  /** Called with the declared size, or with the size of each chunk if no size is declared. May throw. */
  readonly onBytes: (sizeBytes: number) => void
  /** Called with each chunk. */
  readonly onChunk: (chunk: Buffer) => void
}

/** The value of a JSON body; undefined if `isOptional` is set and there is no body. */
export async function readJsonBody(
  request: IncomingMessage,
  limits: BodyLimits,
  { parseElsewhere, isOptional, ...reading }: BodyOptions,
): Promise<unknown> {
  if (isOptional && !hasBody(request)) return undefined
  requireType(request, BODY_TYPES[request.method ?? ''] ?? [JSON_TYPE], 'JSON')
  const bytes = await readWhole(request, limits, reading)
  if (isOptional && bytes.length === 0) return undefined
  const jsonLimits = { maxDepth: limits.maxDepth, maxKeys: limits.maxKeys }
  return bytes.length > limits.inlineBytes
    ? parseElsewhere(bytes, jsonLimits)
    : parseJson(bytes, jsonLimits)
}

/** The bytes of a text of this type. */
export async function readTextBody(
  request: IncomingMessage,
  limits: TextLimits,
  { type, ...reading }: ReadingOptions & { readonly type: string },
): Promise<Buffer> {
  requireType(request, [type], 'the text')
  return readWhole(request, limits, reading)
}

type TextLimits = Omit<BodyLimits, keyof JsonLimits | 'inlineBytes'>
type ReadingOptions = Omit<BodyOptions, 'parseElsewhere' | 'isOptional'>

async function readWhole(
  request: IncomingMessage,
  limits: TextLimits,
  { continueBody, onBytes, onChunk }: ReadingOptions,
): Promise<Buffer> {
  const { 'content-length': said } = request.headers
  if (said !== undefined) {
    requireSize(Number(said), limits)
    onBytes(Number(said))
  }
  continueBody()
  const take = said !== undefined ? onChunk : takeEach(onBytes, onChunk)
  return readBytes(request, { onChunk: take, ...limits })
}

function takeEach(
  onBytes: BodyOptions['onBytes'],
  onChunk: BodyOptions['onChunk'],
): BodyOptions['onChunk'] {
  return (chunk) => {
    onBytes(chunk.length)
    onChunk(chunk)
  }
}

/** Whether the headers announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** Rejects compressed bodies, because a small body could expand without limit. */
export function requireIdentityEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new CmsError('unsupported-media-type', 'Send the body without Content-Encoding.')
}

function requireType(request: IncomingMessage, wanted: readonly string[], what: string): void {
  requireIdentityEncoding(request)
  const [type = '', ...others] = headerValues(request, 'content-type')
  if (others.length === 0 && isOfType(type, wanted)) return
  throw new CmsError(
    'unsupported-media-type',
    `Send ${what} in UTF-8 with "Content-Type: ${wanted.join('" or "')}".`,
  )
}

const JSON_TYPE = 'application/json'

/** For a flat record, a merge patch (RFC 7396) is the same as a partial update: null removes a value. */
const BODY_TYPES: Readonly<Record<string, readonly string[]>> = {
  PATCH: [JSON_TYPE, 'application/merge-patch+json'],
}

function isOfType(text: string, wanted: readonly string[]): boolean {
  if (wanted.includes(text)) return true
  const { type = '', parameters } = parseMediaType(text) ?? {}
  return wanted.includes(type) && /^utf-?8$/i.test(parameters?.get('charset') ?? 'utf-8')
}

/** Chunks are joined after this number, because a body in chunks of single bytes would take a hundred times its size. */
const MAX_PIECES = 1_024

/**
 * Reads the body within the timeout; after a timeout, the connection ends with the response. Uses events, because an async
 * iterator would cost a small body more than all other steps.
 */
function readBytes(request: IncomingMessage, limits: Reading): Promise<Buffer> {
  const { timeoutMs, onChunk } = limits
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let pieces: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => fail(tooSlow(timeoutMs)), timeoutMs)

    function stop(): void {
      clearTimeout(timer)
      request.off('data', take).off('end', finish).off('error', cut).off('close', cut)
    }

    /** The response code drains the rest of the body or closes the connection. */
    function fail(fault: unknown): void {
      stop()
      request.pause()
      reject(fault)
    }

    function take(chunk: Buffer): void {
      size += chunk.length
      try {
        requireSize(size, limits)
        onChunk(chunk)
        pieces.push(chunk)
        if (pieces.length === MAX_PIECES) join()
      } catch (fault) {
        fail(fault)
      }
    }

    function join(): void {
      chunks.push(Buffer.concat(pieces))
      pieces = []
    }

    function finish(): void {
      stop()
      const [only, ...more] = pieces
      const isOne = chunks.length === 0 && only !== undefined && more.length === 0
      resolve(isOne ? only : Buffer.concat([...chunks, ...pieces]))
    }

    function cut(cause?: unknown): void {
      if (cause instanceof CmsError) return fail(cause)
      fail(new CmsError('bad-request', 'The body ended before it was complete.', { cause }))
    }

    if (request.destroyed) cut(request.errored)
    else request.on('data', take).on('end', finish).on('error', cut).on('close', cut)
  })
}

function tooSlow(timeoutMs: number): CmsError {
  const detail = `The body must arrive within ${timeoutMs / 1_000} seconds. Send large content with POST /upload.`
  return new CmsError('request-timeout', detail, { headers: { connection: 'close' } })
}

type Reading = TextLimits & Pick<BodyOptions, 'onChunk'>

function requireSize(
  size: number,
  { maxBytes, what = 'A JSON body', instead }: Pick<BodyLimits, 'maxBytes' | 'what' | 'instead'>,
): void {
  if (size <= maxBytes) return
  throw new CmsError('too-large', `${what} may have at most ${maxBytes} bytes here. ${instead}`)
}
