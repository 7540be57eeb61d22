// Small contents are stored inline in the commit that refers to them and are durable with it, without a sync of their own.
// The engine flushes them later (embedded/content-flush.ts) and then removes these rows.
//
//   "b" file, uid   → 4 bytes CRC-32 of the rest, the bytes

import { crc32 } from 'node:zlib'
import { decodeKey, encodeAfter, type Range, rangeOf } from './keys.ts'
import type { KvReader, KvWriter } from './kv.ts'
import type { ContentName } from '../port.ts'

const CRC_BYTES = 4

const KIND = Buffer.of(0x62)

export const INLINE_ROWS: Range = rangeOf(KIND)

export function inlineKey({ fileId, uid }: ContentName): Buffer {
  return encodeAfter(KIND, [fileId, uid])
}

export function inlineName(key: Buffer): ContentName {
  const [fileId, uid] = decodeKey(key.subarray(KIND.length))
  return { fileId: Number(fileId), uid: String(uid) }
}

/** Buffer for the row that is written, reused: a new buffer for each row would be as much garbage as all saved bytes. */
let row = Buffer.allocUnsafeSlow(0)

export function putInline(writer: KvWriter, name: ContentName, bytes: Uint8Array): void {
  const size = CRC_BYTES + bytes.length
  if (row.length < size) row = Buffer.allocUnsafeSlow(size)
  row.writeUInt32BE(crc32(bytes), 0)
  row.set(bytes, CRC_BYTES)
  writer.put(inlineKey(name), row.subarray(0, size))
}

/** Size of an inline content; undefined if the row does not exist. */
export function inlineSize(kv: KvReader, key: Buffer): number | undefined {
  return kv.peek(key, (value) => value.length - CRC_BYTES)
}

/** Copies the bytes of a row, valid or not, to the start of `target`; undefined if `target` is too small. */
export function copyInline(kv: KvReader, key: Buffer, target: Uint8Array): Uint8Array | undefined {
  return kv.peek(key, (value) => {
    const bytes = value.subarray(CRC_BYTES)
    if (bytes.length > target.length) return undefined
    target.set(bytes)
    return target.subarray(0, bytes.length)
  })
}

/** Whether the inline content equals these bytes; undefined if the content is not inline. */
export function compareInline(
  kv: KvReader,
  name: ContentName,
  bytes: Uint8Array,
): boolean | undefined {
  return kv.peek(inlineKey(name), ({ buffer, byteOffset, length }) => {
    const value = Buffer.from(buffer, byteOffset, length)
    return inlineContentBytes(value).equals(bytes) && value.readUInt32BE(0) === crc32(bytes)
  })
}

/** Returns undefined if the content is not inline, or if its checksum is wrong. */
export function findInline(kv: KvReader, name: ContentName): Buffer | undefined {
  const value = kv.get(inlineKey(name))
  if (value === undefined) return undefined
  const bytes = inlineContentBytes(value)
  return value.readUInt32BE(0) === crc32(bytes) ? bytes : undefined
}

/** The bytes of a row, valid or not. */
function inlineContentBytes(value: Buffer): Buffer {
  return value.subarray(CRC_BYTES)
}
