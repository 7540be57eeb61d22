// Errors of upload forms.

import { CmsError } from '../base/errors.ts'

const SHOWN_NAME_LENGTH = 64

export function tooLargeForm(maxBytes: number): CmsError {
  return new CmsError(
    'too-large',
    `The form is larger than ${maxBytes} bytes. Send a smaller file, or ask the operator for a larger --max-upload-mb.`,
  )
}

export function badForm(problem: string, cause?: unknown): CmsError {
  return new CmsError('bad-multipart', `${problem}.`, { cause })
}

/** A text from the form, quoted and shortened for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_NAME_LENGTH))
}
