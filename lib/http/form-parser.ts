// Reads the parts of a multipart/form-data body (RFC 7578) in constant memory: every part that is there, exactly,
// or a fault that says why not.
//
//   request → splitting: finds the parts, and reads what their headers say
//           → busboy: hands them on one after the other, at the pace of who takes them
//
// busboy 1.6.0 alone does not keep that promise: a line that only begins with the boundary ends a part for it; it
// passes over parts whose headers it cannot read, cuts the folders off file names, and reads another form where
// the same bytes come in other pieces. So it gets each part behind a boundary of 128 random bits, which no content
// holds, and headers of ours that say only whether it is a file; and the parts that it hands on are counted.
//
// The reading ends exactly once. After a fault no part is handed on and nothing more is taken from
// the request: whoever answers drains or closes it.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { finished, type Readable, Transform } from 'node:stream'
import busboy, { type Busboy } from 'busboy'
import { CmsError } from '../base/errors.ts'
import { tooLargeForm, badForm, quote } from './form-error.ts'
import { openSplitter } from './form-splitter.ts'
import { headerValues } from './header-values.ts'
import { parseMediaType } from './parameters.ts'
import { decodeField, type PartHead, readPartHead } from './part-head.ts'

export interface FormLimits {
  readonly maxFieldBytes: number
  readonly maxFields: number
  /** The whole body, with what stands before the first and after the last part. */
  readonly maxBodyBytes?: number
}

/** Both may throw: that ends the reading with this error. */
export interface PartTakers {
  readonly takeField: (name: string, value: string) => void
  /** Must consume the stream; its rejection ends the reading too. */
  readonly takeFile: (
    name: string,
    stream: Readable,
    fileName: string | undefined,
  ) => Promise<unknown>
}

const FORM_TYPE = /^multipart\/form-data[\t ]*(?:;|$)/i
// RFC 2046, 5.1.1, but for characters: what is printable can be no line end, and is found as it is.
const BOUNDARY = /^[\x20-\x7e]{0,69}[\x21-\x7e]$/

/** Resolves when all parts have been handed on; the file may still be on its way to its taker. */
export function readParts(
  request: IncomingMessage,
  limits: FormLimits,
  takers: PartTakers,
): Promise<void> {
  const boundary = readBoundary(request)
  const ownBoundary = randomBytes(16).toString('hex')
  // Found by the splitting, and not yet handed on by busboy.
  const heads: PartHead[] = []
  const splitting = openSplitting({ boundary, ownBoundary, heads, limits })
  const parser = openParser(ownBoundary, limits)
  let stopWatching = (): void => {}

  const reading = new Promise<void>((resolve, reject) => {
    function fail(fault: unknown): void {
      request.unpipe(splitting)
      splitting.unpipe(parser).destroy()
      // busboy passes over parts that nobody listens for, also in the chunk that it has in hand.
      parser.removeAllListeners('field').removeAllListeners('file').removeAllListeners('close')
      parser.destroy()
      reject(fault)
    }

    stopWatching = watchRequest(request, limits, fail)
    listen(parser, { limits, takers, heads, fail })
    splitting.on('error', fail)
    parser.on('close', () => (heads.length === 0 ? resolve() : reject(badForm('A part is lost'))))
    // Not pipeline(): it would destroy the request, and with it the connection for the answer.
    request.pipe(splitting).pipe(parser)
  })
  return reading.finally(() => stopWatching())
}

function readBoundary(request: IncomingMessage): string {
  const [type = '', ...others] = headerValues(request, 'content-type')
  if (!FORM_TYPE.test(type)) {
    throw new CmsError(
      'unsupported-media-type',
      'Send a form as multipart/form-data, with its boundary in the header Content-Type.',
    )
  }
  const boundary =
    others.length === 0 ? parseMediaType(type)?.parameters.get('boundary') : undefined
  if (boundary !== undefined && BOUNDARY.test(boundary)) return boundary
  throw badForm(
    'The header Content-Type is malformed, or has no boundary of 1 to 70 printable characters, the last no blank',
  )
}

