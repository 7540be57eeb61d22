// Removes what a deleted file, folder or module leaves: records in the commit of the deletion, all
// else in small commits after it.

import { assetCategory } from '../schema/asset-category.ts'
import { type AssetFileVersion, assetFile, assetFileVersion } from '../schema/asset-file.ts'
import { entryTypeName } from '../schema/entry.ts'
import { type FileGroup, fileGroup } from '../schema/file-group.ts'
import {
  MODULE_KINDS,
  MODULE_OBJECTS,
  type ModuleKind,
  moduleLayout,
  moduleNumbers,
} from '../schema/module.ts'
import { valueOf } from '../schema/record.ts'
import type { ContentName, RecordType, Unit } from '../storage/port.ts'
import type { Services } from './context.ts'
import { startModuleWorks } from './module-work.ts'
import { finishWork, type ModuleWork, newWorkId, putWork, runRemove } from './pending-work.ts'

/** Clears away the subtree of a folder that is gone, in commits small enough to leave room for others. */
export async function runPurge(
  services: Services,
  workId: string,
  categoryId: number,
): Promise<void> {
  services.purging.add(categoryId)
  // Deepest first: a folder keeps its record, and so its place in the subtree, until it is empty.
  const path = [categoryId]
  for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
    const below = children(services, assetCategory.recordType, next)
    if (below.length > 0) path.push(...below)
    else await purgeFolder(services, Number(path.pop()))
  }
  await finishWork(services.records, workId)
  // Not where it failed: what is left stays out of every search until the next start goes on.
  services.purging.delete(categoryId)
}

/** Removes the record of a module, and notes that its entries are to go. */
export function removeModuleRecords(
  unit: Unit,
  workId: string,
  { kind, id }: { readonly kind: ModuleKind; readonly id: number },
): ModuleWork {
  const work: ModuleWork = { kind: 'drop-type', type: entryTypeName(kind, id) }
  unit.remove(MODULE_OBJECTS[kind].recordType, id)
  unit.remove(moduleLayout, kind, id)
  unit.remove(moduleNumbers, kind, id)
  putWork(unit, workId, work)
  return work
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

  await purgeModules(services, categoryId)
  await records.commit((unit) => {
    for (const [id] of unit.lookup(fileGroup.recordType, 'parent_category_id', [categoryId])) {
      unit.remove(fileGroup.recordType, Number(id))
    }
    unit.remove(assetCategory.recordType, categoryId)
  })
}

async function purgeModules(services: Services, categoryId: number): Promise<void> {
  for (const kind of MODULE_KINDS) {
    for (const id of children(services, MODULE_OBJECTS[kind].recordType, categoryId)) {
      const workId = newWorkId()
      const work = await services.records.commit((unit) =>
        removeModuleRecords(unit, workId, { kind, id }),
      )
      startModuleWorks(services, [{ id: workId, work }])
    }
  }
}

function children(
  { records }: Services,
  type: RecordType,
  categoryId: number,
  limit?: number,
): readonly number[] {
  return records.lookup(type, 'parent_category_id', [categoryId], limit).map(([id]) => Number(id))
}
