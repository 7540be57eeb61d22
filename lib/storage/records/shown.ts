// Which commits reads show. A commit is shown when it is acknowledged, or earlier, when a read begins in a state that
// has it: each writes its number, so the state itself tells. From then on, and at once, what it has touched counts as
// changed; until then all that is kept is what reads would show. So no reader is kept from what is in memory
// while a commit is under way, and none is shown an older state than another before it.

import type { Id, RecordType } from '../../schema/values.ts'
import { type Changes, type Name, nameOfBytes, nameOfText, openChanges } from './changes.ts'
import { encodeCounter, lastCommitKey, readCounter } from './format.ts'
import { beforeLastNumber } from './keys.ts'
import type { Kv, KvWriter } from './kv.ts'
import { type RecordCache, recordLabel, typeName } from './record-cache.ts'

export interface Shown {
  readonly changes: Changes
  /** To be called in the turn of the commit, which is that of its number. */
  begin(): UnderWay
}

export interface UnderWay {
  /** To be called before the record is written or removed. */
  touch(type: RecordType, ids: readonly Id[]): void
  /** A row of an index is written or removed. */
  touchRow(type: RecordType, key: Buffer): void
  /** Its number, where it has touched anything; last of all. */
  write(writer: KvWriter): void
  /** It is acknowledged. */
  show(): void
  /** To be called when the outcome is known, whatever it is. */
  end(): void
}

export function openShown(kv: Kv, cache: RecordCache): Shown {
  const changes = openChanges(readCounter(kv, lastCommitKey()))
  /** Of each commit that is not shown, in their order, what it changes. */
  const hidden = new Map<
    number,
    { readonly names: Set<Name>; readonly records: ReadonlySet<string> }
  >()
  let issued = changes.now()

  function showUpTo(last: number): void {
    for (const [number, { names, records }] of hidden) {
      if (number > last) return
      hidden.delete(number)
      cache.drop(records)
      changes.note(names, number)
    }
  }

  kv.onNewer(() => {
    if (hidden.size > 0) showUpTo(readCounter(kv, lastCommitKey()))
  })

  return {
    changes,
    begin() {
      issued = Math.max(issued, changes.now()) + 1
      const number = issued
      const touching = cache.begin()
      const names = new Set<Name>()
      const records = new Set<string>()
      hidden.set(number, { names, records })
      return {
        touch(type, ids) {
          const label = recordLabel(type, ids)
          touching.touch(label)
          records.add(label)
          names.add(nameOfText(label))
          names.add(typeName(type))
        },
        touchRow(type, key) {
          if ((type.idCount ?? 1) === 1) names.add(nameOfBytes(beforeLastNumber(key)))
        },
        write(writer) {
          if (names.size > 0) writer.put(lastCommitKey(), encodeCounter(number))
        },
        show: () => showUpTo(number),
        end() {
          hidden.delete(number)
          touching.end()
        },
      }
    },
  }
}
