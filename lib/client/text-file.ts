// Reads a text file as a stream of text: UTF-8, with or without a byte order mark.

import { createReadStream } from 'node:fs'
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
    const reason = isOther ? 'it is not valid UTF-8: save it as UTF-8' : reasonOf(cause)
    throw new ClientError('unreadable', `${path} cannot be read: ${reason}.`, { cause })
  }
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
