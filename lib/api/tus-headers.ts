// Headers of resumable uploads: tus 1.0.0, https://tus.io/protocols/resumable-upload.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { headerValues } from '../http/header-values.ts'
import { type Checksum, CHECKSUMS } from '../operations/files/append-upload.ts'
import type { UploadProgress } from '../operations/files/partial-uploads.ts'
import { parseIdentifier } from '../schema/names.ts'

const TUS_VERSION = '1.0.0'

/** Headers of every response. */
export const TUS_HEADERS = Object.freeze({ 'tus-resumable': TUS_VERSION })

export function optionHeaders(maxUploadBytes: number): Readonly<Record<string, string>> {
  return {
    'tus-resumable': TUS_VERSION,
    'tus-version': TUS_VERSION,
    'tus-extension':
      'creation,creation-with-upload,creation-defer-length,termination,checksum,expiration',
    'tus-max-size': String(maxUploadBytes),
    'tus-checksum-algorithm': CHECKSUMS.join(','),
  }
}

export function requireTus({ headers }: IncomingMessage): void {
  if (headers['tus-resumable'] === TUS_VERSION) return
  throw new CmsError('tus-version', `Send the header "Tus-Resumable: ${TUS_VERSION}".`, {
    headers: { 'tus-version': TUS_VERSION },
  })
}

const BYTES_TYPE = 'application/offset+octet-stream'

export function requireBytesType({ headers }: IncomingMessage): void {
  if (headers['content-type'] === BYTES_TYPE) return
  throw new CmsError('unsupported-media-type', `Send the bytes with "Content-Type: ${BYTES_TYPE}".`)
}

/** A number of bytes in a header; undefined if the header is absent. */
export function readBytes(
  message: IncomingMessage,
  name: 'upload-offset' | 'upload-length',
): number | undefined {
  const [text, ...others] = headerValues(message, name)
  if (text === undefined) return undefined
  if (others.length === 0 && /^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw badHeader(`${name} must be a whole number of bytes, sent once.`)
}

/** The length of a new upload; null if the client sends it later. */
export function readNewLength(message: IncomingMessage): number | null {
  const length = readBytes(message, 'upload-length')
  const deferred = headerValues(message, 'upload-defer-length')
  const isDeferred = deferred.length === 1 && deferred[0] === '1'
  if (length !== undefined && deferred.length === 0) return length
  if (length === undefined && isDeferred) return null
  throw badHeader('Send either Upload-Length, or "Upload-Defer-Length: 1".')
}

const DIGEST_BYTES: Readonly<Record<Checksum['algorithm'], number>> = { sha1: 20, sha256: 32 }

export function readChecksum(message: IncomingMessage): Checksum | undefined {
  const [text, ...others] = headerValues(message, 'upload-checksum')
  if (text === undefined) return undefined
  const [name, encoded = '', ...rest] = text.split(' ')
  const algorithm = CHECKSUMS.find((known) => known === name)
  if (algorithm === undefined)
    throw badHeader(`Upload-Checksum must name one of these algorithms: ${CHECKSUMS.join(', ')}.`)
  const digest = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined
  if (others.length + rest.length === 0 && digest?.length === DIGEST_BYTES[algorithm])
    return { algorithm, digest }
  throw badHeader(`Upload-Checksum must be "${algorithm}", a space and the digest in base64.`)
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The target of an upload, read from Upload-Metadata. */
export interface UploadMetadata {
  /** The header as sent. */
  readonly text: string | null
  readonly fileId: number | undefined
  readonly categoryId: number | undefined
  readonly fields: Readonly<Record<string, string>>
  readonly fileName: string | undefined
}

const FIELDS = ['name', 'type', 'title', 'alt_text', 'focus', 'version_note', 'fileState'] as const
const TARGETS = ['asset_file_id', 'asset_category_id'] as const
/** Keys that tus clients send on their own; they say nothing that the server needs. */
const IGNORED: ReadonlySet<string> = new Set(['filetype', 'contentType', 'relativePath'])

/**
 * Reads the keys of the form of POST /upload, and filename for the file name of its part Filedata. A key without a value
 * counts as missing, as in the form. A type with a slash is the media type that Uppy sends, and is ignored.
 */
export function readMetadata(message: IncomingMessage, maxBytes: number): UploadMetadata {
  const [text, ...others] = headerValues(message, 'upload-metadata')
  if (others.length > 0) throw badHeader('Send Upload-Metadata once.')
  if (text !== undefined && text.length > maxBytes)
    throw badHeader(`Upload-Metadata may have at most ${maxBytes} bytes.`)
  const pairs = readPairs(text ?? '')
  const {
    filename: fileName,
    type,
    ...values
  } = Object.fromEntries([...pairs].filter(([key, value]) => value !== '' && !IGNORED.has(key)))
  const { asset_file_id: fileId, asset_category_id: categoryId, ...given } = values
  if ((fileId === undefined) === (categoryId === undefined))
    throw badHeader('Send exactly one of the keys asset_file_id and asset_category_id.')
  const isMediaType = type?.includes('/') === true
  const fields = { ...given, ...(type !== undefined && !isMediaType && { type }) }
  if (categoryId !== undefined && fileName === undefined && given['name'] === undefined)
    throw badHeader('Send one of the keys filename and name.')
  return {
    text: text ?? null,
    fileId: fileId === undefined ? undefined : readTarget('asset_file_id', fileId),
    categoryId: categoryId === undefined ? undefined : readTarget('asset_category_id', categoryId),
    fields,
    fileName,
  }
}

function readPairs(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  if (text === '') return pairs
  for (const pair of text.split(',')) {
    const [key = '', encoded = '', ...rest] = pair.trim().split(' ')
    if (!isKnown(key)) throw unknownKey(key)
    if (pairs.has(key) || rest.length > 0 || !BASE64.test(encoded)) throw badPair(key)
    pairs.set(key, readText(key, encoded))
  }
  return pairs
}

function isKnown(key: string): boolean {
  return [...FIELDS, ...TARGETS, 'filename'].includes(key) || IGNORED.has(key)
}

function unknownKey(key: string): CmsError {
  const known = ['filename', ...TARGETS, ...FIELDS].join(', ')
  return badHeader(`the key ${JSON.stringify(key)} is not known; known are ${known}.`)
}

function badPair(key: string): CmsError {
  return badHeader(`the key ${key} must have one value in base64.`)
}

function readText(key: string, encoded: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(encoded, 'base64'),
    )
  } catch {
    throw badHeader(`the value of ${key} must be UTF-8.`)
  }
}

function readTarget(name: string, text: string): number {
  const id = parseIdentifier(text)
  if (id !== undefined) return id
  throw badHeader(`the value of ${name} must be an identifier: a whole number from 1.`)
}

function badHeader(detail: string): CmsError {
  return new CmsError(
    'bad-request',
    detail.startsWith('the ') ? `Upload-Metadata: ${detail}` : detail,
  )
}

/** The headers that show the state of an upload. */
export function progressHeaders({ upload, expires }: UploadProgress): Record<string, string> {
  const { offset, made } = upload
  return {
    'upload-offset': String(offset),
    ...(expires !== undefined && { 'upload-expires': expires.toUTCString() }),
    ...(made !== undefined && { 'upload-asset-file-id': String(made.asset_file_id) }),
  }
}
