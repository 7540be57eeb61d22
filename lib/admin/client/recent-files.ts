// The files that a person has inserted or opened last, and the folder of the last one, as stored in this browser.

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

/** The folder from which the person has chosen a file last, or to which a file was uploaded. */
export function pickedFolder(userId: number): number | undefined {
  const id = Number(readStored(folderName(userId)))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

export function notePickedFolder(userId: number, folderId: number): void {
  writeStored(folderName(userId), String(folderId))
}

function folderName(userId: number): string {
  return `cms.picked-folder.${userId}`
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
