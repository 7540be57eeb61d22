// Creates a directory and its missing parents. `mkdir` with `recursive` never returns on a file system that
// reports an existing parent as missing, as /proc does.

import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns the topmost directory that was created, or undefined if all existed. New directories get `mode`; by
 * default only their owner has access. Throws errors of the operating system.
 */
export function makeDirectory(path: string, mode = 0o700): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined
  const above = dirname(path)
  const made = above === path ? undefined : makeDirectory(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!statSync(path).isDirectory()) throw error
  }
  return made ?? path
}
