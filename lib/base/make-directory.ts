// A directory with all that is missing above it. Node's own way, mkdir with `recursive`, never ends where a file system
// says that the directory above is missing although it is there, as /proc does.

import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The topmost directory that was made; undefined where all were there. They have the mode, by default for their owner alone.
 * Throws errors of the operating system.
 */
export function makeDirectory(path: string, mode = 0o700): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined
  const above = dirname(path)
  const made = above === path ? undefined : makeDirectory(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!statSync(path).isDirectory()) throw error
  }
  return made ?? path
}
