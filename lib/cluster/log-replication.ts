// Applies the log of the database to the local copy. A visible commit is never taken back: if the log does not continue
// from the copy's place, because it was trimmed or belongs to another database, the process ends and the next start
// fills a new copy.

import { tryAgain } from './database-retry.ts'
import type { LocalCopy, Place, Commit } from './local-copy.ts'
import type { Lane, Primary } from './primary.ts'
import { coalesceRequests } from './request-coalescing.ts'
import type { Soundness } from './copy-health.ts'
import { type Fetched, fetchAfter, readState } from './postgres-tables.ts'
import type { Vitals } from './database-status.ts'
import type { JsonObject } from '../schema/values.ts'
import type { PutListener } from '../storage/engine.ts'
import { recordIds, typeOf } from '../storage/records/format.ts'
import type { KvReader } from '../storage/records/kv.ts'
import { decodeRecord } from '../storage/records/record-bytes.ts'
import { KIND, typeNames } from '../storage/records/type-numbers.ts'
import type { Write } from './log-body.ts'

export interface Following {
  /** Brings the copy to the newest commit of any process. Throws unavailable. */
  toNewest(): Promise<void>
  /** Applies commits that were fetched after `from`. */
  take(fetched: Fetched, from: Place): void
  place(): Place
  /** Fills the copy if the log does not continue from it. Call once, before all other methods. */
  begin(): Promise<void>
}

interface FollowingOptions {
  readonly copy: LocalCopy
  readonly primary: Primary
  readonly soundness: Soundness
  readonly others: Pick<OthersPuts, 'tell'>
  readonly vitals: Vitals
  /** Throws if the copy must not apply these commits. */
  readonly check: (commits: Fetched['commits']) => void
}

/** Longest wait of a request for a database that does not answer. */
export const ANSWER_WITHIN_MS = 3_000

export function openFollowing(options: FollowingOptions): Following {
  const { copy, primary, soundness, others, vitals, check } = options
  const lane = primary.openLane()
  const requireAhead = openRequireAhead(primary, soundness)
  /** Commits that arrive during `begin` are not checked here; the caller checks the state afterwards. */
  let hasBegun = false

  function place(): Place {
    const now = copy.place()
    if (now === undefined) throw new Error('The local copy is empty.')
    return now
  }

  function take({ head, commits, isGap }: Fetched, from: Place): void {
    soundness.require()
    if (isGap) soundness.fail(new Error(`The log does not continue from commit ${from.seq}.`))
    requireAhead(head, from)
    try {
      if (hasBegun) check(commits)
      copy.apply(commits)
      others.tell(commits)
    } catch (cause) {
      soundness.fail(cause)
    }
  }

  async function follow(): Promise<void> {
    let isBehind = true
    while (isBehind) {
      const from = place()
      const fetched = await fetchAfter(lane, from)
      take(fetched, from)
      isBehind = place().seq < fetched.head.seq
    }
  }

  async function followHeard(): Promise<void> {
    try {
      await follow()
      vitals.heard(place().seq)
    } catch (error) {
      vitals.failed()
      throw error
    }
  }

  const before = soundness.require
  const asked = { work: followHeard, withinMs: ANSWER_WITHIN_MS, before }
  const toNewest = coalesceRequests(() => tryAgain(asked).catch(losing(vitals, before)))
  return {
    toNewest,
    take,
    place,
    async begin() {
      const isFit = await tryAgain({ ...asked, work: () => fits(copy, lane) })
      if (!isFit) await fill(copy, lane)
      await toNewest()
      hasBegun = true
    },
  }
}

function losing(vitals: Vitals, requireOpen: () => void) {
  return (error: unknown): never => {
    // After close() the failure is not the database's.
    requireOpen()
    vitals.lost(error)
    throw error
  }
}

/** A server with fewer commits than were visible is an old primary that has not noticed its replacement yet. */
const BEHIND_FOR_MS = 30_000

function openRequireAhead(primary: Primary, soundness: Soundness) {
  let behindSince: number | undefined
  return (head: Place, from: Place): void => {
    if (head.seq >= from.seq) {
      behindSince = undefined
      return
    }
    const now = performance.now()
    behindSince ??= now
    primary.leave()
    const cause = new Error(
      `The database is at commit ${head.seq}, behind commit ${from.seq} that was already visible.`,
    )
    if (now - behindSince >= BEHIND_FOR_MS) soundness.fail(cause)
    throw cause
  }
}

/** Whether the log continues from the copy's place. */
async function fits(copy: LocalCopy, lane: Lane): Promise<boolean> {
  const from = copy.place()
  if (from === undefined) return false
  const { head, isGap } = await fetchAfter(lane, from)
  return !isGap && head.seq >= from.seq
}

async function fill(copy: LocalCopy, lane: Lane): Promise<void> {
  const filling = copy.refill()
  filling.end(await readState(lane, filling.add))
}

// Reports records that other processes have written to the trackers of long work (operations/modules/entry-tracker.ts):
// after the commits are part of the state, and before any plan of this process runs on them.

interface OthersPuts {
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

  function notifyListeners({ key, value }: Write, waiting: readonly PutListener[]): void {
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
          for (const write of writes) notifyListeners(write, waiting)
        } catch {
          // An unreadable record may be anything; readers of that record get an error themselves.
          for (const { lose } of waiting) lose()
        }
      }
    },
  }
}
