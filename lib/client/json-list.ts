// Reads the items of a list in a JSON file of any size: [{…},{…}], or an object that contains exactly one list,
// such as {"3166-1":[{…},{…}]}.
//
// This file only finds where items end. The strict parser parses the items and the text around the lists, and
// so checks that nothing is missing between and around the items.

import { LIMITS } from '../config/limits.ts'
import { parseJson } from '../http/json.ts'
import { ClientError } from './client-error.ts'

/** Characters of one item, and of the text around all lists. */
const MAX_LENGTH = 16 * 1024 * 1024

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

interface Scanner {
  depth: number
  isString: boolean
  isEscaped: boolean
  /** Depth of the open list, 0 if none is open. */
  listDepth: number
  /** Text of the current item. */
  item: string
  /** Text around the lists, in which the lists are empty. */
  frame: string
  /** Items so far, in total and in the open list. */
  count: number
  listCount: number
}

interface JsonList {
  readonly items: AsyncIterable<unknown>
  /** Name of the list in the object that contains it; known after the last item. */
  readonly findName: () => string | undefined
}

export function openJsonList(text: AsyncIterable<string>): JsonList {
  const scanner: Scanner = {
    depth: 0,
    isString: false,
    isEscaped: false,
    listDepth: 0,
    item: '',
    frame: '',
    count: 0,
    listCount: 0,
  }
  let name: string | undefined

  async function* read(): AsyncGenerator<unknown> {
    for await (const chunk of text) yield* scan(scanner, chunk)
    name = checkFrame(scanner.frame)
  }
  return { items: read(), findName: () => name }
}

function* scan(scanner: Scanner, chunk: string): Generator<unknown> {
  let start = 0

  for (let at = 0; at < chunk.length; at++) {
    const code = chunk.charCodeAt(at)
    if (scanner.isString) readString(scanner, code)
    else if (code === QUOTE) scanner.isString = true
    else if (code === OPEN_OBJECT) scanner.depth += 1
    else if (code === CLOSE_OBJECT) scanner.depth -= 1
    else if (code === OPEN_LIST) {
      scanner.depth += 1
      if (!isList(scanner, chunk.slice(start, at))) continue
      scanner.frame += chunk.slice(start, at + 1)
      scanner.listDepth = scanner.depth
      scanner.listCount = 0
      start = at + 1
    } else if (code === COMMA && scanner.depth === scanner.listDepth) {
      yield endItem(scanner, chunk.slice(start, at))
      start = at + 1
    } else if (code === CLOSE_LIST) {
      if (scanner.depth === scanner.listDepth) {
        yield* endList(scanner, chunk.slice(start, at))
        start = at
      }
      scanner.depth -= 1
    }
  }

  const isInList = scanner.listDepth > 0
  scanner[isInList ? 'item' : 'frame'] += chunk.slice(start)
  checkLength(scanner)
}

function readString(scanner: Scanner, code: number): void {
  if (scanner.isEscaped) scanner.isEscaped = false
  else if (code === BACKSLASH) scanner.isEscaped = true
  else if (code === QUOTE) scanner.isString = false
}

/** The list is the whole file, or a member of the object that is the whole file. */
function isList({ depth, listDepth, frame }: Scanner, before: string): boolean {
  if (listDepth > 0) return false
  return depth === 1 || (depth === 2 && (frame + before).trimStart().startsWith('{'))
}

function endItem(scanner: Scanner, tail: string): unknown {
  const text = scanner.item + tail
  scanner.item = ''
  scanner.count += 1
  scanner.listCount += 1
  try {
    return parseStrictJson(text)
  } catch (cause) {
    const detail = `Row ${scanner.count} of the file is not JSON: ${(cause as Error).message}`
    throw new ClientError('unreadable', detail, { cause })
  }
}

function* endList(scanner: Scanner, tail: string): Generator<unknown> {
  const isEmpty = scanner.listCount === 0 && (scanner.item + tail).trim() === ''
  if (!isEmpty) yield endItem(scanner, tail)
  scanner.item = ''
  scanner.listDepth = 0
}

function checkLength({ item, frame }: Scanner): void {
  if (item.length <= MAX_LENGTH && frame.length <= MAX_LENGTH) return
  throw new ClientError('unreadable', `The file contains a value of more than ${MAX_LENGTH} bytes.`)
}

/** The name of the only list, or undefined if the list is the whole file. */
function checkFrame(frame: string): string | undefined {
  const value = parseFrame(frame)
  if (Array.isArray(value)) return undefined

  const isObject = typeof value === 'object' && value !== null
  const names = Object.entries(isObject ? value : {})
    .filter(([, member]) => Array.isArray(member))
    .map(([name]) => name)
  const [name] = names
  if (name !== undefined && names.length === 1) return name
  const found =
    names.length === 0 ? 'none' : names.map((item) => JSON.stringify(item)).join(' and ')
  const detail = `The file must be a list, or an object with exactly one list; it has ${found}.`
  throw new ClientError('unreadable', detail)
}

function parseFrame(frame: string): unknown {
  try {
    return parseStrictJson(frame)
  } catch (cause) {
    const detail = `The file is not valid JSON: ${(cause as Error).message}`
    throw new ClientError('unreadable', detail, { cause })
  }
}

/**
 * Parses the JSON of a file with the parser that the server uses for bodies: a duplicate key is rejected, and a
 * number that a double cannot represent keeps its text. JSON.parse would keep the last of two keys and round
 * the number. Throws CmsError `bad-json` with the byte and the reason.
 */
export function parseStrictJson(text: string): unknown {
  return parseJson(Buffer.from(text), { maxDepth: LIMITS.jsonDepth, maxKeys: LIMITS.bulkKeys })
}
