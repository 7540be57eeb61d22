// Clears away the subtree of a folder that was deleted.

import { assetCategory } from '../../schema/asset-category.ts'
import { audit, type Doer } from '../../schema/audit.ts'
import { goneFolder } from '../../schema/change-log.ts'
import type { Unit } from '../../storage/port.ts'
import type { GoneContents, Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import { finishWork } from '../pending-work.ts'
import { commitTold } from '../trail/audit.ts'

export interface Purge {
  readonly categoryId: number
  readonly doer: Doer
}

/** In commits small enough to leave room for others. */
export async function runPurge(
  services: Services,
  workId: string,
  { categoryId, doer }: Purge,
): Promise<void> {
  services.purging.add(categoryId)
  // Deepest first: a folder keeps its record, and so its place in the subtree, until it is empty.
  const path = [categoryId]
  for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
    const below = idsInFolder(services.records, assetCategory, next, services.limits.purgeBatch)
    if (below.length > 0) path.push(...below)
    else await purgeFolder(services, { categoryId: Number(path.pop()), doer })
  }
  await finishWork(services.records, workId)
  // Not where it failed: what is left stays out of every search until the next start goes on.
  services.purging.delete(categoryId)
}

async function purgeFolder(services: Services, folder: GoneContents): Promise<void> {
  for (const { clear } of services.folderContents) await clear(services, folder)
  const { doer, categoryId } = folder
  await commitTold(services, { doer, plan: (unit) => removeFolder(unit, categoryId) })
}

/** Notes where it lay; of one that is gone already, that nothing of it is left. */
export function removeFolder(unit: Unit, id: number): void {
  const folder = unit.get(assetCategory.recordType, id)?.value ?? unit.get(goneFolder, id)?.value
  const sequence = unit.highestId(audit.recordType)
  if (folder !== undefined) {
    const { name, parent_category_id } = folder
    unit.put(goneFolder, [id], {
      ...(name !== undefined && { name }),
      parent_category_id,
      sequence,
    })
  }
  unit.remove(assetCategory.recordType, id)
}
