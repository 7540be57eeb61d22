// What is wrong with a form, as an error that says so.

import { CmsError } from '../errors.ts'

const SHOWN_NAME_LENGTH = 64

export function badForm(problem: string, cause?: unknown): CmsError {
  return new CmsError('bad-multipart', `${problem}.`, { cause })
}

/** Something from the form as it may stand in a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_NAME_LENGTH))
}
