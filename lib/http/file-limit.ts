// How many files the process may have open: each connection is one, and so is the file that it is sent. Node
// raises the soft limit to the hard one at its start, so what is told here is all there is.

import { readFileSync } from 'node:fs'

/** Of the records, the log, the contents that workers write, and what they read. */
const OWN_FILES = 256

/** Files that so many connections need, those included that are refused. */
export function filesNeeded(connections: number): number {
  return 2 * connections + OWN_FILES
}

/** Undefined where the system does not say. */
export function readFileLimit(): number | undefined {
  try {
    const [, limit] =
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
