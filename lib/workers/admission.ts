// Admits tasks to the threads. Each kind of work has a share of the threads and a queue of its own, and the
// kinds are served round robin: work of one kind waits for another kind only while all threads are busy.

import { CmsError } from '../base/errors.ts'
import type { Tasks } from './tasks.ts'

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

interface AdmissionOptions {
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

export type Kind =
  | 'calendar'
  | 'diff'
  | 'upload'
  | 'save'
  | 'page'
  | 'form'
  | 'body'
  | 'password'
  | 'pattern'
  | 'copy'

/**
 * Kinds of work and the number of threads that each may hold, so that no kind can take all threads. Calendars, diffs and
 * patterns serve one reader each and may take seconds, so together with compressed forms they hold half of the threads. Together with sealing
 * large uploads they leave one thread for work that many requests wait for. A pool of one thread can keep none free, and
 * a pool of two can keep one free of only one of these groups.
 */
export const KIND_OF: { readonly [Name in keyof Tasks]: Kind } = {
  expandEntries: 'calendar',
  buildFeed: 'calendar',
  readCalendarFile: 'calendar',
  diffTexts: 'diff',
  sealUpload: 'upload',
  writeContent: 'save',
  writeOut: 'save',
  removeFiles: 'save',
  verifyContent: 'save',
  sumParts: 'save',
  encodePage: 'page',
  checkStml: 'page',
  readPage: 'page',
  readLinks: 'page',
  compress: 'page',
  // Visitors of a site cause this work, which must not delay the work of editors.
  makeForm: 'form',
  parseBody: 'body',
  hashPassword: 'password',
  verifyPassword: 'password',
  matchPattern: 'pattern',
  // These run in pools of their own and may use all threads there.
  scrubFiles: 'copy',
  hashFiles: 'copy',
  copyContent: 'copy',
}

export const KINDS: readonly Kind[] = [...new Set(Object.values(KIND_OF))]

/** Kinds that together hold at most a part of the threads. */
interface Share {
  readonly kinds: readonly Kind[]
  readonly threadsOf: (threads: number) => number
}

const one = (): number => 1
const half = (threads: number): number => Math.max(1, Math.floor(threads / 2))
const allButOne = (threads: number): number => Math.max(1, threads - 1)

const SHARES: readonly Share[] = [
  { kinds: ['calendar', 'diff', 'pattern', 'form'], threadsOf: half },
  { kinds: ['calendar', 'diff', 'pattern', 'form', 'upload'], threadsOf: allButOne },
  { kinds: ['save'], threadsOf: allButOne },
  { kinds: ['page'], threadsOf: allButOne },
  { kinds: ['body'], threadsOf: allButOne },
  // Each takes about 20 ms of a processor and 19 MiB, and anybody may send a password.
  { kinds: ['password'], threadsOf: one },
]

/** Stricter limits for waiting tasks of kinds whose tasks may take a second each. */
const MAX_WAITING: Partial<Record<Kind, number>> = {
  calendar: 64,
  diff: 64,
  pattern: 64,
  password: 64,
}
