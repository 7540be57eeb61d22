// Describes bytes: their hash, whether they are text, and the type that their first bytes indicate.

import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { CmsError } from '../base/errors.ts'
import { checkStml, isStml } from '../schema/stml.ts'
import { openIfThere, readChunks } from './files.ts'

export interface SealedBytes {
  readonly sizeBytes: number
  readonly sha256: string
  readonly isText: boolean
  readonly sniffedType: string | undefined
}

/** The first bytes of a file, which indicate its type. */
const SNIFF_BYTES = 4_100

const [LESS_THAN, QUESTION_MARK] = [0x3c, 0x3f]

/** Describes bytes in memory; `sha256` may be known. Throws stml-invalid if the type demands a valid page. */
export async function describeBytes(
  bytes: Uint8Array,
  {
    type,
    sha256 = hash('sha256', bytes),
  }: { readonly type: string; readonly sha256?: string | undefined },
): Promise<SealedBytes> {
  const sealed = await describe(bytes, { sizeBytes: bytes.length, sha256, isWhole: true })
  requireStml(type, sealed.isText, bytes)
  return sealed
}

/** Describes a file that is too large to be examined as text. Throws stml-invalid if the type demands text. */
export async function describeLarge(fd: number, type: string): Promise<SealedBytes> {
  const sum = createHash('sha256')
  let sizeBytes = 0
  let head: Uint8Array = Buffer.alloc(0)
  readChunks(fd, (chunk) => {
    sum.update(chunk)
    if (sizeBytes === 0) head = Uint8Array.from(chunk.subarray(0, SNIFF_BYTES))
    sizeBytes += chunk.length
  })
  const known = { sizeBytes, sha256: sum.digest('hex'), isWhole: false }
  requireStml(type, false, head)
  return describe(head, known)
}

interface Known {
  readonly sizeBytes: number
  readonly sha256: string
  /** The bytes are the whole content, not only its beginning. */
  readonly isWhole: boolean
}

async function describe(
  bytes: Uint8Array,
  { sizeBytes, sha256, isWhole }: Known,
): Promise<SealedBytes> {
  const isText = isWhole && !bytes.includes(0) && isUtf8(bytes)
  const sniffedType = isText && isMarkup(bytes) ? undefined : await sniff(bytes)
  return { sizeBytes, sha256, isText, sniffedType }
}

/**
 * Text that begins with a tag has no type that its first bytes indicate, so detection is skipped. An XML declaration
 * does indicate a type.
 */
function isMarkup(bytes: Uint8Array): boolean {
  return bytes[0] === LESS_THAN && bytes[1] !== QUESTION_MARK
}

/** Detects the most frequent types from their first bytes, because file-type takes 100 to 500 µs for each call. */
function sniffAtOnce([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xd8 && third === 0xff && fourth !== 0xf7) return 'image/jpeg'
  const isPdf = first === 0x25 && second === 0x50 && third === 0x44 && fourth === 0x46
  return isPdf ? 'application/pdf' : undefined
}

async function sniff(bytes: Uint8Array): Promise<string | undefined> {
  const type = sniffAtOnce(bytes)
  if (type !== undefined) return type
  // Loaded on first use: the package is large and not needed at start-up.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes.subarray(0, SNIFF_BYTES)))?.mime
}

function requireStml(type: string, isText: boolean, bytes: Uint8Array): void {
  if (!isStml(type)) return
  if (!isText)
    throw new CmsError('stml-invalid', 'A page of type stml is text in UTF-8 of at most 16 MiB.', {
      errors: [{ pointer: '/pageContent', detail: 'must be text in UTF-8 of at most 16 MiB' }],
    })

  const fault = checkStml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  if (fault === undefined) return
  throw new CmsError(
    'stml-invalid',
    `Line ${fault.line}, column ${fault.column}: ${fault.detail}`,
    {
      errors: [{ pointer: '/pageContent', detail: fault.detail }],
      members: { line: fault.line, column: fault.column },
    },
  )
}

export interface VerifyContent {
  /** The bytes, or the path of a file. */
  readonly source: Uint8Array | string
  readonly sha256: string
  readonly type: string
  /** Up to this size the bytes are examined as text. */
  readonly textBytes: number
}

/**
 * Checks that the bytes of a version are still those that were saved and, if the type demands a page, are a valid page.
 * Throws stml-invalid if the bytes are those that were saved but not a valid page.
 */
export function verifyContent(input: VerifyContent): boolean {
  const { source, sha256 } = input
  if (typeof source !== 'string') return hash('sha256', source) === sha256 && checked(input, source)

  const fd = openIfThere(source)
  if (fd === undefined) return false
  try {
    const isPage = isStml(input.type) && fstatSync(fd).size <= input.textBytes
    if (!isPage) return hashOf(fd) === sha256 && checked(input)
    const bytes = readFileSync(fd)
    return hash('sha256', bytes) === sha256 && checked(input, bytes)
  } finally {
    closeSync(fd)
  }
}

/** Call without `bytes` if the content is too large to be a page. */
function checked({ type }: VerifyContent, bytes?: Uint8Array): true {
  const isText = bytes !== undefined && !bytes.includes(0) && isUtf8(bytes)
  requireStml(type, isText, bytes ?? new Uint8Array())
  return true
}

function hashOf(fd: number): string {
  const sum = createHash('sha256')
  readChunks(fd, (chunk) => sum.update(chunk))
  return sum.digest('hex')
}
