// Admits tasks to the threads. Each kind of work has a share of the threads (kinds.ts) and a queue of its own, and the
// kinds are served round robin: work of one kind waits for another kind only while all threads are busy.

import { CmsError } from '../base/errors.ts'
import { type Kind, KINDS, MAX_WAITING, SHARES } from './kinds.ts'

export interface Admission {
  /**
   * Returns undefined if a thread is free. Otherwise returns a promise that resolves when a thread is free, or rejects
   * with `gone` if the signal aborts first. Throws `busy` if too many tasks wait.
   */
  enter(kind: Kind, signal?: AbortSignal): Promise<void> | undefined
  /** Call once after each admitted `enter`. */
  leave(kind: Kind): void
  waiting(): number
  running(): number
}

export interface AdmissionOptions {
  readonly threads: number
  /** Waiting tasks of each kind. */
  readonly maxQueue: number
  readonly busy: () => Error
  readonly gone: () => Error
}

interface Lane {
  readonly kind: Kind
  running: number
  /** Waiting tasks in their order; each function starts one. */
  readonly queue: Set<() => void>
}

export function openAdmission({ threads, maxQueue, busy, gone }: AdmissionOptions): Admission {
  // The kind that was served longest ago comes first.
  const lanes = new Map<Kind, Lane>(
    KINDS.map((kind) => [kind, { kind, running: 0, queue: new Set() }] as const),
  )
  const shares = SHARES.map(({ kinds, threadsOf }) => ({ kinds, most: threadsOf(threads) }))

  const runningOf = (kinds: Iterable<Kind>): number => {
    let sum = 0
    for (const kind of kinds) sum += lanes.get(kind)?.running ?? 0
    return sum
  }

  function laneOf(kind: Kind): Lane {
    const lane = lanes.get(kind)
    if (lane === undefined) throw new CmsError('internal', `Unknown kind of work: ${kind}.`)
    return lane
  }

  function mayRun(kind: Kind): boolean {
    if (runningOf(lanes.keys()) >= threads) return false
    return shares.every(({ kinds, most }) => !kinds.includes(kind) || runningOf(kinds) < most)
  }

  function startNext(): void {
    for (const lane of lanes.values()) {
      const [start] = lane.queue
      if (start === undefined || !mayRun(lane.kind)) continue
      lane.queue.delete(start)
      return start()
    }
  }

  function begin(lane: Lane): void {
    lane.running += 1
    lanes.delete(lane.kind)
    lanes.set(lane.kind, lane)
  }

  return {
    enter(kind, signal) {
      if (signal?.aborted === true) throw gone()
      const lane = laneOf(kind)
      if (mayRun(kind)) {
        begin(lane)
        return undefined
      }
      if (lane.queue.size >= Math.min(maxQueue, MAX_WAITING[kind] ?? maxQueue)) throw busy()
      return waitIn(lane.queue, { begin: () => begin(lane), signal, gone })
    },
    leave(kind) {
      laneOf(kind).running -= 1
      startNext()
    },
    waiting: () => [...lanes.values()].reduce((sum, { queue }) => sum + queue.size, 0),
    running: () => runningOf(lanes.keys()),
  }
}

interface Waiting {
  readonly begin: () => void
  readonly signal: AbortSignal | undefined
  readonly gone: () => Error
}

function waitIn(queue: Lane['queue'], { begin, signal, gone }: Waiting): Promise<void> {
  return new Promise((resolve, reject) => {
    const leaveQueue = (): void => {
      queue.delete(start)
      reject(gone())
    }
    const start = (): void => {
      signal?.removeEventListener('abort', leaveQueue)
      begin()
      resolve()
    }
    queue.add(start)
    signal?.addEventListener('abort', leaveQueue, { once: true })
  })
}
