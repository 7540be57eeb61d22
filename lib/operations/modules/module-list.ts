// Lists all modules of the site, without their entries, and whether a caller may see them.

import type { Caller } from '../../auth/caller.ts'
import { chainOf } from '../../auth/folders.ts'
import { grantsAt } from '../../auth/grants.ts'
import { MODULE_KINDS, MODULE_OBJECTS, type ModuleKind } from '../../schema/module.ts'
import { openTurns } from '../../schema/time-slicing.ts'
import type { Services } from '../context.ts'
import type { Module } from './module-cache.ts'

export interface ListedModule {
  /** Unique among all modules. */
  readonly key: string
  /** Undefined if the caller may not see the module; only its folder was read then. */
  readonly shown: ShownModule | undefined
}

export interface ModuleKey {
  readonly kind: ModuleKind
  readonly id: number
}

interface ShownModule {
  readonly name: string
  /** Changes whenever the module changes, but not with its entries. */
  readonly revision: string
  /** Undefined if the module was just removed. */
  readonly load: () => Module | undefined
}

/**
 * In the order of identifiers, in time slices of about 10 ms; modules of deleted folders are left out. A caller sees
 * the modules of folders in which it holds a grant; without a caller all modules are visible.
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

/** One module of the list; undefined if it does not exist. */
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

/** The folder of the module was deleted, so the module is about to be removed. */
function isBeingCleared(
  { records, modules, purging }: Services,
  kind: ModuleKind,
  id: number,
): boolean {
  if (purging.size === 0) return false
  const module = modules.find(records, kind, id)
  return module === undefined || chainOf(records, module.record.parent_category_id) === undefined
}
