// Output of commands. Names, addresses and texts from servers are untrusted: control sequences in them must not
// reach the terminal.

import { shown, shownLines } from '../schema/visible.ts'

export function printLine(line: string): void {
  console.log(shown(line))
}

/** Error output of the command-line parser, which repeats arguments. */
export const SHOWN_OUTPUT = Object.freeze({
  writeErr: (text: string) => void process.stderr.write(shownLines(text)),
})

type Cell = string | number

/** Prints a plain table to stdout; each column is as wide as its widest cell. */
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
