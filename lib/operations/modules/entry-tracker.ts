// Watches the entries that are written while a change of their module is being counted, so that no entry is missed
// between the count and the commit of the change. It never blocks a write.

import type { JsonObject } from '../../schema/values.ts'
import type { EntryReader } from './unique.ts'

export type EntryTest = (record: JsonObject) => boolean

/** Called before the record is put, with the state including everything that the commit has put so far. */
export type WriteTest = (record: JsonObject, reader: EntryReader) => boolean

interface EntryWatch {
  /** True once an entry matched the test, even if its commit was rolled back. */
  readonly hasSeen: () => boolean
  readonly close: () => void
}

export interface ModuleWatches {
  readonly open: (typeName: string, test: WriteTest) => EntryWatch
  /** Must be called inside every commit that puts an entry. */
  readonly notice: (typeName: string, record: JsonObject, reader: EntryReader) => void
  readonly isOpen: (typeName?: string) => boolean
  /** Entries were written that the tests cannot read; counts as a match. */
  readonly lose: () => void
}

interface Watching {
  readonly test: WriteTest
  hasSeen: boolean
}

export function openModuleWatches(): ModuleWatches {
  const watches = new Map<string, Set<Watching>>()

  return {
    open(typeName, test) {
      const watching = { test, hasSeen: false }
      const all = watches.get(typeName) ?? new Set()
      watches.set(typeName, all.add(watching))
      return {
        hasSeen: () => watching.hasSeen,
        close() {
          all.delete(watching)
          if (all.size === 0 && watches.get(typeName) === all) watches.delete(typeName)
        },
      }
    },
    isOpen: (typeName) => (typeName === undefined ? watches.size > 0 : watches.has(typeName)),
    lose() {
      for (const all of watches.values()) for (const watching of all) watching.hasSeen = true
    },
    notice(typeName, record, reader) {
      for (const watching of watches.get(typeName) ?? []) {
        if (watching.test(record, reader)) watching.hasSeen = true
      }
    },
  }
}
