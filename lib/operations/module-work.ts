// Work on all entries of a module: a new index, an index that is gone, a module that is gone.

import { pendingWork } from '../schema/catalog.ts'
import { entryTypeName } from '../schema/entry.ts'
import type { Layout, LayoutColumn } from '../schema/layout.ts'
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
  if (work.kind === 'build-index') return runBuild(services, { workId, work, signal })
  if (work.kind === 'drop-index') await records.dropIndex(work.type, work.key, signal)
  else await records.dropType(work.type, signal)
  await finishWork(records, workId)
}

type BuildIndex = Extract<ModuleWork, { kind: 'build-index' }>

/** A new name meanwhile may have made rows that are wrong now: then it begins again. */
async function runBuild(
  services: Services,
  { workId, work, signal }: WorkRun & { readonly work: BuildIndex },
): Promise<void> {
  const { records, modules } = services
  for (;;) {
    const entry = modules.find(records, work.module, work.id)?.entry
    const column = entry?.layout.columns.find((item) => item.key === work.key)
    if (entry === undefined || column === undefined) break

    await records.buildIndex(entry.object.recordType, work.key, signal)
    const isDone = await records.commit((unit) => {
      const isSame = markIndexed(unit, work, column)
      if (isSame) unit.remove(pendingWork, workId)
      return isSame
    })
    if (isDone) return
    await records.dropIndex(entry.object.recordType.name, work.key, signal)
  }
  await records.dropIndex(entryTypeName(work.module, work.id), work.key, signal)
  await finishWork(records, workId)
}

/** From now on searches use the index; false when the column is not the one that it was built for. */
function markIndexed(unit: Unit, { module, id, key }: BuildIndex, built: LayoutColumn): boolean {
  const stored = unit.get(moduleLayout, module, id)
  const layout = stored && valueOf<Layout>(stored)
  const column = layout?.columns.find((item) => item.key === key)
  if (layout === undefined || column?.names.length !== built.names.length) return false
  const columns = layout.columns.map((item) =>
    item.key === key ? { ...item, isIndexed: true } : item,
  )
  unit.put(moduleLayout, [module, id], { ...layout, columns } as unknown as JsonObject)
  return true
}
