// A commit of the database, and of the copy behind it.
//
//   begin, take the lock, read what others did      nothing has happened: asked again until the time is over
//   the plan, in the copy, of which nothing stays   what it throws is thrown
//   the log, the state, the lock, commit            anything may have happened: looked for under its op
//   the copy                                        it is kept; a copy that fails ends the process

import { randomUUID } from 'node:crypto'
import { CmsError } from '../../errors.ts'
import type { CommitWatch } from '../embedded/commit-times.ts'
import type { Known, Learning } from '../records/known-keys.ts'
import type { KvWriter } from '../records/kv.ts'
import { tryAgain, unavailable } from './again.ts'
import type { Following } from './following.ts'
import type { LocalCopy, Tried } from './local-copy.ts'
import { type Primary, stateOf } from './primary.ts'
import { beginCommit, endCommit, endWithout, fetchAfter, hasHappened } from './tables.ts'

export interface CommitOptions {
  readonly copy: LocalCopy
  readonly primary: Primary
  readonly following: Following
  readonly known: Known
  readonly watch: CommitWatch
}

export interface Commits {
  /** One at a time. */
  commit<T>(plan: (writer: KvWriter) => T): Promise<T>
  /** Resolves when none is under way. */
  idle(): Promise<unknown>
}

const BEGIN_WITHIN_MS = 5_000
/** What has not happened is begun again up to then. */
const TRIES_WITHIN_MS = 5_000
/** So long the outcome of a commit is looked for. */
const SETTLE_WITHIN_MS = 10_000
const END_TIMEOUT_MS = 3_000
/** And for each byte, of a slow line. */
const BYTES_PER_MS = 1_000
const NO_ROOM = '53100'

export function openCommits(options: CommitOptions): Commits {
  const { copy, primary, following, known, watch } = options
  const lane = primary.openLane()
  const node = randomUUID()
  let last: Promise<unknown> = Promise.resolve()

  async function begin(): Promise<void> {
    let from = following.place()
    let fetched = await beginCommit(lane, from)
    following.take(fetched, from)
    while (following.place().seq < fetched.head.seq) {
      from = following.place()
      fetched = await fetchAfter(lane, from)
      following.take(fetched, from)
    }
  }

  /** Holds the lock, and shows the newest state. */
  async function beginOrLeave(): Promise<void> {
    try {
      await begin()
    } catch (error) {
      // Whatever is open there, it is not gone on with.
      primary.leave()
      throw error
    }
  }

  function giveUp(): void {
    // What comes next in the lane waits for it; where it fails the connection is gone, which is the same.
    void endWithout(lane).catch(() => undefined)
  }

  function attempt<T>(plan: (writer: KvWriter) => T, learning: Learning): Tried<T> {
    try {
      const tried = copy.attempt(plan, learning)
      if (tried.writes.length === 0) giveUp()
      return tried
    } catch (error) {
      giveUp()
      throw error
    }
  }

  async function settle(op: string, cause: unknown): Promise<boolean> {
    const work = (): Promise<boolean> => hasHappened(lane, op)
    return tryAgain({ work, withinMs: SETTLE_WITHIN_MS }).catch(() => {
      throw unknownOutcome(cause)
    })
  }

  /** Undefined: it has not happened, and may be tried again. */
  async function keep({ writes }: Tried<unknown>): Promise<number | undefined> {
    const commit = { seq: following.place().seq + 1, op: randomUUID(), node, writes }
    const sizeBytes = writes.reduce((sum, { value }) => sum + (value?.length ?? 0), 0)
    try {
      await endCommit(lane, commit, END_TIMEOUT_MS + sizeBytes / BYTES_PER_MS)
    } catch (error) {
      const isKept = await settle(commit.op, error)
      if (!isKept && stateOf(error) === NO_ROOM) throw noRoom(error)
      if (!isKept) return undefined
    }
    try {
      copy.apply([commit])
    } catch (cause) {
      following.fail(cause)
      throw unknownOutcome(cause)
    }
    return commit.seq
  }

  async function commitNow<T>(plan: (writer: KvWriter) => T, onTurn: () => void): Promise<T> {
    const before = following.requireSound
    const until = performance.now() + TRIES_WITHIN_MS
    for (;;) {
      await tryAgain({ work: beginOrLeave, withinMs: BEGIN_WITHIN_MS, before })
      onTurn()
      const learning = known.begin()
      const tried = attempt(plan, learning)
      const seq = tried.writes.length === 0 ? following.place().seq : await keep(tried)
      if (seq === undefined && performance.now() < until) continue
      if (seq === undefined) throw unavailable(undefined)
      // Others may have given numbers since, which have been read already.
      if (following.place().seq === seq) learning.confirm()
      return tried.value
    }
  }

  return {
    commit(plan) {
      const running = watch.begin()
      const result = last
        .then(() => commitNow(plan, running.hasTurn))
        .finally(() => {
          running.end()
        })
      last = result.catch(() => undefined)
      return result
    },
    idle: () => last,
  }
}

function noRoom(cause: unknown): CmsError {
  const detail = 'There is no room for the change in the database. Nothing was changed.'
  return new CmsError('disk-full', detail, { cause })
}

function unknownOutcome(cause: unknown): CmsError {
  const detail =
    'The database ended while the change was committed, and does not answer since. Read the record to see whether it happened.'
  return new CmsError('outcome-unknown', detail, { cause, headers: { 'retry-after': '5' } })
}
