// Reads the parts of a multipart/form-data body (RFC 7578) in constant memory: every part exactly as sent, or an error with
// the reason. The splitter finds the parts. A field is gathered; a file becomes a stream, and the request is paused
// while nobody reads the stream.
//
// Reading ends exactly once. After an error, no part is passed on and nothing more is read from the request; the response
// code drains or closes it.

import type { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'
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
  const form: Form = { request, limits, takers, part: undefined, parts: 0, hasEnded: false }

  return new Promise<void>((resolve, reject) => {
    const splitter = openForm(boundary, form, fail)
    let bodyBytes = 0

    function stop(): void {
      form.hasEnded = true
      stopWatching()
      request.off('data', take).off('end', finish)
    }

    function fail(fault: unknown): void {
      if (form.hasEnded) return
      stop()
      request.pause()
      form.part?.file?.destroy(new Error('The form was rejected before the file ended.'))
      reject(fault)
    }

    function take(chunk: Buffer): void {
      noteChunk(chunk.length)
      bodyBytes += chunk.length
      try {
        if (bodyBytes > maxBytes) throw tooLargeForm(maxBytes)
        splitter.push(chunk)
      } catch (fault) {
        fail(fault)
      }
    }

    function finish(): void {
      try {
        splitter.end()
        stop()
        resolve()
      } catch (fault) {
        fail(fault)
      }
    }

    const stopWatching = finished(request, { writable: false }, (error) => {
      if (error instanceof CmsError) fail(error)
      else if (error) fail(badForm('The connection closed before the form ended', error))
    })
    request.on('data', take).on('end', finish)
  })
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

interface Form {
  readonly request: IncomingMessage
  readonly limits: FormLimits
  readonly takers: PartTakers
  /** The part that is being read. */
  part: Part | undefined
  parts: number
  hasEnded: boolean
}

interface Part {
  readonly head: PartHead
  /** Undefined for a field. */
  readonly file: Readable | undefined
  readonly pieces: Buffer[]
  fieldBytes: number
}

function openForm(boundary: string, form: Form, fail: (fault: unknown) => void): Splitter {
  const maxParts = form.limits.maxFields + 1
  return openSplitter(boundary, {
    startPart(block) {
      if ((form.parts += 1) > maxParts) throw badForm(`The form has over ${maxParts} parts`)
      const head = readPartHead(block)
      const file = head.isFile ? openFile(form) : undefined
      form.part = { head, file, pieces: [], fieldBytes: 0 }
      if (file === undefined) return
      const taken = form.takers.takeFile(head.name, file, head.fileName)
      // Unread bytes of a consumer must not block the rest of the form.
      taken.then(() => file.resume(), fail)
    },
    takeBytes(bytes) {
      if (form.part?.file === undefined) addToField(form, bytes)
      else if (!form.part.file.push(bytes) && !form.part.file.destroyed) form.request.pause()
    },
    endPart() {
      const { part } = form
      form.part = undefined
      if (part?.file !== undefined) part.file.push(null)
      else if (part !== undefined)
        form.takers.takeField(part.head.name, decodeField(Buffer.concat(part.pieces), part.head))
    },
  })
}

function openFile(form: Form): Readable {
  const resume = (): void => {
    if (!form.hasEnded) form.request.resume()
  }
  const file = new Readable({ read: resume })
  // The consumer gets the error, too. Without a listener here, the process would crash.
  return file.on('error', () => undefined).on('close', resume)
}

function addToField({ part, limits: { maxFieldBytes } }: Form, bytes: Buffer): void {
  if (part === undefined) return
  part.fieldBytes += bytes.length
  if (part.fieldBytes > maxFieldBytes)
    throw badForm(`The part ${quote(part.head.name)} is longer than ${maxFieldBytes} bytes`)
  part.pieces.push(bytes)
}
