// Reads the parts of a multipart/form-data body (RFC 7578) with busboy, in constant memory, and
// makes a fault of everything that busboy 1.6.0 would pass over or cut in silence: parts without a
// name, values that are too long or not UTF-8, too many parts.
//
// What follows the closing boundary is no part of the form (RFC 2046, 5.1.1). busboy reads on to the end
// of the chunk that it has in hand, so parts there would count or not by the way the bytes arrive, and
// one that does not end would never end: they are passed over.
//
// The reading ends exactly once. After a fault no part is handed on and nothing more is taken from
// the request: whoever answers drains or closes it.

import type { IncomingMessage } from 'node:http'
import { finished, type Readable } from 'node:stream'
import busboy, { type Busboy, type FieldInfo, type FileInfo } from 'busboy'
import { CmsError } from '../errors.ts'

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
const REPLACEMENT = '\ufffd'
const SHOWN_NAME_LENGTH = 64

/** Resolves when all parts have been handed on; the file may still be on its way to its taker. */
export function readParts(
  request: IncomingMessage,
  limits: FormLimits,
  takers: PartTakers,
): Promise<void> {
  const parser = openParser(request, limits)
  let stopWatching = (): void => {}

  const reading = new Promise<void>((resolve, reject) => {
    let isStopped = false

    function stop(): void {
      isStopped = true
      request.unpipe(parser)
      // busboy passes over parts that nobody listens for, also in the chunk that it has in hand.
      parser.removeAllListeners('field').removeAllListeners('file').off('close', resolve)
      parser.destroy()
    }

    function fail(fault: unknown): void {
      stop()
      reject(fault)
    }

    function passOver(): void {
      if (isStopped) return
      stop()
      if (request.readableEnded) resolve()
      else request.resume()
    }

    function end(): void {
      if (isStopped) resolve()
    }

    stopWatching = watchRequest(request, limits, { fail, end })
    listen(parser, { limits, takers, fail, passOver })
    parser.on('close', resolve)
    // Not pipeline(): it would destroy the request, and with it the connection for the answer.
    request.pipe(parser)
  })
  return reading.finally(() => stopWatching())
}

export function badForm(problem: string, cause?: unknown): CmsError {
  return new CmsError('bad-multipart', `${problem}.`, { cause })
}

/** A name from the form as it may stand in a message. */
export function quote(name: string): string {
  return JSON.stringify(name.slice(0, SHOWN_NAME_LENGTH))
}

function openParser(request: IncomingMessage, limits: FormLimits): Busboy {
  // busboy would take application/x-www-form-urlencoded as well.
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new CmsError(
      'unsupported-media-type',
      'Send a form as multipart/form-data, with its boundary in the header Content-Type.',
    )
  }

  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      preservePath: false,
      // busboy tells that a limit is reached, so each is one more than what is allowed. The parts
      // are the fields and the file.
      limits: { fieldSize: limits.maxFieldBytes + 1, parts: limits.maxFields + 2 },
    })
  } catch (cause) {
    throw badForm('The header Content-Type is malformed or has no boundary', cause)
  }
}

type Fail = (fault: unknown) => void

interface Outcome {
  readonly fail: Fail
  readonly end: () => void
}

// Returns what takes all listeners off the request again.
function watchRequest(
  request: IncomingMessage,
  limits: FormLimits,
  { fail, end }: Outcome,
): () => void {
  const maxBytes = limits.maxBodyBytes ?? Number.POSITIVE_INFINITY
  let bodyBytes = 0

  function count(chunk: Buffer): void {
    bodyBytes += chunk.length
    if (bodyBytes <= maxBytes) return
    fail(new CmsError('too-large', `The form is larger than ${maxBytes} bytes.`))
  }

  const stopFinished = finished(request, { writable: false }, (error) => {
    if (error) fail(badForm('The connection closed before the form ended', error))
    else end()
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
  readonly fail: Fail
  /** The form is complete: takes nothing more of it, and waits for its end. */
  readonly passOver: () => void
}

function listen(parser: Busboy, { limits, takers, fail, passOver }: Listening): void {
  const refuse = (fault: CmsError): void => (isComplete(parser) ? passOver() : fail(fault))

  // Against busboy's types a name can be undefined, and so can a value in an unknown charset.
  parser.on('field', (name: string | undefined, value: string | undefined, info) => {
    if (isComplete(parser)) return passOver()
    try {
      takers.takeField(checkName(name), checkValue({ name, value, info, limits }))
    } catch (fault) {
      fail(fault)
    }
  })
  parser.on('file', (name: string | undefined, stream, info) => {
    // What ends the stream early reaches both its taker and the parser, so nobody needs it from
    // here; but without a listener in this very turn the process would die of it.
    stream.on('error', () => {})
    if (isComplete(parser)) return passOver()
    try {
      const taken = takers.takeFile(checkName(name), stream, checkFileName(name, info))
      // A taker that leaves bytes behind must not stop the rest of the form.
      taken.then(() => stream.resume(), fail)
    } catch (fault) {
      fail(fault)
    }
  })

  parser.on('partsLimit', () => refuse(badForm(`The form has over ${limits.maxFields + 1} parts`)))
  parser.on('error', (error) => {
    refuse(badForm('The form is cut or malformed: it must end with its closing boundary', error))
  })
}

/** Whether the closing boundary was read. busboy keeps that to itself; its version is pinned. */
function isComplete(parser: Busboy): boolean {
  return (parser as { readonly _complete?: boolean })._complete === true
}

function checkName(name: string | undefined): string {
  if (name === undefined) throw badForm('A part has no name')
  return name
}

interface Field {
  readonly name: string | undefined
  readonly value: string | undefined
  readonly info: FieldInfo
  readonly limits: FormLimits
}

function checkValue({ name = '', value, info, limits }: Field): string {
  if (info.valueTruncated) {
    throw badForm(`The part ${quote(name)} is longer than ${limits.maxFieldBytes} bytes`)
  }
  // Bytes that are not UTF-8 arrive as U+FFFD: they could not be stored as they were sent.
  if (value === undefined || value.includes(REPLACEMENT)) {
    throw badForm(`The part ${quote(name)} is not UTF-8`)
  }
  return value
}

// busboy takes the folders off, so nothing may be left.
function checkFileName(name: string | undefined, { filename }: FileInfo): string | undefined {
  if (filename?.includes(REPLACEMENT)) {
    throw badForm(`The file name of the part ${quote(name ?? '')} is not UTF-8`)
  }
  return filename === '' ? undefined : filename
}
