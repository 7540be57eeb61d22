// Names of folders and files, where the disk and the server see them differently.

import { sep } from 'node:path'

const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Why a name on disk cannot be sent at all, or undefined. Whether a name is good is for the server
 * to say; these would not reach it as they are.
 */
export function importFault(name: string): string | undefined {
  // Bytes that are not UTF-8 arrive from the disk as U+FFFD.
  if (name.includes('\ufffd')) return 'its name is not UTF-8'
  if (CONTROL.test(name)) return 'its name must not hold control characters'
  return undefined
}

/** Why a name of the server cannot be one on disk, or undefined. */
export function exportFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'its name means another place on disk'
  if (/[/\0\p{Surrogate}]/u.test(name) || name.includes(sep)) {
    return 'its name cannot be written on disk'
  }
  return undefined
}

export function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
