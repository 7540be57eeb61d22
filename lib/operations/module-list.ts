// All modules of the site, for those who tell of them without telling what is in them.

import { setImmediate } from 'node:timers/promises'
import { chainOf } from '../auth/folders.ts'
import { MODULE_KINDS, MODULE_OBJECTS, type ModuleKind } from '../schema/module.ts'
import type { Services } from './context.ts'
import type { Module } from './module-cache.ts'

const SLICE_MS = 10

export interface ListedModule {
  /** Unique among the modules. */
  readonly key: string
  /** Changes whenever the module does, but not with its entries. */
  readonly revision: string
  /** Undefined when it was removed just now. */
  readonly load: () => Module | undefined
}

/** In the order of their identifiers, about 10 ms at a stretch; none of a deleted folder. */
export async function* listModules(services: Services): AsyncGenerator<ListedModule> {
  const { records, modules } = services
  let sliceEnd = performance.now() + SLICE_MS

  for (const kind of MODULE_KINDS) {
    for (const [part] of records.list(MODULE_OBJECTS[kind].recordType, [])) {
      const id = Number(part)
      if (performance.now() >= sliceEnd) {
        await setImmediate()
        sliceEnd = performance.now() + SLICE_MS
      }
      const revision = modules.revisionOf(records, kind, id)
      if (revision === undefined || isBeingCleared(services, kind, id)) continue
      yield { key: `${kind}/${id}`, revision, load: () => modules.find(records, kind, id) }
    }
  }
}

/** The folder of the module was deleted, and the module goes with it. */
function isBeingCleared(
  { records, modules, purging }: Services,
  kind: ModuleKind,
  id: number,
): boolean {
  if (purging.size === 0) return false
  const module = modules.find(records, kind, id)
  return module === undefined || chainOf(records, module.record.parent_category_id) === undefined
}
