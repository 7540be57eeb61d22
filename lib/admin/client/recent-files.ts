// The files that a person has edited or inserted last, as stored in this browser.

import { parseJson, readStored, writeStored } from './stored.ts'

const MOST = 24

/** Identifiers of files, the latest first. */
export function recentFiles(userId: number): readonly number[] {
  const stored = parseJson(readStored(nameFor(userId)))
  return Array.isArray(stored) ? stored.filter((id) => Number.isSafeInteger(id)) : []
}

export function noteRecentFile(userId: number, fileId: number): void {
  const others = recentFiles(userId).filter((id) => id !== fileId)
  writeStored(nameFor(userId), JSON.stringify([fileId, ...others].slice(0, MOST)))
}

/** Several people may use the same browser. */
function nameFor(userId: number): string {
  return `cms.recent-files.${userId}`
}
