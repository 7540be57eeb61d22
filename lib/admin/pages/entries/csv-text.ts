// Entries as CSV (RFC 4180), as the command line writes it, too: an empty cell is no value, "" the empty text, so that
// what goes out for an import comes in again as it was. What goes out for a spreadsheet is guarded: see formula-guard.ts. A list of one column has "" for no value: a line without anything is no row.

import type { Entry, EntryValue } from '../../client/module-paths.ts'

/** `guard` changes the texts of cells. */
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
