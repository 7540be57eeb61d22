// Plans that wait at the same moment ride in one commit of the engine: one transaction, one number, one writing of the
// counters, one sync. Each is still all or nothing, and each sees what those before it have done.
//
// A plan that is refused has nearly always written nothing yet: then the others go on, and it is told its refusal when
// they are acknowledged, as it may follow from what they did. One that has written spoils the commit: all of it
// is taken back, and each of its plans runs once more, in a commit of its own.

import type { Kv, KvWriter } from './kv.ts'

/** What the plans of one commit share. */
export interface Batch {
  /** How often it was written to. */
  readonly writes: () => number
  /** No more plans are to be run in it. */
  readonly isFull: () => boolean
  /** Writes what is due once, at the end of the commit. */
  readonly finish: () => void
  /** The commit is acknowledged; to be called before anybody is told. */
  readonly show: () => void
  /** The outcome is known, whatever it is. */
  readonly end: () => void
}

export type CommitTogether<B> = <T>(plan: (batch: B) => T) => Promise<T>

/** After so long no other plan is begun in a stretch, so that a queue of any length keeps nobody else waiting (P15). */
const STRETCH_MS = 20

interface Waiting<B> {
  readonly plan: (batch: B) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  refusal?: { readonly error: unknown }
  value?: unknown
  /** Its commit was spoilt by one of its plans. */
  isAlone?: true
}

export function openTogether<B extends Batch>(
  kv: Kv,
  openBatch: (writer: KvWriter) => B,
  stretchMs = STRETCH_MS,
): CommitTogether<B> {
  const waiting: Waiting<B>[] = []
  /** A commit is on its way that will take what waits. */
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
        // The engine may run it more than once.
        batch?.end()
        waiting.unshift(...taken)
        taken = []
        isAsked = false
        batch = openBatch(writer)
        runPlans(batch, { waiting, taken, until: performance.now() + stretchMs })
        batch.finish()
        // In a later turn of the loop, for which others have waited by then.
        if (waiting.length > 0) setImmediate(ask)
      })
      batch?.show()
      for (const own of taken) settle(own)
    } catch (error) {
      if (batch === undefined) isAsked = false
      // Where it had no turn, no other has one either. Of one that was spoilt nothing is left in it.
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

/** Takes plans from the queue and runs them until the commit is full. */
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

/** Each has its turn again, in their order and before all others. */
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
