// Checks names of folders and files for which the disk and the server have different rules.

import { sep } from 'node:path'

const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Why a name on disk cannot be sent, or undefined. The server checks all other rules; these names would not
 * reach it unchanged.
 */
export function importFault(name: string): string | undefined {
  // Bytes that are not UTF-8 are read from disk as U+FFFD.
  if (name.includes('\ufffd')) return 'its name is not valid UTF-8'
  if (CONTROL.test(name)) return 'its name must not contain control characters'
  return undefined
}

/** Why a name from the server cannot be used on disk, or undefined. */
export function exportFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'its name has a special meaning on disk'
  if (/[/\0\p{Surrogate}]/u.test(name) || name.includes(sep)) {
    return 'its name cannot be written on disk'
  }
  return undefined
}

export function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
