// Work that a commit has promised and that happens after it: removing the bytes of deleted files,
// clearing away the subtree of a deleted folder. A row in the same commit makes a crash forget none.

import { randomUUID } from 'node:crypto'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile, type AssetFileVersion, assetFileVersion } from '../schema/asset-file.ts'
import { pendingWork } from '../schema/catalog.ts'
import { type FileGroup, fileGroup } from '../schema/file-group.ts'
import { valueOf } from '../schema/record.ts'
import type { ContentName, RecordType, Unit } from '../storage/port.ts'
import type { Services } from './context.ts'

export type Work =
  | {
      readonly kind: 'remove'
      readonly contents: readonly { readonly fileId: number; readonly uid: string }[]
    }
  | { readonly kind: 'purge'; readonly asset_category_id: number }

export function newWorkId(): string {
  return randomUUID()
}

export function putWork(unit: Unit, workId: string, work: Work): void {
  unit.put(pendingWork, [workId], work)
}

/** Removes the bytes that a `remove` row names, then the row. */
export async function runRemove(
  { records, contents }: Pick<Services, 'records' | 'contents'>,
  workId: string,
  names: readonly ContentName[],
): Promise<void> {
  await contents.remove(names)
  await finish(records, workId)
}

/** Clears away the subtree of a folder that is gone, in commits small enough to leave room for others. */
export async function runPurge(
  services: Services,
  workId: string,
  categoryId: number,
): Promise<void> {
  services.purging.add(categoryId)
  try {
    // Deepest first: a folder keeps its record, and so its place in the subtree, until it is empty.
    const path = [categoryId]
    for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
      const below = children(services, assetCategory.recordType, next)
      if (below.length > 0) path.push(...below)
      else await purgeFolder(services, Number(path.pop()))
    }
    await finish(services.records, workId)
  } finally {
    services.purging.delete(categoryId)
  }
}

/** Finishes what a stop interrupted. Called at start, before the server listens. */
export async function resumeWork(services: Services): Promise<number> {
  const ids = services.records.list(pendingWork, [])
  for (const [id] of ids) {
    const stored = services.records.get(pendingWork, String(id))
    if (stored === undefined) continue
    const work = valueOf<Work>(stored)
    if (work.kind === 'remove') await runRemove(services, String(id), work.contents)
    else await runPurge(services, String(id), work.asset_category_id)
  }
  return ids.length
}

/** Removes a file, its versions and its places in groups; the bytes to remove after the commit. */
export function removeFileRecords(unit: Unit, fileId: number, now: string): readonly ContentName[] {
  const uids = new Set<string>()
  for (const ids of unit.list(assetFileVersion, [fileId])) {
    const stored = unit.get(assetFileVersion, ...ids)
    if (stored !== undefined) uids.add(valueOf<AssetFileVersion>(stored).uid)
    unit.remove(assetFileVersion, ...ids)
  }
  for (const [groupId] of unit.lookup(fileGroup.recordType, 'asset_file_ids', [fileId])) {
    leaveGroup(unit, Number(groupId), fileId, now)
  }
  unit.remove(assetFile.recordType, fileId)
  return [...uids].map((uid) => ({ fileId, uid }))
}

function leaveGroup(unit: Unit, groupId: number, fileId: number, now: string): void {
  const stored = unit.get(fileGroup.recordType, groupId)
  if (stored === undefined) return
  const group = valueOf<FileGroup>(stored)
  const asset_file_ids = (group.asset_file_ids ?? []).filter((id) => id !== fileId)
  unit.put(fileGroup.recordType, [groupId], { ...group, asset_file_ids, date_modified: now })
}

async function purgeFolder(services: Services, categoryId: number): Promise<void> {
  const { records, limits } = services
  const files = (): readonly number[] =>
    children(services, assetFile.recordType, categoryId, limits.purgeBatch)

  for (let batch = files(); batch.length > 0; batch = files()) {
    const workId = newWorkId()
    const names = await records.commit((unit) => {
      const now = services.now().toISOString()
      const removed = batch.flatMap((id) => removeFileRecords(unit, id, now))
      putWork(unit, workId, { kind: 'remove', contents: removed })
      return removed
    })
    await runRemove(services, workId, names)
  }

  await records.commit((unit) => {
    for (const [id] of unit.lookup(fileGroup.recordType, 'parent_category_id', [categoryId])) {
      unit.remove(fileGroup.recordType, Number(id))
    }
    unit.remove(assetCategory.recordType, categoryId)
  })
}

function children(
  { records }: Services,
  type: RecordType,
  categoryId: number,
  limit?: number,
): readonly number[] {
  return records.lookup(type, 'parent_category_id', [categoryId], limit).map(([id]) => Number(id))
}

async function finish(records: Services['records'], workId: string): Promise<void> {
  await records.commit((unit) => unit.remove(pendingWork, workId))
}
