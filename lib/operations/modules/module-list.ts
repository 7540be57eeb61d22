// All modules of the site, for those who tell of them without telling what is in them, and which of them a
// caller may see.

import type { Caller } from '../../auth/caller.ts'
import { chainOf } from '../../auth/folders.ts'
import { grantsAt } from '../../auth/grants.ts'
import { MODULE_KINDS, MODULE_OBJECTS, type ModuleKind } from '../../schema/module.ts'
import { openTurns } from '../../schema/time-slicing.ts'
import type { Services } from '../context.ts'
import type { Module } from './module-cache.ts'

export interface ListedModule {
  /** Unique among the modules. */
  readonly key: string
  /** Undefined where the caller may not see it: nothing of it was looked at but its folder. */
  readonly shown: ShownModule | undefined
}

export interface ModuleKey {
  readonly kind: ModuleKind
  readonly id: number
}

interface ShownModule {
  readonly name: string
  /** Changes whenever the module does, but not with its entries. */
  readonly revision: string
  /** Undefined when it was removed just now. */
  readonly load: () => Module | undefined
}

/**
 * In the order of their identifiers, about 10 ms at a stretch; none of a deleted folder. To a caller those are shown in
 * whose folder it holds some grant, as in every other answer; without one all are.
 */
export async function* listModules(
  services: Services,
  caller: Caller | undefined,
): AsyncGenerator<ListedModule> {
  const { records } = services
  const turns = openTurns()

  for (const kind of MODULE_KINDS) {
    for (const [part] of records.list(MODULE_OBJECTS[kind].recordType, [])) {
      const id = Number(part)
      if (turns.isOver(0)) await turns.next()
      const found = findListedModule(services, caller, { kind, id })
      if (found !== undefined) yield found
    }
  }
}

/** One of the list; undefined where there is none. */
export function findListedModule(
  services: Services,
  caller: Caller | undefined,
  { kind, id }: ModuleKey,
): ListedModule | undefined {
  const { records, modules } = services
  const key = `${kind}/${id}`
  const stored = records.get(MODULE_OBJECTS[kind].recordType, id)
  if (stored === undefined) return undefined
  const { name, parent_category_id: folderId } = stored.value
  if (caller !== undefined && grantsAt(records, caller, folderId).size === 0)
    return { key, shown: undefined }

  const revision = modules.revisionOf(records, kind, id)
  if (revision === undefined || isBeingCleared(services, kind, id)) return undefined
  return { key, shown: { name, revision, load: () => modules.find(records, kind, id) } }
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
