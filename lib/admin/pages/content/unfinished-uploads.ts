// Addresses of resumable uploads that this browser has begun. After a reload, the same file is recognized by its name,
// size and date, and its upload continues.

import { parseJson, readStored, writeStored } from '../../client/stored.ts'

const NAME = 'cms-uploads'
/** The oldest entries are dropped first. */
const MOST = 50

/** Identifies an upload: the file and its target. */
export function uploadKey(file: File, target: readonly string[]): string {
  return JSON.stringify([...target, file.name, file.size, file.lastModified])
}

export function findUnfinished(key: string): string | undefined {
  return readAll().find(([known]) => known === key)?.[1]
}

/** Without an address, the upload is forgotten. */
export function noteUnfinished(key: string, address: string | undefined): void {
  const others = readAll().filter(([known]) => known !== key)
  const all = address === undefined ? others : [...others, [key, address]]
  writeStored(NAME, all.length === 0 ? undefined : JSON.stringify(all.slice(-MOST)))
}

function readAll(): readonly (readonly [string, string])[] {
  const value = parseJson(readStored(NAME))
  if (!Array.isArray(value)) return []
  return value.filter(
    (entry): entry is [string, string] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string',
  )
}
