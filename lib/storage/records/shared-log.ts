// Changes of recent commits, for processes that read beside the writing process: each commit writes a row with its own
// changes. Cache invalidation in readers therefore follows the stored state and needs no messages.

import type { Changes, Name } from './change-tracker.ts'
import { CHANGED_SLOTS, changedKey, lastCommitKey } from './format.ts'
import { COUNTER_BYTES, encodeCounter, readCounter } from './record-bytes.ts'
import type { Kv, KvReader, KvWriter } from './kv.ts'

/** Names listed for one commit; a larger commit counts as a change of everything. */
const MAX_NAMES = 2_000
/** A commit that has touched this many names accepts no further plan. */
export const MANY_NAMES = MAX_NAMES / 2
const NAME_BYTES = 4

/** Writes the row of the commit with this number; undefined means that everything may have changed. */
export function tell(writer: KvWriter, number: number, names: ReadonlySet<Name> | undefined): void {
  const isAll = names === undefined || names.size > MAX_NAMES
  const value = encodeCounter(number, isAll ? 1 : names.size * NAME_BYTES)
  if (!isAll) {
    let at = COUNTER_BYTES
    for (const name of names) at = value.writeUInt32BE(name, at)
  }
  writer.put(changedKey(number), value)
}

/** Makes a separate commit that may have changed everything; `issue` returns its number inside the commit. */
export function tellAll(kv: Kv, issue: () => number): Promise<number> {
  return kv.commit((writer) => {
    const number = issue()
    writer.put(lastCommitKey(), encodeCounter(number))
    tell(writer, number, undefined)
    return number
  })
}

/** Follows the commits of another process: after each call `changes` knows everything that reads show. */
export function openFollow(kv: Kv, changes: Changes): () => void {
  function forget(number: number): void {
    kv.known.clear()
    changes.forget(number)
  }

  return () => {
    const newest = readCounter(kv, lastCommitKey())
    const seen = changes.now()
    if (newest === seen) return
    if (newest - seen >= CHANGED_SLOTS) return forget(newest)
    for (let number = seen + 1; number <= newest; number += 1) {
      const names = namesOf(kv, number)
      if (names === undefined) forget(number)
      else changes.note(names, number)
    }
    changes.note([], newest)
  }
}

/** Returns undefined if everything may have changed. */
function namesOf(kv: KvReader, number: number): readonly Name[] | undefined {
  const value = kv.get(changedKey(number))
  const told = value?.readUIntBE(0, COUNTER_BYTES) ?? 0
  // The number was not used by any commit.
  if (value === undefined || told < number) return []
  // The row was overwritten by a later commit, or stands for a change of everything.
  if (told > number || (value.length - COUNTER_BYTES) % NAME_BYTES !== 0) return undefined
  const names: Name[] = []
  for (let at = COUNTER_BYTES; at < value.length; at += NAME_BYTES)
    names.push(value.readUInt32BE(at))
  return names
}
