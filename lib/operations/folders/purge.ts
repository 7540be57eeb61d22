// Clears away the subtree of a folder that was deleted.

import { assetCategory } from '../../schema/asset-category.ts'
import type { Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import { finishWork } from '../pending-work.ts'

/** In commits small enough to leave room for others. */
export async function runPurge(
  services: Services,
  workId: string,
  categoryId: number,
): Promise<void> {
  services.purging.add(categoryId)
  // Deepest first: a folder keeps its record, and so its place in the subtree, until it is empty.
  const path = [categoryId]
  for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
    const below = idsInFolder(services.records, assetCategory, next, services.limits.purgeBatch)
    if (below.length > 0) path.push(...below)
    else await purgeFolder(services, Number(path.pop()))
  }
  await finishWork(services.records, workId)
  // Not where it failed: what is left stays out of every search until the next start goes on.
  services.purging.delete(categoryId)
}

async function purgeFolder(services: Services, categoryId: number): Promise<void> {
  for (const { clear } of services.folderContents) await clear(services, categoryId)
  await services.records.commit((unit) => unit.remove(assetCategory.recordType, categoryId))
}
