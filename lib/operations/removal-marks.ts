// Marks of records that are being deleted in many commits. Until the deletion ends they can be read, but nothing new may
// refer to them, and nothing may be created in, or moved to, a marked folder.

import { chainOf } from '../auth/folders.ts'
import { removalKey, removalMark, type RemovedRecord } from '../schema/reference.ts'
import type { Reader } from '../storage/port.ts'

export function isRemovalUnderWay(reader: Reader): boolean {
  return reader.count(removalMark) > 0
}

export function isMarked(reader: Reader, record: RemovedRecord): boolean {
  return reader.get(removalMark, ...removalKey(record)) !== undefined
}

/** Whether the folder, or a folder above it, is about to be deleted. */
export function isFolderMarked(reader: Reader, categoryId: number): boolean {
  if (!isRemovalUnderWay(reader)) return false
  const chain = chainOf(reader, categoryId) ?? []
  return chain.some(({ asset_category_id: id }) => isMarked(reader, folderRecord(id)))
}

export function folderRecord(id: number): RemovedRecord {
  return { object: 'asset_category', module_id: null, id }
}

export function fileRecord(id: number): RemovedRecord {
  return { object: 'asset_file', module_id: null, id }
}
