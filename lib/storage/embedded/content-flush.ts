// Flushes inline contents (inline-contents.ts) to the place of contents: many at a time, made durable together, and only
// then are their rows removed. A crash in between loses nothing, because the next round starts with the rows. While a row
// exists, reads use the row, not the flushed copy.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  INLINE_ROWS,
  inlineKey,
  inlineName,
  inlineSize,
  copyInline,
} from '../records/inline-contents.ts'
import type { Kv, KvWriter } from '../records/kv.ts'
import type { ContentName } from '../port.ts'

export interface WriteOut {
  /** Too many bytes wait: new contents are written directly until fewer wait. */
  isFull(): boolean
  waitingBytes(): number
  /** Call after a commit with this many inline bytes. */
  add(sizeBytes: number): void
  /** Removes rows that have not been flushed; on return no flush writes these contents any more. */
  forget(names: readonly ContentName[]): Promise<void>
  /** Flushes everything and ends; contents that cannot be flushed remain for the next start. */
  close(): Promise<void>
}

export interface InlineContent {
  readonly name: ContentName
  /** In memory that is reused after the write. */
  readonly bytes: Uint8Array
}

export interface WriteOutOptions {
  readonly kv: Kv
  /** Writes contents; all are durable when it resolves. An existing partial file holds the same bytes and is written again. */
  readonly write: (contents: readonly InlineContent[]) => Promise<void>
  /** False if another node should flush the content for now. Undefined: all contents are flushed here. */
  readonly isDue?: ((name: ContentName) => boolean) | undefined
  /** Called for contents whose rows were removed by others during the flush: they may be orphans now. */
  readonly onGone?: ((names: readonly ContentName[]) => Promise<void>) | undefined
  /** Called after a failed round. Rows stay and are retried; saves continue, and are written directly when too many rows wait. */
  readonly onTrouble: (message: string, cause: unknown) => void
}

/** Pause before a round, unless the previous round was full: files of one round share the sync of a directory. */
const PAUSE_MS = 250
const PAUSE_AFTER_TROUBLE_MS = 5_000
/** Contents of one second share a directory (newContentUid), so that a round syncs few directories. */
const ROUND_FILES = 1_024
const ROUND_BYTES = 8 * 1024 * 1024
const TROUBLE = 'contents could not be flushed to files; retrying'
const MAX_WAITING_BYTES = 64 * 1024 * 1024

export function openWriteOut(options: WriteOutOptions): WriteOut {
  const { kv } = options
  const closing = new AbortController()
  const buffer = new Uint8Array(new SharedArrayBuffer(ROUND_BYTES))
  let waitingBytes = 0
  let round: Promise<unknown> = Promise.resolve()
  let running: Promise<void> | undefined
  let closed: Promise<void> | undefined

  async function run(): Promise<void> {
    let pauseMs = PAUSE_MS
    while (!closing.signal.aborted && hasRows(kv)) {
      await pause(pauseMs, closing.signal)
      pauseMs = await runRound()
    }
  }

  /** Resolves with the pause until the next round. */
  async function runRound(): Promise<number> {
    const current = writeOutSome(options, buffer)
    round = current.catch(() => undefined)
    try {
      const { isFull, sizeBytes } = await current
      waitingBytes = Math.max(0, waitingBytes - sizeBytes)
      return isFull ? 0 : PAUSE_MS
    } catch (error) {
      options.onTrouble(TROUBLE, error)
      return PAUSE_AFTER_TROUBLE_MS
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined
      // Contents that were committed while the last round ended.
      if (!closing.signal.aborted && hasRows(kv)) start()
    })
  }

  async function finish(): Promise<void> {
    closing.abort()
    await running
    try {
      while (!(await writeOutSome(options, buffer)).isEmpty);
    } catch (error) {
      options.onTrouble(TROUBLE, error)
    }
  }

  // Contents that a crash left behind.
  if (hasRows(kv)) start()

  return {
    isFull: () => waitingBytes > MAX_WAITING_BYTES,
    waitingBytes: () => waitingBytes,

    add(sizeBytes) {
      waitingBytes += sizeBytes
      start()
    },

    async forget(names) {
      const keys = names.map(inlineKey)
      if (keys.every((key) => kv.get(key) === undefined)) return
      const { sizeBytes } = await kv.commit((writer) => removeRows(writer, keys))
      waitingBytes = Math.max(0, waitingBytes - sizeBytes)
      await round
    },

    close: () => (closed ??= finish()),
  }
}

interface Round {
  readonly isEmpty: boolean
  /** More contents may be waiting. */
  readonly isFull: boolean
  readonly sizeBytes: number
}

/**
 * Flushes one round. The buffer is shared with the writing thread and reused in each round: copies for every row and
 * thread would be garbage of three times the saved bytes.
 */
async function writeOutSome(
  { kv, write, isDue, onGone }: WriteOutOptions,
  buffer: Uint8Array,
): Promise<Round> {
  const waiting = findWaiting(kv, isDue)
  const contents: InlineContent[] = []
  let used = 0
  for (const key of waiting) {
    const bytes = copyInline(kv, key, buffer.subarray(used))
    if (bytes === undefined) break
    contents.push({ name: inlineName(key), bytes })
    used += bytes.length
  }
  if (contents.length === 0 && waiting.length > 0) {
    throw new Error(`an inline content is larger than ${ROUND_BYTES} bytes`)
  }
  if (contents.length === 0) return { isEmpty: true, isFull: false, sizeBytes: 0 }

  await write(contents)
  const keys = waiting.slice(0, contents.length)
  const { sizeBytes, gone } = await kv.commit((writer) => removeRows(writer, keys))
  if (gone.length > 0) await onGone?.(gone.map(inlineName))
  const isFull = contents.length === ROUND_FILES || contents.length < waiting.length
  return { isEmpty: false, isFull, sizeBytes }
}

/** Keys of the rows for one round. */
function findWaiting(kv: Kv, isDue: WriteOutOptions['isDue']): readonly Buffer[] {
  if (isDue === undefined) return [...kv.keys({ ...INLINE_ROWS, limit: ROUND_FILES })]
  const due: Buffer[] = []
  for (const key of kv.keys(INLINE_ROWS)) {
    if (due.length === ROUND_FILES) break
    if (isDue(inlineName(key))) due.push(key)
  }
  return due
}

interface Removed {
  /** Inline bytes of the removed rows. */
  readonly sizeBytes: number
  /** Keys without a row. */
  readonly gone: readonly Buffer[]
}

function removeRows(writer: KvWriter, keys: readonly Buffer[]): Removed {
  const gone: Buffer[] = []
  let sizeBytes = 0
  for (const key of keys) {
    const size = inlineSize(writer, key)
    if (size === undefined) {
      gone.push(key)
      continue
    }
    sizeBytes += size
    writer.remove(key)
  }
  return { sizeBytes, gone }
}

function hasRows(kv: Kv): boolean {
  return kv.count({ ...INLINE_ROWS, limit: 1 }) > 0
}

/** Ends early if the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
