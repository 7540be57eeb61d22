// Streams of changes that stay open, many at once. Each reads by itself until it is up to date; from then on all are served
// together: what is new is read once, and what is told of it is made once for all that see and want the same.
//
// What a client does not take waits in a queue with a bound. A stream whose queue is full ends, and so does one whose
// key is let in no more; the client goes on from the id of the last event that it has.

import type { Caller } from '../../auth/caller.ts'
import { holdsSomewhere } from '../../auth/grants.ts'
import { CmsError } from '../../errors.ts'
import { apiKey } from '../../schema/api-key.ts'
import { user } from '../../schema/user.ts'
import type { Context, Services } from '../context.ts'
import { readChangeLog } from '../trail/change-log.ts'
import { type ChangeEvent, readChanges, waitForChange } from '../trail/changes.ts'
import type { ChangeFilter, ChangeStream, ChangeStreams, StreamOptions } from '../trail/streams.ts'
import { asShown, readShown, renewed, requireFollower, startOf } from './follow.ts'
import { firstFrame, type Frame, frame, framesOf, heartbeat, lastWord } from './stream-frames.ts'

/** Events that a stream reads at once until it is up to date. */
const PAGE_LENGTH = 100
/** Changes that are read at once for all streams. */
const MOST_AT_ONCE = 1_000
/** How often it is looked who is let in still. */
const LOOK_EVERY_MS = 500

interface Stream {
  context: Context
  readonly filter: ChangeFilter
  /** Streams of the same text want the same. */
  readonly filterText: string
  /** The number up to which all was told. */
  position: number
  readonly queue: Uint8Array[]
  queuedBytes: number
  /** When something was sent last, in milliseconds since some moment. */
  sentMs: number
  isOver: boolean
  wake: () => void
}

