// Modules prepared for use: the record, and the object type of the entries. Rebuilt when the record or the layout
// changes.

import { LRUCache } from 'lru-cache'
import { upTo } from '../../base/cache-bound.ts'
import type { Caller } from '../../auth/caller.ts'
import { CmsError } from '../../base/errors.ts'
import { buildEntryType, type EntryType } from '../../schema/entry.ts'
import type { Layout } from '../../schema/layout.ts'
import type { Match } from '../../schema/match.ts'
import {
  MODULE_OBJECTS,
  type ModuleKind,
  type ModuleRecord,
  moduleLayout,
} from '../../schema/module.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'

export interface Module {
  readonly kind: ModuleKind
  readonly id: number
  /** Combines the revisions of the record and of the layout. */
  readonly revision: string
  readonly record: ModuleRecord
  readonly entry: EntryType
  /** Selects the entries that the caller sees; undefined: all. */
  readonly filter?: Match | undefined
}

export interface Modules {
  /** The module in the state that the reader shows. */
  find(reader: Pick<Reader, 'get'>, kind: ModuleKind, id: number): Module | undefined
  /** The module's `revision`, without building the module. */
  revisionOf(reader: Pick<Reader, 'get'>, kind: ModuleKind, id: number): string | undefined
  /** The key is the grant and the API key, with kind, number and name of the module: see passModule. */
  readonly passes: LRUCache<string, Pass>
}

/** A module for which a caller holds a grant, until a record changes from which this was decided. */
interface Pass {
  /** A change of the key or user creates another Caller object. */
  readonly caller: Caller
  readonly module: Module
  readonly isCurrent: () => boolean
}

const MAX_MODULES = 2_000
/** The passes of all callers together. A user may have a thousand keys, and each may read every table. */
const MAX_PASSES = 10_000

export function openModules(): Modules {
  const known = {
    datatable: new LRUCache<number, Cached>(upTo(MAX_MODULES)),
    calendar: new LRUCache<number, Cached>(upTo(MAX_MODULES)),
  } satisfies Record<ModuleKind, unknown>

  return {
    passes: new LRUCache<string, Pass>(upTo(MAX_PASSES)),
    find(reader, kind, id) {
      const stored = reader.get(MODULE_OBJECTS[kind].recordType, id)
      if (stored === undefined) return undefined
      const storedLayout = requireStoredLayout(reader, kind, id)
      const cached = known[kind].get(id)
      if (cached?.isOf(stored, storedLayout) === true) return cached.module

      const module = {
        kind,
        id,
        revision: revisionOf(stored, storedLayout),
        record: stored.value,
        entry: buildEntryType(kind, id, storedLayout.value),
      }
      known[kind].set(id, {
        module,
        isOf: (record, layout) => isSame(record, stored) && isSame(layout, storedLayout),
      })
      return module
    },
    revisionOf(reader, kind, id) {
      const stored = reader.get(MODULE_OBJECTS[kind].recordType, id)
      if (stored === undefined) return undefined
      return revisionOf(stored, requireStoredLayout(reader, kind, id))
    },
  }
}

interface Cached {
  readonly module: Module
  readonly isOf: (record: Revised, layout: Revised) => boolean
}

type Revised = Pick<Stored, 'text' | 'revision'>

/** Compares the text too: after a rollback for lack of disk space, a revision number is used again for another text. */
function isSame(left: Revised, right: Revised): boolean {
  return left === right || (left.revision === right.revision && left.text === right.text)
}

function revisionOf(record: Revised, layout: Revised): string {
  return `${record.revision}/${layout.revision}`
}

export function requireLayout(reader: Pick<Reader, 'get'>, kind: ModuleKind, id: number): Layout {
  return requireStoredLayout(reader, kind, id).value
}

function requireStoredLayout(
  reader: Pick<Reader, 'get'>,
  kind: ModuleKind,
  id: number,
): Stored<Layout> {
  const stored = reader.get(moduleLayout, kind, id)
  if (stored !== undefined) return stored
  throw new CmsError('record-damaged', `The layout of ${kind} ${id} is missing.`)
}
