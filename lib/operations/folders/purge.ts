// Removes the subtree of a deleted folder.

import { assetCategory } from '../../schema/asset-category.ts'
import { audit, type Doer } from '../../schema/audit.ts'
import { goneFolder } from '../../schema/change-log.ts'
import type { Unit } from '../../storage/port.ts'
import type { GoneContents, Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import { finishWork } from '../pending-work.ts'
import { commitAudited } from '../trail/audit.ts'

export interface Purge {
  readonly categoryId: number
  readonly doer: Doer
}

/** Uses commits small enough to let other commits through. */
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
  // Skipped after an error: the rest stays hidden from searches until the next start resumes the work.
  services.purging.delete(categoryId)
}

async function purgeFolder(services: Services, folder: GoneContents): Promise<void> {
  for (const { clear } of services.folderContents) await clear(services, folder)
  const { doer, categoryId } = folder
  await commitAudited(services, { doer, plan: (unit) => removeFolder(unit, categoryId) })
}

/** Removes a folder and stores where it lay. If the folder is gone already, stores that its subtree is removed. */
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
