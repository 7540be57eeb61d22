// What is wrong with a form, as an error that says so.

import { CmsError } from '../base/errors.ts'

const SHOWN_NAME_LENGTH = 64

/** What may be sent instead: a file as large as the operator allows, one in each form. */
export function tooLargeForm(maxBytes: number): CmsError {
  return new CmsError(
    'too-large',
    `The form is larger than ${maxBytes} bytes. Send one file in each form, with a smaller content, or ask the operator for a larger --max-upload-mb.`,
  )
}

export function badForm(problem: string, cause?: unknown): CmsError {
  return new CmsError('bad-multipart', `${problem}.`, { cause })
}

/** Something from the form as it may stand in a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_NAME_LENGTH))
}
