// Group commit: plans that wait at the same moment share one commit of the engine, with one transaction, one number, one
// write of the counters and one sync. Each plan is still all or nothing, and sees the changes of the plans before it.
//
// A refused plan has nearly always written nothing yet: the other plans continue, and the refusal is reported when they are
// acknowledged, because it may depend on their changes. If a refused plan has written something, the whole commit is
// rolled back, and each of its plans runs again in a separate commit.

import type { Kv, KvWriter } from './kv.ts'

/** State shared by the plans of one commit. */
export interface Batch {
  /** Number of writes so far. */
  readonly writes: () => number
  /** True if no further plan may run in this commit. */
  readonly isFull: () => boolean
  /** Writes the shared data once, at the end of the commit. */
  readonly finish: () => void
  /** No further plan runs in this commit, whether it succeeds or not. */
  readonly leave: () => void
  /** The commit is acknowledged. Called before any caller is notified. */
  readonly show: () => void
  /** The outcome is known, successful or not. */
  readonly end: () => void
}

export type GroupCommit<B> = <T>(plan: (batch: B) => T) => Promise<T>

/** After this time no further plan is started in one stretch, so that a long queue does not block the event loop (P15). */
const STRETCH_MS = 20

interface Waiting<B> {
  readonly plan: (batch: B) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  refusal?: { readonly error: unknown }
  value?: unknown
  /** Another plan of the commit invalidated the commit. */
  isAlone?: true
}

export function openGroupCommit<B extends Batch>(
  kv: Kv,
  openBatch: (writer: KvWriter) => B,
  stretchMs = STRETCH_MS,
): GroupCommit<B> {
  const waiting: Waiting<B>[] = []
  /** A commit has been requested that will take the waiting plans. */
  let isAsked = false

  function ask(): void {
    if (isAsked || waiting.length === 0) return
    isAsked = true
    void commitWaiting()
  }

  async function commitWaiting(): Promise<void> {
    let batch: B | undefined
    let taken: Waiting<B>[] = []
    try {
      await kv.commit((writer) => {
        // The engine may run this callback more than once.
        batch?.end()
        waiting.unshift(...taken)
        taken = []
        isAsked = false
        batch = openBatch(writer)
        try {
          runPlans(batch, { waiting, taken, until: performance.now() + stretchMs })
          batch.finish()
        } finally {
          batch.leave()
        }
        // In a later turn of the event loop, so that other work runs in between.
        if (waiting.length > 0) setImmediate(ask)
      })
      batch?.show()
      for (const own of taken) settle(own)
    } catch (error) {
      if (batch === undefined) isAsked = false
      // If the callback never ran, none of the waiting plans ran. An invalidated commit has already put its plans back.
      fail(batch === undefined ? waiting.splice(0) : taken, error)
    } finally {
      batch?.end()
      ask()
    }
  }

  return <T>(plan: (batch: B) => T) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ plan, resolve: resolve as (value: unknown) => void, reject })
      ask()
    })
}

interface Queue<B> {
  readonly waiting: Waiting<B>[]
  readonly taken: Waiting<B>[]
  readonly until: number
}

/** Runs plans from the queue until the commit is full. */
function runPlans<B extends Batch>(batch: B, { waiting, taken, until }: Queue<B>): void {
  for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) {
    taken.push(own)
    const writes = batch.writes()
    try {
      own.value = own.plan(batch)
    } catch (error) {
      if (batch.writes() === writes) own.refusal = { error }
      else if (taken.length === 1) throw error
      else throw spoil(waiting, taken)
    }
    const isNextAlone = waiting[0]?.isAlone === true
    if (own.isAlone === true || isNextAlone || batch.isFull() || performance.now() >= until) return
  }
}

/** Puts all plans back at the head of the queue, in order, each to run alone. */
function spoil<B>(waiting: Waiting<B>[], taken: Waiting<B>[]): Error {
  waiting.unshift(...taken.splice(0).map(alone))
  return new Error('A plan was refused after it had written.')
}

function alone<B>({ plan, resolve, reject }: Waiting<B>): Waiting<B> {
  return { plan, resolve, reject, isAlone: true }
}

function settle<B>({ refusal, value, resolve, reject }: Waiting<B>): void {
  if (refusal === undefined) resolve(value)
  else reject(refusal.error)
}

function fail<B>(taken: readonly Waiting<B>[], error: unknown): void {
  for (const { refusal, reject } of taken) reject(refusal === undefined ? error : refusal.error)
}
