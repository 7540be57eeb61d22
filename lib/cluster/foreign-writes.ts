// Reports records that other processes have written to the trackers of long work (operations/modules/entry-tracker.ts):
// after the commits are part of the state, and before any plan of this process runs on them.

import type { JsonObject } from '../schema/values.ts'
import type { PutListener } from '../storage/engine.ts'
import { recordIds, typeOf } from '../storage/records/format.ts'
import type { KvReader } from '../storage/records/kv.ts'
import { decodeRecord } from '../storage/records/record-bytes.ts'
import { KIND, typeNames } from '../storage/records/type-numbers.ts'
import type { Commit } from './local-copy.ts'
import type { Write } from './log-body.ts'

export interface OthersPuts {
  onPut(listener: PutListener): void
  /** Call when the commits are part of the state. Reporting a commit twice is harmless. */
  tell(commits: readonly Commit[]): void
  /** Call when types may have other numbers, also after a commit of this process. */
  forgetNames(): void
}

const RECORD_KINDS = new Set([KIND.record[0], KIND.lastRecord[0]])

export function openOthersPuts(reader: KvReader): OthersPuts {
  const listeners: PutListener[] = []
  let names: ReadonlyMap<number, string> | undefined

  function nameOf(key: Buffer): string | undefined {
    names ??= new Map(typeNames(reader))
    return names.get(typeOf(key).value)
  }

  function tellOf({ key, value }: Write, waiting: readonly PutListener[]): void {
    if (value === undefined || !RECORD_KINDS.has(key[0])) return
    const typeName = nameOf(key)
    if (typeName === undefined || recordIds(key).length !== 1) return
    for (const { wants, notice } of waiting) {
      if (!wants(typeName)) continue
      const { value: record, revision } = decodeRecord<JsonObject>(value)
      notice({ typeName, record, isNew: revision === 1 })
    }
  }

  return {
    onPut: (listener) => void listeners.push(listener),
    forgetNames() {
      names = undefined
    },
    tell(commits) {
      for (const { writes } of commits) {
        const waiting = listeners.filter(({ isWaiting }) => isWaiting())
        if (waiting.length === 0) continue
        try {
          for (const write of writes) tellOf(write, waiting)
        } catch {
          // An unreadable record may be anything; readers of that record get an error themselves.
          for (const { lose } of waiting) lose()
        }
      }
    },
  }
}