/** The caller of a stream as it is now; undefined where that was its end. */
type Recheck = (stream: Stream) => Context | undefined

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the streams
export function openChangeStreams(services: Omit<Services, 'changeStreams'>): ChangeStreams {
  const { limits, changeWatch } = services
  const open = new Set<Stream>()
  /** Those that are up to date, served together. */
  const live = new Set<Stream>()
  const ofKeys = new Map<number, number>()
  /** Up to which number those were served. */
  let position = 0
  let pump: AbortController | undefined
  let timer: NodeJS.Timeout | undefined

  function begin(context: Context, { since, filter }: StreamOptions): Stream {
    requireFollower(context, filter)
    const keyId = context.caller.key.api_key_id
    const ofKey = ofKeys.get(keyId) ?? 0
    if (ofKey >= limits.streamsPerKey) throw tooMany('The key', limits.streamsPerKey)
    if (open.size >= limits.streams) throw tooMany('The server', limits.streams)
    const stream: Stream = {
      context,
      filter,
      filterText: textOf(filter),
      position: startOf(context, since),
      queue: [],
      queuedBytes: 0,
      sentMs: performance.now(),
      isOver: false,
      wake: () => undefined,
    }
    ofKeys.set(keyId, ofKey + 1)
    open.add(stream)
    // A look that fails is followed by the next.
    timer ??= setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
    return stream
  }

  /** Nothing more comes; what is queued is dropped. */
  function end(stream: Stream): void {
    stream.isOver = true
    stream.wake()
    live.delete(stream)
    if (live.size === 0) pump?.abort()
    if (!open.delete(stream)) return
    const keyId = stream.context.caller.key.api_key_id
    const others = (ofKeys.get(keyId) ?? 1) - 1
    if (others === 0) ofKeys.delete(keyId)
    else ofKeys.set(keyId, others)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function push(stream: Stream, bytes: Uint8Array): void {
    stream.queue.push(bytes)
    stream.queuedBytes += bytes.length
    if (stream.queuedBytes > limits.streamQueueBytes) end(stream)
    else stream.wake()
  }

  /** False where it is not as far as those that are served together. */
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
        // Who has joined since all had left may be elsewhere.
        if (own.signal.aborted) break
        if (readChangeLog(services.records).removed > position) leaveAll()
        else deliver(page.changes, callers)
        position = page.position
      }
    } catch {
      // The storage has failed: who is cut off asks anew, and is told.
      for (const stream of live) end(stream)
    }
    pump = undefined
    // One may have joined meanwhile, or all are to be told that the server stops.
    if (changeWatch.closing.aborted) for (const stream of open) end(stream)
    else if (live.size > 0) void run()
  }

  /** Rows went before they were read: each reads by itself again, and is told. */
  function leaveAll(): void {
    const left = [...live]
    live.clear()
    pump?.abort()
    for (const { wake } of left) wake()
  }

  function deliver(changes: readonly ChangeEvent[], callers: Recheck): void {
    const made = new Map<string, readonly Frame[]>()
    const isOfPeople = changes.some(({ object }) => PEOPLE.has(object))
    // There may be thousands of streams, and a hundred of one caller.
    const sights = new Map<Caller, string>()
    for (const stream of live) {
      const context = callers(stream)
      if (context === undefined) continue
      const { caller } = context
      const sight = sights.get(caller) ?? sightOf(caller, isOfPeople)
      sights.set(caller, sight)
      const key = `${stream.filterText} ${sight}`
      const frames = made.get(key) ?? framesOf(context, stream.filter, changes)
      made.set(key, frames)
      for (const { sequence, bytes } of frames) {
        if (sequence > stream.position && !stream.isOver) push(stream, bytes)
      }
      stream.position = Math.max(stream.position, changes.at(-1)?.sequence ?? 0)
    }
  }

  /** Each caller once, however many streams it has; ends those of one that is let in no more, or sees nothing. */
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

  async function look(): Promise<void> {
    if (changeWatch.closing.aborted) for (const stream of open) end(stream)
    const callers = await openRecheck()
    const nowMs = performance.now()
    for (const stream of open) {
      const context = callers(stream)
      // Who reads by himself sends his own, or one of before would come behind what he has read since.
      if (context === undefined || !live.has(stream) || !isQuiet(stream, nowMs)) continue
      stream.sentMs = nowMs
      push(stream, heartbeat(context, stream.position))
    }
  }

  function isQuiet({ sentMs }: Stream, nowMs: number): boolean {
    return nowMs - sentMs >= limits.heartbeatMs
  }

  /** By itself: what has changed, or that nothing of it is for this stream. */
  async function readPage(stream: Stream): Promise<readonly Uint8Array[]> {
    const { filter } = stream
    stream.context = await renewed(stream.context)
    const page = { after: stream.position, filter, length: PAGE_LENGTH }
    const { changes, position: last, isEnd } = await readShown(stream.context, page)
    stream.position = last
    if (isEnd && !stream.isOver) join(stream)
    const frames = changes.map(({ change, shown }) => frame(stream.context, change, shown))
    if (frames.length > 0 || !isQuiet(stream, performance.now())) return frames
    return [heartbeat(stream.context, last)]
  }

  async function* eventsOf(stream: Stream): AsyncGenerator<Uint8Array, void> {
    yield firstFrame(stream.context, stream.position)
    while (!stream.isOver) {
      // What is queued was told before whatever is read next.
      const isQueued = stream.queue.length > 0
      if (isQueued || !live.has(stream)) {
        const frames = isQueued ? stream.queue.splice(0) : await readPage(stream)
        if (isQueued) stream.queuedBytes = 0
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
      // Who is let in no more is told nothing more.
      if (!isInvalidKey(error)) yield lastWord(stream.context, error)
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
        return onlyWord(lastWord(context, error))
      }
    },
  }
  return streams
}

/** Of a stream that ends where it begins; the client is told on it, as it reads nothing else. */
function onlyWord(word: Uint8Array): ChangeStream {
  return {
    async *chunks() {
      yield word
    },
    close: async () => undefined,
  }
}

/** The caller as it is now; undefined where it is let in no more, or sees nothing. */
function follower(context: Context): Context | undefined {
  try {
    const now = asShown(context)
    return holdsSomewhere(now.records, now.caller, ['view']) ? now : undefined
  } catch (error) {
    if (isInvalidKey(error)) return undefined
    throw error
  }
}

function isInvalidKey(error: unknown): boolean {
  return error instanceof CmsError && error.code === 'key-invalid'
}

const PEOPLE: ReadonlySet<string> = new Set([user.name, apiKey.name])

/** Callers of the same text see the same; of users and keys only the same key does. */
function sightOf({ user: owner, key }: Caller, isOfPeople: boolean): string {
  const { role, category_roles: roles } = owner
  const ids = isOfPeople ? [key.api_key_id, owner.user_id] : []
  return JSON.stringify([role, roles, key.grants, key.asset_category_id, ids])
}

function textOf({ objects, actions, categoryId, moduleId }: ChangeFilter): string {
  return JSON.stringify([[...(objects ?? [])], [...(actions ?? [])], categoryId, moduleId])
}

function tooMany(who: string, most: number): CmsError {
  const detail = `${who} has ${most} streams of changes open, which is all that there may be. Close one, then try again.`
  return new CmsError('too-many-requests', detail, { headers: { 'retry-after': '5' } })
}
