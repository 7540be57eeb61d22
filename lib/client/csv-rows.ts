// Rows of a CSV file (RFC 4180). The first row names the columns. An empty cell is null, and a quoted empty
// cell is the empty text. In a file with a single column a row without a value must be written as "", which is
// null there.

import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { findBadUtf8 } from '../http/json.ts'
import { CSV_DIALECT, findDelimiter, headerLine } from '../shared/csv-dialect.ts'
import { ClientError, errnoOf, reasonOf } from './client-error.ts'

type Cell = string | null

export interface CsvFile {
  readonly path: string
  /** If omitted, the delimiter that is most frequent in the header. */
  readonly delimiter?: string | undefined
}

/** Throws at the first row with a different number of cells or an unclosed quote. */
export async function* readCsv({ path, delimiter }: CsvFile): AsyncGenerator<unknown> {
  const start = await startOf(path)
  const parser = parse({
    delimiter: delimiter ?? findDelimiter(start),
    from_line: headerLine(start),
    ...CSV_DIALECT,
  })
  // Errors reach the reader of the last stream.
  const records: AsyncIterable<readonly Cell[]> = pipeline(readText(path), parser, () => undefined)
  let header: readonly string[] | undefined

  try {
    for await (const cells of records) {
      if (header === undefined) header = checkHeader(cells.map((cell) => cell ?? ''))
      else yield buildRow(header, cells)
    }
  } catch (cause) {
    if (cause instanceof ClientError) throw cause
    const detail = `${path} cannot be read: ${(cause as Error).message}.`
    throw new ClientError('unreadable', detail, { cause })
  }
  if (header === undefined) throw new ClientError('unreadable', `${path} has no header row.`)
}

async function startOf(path: string): Promise<string> {
  for await (const chunk of readText(path)) return chunk
  return ''
}

function checkHeader(names: readonly string[]): readonly string[] {
  const nameless = names.findIndex((name) => name.trim() === '')
  if (nameless >= 0) {
    throw new ClientError('unreadable', `Column ${nameless + 1} has no name in the header row.`)
  }
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice === undefined) return names
  throw new ClientError('unreadable', `The header row contains the column "${twice}" twice.`)
}

function buildRow(header: readonly string[], cells: readonly Cell[]): unknown {
  const isAlone = header.length === 1
  return Object.fromEntries(
    header.map((name, at) => [name, isAlone && cells[at] === '' ? null : cells[at]]),
  )
}

const CHUNK_BYTES = 256 * 1024

/** Reads a text file as a stream of text: UTF-8, with or without a byte order mark. */
export async function* readText(path: string): AsyncGenerator<string> {
  // The decoder drops the mark, and throws on invalid UTF-8 instead of inserting U+FFFD.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES })

  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    const isOther = errnoOf(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    const reason = isOther ? await badByteReason(path) : reasonOf(cause)
    throw new ClientError('unreadable', `${path} cannot be read: ${reason}.`, { cause })
  }
}

/** Reads the file again; only a refused file pays for the second read. */
async function badByteReason(path: string): Promise<string> {
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

export function countLineFeeds(bytes: Buffer): number {
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
