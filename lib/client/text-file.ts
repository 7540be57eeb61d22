// Reads a text file as a stream of text: UTF-8, with or without a byte order mark.

import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { findBadUtf8 } from '../http/json.ts'
import { ClientError, errnoOf, reasonOf } from './client-error.ts'

const CHUNK_BYTES = 256 * 1024

export async function* readText(path: string): AsyncGenerator<string> {
  // The decoder drops the mark, and throws on invalid UTF-8 instead of inserting U+FFFD.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES })

  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    const isOther = errnoOf(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    const reason = isOther ? await tellBadByte(path) : reasonOf(cause)
    throw new ClientError('unreadable', `${path} cannot be read: ${reason}.`, { cause })
  }
}

/** Reads the file again; only a refused file pays for the second read. */
async function tellBadByte(path: string): Promise<string> {
  let line = 1
  let offset = 0
  let rest: Buffer = Buffer.alloc(0)
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.subarray(0, lengthOfWhole(bytes))
    const isSound = isUtf8(whole)
    const end = isSound ? whole.length : findBadUtf8(whole)
    line += countLineFeeds(whole.subarray(0, end))
    offset += end
    if (!isSound) break
    rest = bytes.subarray(end)
  }
  return `it is not valid UTF-8 in line ${line}, at byte ${offset}: save it as UTF-8`
}

/** Without a character at the end whose other bytes are in the next chunk: a lead byte has the bits 11. */
function lengthOfWhole(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(bytes.length - 3, 0); at -= 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return at
  }
  return bytes.length
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

/** Lines without their line ends; the last line needs none. Throws if a line is longer than `maxLength`. */
export async function* readLines(
  text: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<string> {
  let rest = ''

  for await (const chunk of text) {
    const lines = chunk.split('\n')
    lines[0] = rest + (lines[0] ?? '')
    rest = lines.pop() ?? ''
    if (rest.length > maxLength) {
      throw new ClientError('unreadable', `A line has more than ${maxLength} characters.`)
    }
    yield* lines
  }
  if (rest !== '') yield rest
}
