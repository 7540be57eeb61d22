// Work on all entries of a module: a new index, an index that is gone, a module that is gone.

import { pendingWork } from '../schema/catalog.ts'
import type { Layout } from '../schema/layout.ts'
import { moduleLayout } from '../schema/module.ts'
import { valueOf } from '../schema/record.ts'
import type { JsonObject, Unit } from '../storage/port.ts'
import type { Services } from './context.ts'
import { finishWork, type ModuleWork } from './pending-work.ts'

export interface WorkRun {
  readonly workId: string
  readonly work: ModuleWork
  readonly signal: AbortSignal
}

export async function runModuleWork(
  services: Services,
  { workId, work, signal }: WorkRun,
): Promise<void> {
  const { records } = services
  if (work.kind === 'drop-index') await records.dropIndex(work.type, work.key, signal)
  if (work.kind === 'drop-type') await records.dropType(work.type, signal)
  if (work.kind === 'build-index') {
    const module = services.modules.find(records, work.module, work.id)
    if (module !== undefined)
      await records.buildIndex(module.entry.object.recordType, work.key, signal)
    await records.commit((unit) => {
      markIndexed(unit, work)
      unit.remove(pendingWork, workId)
    })
    return
  }
  await finishWork(records, workId)
}

/** From now on searches use the index. */
function markIndexed(
  unit: Unit,
  { module, id, key }: Extract<ModuleWork, { kind: 'build-index' }>,
): void {
  const stored = unit.get(moduleLayout, module, id)
  if (stored === undefined) return
  const layout = valueOf<Layout>(stored)
  const columns = layout.columns.map((item) =>
    item.key === key ? { ...item, isIndexed: true } : item,
  )
  unit.put(moduleLayout, [module, id], { ...layout, columns } as unknown as JsonObject)
}