interface Splitting {
  readonly boundary: string
  readonly ownBoundary: string
  readonly heads: PartHead[]
  readonly limits: FormLimits
}

/** Gives the same form as busboy is to read it. */
function openSplitting({ boundary, ownBoundary, heads, limits }: Splitting): Transform {
  const maxParts = limits.maxFields + 1
  let parts = 0
  const splitter = openSplitter(boundary, {
    startPart(block) {
      if ((parts += 1) > maxParts) throw badForm(`The form has over ${maxParts} parts`)
      const head = readPartHead(block)
      heads.push(head)
      stream.push(`\r\n--${ownBoundary}\r\n${head.isFile ? FILE_HEAD : FIELD_HEAD}\r\n\r\n`)
    },
    takeBytes: (bytes) => void stream.push(bytes),
  })
  const stream: Transform = new Transform({
    transform: (chunk: Buffer, _, done) => attempt(() => splitter.push(chunk), done),
    flush(done) {
      attempt(() => {
        splitter.end()
        stream.push(`\r\n--${ownBoundary}--\r\n`)
      }, done)
    },
  })
  return stream
}

const FILE_HEAD = 'Content-Disposition: form-data; name="f"; filename="f"'
// A character for each byte: they are decoded here, where what is no text is told from U+FFFD.
const FIELD_HEAD =
  'Content-Disposition: form-data; name="f"\r\nContent-Type: text/plain; charset=latin1'

function attempt(work: () => void, done: (error?: Error) => void): void {
  try {
    work()
  } catch (error) {
    return done(error as Error)
  }
  done()
}

function openParser(boundary: string, { maxFieldBytes }: FormLimits): Busboy {
  return busboy({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    // busboy tells that the limit is reached, so it is one more than what is allowed.
    limits: { fieldSize: maxFieldBytes + 1 },
  })
}

type Fail = (fault: unknown) => void

// Returns what takes all listeners off the request again.
function watchRequest(request: IncomingMessage, limits: FormLimits, fail: Fail): () => void {
  const maxBytes = limits.maxBodyBytes ?? Number.POSITIVE_INFINITY
  let bodyBytes = 0

  function count(chunk: Buffer): void {
    bodyBytes += chunk.length
    if (bodyBytes <= maxBytes) return
    fail(tooLargeForm(maxBytes))
  }

  const stopFinished = finished(request, { writable: false }, (error) => {
    if (error instanceof CmsError) fail(error)
    else if (error) fail(badForm('The connection closed before the form ended', error))
  })
  request.on('data', count)

  return () => {
    stopFinished()
    request.off('data', count)
  }
}

interface Listening {
  readonly limits: FormLimits
  readonly takers: PartTakers
  readonly heads: PartHead[]
  readonly fail: Fail
}

function listen(parser: Busboy, { limits, takers, heads, fail }: Listening): void {
  parser.on('field', (_, value, { valueTruncated }) => {
    try {
      const head = requireNext(heads, { isFile: false })
      if (valueTruncated)
        throw badForm(`The part ${quote(head.name)} is longer than ${limits.maxFieldBytes} bytes`)
      takers.takeField(head.name, decodeField(Buffer.from(value, 'latin1'), head))
    } catch (fault) {
      fail(fault)
    }
  })
  parser.on('file', (_, stream) => {
    // What ends the stream early reaches both its taker and the parser, so nobody needs it from
    // here; but without a listener in this very turn the process would die of it.
    stream.on('error', () => {})
    try {
      const { name, fileName } = requireNext(heads, { isFile: true })
      const taken = takers.takeFile(name, stream, fileName)
      // A taker that leaves bytes behind must not stop the rest of the form.
      taken.then(() => stream.resume(), fail)
    } catch (fault) {
      fail(fault)
    }
  })
  parser.on('error', (error) => fail(badForm('The form cannot be read', error)))
}

/** The part that busboy hands on is the next that is there, or the reading is over. */
function requireNext(heads: PartHead[], { isFile }: Pick<PartHead, 'isFile'>): PartHead {
  const head = heads.shift()
  if (head?.isFile !== isFile) throw badForm('The parts of the form cannot be told apart')
  return head
}
