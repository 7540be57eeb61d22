// Reads the parts of a multipart/form-data body (RFC 7578) in constant memory: every part exactly as sent, or an error with
// the reason.
//
//   request → splitter: finds the parts and parses their headers
//           → busboy: passes the parts on one after the other, with back-pressure
//
// busboy 1.6.0 alone is not exact. It ends a part at a line that only begins with the boundary, skips parts with unreadable
// headers, and strips folders from file names. It also reads the same bytes differently if they arrive in other chunks. So
// busboy gets each part with a boundary of 128 random bits, which no content contains. The generated headers of a part say
// only whether the part is a file. The parts that busboy passes on are counted.
//
// Reading ends exactly once. After an error, no part is passed on and nothing more is read from the request; the response
// code drains or closes it.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { finished, type Readable } from 'node:stream'
import busboy, { type Busboy } from 'busboy'
import { CmsError } from '../base/errors.ts'
import { noteChunk } from './chunk-garbage.ts'
import { tooLargeForm, badForm, quote } from './form-error.ts'
import { openSplitter, type Splitter } from './form-splitter.ts'
import { headerValues, parseMediaType } from './header-values.ts'
import { decodeField, type PartHead, readPartHead } from './part-head.ts'

export interface FormLimits {
  readonly maxFieldBytes: number
  readonly maxFields: number
  /** Maximum size of the whole body, including preamble and epilogue. */
  readonly maxBodyBytes?: number
}

/** Both may throw, which ends the reading with this error. */
export interface PartTakers {
  readonly takeField: (name: string, value: string) => void
  /** Must consume the stream. A rejection also ends the reading. */
  readonly takeFile: (
    name: string,
    stream: Readable,
    fileName: string | undefined,
  ) => Promise<unknown>
}

const FORM_TYPE = /^multipart\/form-data[\t ]*(?:;|$)/i
// The length is that of RFC 2046, 5.1.1. All printable characters are accepted, because they cannot be a line end.
const BOUNDARY = /^[\x20-\x7e]{0,69}[\x21-\x7e]$/

/** Resolves when all parts have been passed on. The file may not be consumed yet. */
export function readParts(
  request: IncomingMessage,
  limits: FormLimits,
  takers: PartTakers,
): Promise<void> {
  const boundary = readBoundary(request)
  const maxBytes = limits.maxBodyBytes ?? Number.POSITIVE_INFINITY
  // The parts that the splitter has found and busboy has not passed on yet.
  const heads: PartHead[] = []
  const ownBoundary = randomBytes(16).toString('hex')
  const parser = openParser(ownBoundary, limits)
  const splitter = openRewriter({ boundary, ownBoundary, heads, limits, parser })
  let stop = (): void => {}

  const reading = new Promise<void>((resolve, reject) => {
    let bodyBytes = 0

    function fail(fault: unknown): void {
      stop()
      request.pause()
      // Without listeners, busboy skips the remaining parts of its current chunk.
      parser.removeAllListeners('field').removeAllListeners('file').removeAllListeners('close')
      parser.destroy()
      reject(fault)
    }

    function take(chunk: Buffer): void {
      noteChunk(chunk.length)
      bodyBytes += chunk.length
      try {
        if (bodyBytes > maxBytes) throw tooLargeForm(maxBytes)
        splitter.push(chunk)
      } catch (fault) {
        return fail(fault)
      }
      if (parser.writableNeedDrain) request.pause()
    }

    function finish(): void {
      try {
        splitter.end()
        parser.end(`\r\n--${ownBoundary}--\r\n`)
      } catch (fault) {
        fail(fault)
      }
    }

    const resume = (): void => void request.resume()
    const stopWatching = finished(request, { writable: false }, (error) => {
      if (error instanceof CmsError) fail(error)
      else if (error) fail(badForm('The connection closed before the form ended', error))
    })
    stop = () => {
      stopWatching()
      request.off('data', take).off('end', finish)
      parser.off('drain', resume)
    }
    listen(parser, { limits, takers, heads, fail })
    parser.on('drain', resume)
    parser.on('close', () => (heads.length === 0 ? resolve() : reject(badForm('A part is lost'))))
    request.on('data', take).on('end', finish)
  })
  return reading.finally(() => stop())
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
    'The header Content-Type is malformed, or has no boundary of 1 to 70 printable characters that does not end with a space',
  )
}

interface Rewriting {
  readonly boundary: string
  readonly ownBoundary: string
  readonly heads: PartHead[]
  readonly limits: FormLimits
  readonly parser: Busboy
}

/** Writes the parts of the form to busboy. */
function openRewriter({ boundary, ownBoundary, heads, limits, parser }: Rewriting): Splitter {
  const maxParts = limits.maxFields + 1
  let parts = 0
  return openSplitter(boundary, {
    startPart(block) {
      if ((parts += 1) > maxParts) throw badForm(`The form has over ${maxParts} parts`)
      const head = readPartHead(block)
      heads.push(head)
      parser.write(`\r\n--${ownBoundary}\r\n${head.isFile ? FILE_HEAD : FIELD_HEAD}\r\n\r\n`)
    },
    takeBytes: (bytes) => void parser.write(bytes),
  })
}

const HIGH_WATER_MARK_BYTES = 128 * 1024

const FILE_HEAD = 'Content-Disposition: form-data; name="f"; filename="f"'
// With latin1, busboy returns one character per byte. decodeField decodes the bytes and detects invalid text.
const FIELD_HEAD =
  'Content-Disposition: form-data; name="f"\r\nContent-Type: text/plain; charset=latin1'

function openParser(boundary: string, { maxFieldBytes }: FormLimits): Busboy {
  return busboy({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    // A chunk of the body has up to 64 KiB. A smaller mark would pause the request at each chunk.
    highWaterMark: HIGH_WATER_MARK_BYTES,
    // busboy reports when the limit is reached, so the limit is one byte more than allowed.
    limits: { fieldSize: maxFieldBytes + 1 },
  })
}

type Fail = (fault: unknown) => void

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
    // The consumer and the parser get the error, too. Without a listener here, the process would crash.
    stream.on('error', () => {})
    try {
      const { name, fileName } = requireNext(heads, { isFile: true })
      const taken = takers.takeFile(name, stream, fileName)
      // Unread bytes of a consumer must not block the rest of the form.
      taken.then(() => stream.resume(), fail)
    } catch (fault) {
      fail(fault)
    }
  })
  parser.on('error', (error) => fail(badForm('The form cannot be read', error)))
}

/** Checks that the part from busboy is the next part that the splitter has found. */
function requireNext(heads: PartHead[], { isFile }: Pick<PartHead, 'isFile'>): PartHead {
  const head = heads.shift()
  if (head?.isFile !== isFile) throw badForm('The parts of the form cannot be separated')
  return head
}
