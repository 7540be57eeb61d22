// The order in which forms of pictures are made: one at a time, and parties take turns, so that the pictures of one party
// delay others by one picture at most.

import { CmsError } from '../base/errors.ts'

export interface QueueLimits {
  /** Pictures that wait, of one party and of all. */
  readonly ofParty: number
  readonly ofAll: number
}

const RETRY = { headers: { 'retry-after': '2' } }

export class PictureQueue {
  readonly #limits: QueueLimits
  /** The waiting starts of each party. The party that was served last is at the end. */
  readonly #waiting = new Map<string, Set<() => void>>()
  #count = 0
  #isRunning = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Runs the work when it has its turn. Throws too-many-requests or unavailable if too many wait. */
  async run<T>(party: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    this.#requireRoom(party)
    await this.#turn(party, signal)
    try {
      return await work()
    } finally {
      this.#isRunning = false
      this.#startNext()
    }
  }

  #requireRoom(party: string): void {
    const { ofParty, ofAll } = this.#limits
    const own = this.#waiting.get(party)?.size ?? 0
    if (own < ofParty && this.#count < ofAll) return
    const isOwn = own >= ofParty
    const [code, detail] = isOwn
      ? (['too-many-requests', `${ofParty} pictures of this key or address wait`] as const)
      : (['unavailable', `${ofAll} pictures wait`] as const)
    throw new CmsError(code, `${detail} to be resized, which is the limit. Try again later.`, RETRY)
  }

  #turn(party: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(party, start)
        reject(signal.reason as Error)
      }
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const starts = this.#waiting.get(party) ?? new Set()
      this.#waiting.set(party, starts.add(start))
      this.#count += 1
      signal.addEventListener('abort', leave, { once: true })
      this.#startNext()
    })
  }

  #startNext(): void {
    const [found] = this.#waiting
    if (this.#isRunning || found === undefined) return
    const [party, starts] = found
    const [start] = starts
    if (start === undefined) return
    this.#remove(party, start)
    // The party goes to the end.
    if (this.#waiting.delete(party)) this.#waiting.set(party, starts)
    this.#isRunning = true
    start()
  }

  #remove(party: string, start: () => void): void {
    const starts = this.#waiting.get(party)
    if (starts?.delete(start) !== true) return
    this.#count -= 1
    if (starts.size === 0) this.#waiting.delete(party)
  }
}
