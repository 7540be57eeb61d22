// The files that a person has inserted or opened last, as stored in this browser.

import { recentlyOpened } from './recent.ts'
import { parseJson, readStored, writeStored } from './stored.ts'

const MOST = 24

/** Identifiers of files: inserted files, the latest first, then opened files. */
export function recentFiles(userId: number): readonly number[] {
  const opened = recentlyOpened(userId).flatMap(({ object, object_id: id }) =>
    object === 'asset_file' ? [id] : [],
  )
  return [...new Set([...insertedFiles(userId), ...opened])]
}

export function noteRecentFile(userId: number, fileId: number): void {
  const others = insertedFiles(userId).filter((id) => id !== fileId)
  writeStored(nameFor(userId), JSON.stringify([fileId, ...others].slice(0, MOST)))
}

function insertedFiles(userId: number): readonly number[] {
  const stored: unknown = parseJson(readStored(nameFor(userId)))
  if (!Array.isArray(stored)) return []
  return stored.filter((id: unknown): id is number => Number.isSafeInteger(id))
}

/** Several people may use the same browser. */
function nameFor(userId: number): string {
  return `cms.recent-files.${userId}`
}
