// Finds the parts of a multipart body (RFC 2046, 5.1.1), in pieces of any size and in constant memory:
//
//   preamble CRLF --boundary padding CRLF
//   headers CRLF CRLF content CRLF --boundary padding CRLF …
//   headers CRLF CRLF content CRLF --boundary-- padding CRLF epilogue
//
// A line that begins with the boundary and goes on with anything but padding is no boundary: it belongs to the
// content, byte for byte. Refused is what two readers could divide in two ways:
//
// - the boundary in the preamble or the epilogue. A content that holds the line of its closing boundary would be
//   cut there, and the rest of it be epilogue; lines that end in LF alone would make a part preamble.
// - the boundary among the headers, or right behind them: by the grammar the part has no content, by most
//   readers the content begins with it.
//
// What was found is handed on in the turn in which it came; the faults are CmsErrors, and end the splitting.

import { badForm } from './form-error.ts'

export interface PartTakers {
  /** The headers of the next part, without the empty line behind them. */
  readonly startPart: (head: Buffer) => void
  /** A piece of its content, which is never empty. */
  readonly takeBytes: (bytes: Buffer) => void
}

export interface Splitter {
  readonly push: (chunk: Buffer) => void
  /** The body is over; throws where its closing boundary is missing. */
  readonly end: () => void
}

/** Of one part. Bounds what is kept while they come. */
const MAX_HEAD_BYTES = 16 * 1024
/** Behind a boundary; the longest line of a mail. */
const MAX_PADDING_BYTES = 998

const CRLF = Buffer.from('\r\n')
const EMPTY_LINE = Buffer.from('\r\n\r\n')
const [CR, LF, DASH, SPACE, TAB] = [13, 10, 45, 32, 9]

type Stage = 'preamble' | 'head' | 'content' | 'epilogue'

interface Splitting extends PartTakers {
  readonly dashes: Buffer
  readonly delimiter: Buffer
  stage: Stage
  /** What cannot be judged before more has come. */
  kept: Buffer
  /** Nothing was read of the content yet but the CRLF before it. */
  isFresh: boolean
}

/** What a line is that begins with the boundary, and where it ends: its CRLF. */
interface Line {
  readonly is: 'boundary' | 'closing' | 'content'
  readonly end: number
}

export function openSplitter(boundary: string, takers: PartTakers): Splitter {
  const dashes = Buffer.from(`--${boundary}`)
  const splitting: Splitting = {
    ...takers,
    dashes,
    delimiter: Buffer.concat([CRLF, dashes]),
    stage: 'preamble',
    // A boundary with which the body begins has no line before it that could end.
    kept: CRLF,
    isFresh: false,
  }

  return {
    push(chunk) {
      const { kept } = splitting
      read(splitting, kept.length === 0 ? chunk : Buffer.concat([kept, chunk]), false)
    },
    end() {
      read(splitting, splitting.kept, true)
      if (splitting.stage !== 'epilogue')
        throw badForm('The form is cut or malformed: it must end with its closing boundary')
    },
  }
}

/** Gives what is left behind a stage that was read to its end; where that is still to come, keeps what it must. */
type Reader = (splitting: Splitting, bytes: Buffer, isEnd: boolean) => Buffer | undefined

const READERS: Readonly<Record<Stage, Reader>> = {
  preamble: readPreamble,
  head: readHead,
  content: readContent,
  epilogue: readEpilogue,
}

function read(splitting: Splitting, bytes: Buffer, isEnd: boolean): void {
  let left: Buffer | undefined = bytes
  while (left !== undefined) left = READERS[splitting.stage](splitting, left, isEnd)
}

function keep(splitting: Splitting, bytes: Buffer): undefined {
  splitting.kept = bytes
}

function readPreamble(splitting: Splitting, bytes: Buffer, isEnd: boolean): Buffer | undefined {
  const { dashes, delimiter } = splitting
  const at = bytes.indexOf(dashes)
  if (at === -1) return keep(splitting, bytes.subarray(-(delimiter.length - 1)))
  const line = lineAt(bytes, at + dashes.length, isEnd)
  if (line === undefined) return keep(splitting, bytes.subarray(at - CRLF.length))
  if (line.is !== 'content' && bytes[at - 2] === CR && bytes[at - 1] === LF)
    return begin(splitting, line, bytes)
  throw badForm(
    'Before its first part the form holds the boundary in a line of something else, or in one that ends in LF alone',
  )
}

