// The upload form: exactly one file part, which is streamed, and small fields in any order. Only known part names are
// allowed, each at most once. A form is accepted or rejected as a whole: if an error is found after the file was received,
// the file is discarded before the error is reported.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { CmsError } from '../base/errors.ts'
import { badForm, quote } from './form-error.ts'
import { type FormLimits, readParts } from './form-parser.ts'

export interface FormHandler<T> {
  /** Called with the bytes of the file part; must consume the stream. */
  readonly file: (stream: Readable, fileName: string | undefined) => Promise<T>
  /** Called if the form is rejected after the file was received. */
  readonly drop: (received: T) => Promise<void>
}

export interface AllowedParts {
  readonly file: string
  readonly fields: ReadonlySet<string>
}

export interface UploadForm<T> {
  readonly fields: ReadonlyMap<string, string>
  readonly file: T
  readonly fileName: string | undefined
}

interface OpenForm<T> {
  readonly fields: Map<string, string>
  file: ReceivedFile<T> | undefined
}

interface ReceivedFile<T> {
  readonly stream: Readable
  readonly fileName: string | undefined
  readonly content: Promise<T>
}

/** Errors of `handler.file` are passed through unchanged; every other error is a CmsError. */
export async function readForm<T>(
  request: IncomingMessage,
  allowed: AllowedParts,
  limits: FormLimits,
  handler: FormHandler<T>,
): Promise<UploadForm<T>> {
  const form: OpenForm<T> = { fields: new Map(), file: undefined }

  try {
    await readParts(request, limits, {
      takeField(name, value) {
        checkField(name, form, allowed)
        form.fields.set(name, value)
      },
      takeFile(name, stream, fileName) {
        checkFile(name, form, allowed)
        form.file = { stream, fileName, content: handler.file(stream, fileName) }
        return form.file.content
      },
    })
    const { fields, file } = form
    if (file === undefined) throw badForm(`The part ${quote(allowed.file)} is missing`)
    return { fields, file: await file.content, fileName: file.fileName }
  } catch (fault) {
    throw form.file === undefined ? fault : await undo(form.file, handler, fault)
  }
}

function checkField<T>(name: string, form: OpenForm<T>, allowed: AllowedParts): void {
  if (name === allowed.file) {
    throw badForm(`The part ${quote(name)} has no file name: send filename="..."`)
  }
  if (!allowed.fields.has(name)) throw unknownPart(name, allowed)
  if (form.fields.has(name)) throw badForm(`The part ${quote(name)} was sent twice`)
}

function checkFile<T>(name: string, form: OpenForm<T>, allowed: AllowedParts): void {
  if (allowed.fields.has(name)) {
    throw badForm(`The part ${quote(name)} must be a plain field, without a file name`)
  }
  if (name !== allowed.file) throw unknownPart(name, allowed, form.file === undefined)
  if (form.file !== undefined) throw badForm(`The part ${quote(name)} was sent twice`)
}

/** If the file was sent under another part name, the hint says so. */
function unknownPart(name: string, { file, fields }: AllowedParts, isFile = false): CmsError {
  const hint = isFile ? `: send the file in the part ${quote(file)}, with its file name` : ''
  const known = [file, ...fields].join(', ')
  return badForm(`The part ${quote(name)} is not known${hint}; known are ${known}`)
}

// Waits for the receiver, discards what it received, and returns the error to report.
async function undo<T>(
  { stream, content }: ReceivedFile<T>,
  handler: FormHandler<T>,
  fault: unknown,
): Promise<unknown> {
  let received: T
  try {
    received = await content
  } catch (error) {
    // An error of the form ends the stream, and the receiver reports only a consequence. An error of the receiver itself
    // (too large, disk full) is the better reason.
    return error instanceof CmsError && error.cause !== stream.errored ? error : fault
  }

  await handler.drop(received)
  return fault
}
