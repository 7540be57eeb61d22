// Writes entries as CSV (RFC 4180), like the command line: an empty cell is no value, "" is the empty text, so that
// an export can be imported unchanged. Exports for spreadsheets are guarded (formula-guard.ts). In a list of one
// column, "" means no value, because an empty line is not a row.

import type { Entry, EntryValue } from '../../client/module-paths.ts'

/** `guard` changes the text of cells. */
export function csvLines(
  rows: readonly Entry[],
  names: readonly string[],
  guard: (text: string) => string,
): Uint8Array<ArrayBuffer> {
  const isAlone = names.length === 1
  const guarded = (value: EntryValue | undefined): EntryValue | undefined =>
    typeof value === 'string' ? guard(value) : value
  const lines = rows.map((row) =>
    names.map((name) => cellOf(guarded(row[name]), isAlone)).join(','),
  )
  return encode(lines)
}

export function csvHead(names: readonly string[]): Uint8Array<ArrayBuffer> {
  return encode([names.map((name) => quoted(name)).join(',')])
}

export function csvLine(cells: readonly (string | null)[]): string {
  return cells.map((cell) => cellOf(cell, false)).join(',')
}

export function encode(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(''))
}

function cellOf(value: EntryValue | undefined, isAlone: boolean): string {
  if (value === null || value === undefined) return isAlone ? '""' : ''
  return value === '' ? '""' : quoted(String(value))
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$|^\uFEFF/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
