// What the body of a request may have at most, in words, from the limits that the server keeps. The names
// are those of BodyKind in lib/api/request/request.ts.

import { LIMITS } from '../config/limits.ts'

const MIB = 1024 * 1024

const { jsonBytes, credentialBytes, searchBytes, pageBytes, entryBytes, formBytes } = LIMITS
const { jsonDepth, jsonKeys, searchKeys, nestedKeys, bulkKeys } = LIMITS

export const BODY_LIMITS = {
  json: jsonLimit(jsonBytes, jsonKeys),
  credentials: jsonLimit(credentialBytes, jsonKeys),
  search: jsonLimit(searchBytes, searchKeys),
  nested: jsonLimit(jsonBytes, nestedKeys),
  page:
    `${jsonLimit(pageBytes + jsonBytes, jsonKeys)} A text has at most ${mib(pageBytes)}: larger files, and those ` +
    'that are no text, are uploaded.',
  entry: `${jsonLimit(entryBytes, jsonKeys)} What columns have by default counts, too.`,
  bulk: `${jsonLimit(entryBytes, bulkKeys)} What columns have by default counts, too.`,
} as const

/** Of POST /upload; the size of a file is a setting of the operator. */
export function uploadLimit(maxUploadBytes: number): string {
  return `A file of at most ${mib(maxUploadBytes)} (--max-upload-mb), and ${formBytes / 1024} KiB of parts beside it.`
}

function jsonLimit(bytes: number, keys: number): string {
  const most = `${grouped(keys)} keys`
  return `At most ${sizeOf(bytes)} of JSON in UTF-8, with at most ${most}, nested at most ${jsonDepth} deep.`
}

function sizeOf(bytes: number): string {
  return bytes < MIB ? `${bytes / 1024} KiB` : mib(bytes)
}

function mib(bytes: number): string {
  return `${grouped(bytes / MIB)} MiB`
}

/** As in English. Not by toLocaleString, which loads the rules of all languages: a twentieth of a start. */
function grouped(value: number): string {
  const [whole = '', fraction] = String(Math.round(value * 1_000) / 1_000).split('.')
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}
