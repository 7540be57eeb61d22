// Which commits reads show. A commit is shown when it is acknowledged, or earlier, when a read begins in a state that
// has it: each writes its number, so the state itself tells. From then on, and at once, what it has touched counts as
// changed; until then all that is kept is what reads would show. So no reader is kept from what is in memory
// while a commit is under way, and none is shown an older state than another before it.

import type { Id, RecordType } from '../../schema/values.ts'
import { type Changes, type Name, nameOfBytes, nameOfText, openChanges } from './change-tracker.ts'
import { lastCommitKey } from './format.ts'
import { encodeCounter, readCounter } from './record-bytes.ts'
import { lastPartAt } from './keys.ts'
import type { Kv, KvWriter } from './kv.ts'
import { openRecordCache, type RecordCache, recordLabel, typeName } from './record-cache.ts'
import { MANY_NAMES, openFollow, tell, tellAll } from './shared-log.ts'

export interface Shown {
  readonly changes: Changes
  readonly cache: RecordCache
  /** Reads show what any process has committed, from now on or from when it resolves. */
  renew(): void | Promise<void>
  /** To be called in the turn of the commit, which is that of its number. */
  begin(): UnderWay
  /** All records of a type may be others. */
  forget(): Promise<void>
}

/**
 * Which processes use the store: this one alone; this one, which writes, and others beside it that read; this one,
 * which reads beside one that writes; or several that all write, each with a copy of its own (distributed/).
 */
export type Sharing = 'alone' | 'writes' | 'reads' | 'replicated'

/** Others follow what this process commits. */
const TELLING: ReadonlySet<Sharing> = new Set(['writes', 'replicated'])

export interface UnderWay {
  /** To be called before the record is written or removed. */
  touch(type: RecordType, ids: readonly Id[]): void
  /** A row of an index is written or removed, whose last part is the identifier, a number. */
  touchRow(key: Buffer): void
  /** Its number, where it has touched anything; last of all. */
  write(writer: KvWriter): void
  /** It is told in full only while it has touched no more (shared-log.ts). */
  isFull(): boolean
  /** It is acknowledged. */
  show(): void
  /** To be called when the outcome is known, whatever it is. */
  end(): void
}

export function openShown(kv: Kv, sharing: Sharing, cacheShare: number): Shown {
  const changes = openChanges(readCounter(kv, lastCommitKey()))
  const cache = openRecordCache(changes, cacheShare)
  /** Of each commit that is not shown, in their order, what it changes. */
  const hidden = new Map<number, ReadonlySet<Name>>()
  let issued = changes.now()

  function showUpTo(last: number): void {
    for (const [number, names] of hidden) {
      if (number > last) return
      hidden.delete(number)
      changes.note(names, number)
    }
  }

  /** The numbers rise in the order of commits: to be called in the turn of one. */
  function issue(): number {
    issued = Math.max(issued, changes.now()) + 1
    return issued
  }

  function showNewest(): void {
    if (hidden.size > 0) showUpTo(readCounter(kv, lastCommitKey()))
  }

  // Of a copy that others' commits reach, too, the state alone says what is new: of own ones as of theirs. The number of
  // one that changed nothing is that of the next one of another process, which would be taken for known.
  const isToldByState = sharing === 'replicated'
  if (!isToldByState) kv.onNewer(showNewest)

  return {
    changes,
    cache,
    renew: renewal(kv, changes, { sharing, showNewest, isHiding: () => hidden.size > 0 }),
    begin() {
      const number = issue()
      const touching = cache.begin()
      const names = new Set<Name>()
      hidden.set(number, names)
      return {
        touch(type, ids) {
          const label = recordLabel(type, ids)
          touching.touch(label)
          names.add(nameOfText(label))
          names.add(typeName(type))
        },
        touchRow: (key) => void names.add(nameOfBytes(key, lastPartAt(key))),
        write(writer) {
          if (names.size === 0) return
          writer.put(lastCommitKey(), encodeCounter(number))
          // Numbers of types and indexes are no records: what was read by others may be wrong.
          if (TELLING.has(sharing))
            tell(writer, number, writer.known.hasGiven() ? undefined : names)
        },
        isFull: () => names.size >= MANY_NAMES,
        show() {
          if (!isToldByState) showUpTo(number)
        },
        end() {
          hidden.delete(number)
          touching.end()
        },
      }
    },
    async forget() {
      cache.clear()
      changes.forget(TELLING.has(sharing) ? await tellAll(kv, issue) : undefined)
    },
  }
}

interface Renewing {
  readonly sharing: Sharing
  readonly showNewest: () => void
  /** Whether there are commits that reads do not show yet. */
  readonly isHiding: () => boolean
}

function renewal(kv: Kv, changes: Changes, { sharing, showNewest, isHiding }: Renewing) {
  if (sharing === 'reads' || sharing === 'replicated') {
    const follow = openFollow(kv, changes)
    // A snapshot may be renewed without us.
    kv.onNewer(follow)
    if (sharing === 'replicated') return () => kv.renew()
    return (): void => {
      void kv.renew()
      follow()
    }
  }
  // Alone, nobody else can have shown what this process does not show yet.
  if (sharing === 'alone') return () => undefined
  return (): void => {
    if (!isHiding()) return
    void kv.renew()
    showNewest()
  }
}