/** The line's own CRLF is the one before the headers, so that a boundary is found among them. */
function begin(splitting: Splitting, { is, end }: Line, bytes: Buffer): Buffer {
  splitting.stage = is === 'closing' ? 'epilogue' : 'head'
  return bytes.subarray(end)
}

function readHead(splitting: Splitting, bytes: Buffer): Buffer | undefined {
  const end = bytes.indexOf(EMPTY_LINE)
  const lengthSoFar = (end === -1 ? bytes.length - EMPTY_LINE.length + 1 : end) - CRLF.length
  if (lengthSoFar > MAX_HEAD_BYTES)
    throw badForm(`The headers of a part are longer than ${MAX_HEAD_BYTES} bytes`)
  if (end === -1) return keep(splitting, bytes)
  const head = bytes.subarray(0, end)
  if (head.includes(splitting.delimiter))
    throw badForm('The boundary stands among the headers of a part: an empty line must end them')
  splitting.startPart(head.subarray(CRLF.length))
  splitting.stage = 'content'
  splitting.isFresh = true
  return bytes.subarray(end + CRLF.length)
}

function readContent(splitting: Splitting, bytes: Buffer, isEnd: boolean): Buffer | undefined {
  const { delimiter } = splitting
  for (let from = 0; ; ) {
    const at = bytes.indexOf(delimiter, from)
    if (at === -1) return keepFrom(splitting, bytes, delimiterBegins(bytes, delimiter))
    const line = lineAt(bytes, at + delimiter.length, isEnd)
    if (line === undefined) return keepFrom(splitting, bytes, at)
    if (line.is !== 'content') {
      if (splitting.isFresh && at === 0)
        throw badForm(
          'The boundary stands right behind the headers of a part: an empty line must end them, and the boundary must not be in the content',
        )
      give(splitting, bytes, at)
      return begin(splitting, line, bytes)
    }
    from = at + 1
  }
}

function keepFrom(splitting: Splitting, bytes: Buffer, at: number): undefined {
  give(splitting, bytes, at)
  return keep(splitting, bytes.subarray(at))
}

/** Hands on the content up to `end`, without the CRLF before it. */
function give(splitting: Splitting, bytes: Buffer, end: number): void {
  if (end === 0) return
  const start = splitting.isFresh ? CRLF.length : 0
  splitting.isFresh = false
  if (end > start) splitting.takeBytes(bytes.subarray(start, end))
}

/** Where the beginning of a delimiter ends the bytes; their length where none does. */
function delimiterBegins(bytes: Buffer, delimiter: Buffer): number {
  const first = Math.max(0, bytes.length - delimiter.length + 1)
  for (let at = bytes.indexOf(CR, first); at !== -1; at = bytes.indexOf(CR, at + 1)) {
    if (bytes.compare(delimiter, 0, bytes.length - at, at) === 0) return at
  }
  return bytes.length
}

function readEpilogue(splitting: Splitting, bytes: Buffer): undefined {
  const { dashes } = splitting
  if (bytes.includes(dashes))
    throw badForm(
      'The boundary stands behind the closing boundary: choose one that is not in the content',
    )
  return keep(splitting, bytes.subarray(-(dashes.length - 1)))
}

/** The line whose boundary ends at `from`; undefined while its bytes do not tell. */
function lineAt(bytes: Buffer, from: number, isEnd: boolean): Line | undefined {
  const isClosing = bytes[from] === DASH && bytes[from + 1] === DASH
  let end = isClosing ? from + 2 : from
  while (bytes[end] === SPACE || bytes[end] === TAB) end += 1
  if (end - from > MAX_PADDING_BYTES)
    throw badForm(`A boundary is followed by more than ${MAX_PADDING_BYTES} blanks`)

  const is = isClosing ? 'closing' : 'boundary'
  if (bytes[end] === CR && bytes[end + 1] === LF) return { is, end }
  if (isClosing && isEnd && end === bytes.length) return { is, end }
  const isFirstDash = bytes[end] === DASH && end === from
  const isOpen = end === bytes.length || bytes[end] === CR || isFirstDash
  return isOpen && !isEnd && end + 1 >= bytes.length ? undefined : { is: 'content', end }
}
