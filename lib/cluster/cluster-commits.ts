// Commits a plan to the database, then to the local copy. Steps, and what a failure of each means:
//
//   begin, take the lock, read commits of other nodes    nothing has happened: retried until the deadline
//   run the plan on the copy and discard its writes      the plan's error is thrown
//   write log, state and head; commit                    unknown: the outcome is looked up by its op
//   apply to the copy                                    committed; a copy that fails ends the process

import { randomUUID } from 'node:crypto'
import { CmsError } from '../base/errors.ts'
import { openTimeSlice, type TimeSlice } from '../schema/time-slicing.ts'
import type { CommitWatch } from '../storage/embedded/commit-times.ts'
import type { Known, Learning } from '../storage/records/known-keys.ts'
import type { KvWriter } from '../storage/records/kv.ts'
import { tryAgain, unavailable } from './database-retry.ts'
import type { Following } from './log-replication.ts'
import { stateOf } from './database-connections.ts'
import type { Commit, LocalCopy, Tried } from './local-copy.ts'
import type { Write } from './log-body.ts'
import type { Lane, Primary } from './primary.ts'
import type { Soundness } from './copy-health.ts'
import type { WakeUp } from './commit-notifications.ts'
import {
  beginCommit,
  endCommit,
  endWithout,
  fetchAfter,
  hasHappened,
  isHeldByMove,
} from './postgres-tables.ts'

export interface CommitOptions {
  readonly copy: LocalCopy
  readonly primary: Primary
  readonly following: Following
  readonly soundness: Soundness
  readonly known: Known
  readonly watch: CommitWatch
  readonly wakeUp: Pick<WakeUp, 'tell'>
}

const BEGIN_WITHIN_MS = 5_000
/** A commit that has not happened is retried for this long. */
const TRIES_WITHIN_MS = 5_000
/** The outcome of a commit is looked up for this long. */
const SETTLE_WITHIN_MS = 10_000
const END_TIMEOUT_MS = 3_000
/** Throughput of a slow connection. */
const BYTES_PER_MS = 1_000
const NO_ROOM = '53100'
const LOCK_NOT_AVAILABLE = '55P03'

const IS_MOVED =
  'The site is being moved to a data directory. Changes are rejected until the move ends. Reads still work. Nothing was changed.'
const IS_WAITING =
  'An earlier change has not finished, because the database waits for its standby or is busy. Nothing was changed: try again.'

export function openCommits(options: CommitOptions): Commits {
  return new Commits(options)
}

export class Commits {
  readonly #options: CommitOptions
  readonly #lane: Lane
  readonly #node = randomUUID()
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: CommitOptions) {
    this.#options = options
    this.#lane = options.primary.openLane()
  }

  /** Runs one commit at a time. */
  commit<T>(plan: (writer: KvWriter) => T): Promise<T> {
    const running = this.#options.watch.begin()
    const result = this.#last
      .then(() => this.#commitNow(plan, running.hasTurn))
      .finally(() => {
        running.end()
      })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when no commit is running. */
  idle(): Promise<unknown> {
    return this.#last
  }

  async #commitNow<T>(plan: (writer: KvWriter) => T, onTurn: () => void): Promise<T> {
    const { following, soundness, known } = this.#options
    const until = performance.now() + TRIES_WITHIN_MS
    for (;;) {
      const work = (): Promise<void> => this.#beginOrLeave()
      await tryAgain({ work, withinMs: BEGIN_WITHIN_MS, before: soundness.require })
      onTurn()
      const slice = openTimeSlice()
      const learning = known.begin()
      const { value, writes } = this.#attempt(plan, learning)
      const seq = writes.length === 0 ? following.place().seq : await this.#keep(writes, slice)
      if (seq !== undefined) {
        // Other nodes may have assigned numbers since; those have been read already.
        if (following.place().seq === seq) learning.confirm()
        return value
      }
      if (performance.now() >= until) throw unavailable(undefined)
    }
  }

  async #beginOrLeave(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      // A lock held by another commit is no fault of the server, and reads continue on their own connections.
      if (stateOf(error) === LOCK_NOT_AVAILABLE) throw await whyLocked(this.#lane, error)
      // A transaction that may be open on the connection is not continued.
      this.#options.primary.leave()
      throw error
    }
  }

  /** Takes the lock and brings the copy to the newest state. */
  async #begin(): Promise<void> {
    const { following } = this.#options
    let from = following.place()
    let fetched = await beginCommit(this.#lane, from)
    following.take(fetched, from)
    while (following.place().seq < fetched.head.seq) {
      from = following.place()
      fetched = await fetchAfter(this.#lane, from)
      following.take(fetched, from)
    }
  }

  #attempt<T>(plan: (writer: KvWriter) => T, learning: Learning): Tried<T> {
    try {
      const tried = this.#options.copy.attempt(plan, learning)
      if (tried.writes.length === 0) this.#giveUp()
      return tried
    } catch (error) {
      this.#giveUp()
      throw error
    }
  }

  /** Later queries of the lane wait for the rollback. If the rollback fails, the connection is closed, which has the same effect. */
  #giveUp(): void {
    void endWithout(this.#lane).catch(() => undefined)
  }

  /** Returns the number of the commit, or undefined if the commit has not happened and may be retried. */
  async #keep(writes: readonly Write[], slice: TimeSlice): Promise<number | undefined> {
    const { copy, following, soundness, wakeUp } = this.#options
    // The number is taken before the pause: the plan ran on the state of this moment.
    const commit = { seq: following.place().seq + 1, op: randomUUID(), node: this.#node, writes }
    const sizeBytes = sizeOf(commit)
    // The encoding of the writes may take as long as the plan.
    if (slice.isOver(sizeBytes)) await slice.next()
    try {
      await endCommit(this.#lane, commit, END_TIMEOUT_MS + sizeBytes / BYTES_PER_MS)
    } catch (error) {
      const isKept = await settle(this.#lane, commit, error)
      if (!isKept && stateOf(error) === NO_ROOM) throw noRoom(error)
      if (!isKept) return undefined
    }
    try {
      copy.apply([commit])
      wakeUp.tell()
      return commit.seq
    } catch (cause) {
      try {
        return soundness.fail(cause)
      } catch {
        throw unknownOutcome(cause)
      }
    }
  }
}

async function whyLocked(lane: Lane, cause: unknown): Promise<CmsError> {
  const detail = (await isHeldByMove(lane)) ? IS_MOVED : IS_WAITING
  return new CmsError('unavailable', detail, { cause, headers: { 'retry-after': '5' } })
}

function sizeOf({ writes }: Commit): number {
  return writes.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0)
}

async function settle(lane: Lane, { op }: Commit, cause: unknown): Promise<boolean> {
  try {
    return await tryAgain({ work: () => hasHappened(lane, op), withinMs: SETTLE_WITHIN_MS })
  } catch {
    throw unknownOutcome(cause)
  }
}

function noRoom(cause: unknown): CmsError {
  const detail = 'The database has no disk space for the change. Nothing was changed.'
  return new CmsError('disk-full', detail, { cause })
}

function unknownOutcome(cause: unknown): CmsError {
  const detail =
    'The connection to the database was lost during the commit, and the database has not responded since. Read the record to see whether the change was made.'
  return new CmsError('outcome-unknown', detail, { cause, headers: { 'retry-after': '5' } })
}
