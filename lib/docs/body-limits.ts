// What the body of a request may have at most, in words, from the limits that the server keeps.

import { LIMITS } from '../limits.ts'

const MIB = 1024 * 1024

const { jsonBytes, pageBytes, entryBytes, jsonDepth, formBytes } = LIMITS
const NESTED = `nested at most ${jsonDepth} deep`

export const BODY_LIMITS = {
  json: `At most ${mib(jsonBytes)} of JSON in UTF-8, ${NESTED}.`,
  page:
    `At most ${mib(pageBytes + jsonBytes)} of JSON in UTF-8, ${NESTED}; a text of at most ${mib(pageBytes)}. ` +
    'Larger files, and those that are no text, are uploaded.',
  entry: `At most ${mib(entryBytes)} of JSON in UTF-8, ${NESTED}; with what columns have by default, too.`,
} as const

/** Of POST /upload; the size of a file is a setting of the operator. */
export function uploadLimit(maxUploadBytes: number): string {
  return `A file of at most ${mib(maxUploadBytes)} (--max-upload-mb), and ${formBytes / 1024} KiB of parts beside it.`
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toLocaleString('en')} MiB`
}
