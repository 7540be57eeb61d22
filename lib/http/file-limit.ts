// The limit of open files of the process. Each connection needs a file descriptor, and so does the file that is sent over it.
// Node raises the soft limit to the hard limit at start, so the reported limit cannot be raised further.

import { readFileSync } from 'node:fs'

/** Files for the records, the log, and the contents that workers read and write. */
const OWN_FILES = 256

/** The number of files that this number of connections needs, including refused connections. */
export function filesNeeded(connections: number): number {
  return 2 * connections + OWN_FILES
}

/** Undefined if the system does not report the limit. */
export function readFileLimit(): number | undefined {
  try {
    const [, limit] =
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
