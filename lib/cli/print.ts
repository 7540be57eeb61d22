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
