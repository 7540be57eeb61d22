// Open change streams, for many clients. A new stream first reads by itself until it is up to date. From then on all
// streams are served together: new changes are read once, and their frames are built once for all callers who see
// them (shared-frames.ts). Other requests run between two streams, and streams that catch up do so one after the
// other.
//
// Unsent data waits in a queue (stream-queue.ts). A stream ends if its queue is full or its key is no longer valid;
// the client resumes from the id of the last event that it received.

import type { Caller } from '../../auth/caller.ts'
import { nextSlice, openTimeSlice } from '../../schema/time-slicing.ts'
import type { Context, Services } from '../context.ts'
import { readChangeLog } from '../trail/change-log.ts'
import { type ChangeEvent, readChanges, waitForChange } from '../trail/changes.ts'
import type {
  ChangeFilter,
  ChangeStreams,
  StreamHolder,
  StreamOptions,
  StreamShares,
} from '../trail/streams.ts'
import {
  follower,
  isInvalidKey,
  positionOf,
  readShown,
  renewed,
  requireFollower,
  startOf,
} from './follow.ts'
import { openSharedFrames, selectFrames } from './shared-frames.ts'
import { firstFrame, frameBytes, heartbeat, goneFrame, singleFrame } from './stream-frames.ts'
import { openStreamQueue, type StreamQueue } from './stream-queue.ts'

/** Events per read while a stream catches up. */
const PAGE_LENGTH = 100
/** Changes per read for all streams. */
const MOST_AT_ONCE = 1_000
/** Interval at which the keys of all streams are checked. */
const LOOK_EVERY_MS = 500
/** The cost of a write to a stream, in bytes of events. */
const WRITE_BYTES = 4 * 1024

