// Finds the parts of a multipart body (RFC 2046, 5.1.1) in chunks of any size and in constant memory:
//
//   preamble CRLF --boundary padding CRLF
//   headers CRLF CRLF content CRLF --boundary padding CRLF …
//   headers CRLF CRLF content CRLF --boundary-- padding CRLF epilogue
//
// A line that begins with the boundary and continues with anything but padding is not a boundary and belongs to the content.
// Bodies that two parsers could split differently are rejected:
//
// - The boundary in the preamble or the epilogue. Content that contains its closing boundary line would be cut there, and
//   its rest would become the epilogue; with lines that end in a bare LF, a part would become the preamble.
// - The boundary within or directly after the headers. By the grammar, the part has no content; for most parsers, the
//   content begins with the boundary.
//
// Data is passed on synchronously. Errors are CmsErrors and end the splitting.

import { badForm } from './form-error.ts'

export interface PartTakers {
  /** Called with the headers of the next part, without the empty line after them. */
  readonly startPart: (head: Buffer) => void
  /** Called with a chunk of its content, which is never empty. */
  readonly takeBytes: (bytes: Buffer) => void
}

export interface Splitter {
  readonly push: (chunk: Buffer) => void
  /** Called at the end of the body; throws if the closing boundary is missing. */
  readonly end: () => void
}

/** Maximum size of the headers of a part, which are buffered. */
const MAX_HEAD_BYTES = 16 * 1024
/** Only the start of a chunk is copied to join it with bytes that were kept; the rest is read in place. */
const JOINED_BYTES = 4 * 1024
/** Maximum padding after a boundary: the maximum line length of an e-mail. */
const MAX_PADDING_BYTES = 998

const CRLF = Buffer.from('\r\n')
const EMPTY_LINE = Buffer.from('\r\n\r\n')
const [CR, LF, DASH, SPACE, TAB] = [13, 10, 45, 32, 9]

type Stage = 'preamble' | 'head' | 'content' | 'epilogue'

interface Splitting extends PartTakers {
  readonly dashes: Buffer
  readonly delimiter: Buffer
  stage: Stage
  /** Bytes that need more input before they can be classified. */
  kept: Buffer
  /** Whether only the CRLF before the content was read so far. */
  isFresh: boolean
}

/** The kind of a line that begins with the boundary, and the offset of its CRLF. */
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
    // The first boundary may be at the start of the body, without a CRLF before it.
    kept: CRLF,
    isFresh: false,
  }

  return {
    push(chunk) {
      let rest = chunk
      for (; splitting.kept.length > 0; rest = rest.subarray(JOINED_BYTES)) {
        const start = rest.subarray(0, JOINED_BYTES)
        read(splitting, Buffer.concat([splitting.kept, start]), false)
        if (start.length === rest.length) return
      }
      read(splitting, rest, false)
    },
    end() {
      read(splitting, splitting.kept, true)
      if (splitting.stage !== 'epilogue')
        throw badForm('The form is cut or malformed: it must end with its closing boundary')
    },
  }
}

/** Returns the rest of the bytes if the stage has ended; otherwise keeps the bytes that it needs and returns undefined. */
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
    'Before its first part, the form has the boundary within another line, or in a line that ends in LF alone',
  )
}

/** Keeps the CRLF of the boundary line before the headers, so that a boundary within the headers is found. */
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
    throw badForm(
      'The boundary is within the headers of a part: an empty line must end the headers',
    )
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
          'The boundary is directly after the headers of a part: an empty line must end the headers, and the content must not contain the boundary',
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

/** Passes on the content up to `end`, without the CRLF before the content. */
function give(splitting: Splitting, bytes: Buffer, end: number): void {
  if (end === 0) return
  const start = splitting.isFresh ? CRLF.length : 0
  splitting.isFresh = false
  if (end > start) splitting.takeBytes(bytes.subarray(start, end))
}

/** The offset of a partial delimiter at the end of the bytes; their length if there is none. */
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
      'The boundary occurs after the closing boundary: choose a boundary that the content does not contain',
    )
  return keep(splitting, bytes.subarray(-(dashes.length - 1)))
}

/** The line whose boundary ends at `from`; undefined if more bytes are needed. */
function lineAt(bytes: Buffer, from: number, isEnd: boolean): Line | undefined {
  const isClosing = bytes[from] === DASH && bytes[from + 1] === DASH
  let end = isClosing ? from + 2 : from
  while (bytes[end] === SPACE || bytes[end] === TAB) end += 1
  if (end - from > MAX_PADDING_BYTES)
    throw badForm(`A boundary is followed by more than ${MAX_PADDING_BYTES} spaces`)

  const is = isClosing ? 'closing' : 'boundary'
  if (bytes[end] === CR && bytes[end + 1] === LF) return { is, end }
  if (isClosing && isEnd && end === bytes.length) return { is, end }
  const isFirstDash = bytes[end] === DASH && end === from
  const isOpen = end === bytes.length || bytes[end] === CR || isFirstDash
  return isOpen && !isEnd && end + 1 >= bytes.length ? undefined : { is: 'content', end }
}
