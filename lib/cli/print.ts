// What commands print. Names, addresses and what a server says come from others: nothing of them reaches a
// terminal that would obey it, or show something else than there is.

import { shown, shownLines } from '../schema/visible.ts'

export function printLine(line: string): void {
  console.log(shown(line))
}

/** What the parser of the command line says of arguments. */
export const SHOWN_OUTPUT = Object.freeze({
  writeErr: (text: string) => void process.stderr.write(shownLines(text)),
})
