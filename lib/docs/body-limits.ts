// The size limits of request bodies as sentences, made from the limits that the server enforces. The names are those of
// BodyKind in lib/api/request/request.ts.

import { LIMITS } from '../config/limits.ts'

const MIB = 1024 * 1024

const {
  jsonBytes,
  credentialBytes,
  savedViewsBytes,
  searchBytes,
  pageBytes,
  entryBytes,
  calendarFileBytes,
  formBytes,
} = LIMITS
const { jsonDepth, jsonKeys, searchKeys, nestedKeys, bulkKeys } = LIMITS

export const BODY_LIMITS = {
  json: jsonLimit(jsonBytes, jsonKeys),
  credentials: jsonLimit(credentialBytes, jsonKeys),
  views: jsonLimit(savedViewsBytes, jsonKeys),
  search: jsonLimit(searchBytes, searchKeys),
  nested: jsonLimit(jsonBytes, nestedKeys),
  page:
    `${jsonLimit(pageBytes + jsonBytes, jsonKeys)} A text has at most ${mib(pageBytes)}. Upload larger files ` +
    'and files that are not text.',
  entry: `${jsonLimit(entryBytes, bulkKeys)} Default values of columns count towards the limit.`,
  bulk: `${jsonLimit(entryBytes, bulkKeys)} Default values of columns count towards the limit.`,
  calendar: `An iCalendar file (RFC 5545) of at most ${mib(calendarFileBytes)} in UTF-8.`,
} as const

/** The limits of POST /upload. The operator sets the maximum size of a file. */
export function uploadLimit(maxUploadBytes: number): string {
  return `A file of at most ${mib(maxUploadBytes)} (--max-upload-mb), and at most ${formBytes / 1024} KiB of other parts.`
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

/** Groups digits as in English. toLocaleString would load the rules of all languages, which takes 5 % of the start time. */
function grouped(value: number): string {
  const [whole = '', fraction] = String(Math.round(value * 1_000) / 1_000).split('.')
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}
