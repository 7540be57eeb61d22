// Encoding of a record: 4 bytes CRC-32 of the rest, 6 bytes revision, JSON in UTF-8. Encoding of a counter: 6 bytes.
// Numbers are unsigned and big endian.

import { crc32 } from 'node:zlib'
import { CmsError } from '../../base/errors.ts'
import type { KvReader } from './kv.ts'
import { type JsonObject, MAX_SHORT_BYTES, type Stored } from '../../schema/values.ts'

const CRC_BYTES = 4
const REVISION_BYTES = 6
const HEAD_BYTES = CRC_BYTES + REVISION_BYTES
export const COUNTER_BYTES = 6

/** Returns the bytes to write for a record, and the record as it will be read. */
export function encodeRecord<T extends object>(
  record: T,
  revision: number,
  text = JSON.stringify(record),
): { readonly value: Buffer; readonly stored: Stored<T> } {
  const value = Buffer.allocUnsafe(HEAD_BYTES + Buffer.byteLength(text))
  value.writeUIntBE(revision, CRC_BYTES, REVISION_BYTES)
  value.write(text, HEAD_BYTES)
  value.writeUInt32BE(crc32(value.subarray(CRC_BYTES)), 0)
  const sizeBytes = value.length - HEAD_BYTES
  return { value, stored: new StoredRecord({ sizeBytes, revision, text, value: record }) }
}

/** Throws record-damaged if the checksum is wrong. T must be the type that was put under the key of these bytes. */
export function decodeRecord<T extends object = JsonObject>(value: Buffer): Stored<T> {
  requireSound(value)
  const bytes = value.subarray(HEAD_BYTES)
  return new StoredRecord({ bytes, sizeBytes: bytes.length, revision: revisionOf(value) })
}

/**
 * Like decodeRecord, from memory that is valid only now. A copy of the text costs half as much as a copy of the bytes, for
 * which V8 allocates memory outside its heap.
 */
export function decodeLent<T extends object = JsonObject>(lent: Uint8Array): Stored<T> {
  if (lent.length - HEAD_BYTES > MAX_SHORT_BYTES) return decodeRecord(Buffer.from(lent))
  const value = Buffer.from(lent.buffer, lent.byteOffset, lent.length)
  requireSound(value)
  const text = value.toString('utf8', HEAD_BYTES)
  return new StoredRecord({
    text,
    sizeBytes: value.length - HEAD_BYTES,
    revision: revisionOf(value),
  })
}

function requireSound(value: Buffer): void {
  if (value.length >= HEAD_BYTES && value.readUInt32BE(0) === crc32(value.subarray(CRC_BYTES)))
    return
  throw new CmsError(
    'record-damaged',
    'A stored record is damaged: its bytes differ from those that were written.',
  )
}

function revisionOf(value: Buffer): number {
  return value.readUIntBE(CRC_BYTES, REVISION_BYTES)
}

/** The bytes or the text are known; each is converted from the other on demand. */
type Known<T extends object> = Pick<Stored<T>, 'sizeBytes' | 'revision'> & Partial<Stored<T>>

class StoredRecord<T extends object> implements Stored<T> {
  readonly sizeBytes: number
  readonly revision: number
  #bytes: Buffer | undefined
  #text: string | undefined
  #value: T | undefined

  constructor({ bytes, sizeBytes, revision, text, value }: Known<T>) {
    this.sizeBytes = sizeBytes
    this.revision = revision
    this.#bytes = bytes
    this.#text = text
    this.#value = value
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.#text ?? '')
    return this.#bytes
  }

  get text(): string {
    this.#text ??= this.#bytes?.toString() ?? ''
    return this.#text
  }

  get value(): T {
    this.#value ??= JSON.parse(this.text) as T
    return this.#value
  }
}

export function readCounter(kv: KvReader, key: Buffer): number {
  return kv.peek(key, counterIn) ?? 0
}

function counterIn(bytes: Uint8Array): number {
  let value = 0
  for (let at = 0; at < COUNTER_BYTES; at += 1) value = value * 256 + (bytes[at] ?? 0)
  return value
}

/** `others`: number of extra bytes after the counter, which the caller fills. */
export function encodeCounter(value: number, others = 0): Buffer {
  const bytes = Buffer.alloc(COUNTER_BYTES + others)
  bytes.writeUIntBE(value, 0, COUNTER_BYTES)
  return bytes
}