interface Stream {
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

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the streams
export function openChangeStreams(
  services: Omit<Services, 'changeStreams'>,
  shares: StreamShares,
): ChangeStreams {
  const { limits, changeWatch } = services
  const open = new Set<Stream>()
  /** Streams that are up to date and served together. */
  const live = new Set<Stream>()
  /** Sequence number up to which the live streams were served. */
  let position = 0
  let pump: AbortController | undefined
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  function begin(context: Context, options: StreamOptions): Stream {
    const { since, filter, holder, hasEnded } = options
    requireFollower(context, filter)
    shares.open.require(holder, 1, 0)
    const { streamQueueBytes: mostBytes } = limits
    const stream: Stream = {
      context,
      holder,
      hasEnded,
      filter,
      position: startOf(context, since),
      queue: openStreamQueue({ holder, shares: shares.queued, mostBytes }),
      sentMs: performance.now(),
      isOver: false,
      wake: () => undefined,
    }
    shares.open.add(holder, 1)
    open.add(stream)
    timer ??= setInterval(() => void lookOnce(), LOOK_EVERY_MS)
    return stream
  }

  /** Ends the stream and drops its queue. */
  function end(stream: Stream): void {
    stream.isOver = true
    stream.wake()
    live.delete(stream)
    if (live.size === 0) pump?.abort()
    if (!open.delete(stream)) return
    stream.queue.close()
    shares.open.give(stream.holder, 1)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function push(stream: Stream, bytes: Uint8Array): void {
    if (stream.isOver) return
    if (stream.queue.push(bytes)) stream.wake()
    else end(stream)
  }

  /** False if the stream is behind the live ones. */
  function join(stream: Stream): boolean {
    if (live.size === 0) position = stream.position
    if (stream.position < position) return false
    live.add(stream)
    if (pump === undefined) void run()
    return true
  }

  async function run(): Promise<void> {
    const own = new AbortController()
    pump = own
    try {
      while (!own.signal.aborted && !changeWatch.closing.aborted) {
        await waitForChange(services, position, own.signal)
        const wanted = { after: position, length: MOST_AT_ONCE, wants: () => true }
        const page = await readChanges(services, wanted)
        const callers = await openRecheck()
        // Streams that joined after all had left may be at another position.
        if (own.signal.aborted) break
        if (readChangeLog(services.records).removed > position) leaveAll()
        else if (!(await deliver(page.changes, callers, own.signal))) break
        position = page.position
      }
    } catch {
      // The storage failed: clients reconnect and get the error.
      for (const stream of live) end(stream)
    }
    pump = undefined
    // A stream may have joined meanwhile, or the server stops.
    if (changeWatch.closing.aborted) for (const stream of open) end(stream)
    else if (live.size > 0) void run()
  }

  /** Rows were removed before they were read: each stream reads by itself again and gets the error. */
  function leaveAll(): void {
    const left = [...live]
    live.clear()
    pump?.abort()
    for (const { wake } of left) wake()
  }

  /**
   * Sends new changes to each live stream, including streams that join meanwhile, and lets other requests run in
   * between. False if all streams have left: streams that joined since then may be at another position.
   */
  async function deliver(
    changes: readonly ChangeEvent[],
    known: Recheck,
    signal: AbortSignal,
  ): Promise<boolean> {
    const slice = openTimeSlice()
    const shared = openSharedFrames(changes, slice)
    let callers = known
    for (const stream of live) {
      const context = callers(stream)
      if (context === undefined) continue
      const frames = await shared.of(context, stream.filter)
      if (signal.aborted) return false
      let written = WRITE_BYTES
      for (const bytes of selectFrames(frames, stream.filter, stream.position)) {
        push(stream, bytes)
        written += bytes.length
      }
      stream.position = Math.max(stream.position, changes.at(-1)?.sequence ?? 0)
      if (!slice.isOver(written)) continue
      await slice.next()
      // A key may have been revoked in between.
      callers = await openRecheck()
      if (signal.aborted) return false
    }
    return true
  }

  /**
   * Checks each caller once, however many streams it has; ends the streams of callers that are refused or see
   * nothing.
   */
  async function openRecheck(): Promise<Recheck> {
    await services.renew()
    const known = new Map<Caller, Context | undefined>()
    return (stream) => {
      const { caller } = stream.context
      if (!known.has(caller)) known.set(caller, follower(stream.context))
      const context = known.get(caller)
      if (context === undefined) end(stream)
      else stream.context = context
      return context
    }
  }

  /** A failed check is repeated at the next interval; a check that takes longer skips intervals. */
  async function lookOnce(): Promise<void> {
    if (isLooking) return
    isLooking = true
    await look().catch(() => undefined)
    isLooking = false
  }

  async function look(): Promise<void> {
    if (changeWatch.closing.aborted) for (const stream of open) end(stream)
    const callers = await openRecheck()
    const slice = openTimeSlice()
    for (const stream of open) {
      if (slice.isOver(0)) await slice.next()
      const context = stream.isOver ? undefined : callers(stream)
      const nowMs = performance.now()
      // A stream that catches up sends its own heartbeat; an older one would arrive behind newer events.
      if (context === undefined || !live.has(stream) || !isQuiet(stream, nowMs)) continue
      stream.sentMs = nowMs
      push(stream, heartbeat(context, stream.position))
      slice.isOver(WRITE_BYTES)
    }
  }

  /** Writes to a client that may have disconnected at every check, so that its place is freed soon. */
  function isQuiet({ sentMs, hasEnded }: Stream, nowMs: number): boolean {
    return nowMs - sentMs >= limits.heartbeatMs || hasEnded()
  }

  /** Reads the next changes of a stream that catches up; returns a heartbeat if there are none for it. */
  async function readPage(stream: Stream): Promise<readonly Uint8Array[]> {
    const { filter } = stream
    await nextSlice()
    stream.context = await renewed(stream.context)
    const page = { after: stream.position, filter, length: PAGE_LENGTH }
    const { changes, position: last, isEnd } = await readShown(stream.context, page)
    stream.position = last
    if (isEnd && !stream.isOver) join(stream)
    const frames = changes.map(({ change, shown }) =>
      frameBytes(positionOf(stream.context, change.sequence), shown),
    )
    if (frames.length > 0 || !isQuiet(stream, performance.now())) return frames
    return [heartbeat(stream.context, last)]
  }

  async function* eventsOf(stream: Stream): AsyncGenerator<Uint8Array, void> {
    yield firstFrame(stream.context, stream.position)
    while (!stream.isOver) {
      // Queued frames are older than anything read next.
      if (!stream.queue.isEmpty()) {
        stream.sentMs = performance.now()
        yield stream.queue.next()
        stream.queue.taken()
      } else if (!live.has(stream)) {
        const frames = await readPage(stream)
        if (frames.length === 0) continue
        stream.sentMs = performance.now()
        yield Buffer.concat(frames)
      } else
        await new Promise<void>((resolve) => {
          stream.wake = resolve
        })
    }
  }

  async function* chunksOf(stream: Stream): AsyncGenerator<Uint8Array, void> {
    try {
      yield* eventsOf(stream)
    } catch (error) {
      // A caller with an invalid key gets no last frame.
      if (!isInvalidKey(error)) yield goneFrame(stream.context, error)
    } finally {
      end(stream)
    }
  }

  changeWatch.closing.addEventListener('abort', () => {
    for (const stream of open) end(stream)
  })

  const streams: ChangeStreams = {
    open({ caller }, options) {
      const context = { ...services, caller, changeStreams: streams }
      try {
        const stream = begin(context, options)
        return { chunks: () => chunksOf(stream), close: async () => end(stream) }
      } catch (error) {
        return singleFrame(goneFrame(context, error))
      }
    },
  }
  return streams
}
