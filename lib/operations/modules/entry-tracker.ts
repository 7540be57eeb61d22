// Sees the entries that are written while a change of their module is being counted, so that none can
// slip in between the count and the commit of the change. It never hinders a write.

import type { JsonObject } from '../../schema/values.ts'
import type { EntryReader } from './unique.ts'

export type EntryTest = (record: JsonObject) => boolean

/** Asked before the record is put, of the state with all that its commit has put before. */
export type WriteTest = (record: JsonObject, reader: EntryReader) => boolean

interface EntryWatch {
  /** True once an entry was written that the test holds for; maybe in a commit that was given up. */
  readonly hasSeen: () => boolean
  readonly close: () => void
}

export interface ModuleWatches {
  readonly open: (typeName: string, test: WriteTest) => EntryWatch
  /** To be called inside every commit that puts an entry. */
  readonly notice: (typeName: string, record: JsonObject, reader: EntryReader) => void
  readonly isOpen: (typeName?: string) => boolean
  /** Something was written that nobody can look at. */
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
