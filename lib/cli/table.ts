// Prints a plain table to stdout; each column is as wide as its widest cell.

import { shown } from '../schema/visible.ts'

type Cell = string | number

export function printTable(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [head, ...rows].map((row) => row.map((cell) => shown(String(cell))))
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}
