// Follows references for one answer: finds each module once, as the caller sees it, and notices changes of its columns.

import type { ModuleKind } from '../../schema/module.ts'
import type { Context } from '../context.ts'
import { seenModule } from './find-module.ts'
import type { Module } from './module-cache.ts'

export interface Following {
  readonly context: Context
  /** Undefined if the caller may not see the module. */
  readonly find: (kind: ModuleKind, id: number) => Module | undefined
  /** False if a module has changed since it was found: what was read with its columns may be wrong. */
  readonly isCurrent: () => boolean
}

export function followReferences(context: Context): Following {
  const { modules, records } = context
  const found = new Map<string, Module | undefined>()
  return {
    context,
    find(kind, id) {
      const name = `${kind}/${id}`
      if (!found.has(name)) found.set(name, seenModule(context, kind, id))
      return found.get(name)
    },
    isCurrent: () =>
      [...found.values()].every(
        (module) =>
          module === undefined ||
          modules.revisionOf(records, module.kind, module.id) === module.revision,
      ),
  }
}
