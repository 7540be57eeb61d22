// Reads single pieces of STML: tags, and sections that are skipped as a whole. stml.ts says which pieces make a
// page, and which rules follow HTML, XML or PHP.

import { type Endings, endOfPiece, isBlank, NO_PIECE } from './stml-pieces.ts'

export interface Scan {
  readonly text: string
  /** End markers of the template language; undefined if its pieces are read as plain text. */
  readonly endings: Endings | undefined
  /** Called for each instruction and each piece of the template language inside a tag. */
  readonly onCode?: (code: TagCode) => void
  /** Current position; the end of the text after a fault, so that every loop ends. */
  at: number
  fault: Fault | undefined
}

export interface TagCode {
  readonly start: number
  readonly end: number
  /** The code stands in a quoted value. */
  readonly isQuoted: boolean
}

export interface Fault {
  readonly offset: number
  readonly detail: string
}

export interface Tag {
  /** In lower case. */
  readonly name: string
  readonly offset: number
  readonly id: string | undefined
  readonly isSelfClosed: boolean
}

interface Skip {
  readonly from: number
  readonly what: string
}

const MAX_SHOWN_CHARS = 60

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const SLASH = 47
const LESS = 60
const EQUALS = 61
const GREATER = 62
const QUESTION = 63

/** Ends the scan. The first fault is kept. */
export function fail(scan: Scan, offset: number, detail: string): void {
  scan.fault ??= { offset, detail }
  scan.at = scan.text.length
}

/** Moves past the next `ending`; the fault is reported at the current position. */
export function skipPast(scan: Scan, ending: string, { from, what }: Skip): void {
  const end = scan.text.indexOf(ending, from)
  if (end === -1) return fail(scan, scan.at, `This ${what} is never closed. Add ${ending}`)
  scan.at = end + ending.length
}

export function skipInstruction(scan: Scan): void {
  skipPast(scan, '?>', { from: scan.at + 2, what: 'processing instruction' })
}

/** Moves past a piece of the template language, if one begins here. */
export function skipPiece(scan: Scan): boolean {
  const { text, at, endings } = scan
  const end = endings === undefined ? NO_PIECE : endOfPiece(text, at, endings)
  if (end !== NO_PIECE) scan.at = end
  return end !== NO_PIECE
}

/** Moves to the end tag of a raw text element, or to the end of the text if there is none. */
export function skipRawText(scan: Scan, name: string): void {
  const { text } = scan
  let at = text.indexOf('</', scan.at)
  while (at !== -1) {
    const end = at + 2 + name.length
    if (text.slice(at + 2, end).toLowerCase() === name && endsName(text.charCodeAt(end))) break
    at = text.indexOf('</', at + 2)
  }
  scan.at = at === -1 ? text.length : at
}

/** Reads a start tag and moves past it; undefined after a fault. */
export function readStartTag(scan: Scan): Tag | undefined {
  const { text, at: offset } = scan
  scan.at += 1
  const name = readName(scan)
  let id: string | undefined
  let isSelfClosed = false

  while (scan.at < text.length) {
    const code = text.charCodeAt(scan.at)
    if (code === GREATER) {
      scan.at += 1
      return { name, offset, id, isSelfClosed }
    }
    isSelfClosed = code === SLASH
    if (isSelfClosed || isBlank(code)) {
      scan.at += 1
      continue
    }
    if (skipTagPiece(scan, false)) continue
    if (code === LESS && !isInstruction(scan)) break
    const isId = readName(scan) === 'id'
    const value = readValue(scan)
    if (isId) id ??= value
  }
  failTag(scan, offset, name)
  return undefined
}

/** Reads an end tag and moves past it. */
export function readEndTag(scan: Scan): string {
  const offset = scan.at
  scan.at += 2
  const name = readName(scan)
  skipBlank(scan)
  if (scan.text.charCodeAt(scan.at) === GREATER) scan.at += 1
  else failTag(scan, offset, `/${name}`)
  return name
}

/** Shortens a name or id for a message, which must not grow with the page. */
export function shown(name: string): string {
  return name.length <= MAX_SHOWN_CHARS ? name : `${name.slice(0, MAX_SHOWN_CHARS)}…`
}

/** Line and column from 1; a line ends with LF, CR LF or CR. */
export function locate(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let at = 0; at < offset; at += 1) {
    const code = text.charCodeAt(at)
    const isLoneReturn = code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED
    if (code !== LINE_FEED && !isLoneReturn) continue
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

function failTag(scan: Scan, offset: number, name: string): void {
  fail(scan, offset, `The tag <${shown(name)} is never closed. Add > at its end.`)
}

function readName(scan: Scan): string {
  const start = scan.at
  skipWord(scan, endsName)
  return scan.text.slice(start, scan.at).toLowerCase()
}

// The value after `=`, or an empty text. A `=` without a name is consumed here too, so that every iteration of
// readStartTag advances.
function readValue(scan: Scan): string {
  skipBlank(scan)
  if (scan.text.charCodeAt(scan.at) !== EQUALS) return ''

  scan.at += 1
  skipBlank(scan)
  const start = scan.at
  const code = scan.text.charCodeAt(start)
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return readQuoted(scan, code)
  skipWord(scan, endsBareValue)
  return scan.text.slice(start, scan.at)
}

function readQuoted(scan: Scan, quote: number): string {
  const { text, at: offset } = scan
  scan.at += 1
  while (scan.at < text.length) {
    const code = text.charCodeAt(scan.at)
    if (code === quote) {
      scan.at += 1
      return text.slice(offset + 1, scan.at - 1)
    }
    if (code === LESS && isInstruction(scan)) skipTagInstruction(scan, true)
    else if (!skipTagPiece(scan, true)) scan.at += 1
  }
  const mark = String.fromCharCode(quote)
  fail(scan, offset, `This quoted value is never closed. Add ${mark} at its end.`)
  return ''
}

// Stops before a `<` that does not begin a processing instruction: the tag was left open.
function skipWord(scan: Scan, isEnd: (code: number) => boolean): void {
  const { text } = scan
  while (scan.at < text.length) {
    const code = text.charCodeAt(scan.at)
    if (isEnd(code)) return
    if (skipTagPiece(scan, false)) continue
    if (code !== LESS) scan.at += 1
    else if (isInstruction(scan)) skipTagInstruction(scan, false)
    else return
  }
}

function skipTagPiece(scan: Scan, isQuoted: boolean): boolean {
  const start = scan.at
  if (!skipPiece(scan)) return false
  scan.onCode?.({ start, end: scan.at, isQuoted })
  return true
}

function skipTagInstruction(scan: Scan, isQuoted: boolean): void {
  const start = scan.at
  skipInstruction(scan)
  scan.onCode?.({ start, end: scan.at, isQuoted })
}

function skipBlank(scan: Scan): void {
  while (isBlank(scan.text.charCodeAt(scan.at))) scan.at += 1
}

function isInstruction(scan: Scan): boolean {
  return scan.text.charCodeAt(scan.at + 1) === QUESTION
}

function endsName(code: number): boolean {
  return code === GREATER || code === EQUALS || code === SLASH || isBlank(code)
}

function endsBareValue(code: number): boolean {
  return code === GREATER || isBlank(code)
}
