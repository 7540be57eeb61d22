// Change streams that are up to date. They are served together: new changes are read once, and their frames are built
// once for all callers who see them (shared-frames.ts). Other requests run between two streams.

import type { Caller } from '../../auth/caller.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Context, Services } from '../context.ts'
import { readChangeLog } from '../trail/change-log.ts'
import { type ChangeEvent, readChanges, waitForChange } from '../trail/changes.ts'
import type { ChangeFilter, StreamHolder } from '../trail/streams.ts'
import { follower } from './follow.ts'
import { openSharedFrames, selectFrames } from './shared-frames.ts'
import type { StreamQueue } from './stream-queue.ts'

/** Changes per read for all streams. */
const MOST_AT_ONCE = 1_000
/** The cost of a write to a stream, in bytes of events. */
export const WRITE_BYTES = 4 * 1024

export interface Stream {
  context: Context
  readonly holder: StreamHolder
  readonly hasEnded: () => boolean
  readonly filter: ChangeFilter
  /** Sequence number up to which all changes were sent. */
  position: number
  readonly queue: StreamQueue
  /** Time of the last write, on the monotonic clock. */
  sentMs: number
  isOver: boolean
  wake: () => void
}

/** The stream's context with its present caller; undefined if the stream has ended. */
type Recheck = (stream: Stream) => Context | undefined

/** `end` must end the stream, and remove it with `leave`. */
export function openLiveStreams(
  services: Omit<Services, 'changeStreams'>,
  end: (stream: Stream) => void,
): LiveStreams {
  return new LiveStreams(services, end)
}

export class LiveStreams {
  readonly #services: Omit<Services, 'changeStreams'>
  readonly #end: (stream: Stream) => void
  readonly #streams = new Set<Stream>()
  /** Sequence number up to which the streams were served. */
  #position = 0
  #pump: AbortController | undefined

  constructor(services: Omit<Services, 'changeStreams'>, end: (stream: Stream) => void) {
    this.#services = services
    this.#end = end
  }

  has(stream: Stream): boolean {
    return this.#streams.has(stream)
  }

  /** Has no effect if the stream is behind the live streams. */
  join(stream: Stream): void {
    if (this.#streams.size === 0) this.#position = stream.position
    if (stream.position < this.#position) return
    this.#streams.add(stream)
    if (this.#pump === undefined) void this.#run()
  }

  leave(stream: Stream): void {
    this.#streams.delete(stream)
    if (this.#streams.size === 0) this.#pump?.abort()
  }

  push(stream: Stream, bytes: Uint8Array): void {
    if (stream.isOver) return
    if (stream.queue.push(bytes)) stream.wake()
    else this.#end(stream)
  }

  /**
   * Checks each caller once, however many streams it has; ends the streams of callers that are refused or see
   * nothing.
   */
  async openRecheck(): Promise<Recheck> {
    await this.#services.renew()
    const known = new Map<Caller, Context | undefined>()
    return (stream) => {
      const { caller } = stream.context
      if (!known.has(caller)) known.set(caller, follower(stream.context))
      const context = known.get(caller)
      if (context === undefined) this.#end(stream)
      else stream.context = context
      return context
    }
  }

  async #run(): Promise<void> {
    const { closing } = this.#services.changeWatch
    const pump = new AbortController()
    this.#pump = pump
    try {
      while (!pump.signal.aborted && !closing.aborted) if (!(await this.#serve(pump.signal))) break
    } catch {
      // The storage failed: clients reconnect and get the error.
      this.#endAll()
    }
    this.#pump = undefined
    // A stream may have joined meanwhile, or the server stops.
    if (closing.aborted) this.#endAll()
    else if (this.#streams.size > 0) void this.#run()
  }

  /** Sends the next changes. False if all streams have left: streams that joined since then may be at another position. */
  async #serve(signal: AbortSignal): Promise<boolean> {
    const after = this.#position
    await waitForChange(this.#services, after, signal)
    const page = await readChanges(this.#services, {
      after,
      length: MOST_AT_ONCE,
      wants: () => true,
    })
    const callers = await this.openRecheck()
    if (signal.aborted) return false
    if (readChangeLog(this.#services.records).removed > after) this.#leaveAll()
    else if (!(await this.#deliver(page.changes, callers, signal))) return false
    this.#position = page.position
    return true
  }

  #endAll(): void {
    for (const stream of this.#streams) this.#end(stream)
  }

  /** Rows were removed before they were read: each stream reads by itself again and gets the error. */
  #leaveAll(): void {
    const left = [...this.#streams]
    this.#streams.clear()
    this.#pump?.abort()
    for (const { wake } of left) wake()
  }

  /**
   * Sends new changes to each live stream, including streams that join meanwhile, and lets other requests run in
   * between. False if all streams have left.
   */
  async #deliver(
    changes: readonly ChangeEvent[],
    known: Recheck,
    signal: AbortSignal,
  ): Promise<boolean> {
    const slice = openTimeSlice()
    const shared = openSharedFrames(changes, slice)
    let callers = known
    for (const stream of this.#streams) {
      const context = callers(stream)
      if (context === undefined) continue
      const frames = await shared.of(context, stream.filter)
      if (signal.aborted) return false
      let written = WRITE_BYTES
      for (const bytes of selectFrames(frames, stream.filter, stream.position)) {
        this.push(stream, bytes)
        written += bytes.length
      }
      stream.position = Math.max(stream.position, changes.at(-1)?.sequence ?? 0)
      if (!slice.isOver(written)) continue
      await slice.next()
      // A key may have been revoked in between.
      callers = await this.openRecheck()
      if (signal.aborted) return false
    }
    return true
  }
}
