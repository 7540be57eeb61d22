// Open change streams, for many clients. A new stream first reads by itself until it is up to date. From then on all
// streams are served together (live-streams.ts). Streams that catch up do so one after the other.
//
// Unsent data waits in a queue (stream-queue.ts). A stream ends if its queue is full or its key is no longer valid;
// the client resumes from the id of the last event that it received.

import type { Caller } from '../../auth/caller.ts'
import { nextSlice, openTimeSlice } from '../../schema/time-slicing.ts'
import type { Context, Services } from '../context.ts'
import type { ChangeStream, ChangeStreams, StreamOptions, StreamShares } from '../trail/streams.ts'
import { isInvalidKey, positionOf, readShown, renewed, requireFollower, startOf } from './follow.ts'
import { type LiveStreams, openLiveStreams, type Stream, WRITE_BYTES } from './live-streams.ts'
import { firstFrame, frameBytes, heartbeat, goneFrame, singleFrame } from './stream-frames.ts'
import { openStreamQueue } from './stream-queue.ts'

/** Events per read while a stream catches up. */
const PAGE_LENGTH = 100
/** Interval at which the keys of all streams are checked. */
const LOOK_EVERY_MS = 500

export function openChangeStreams(
  services: Omit<Services, 'changeStreams'>,
  shares: StreamShares,
): ChangeStreams {
  return new OpenStreams(services, shares)
}

class OpenStreams implements ChangeStreams {
  readonly #services: Omit<Services, 'changeStreams'>
  readonly #shares: StreamShares
  readonly #open = new Set<Stream>()
  readonly #live: LiveStreams
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(services: Omit<Services, 'changeStreams'>, shares: StreamShares) {
    this.#services = services
    this.#shares = shares
    this.#live = openLiveStreams(services, (stream) => this.#end(stream))
    services.changeWatch.closing.addEventListener('abort', () => this.#endAll())
  }

  open({ caller }: { readonly caller: Caller }, options: StreamOptions): ChangeStream {
    const context = { ...this.#services, caller, changeStreams: this }
    try {
      const stream = this.#begin(context, options)
      return { chunks: () => this.#chunksOf(stream), close: async () => this.#end(stream) }
    } catch (error) {
      return singleFrame(goneFrame(context, error))
    }
  }

  #begin(context: Context, { since, filter, holder, hasEnded }: StreamOptions): Stream {
    requireFollower(context, filter)
    const { open, queued } = this.#shares
    open.require(holder, 1, 0)
    const mostBytes = this.#services.limits.streamQueueBytes
    const stream: Stream = {
      context,
      holder,
      hasEnded,
      filter,
      position: startOf(context, since),
      queue: openStreamQueue({ holder, shares: queued, mostBytes }),
      sentMs: performance.now(),
      isOver: false,
      wake: () => undefined,
    }
    open.add(holder, 1)
    this.#open.add(stream)
    this.#timer ??= setInterval(() => void this.#lookOnce(), LOOK_EVERY_MS)
    return stream
  }

  /** Ends the stream and drops its queue. */
  #end(stream: Stream): void {
    stream.isOver = true
    stream.wake()
    this.#live.leave(stream)
    if (!this.#open.delete(stream)) return
    stream.queue.close()
    this.#shares.open.give(stream.holder, 1)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #endAll(): void {
    for (const stream of this.#open) this.#end(stream)
  }

  /** A failed check is repeated at the next interval; a check that takes longer skips intervals. */
  async #lookOnce(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    await this.#look().catch(() => undefined)
    this.#isLooking = false
  }

  async #look(): Promise<void> {
    if (this.#services.changeWatch.closing.aborted) this.#endAll()
    const callers = await this.#live.openRecheck()
    const slice = openTimeSlice()
    for (const stream of this.#open) {
      if (slice.isOver(0)) await slice.next()
      const context = stream.isOver ? undefined : callers(stream)
      const nowMs = performance.now()
      // A stream that catches up sends its own heartbeat; an older heartbeat would arrive after newer events.
      if (context === undefined || !this.#live.has(stream) || !this.#isQuiet(stream, nowMs))
        continue
      stream.sentMs = nowMs
      this.#live.push(stream, heartbeat(context, stream.position))
      slice.isOver(WRITE_BYTES)
    }
  }

  /** Writes to a client that may have disconnected at every check, so that its place is freed soon. */
  #isQuiet({ sentMs, hasEnded }: Stream, nowMs: number): boolean {
    return nowMs - sentMs >= this.#services.limits.heartbeatMs || hasEnded()
  }

  async *#chunksOf(stream: Stream): AsyncGenerator<Uint8Array, void> {
    try {
      yield* this.#eventsOf(stream)
    } catch (error) {
      // A caller with an invalid key gets no last frame.
      if (!isInvalidKey(error)) yield goneFrame(stream.context, error)
    } finally {
      this.#end(stream)
    }
  }

  async *#eventsOf(stream: Stream): AsyncGenerator<Uint8Array, void> {
    yield firstFrame(stream.context, stream.position)
    while (!stream.isOver) {
      // Queued frames are older than anything read next.
      if (!stream.queue.isEmpty()) {
        stream.sentMs = performance.now()
        yield stream.queue.next()
        stream.queue.taken()
      } else if (!this.#live.has(stream)) {
        const frames = await this.#readPage(stream)
        if (frames.length === 0) continue
        stream.sentMs = performance.now()
        yield Buffer.concat(frames)
      } else
        await new Promise<void>((resolve) => {
          stream.wake = resolve
        })
    }
  }

  /** Reads the next changes of a stream that catches up; returns a heartbeat if there are none for it. */
  async #readPage(stream: Stream): Promise<readonly Uint8Array[]> {
    const { filter } = stream
    await nextSlice()
    stream.context = await renewed(stream.context)
    const page = { after: stream.position, filter, length: PAGE_LENGTH }
    const { changes, position: last, isEnd } = await readShown(stream.context, page)
    stream.position = last
    if (isEnd && !stream.isOver) this.#live.join(stream)
    const frames = changes.map(({ change, shown }) =>
      frameBytes(positionOf(stream.context, change.sequence), shown),
    )
    if (frames.length > 0 || !this.#isQuiet(stream, performance.now())) return frames
    return [heartbeat(stream.context, last)]
  }
}
