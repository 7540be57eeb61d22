// Background work on all entries of a module: building an index, dropping an index, dropping a module.

import { type ModuleWork, pendingWork } from '../../schema/pending-work.ts'
import { entryTypeName } from '../../schema/entry.ts'
import type { LayoutColumn, UniqueGroup } from '../../schema/layout.ts'
import { moduleLayout } from '../../schema/module.ts'
import type { Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { finishWork, runWork } from '../pending-work.ts'

export interface NewWork {
  readonly id: string
  readonly work: ModuleWork
}

/**
 * Runs module work in the background. The indexes of one module are built together, so that each entry is read once.
 * The promise resolves when all work has ended, with or without success.
 */
export function startModuleWorks(services: Services, works: readonly NewWork[]): Promise<unknown> {
  const builds = new Map<string, Build[]>()
  const runs: Promise<void>[] = []
  for (const { id: workId, work } of works) {
    if (work.kind === 'build-index') {
      const key = `${work.module}/${work.id}`
      builds.set(key, [...(builds.get(key) ?? []), { workId, work }])
    } else {
      const run = (signal: AbortSignal) => runDrop(services, { workId, work, signal })
      runs.push(runWork(services, { name: work.kind, workId, run }))
    }
  }
  for (const [first, ...others] of builds.values()) {
    if (first === undefined) continue
    const all = [first, ...others] as const
    const run = (signal: AbortSignal) => runBuilds(services, all, signal)
    runs.push(runWork(services, { name: 'build-index', workId: first.workId, run }))
  }
  return Promise.all(runs)
}

type BuildIndex = Extract<ModuleWork, { kind: 'build-index' }>

interface Drop {
  readonly workId: string
  readonly work: Exclude<ModuleWork, BuildIndex>
  readonly signal: AbortSignal
}

async function runDrop({ records }: Services, { workId, work, signal }: Drop): Promise<void> {
  if (work.kind === 'drop-index') await records.dropIndex(work.type, work.key, signal)
  else await records.dropType(work.type, signal)
  await finishWork(records, workId)
}

interface Build {
  readonly workId: string
  readonly work: BuildIndex
}

/**
 * Expects builds of one module. If a column was renamed in the meantime, its rows may be wrong and its index is built
 * again.
 */
async function runBuilds(
  services: Services,
  builds: readonly [Build, ...Build[]],
  signal: AbortSignal,
): Promise<void> {
  const { records, modules } = services
  const [
    {
      work: { module, id },
    },
  ] = builds
  const typeName = entryTypeName(module, id)
  let left: readonly Build[] = builds

  while (left.length > 0) {
    const entry = modules.find(records, module, id)?.entry
    const { columns: items = [], uniques = [] } = entry?.layout ?? {}
    const columns = new Map([...items, ...uniques].map((item) => [item.key, item]))
    for (const { workId, work } of left.filter((build) => !columns.has(build.work.key))) {
      await records.dropIndex(typeName, work.key, signal)
      await finishWork(records, workId)
    }
    const found = left.flatMap(({ workId, work }) => {
      const column = columns.get(work.key)
      return column === undefined ? [] : [{ workId, work, column }]
    })
    if (entry === undefined || found.length === 0) return

    const keys = found.map(({ work }) => work.key)
    await records.buildIndexes(entry.object.recordType, keys, signal)
    left = await records.commit((unit) => markIndexed(unit, found))
    for (const { work } of left) await records.dropIndex(typeName, work.key, signal)
  }
}

interface Built extends Build {
  readonly column: LayoutColumn | UniqueGroup
}

/** Marks the indexes as usable; returns the builds whose column was renamed in the meantime. */
function markIndexed(unit: Unit, found: readonly Built[]): readonly Build[] {
  const [first] = found
  if (first === undefined) return []
  const { module, id } = first.work
  const layout = unit.get(moduleLayout, module, id)?.value
  const { columns: items = [], uniques = [] } = layout ?? {}
  const columns = new Map([...items, ...uniques].map((item) => [item.key, item]))
  // A group whose columns are renamed gets another key.
  const isSame = ({ work: { key }, column }: Built): boolean =>
    namesOf(columns.get(key)).length === namesOf(column).length
  const done = new Set(found.filter(isSame).map((build) => build.work.key))
  if (layout === undefined || done.size === 0) return found

  const marked = <T extends LayoutColumn | UniqueGroup>(list: readonly T[]): readonly T[] =>
    list.map((item) => (done.has(item.key) ? { ...item, isIndexed: true } : item))
  const next = {
    ...layout,
    columns: marked(layout.columns),
    ...(layout.uniques && { uniques: marked(layout.uniques) }),
  }
  unit.put(moduleLayout, [module, id], next)
  for (const build of found) if (done.has(build.work.key)) unit.remove(pendingWork, build.workId)
  return found.filter((build) => !done.has(build.work.key))
}

function namesOf(item: LayoutColumn | UniqueGroup | undefined): readonly unknown[] {
  if (item === undefined) return []
  return 'names' in item ? item.names : item.columns
}
