// What each commit has changed, for processes that read beside the one that writes: a row for each of the last
// commits, which the commit itself writes. So what they keep follows what the store says, and no message.

import type { Changes, Name } from './change-tracker.ts'
import { CHANGED_SLOTS, changedKey, lastCommitKey } from './format.ts'
import { COUNTER_BYTES, encodeCounter, readCounter } from './record-bytes.ts'
import type { Kv, KvReader, KvWriter } from './kv.ts'

/** Of one commit; more are told as everything. */
const MAX_NAMES = 2_000
/** Who has touched so many takes nothing more into a commit, but for what it is doing. */
export const MANY_NAMES = MAX_NAMES / 2
const NAME_BYTES = 4

/** Told as part of the commit of this number; undefined: it may have changed everything. */
export function tell(writer: KvWriter, number: number, names: ReadonlySet<Name> | undefined): void {
  const isAll = names === undefined || names.size > MAX_NAMES
  const value = encodeCounter(number, isAll ? 1 : names.size * NAME_BYTES)
  if (!isAll) {
    let at = COUNTER_BYTES
    for (const name of names) at = value.writeUInt32BE(name, at)
  }
  writer.put(changedKey(number), value)
}

/** A commit of its own that may have changed everything; `issue` gives its number in its turn. */
export function tellAll(kv: Kv, issue: () => number): Promise<number> {
  return kv.commit((writer) => {
    const number = issue()
    writer.put(lastCommitKey(), encodeCounter(number))
    tell(writer, number, undefined)
    return number
  })
}

/** Follows the commits of another process: after each call `changes` knows all that reads show. */
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

/** Undefined: it may have changed everything. */
function namesOf(kv: KvReader, number: number): readonly Name[] | undefined {
  const value = kv.get(changedKey(number))
  const told = value?.readUIntBE(0, COUNTER_BYTES) ?? 0
  // A number that came to no commit.
  if (value === undefined || told < number) return []
  // Written over by a later one, or told as everything.
  if (told > number || (value.length - COUNTER_BYTES) % NAME_BYTES !== 0) return undefined
  const names: Name[] = []
  for (let at = COUNTER_BYTES; at < value.length; at += NAME_BYTES)
    names.push(value.readUInt32BE(at))
  return names
}
