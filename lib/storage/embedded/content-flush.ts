// Writes contents that rode in a commit (inline-contents.ts) out to where contents lie: many at a time, made durable
// together, and only then are their rows removed. A crash in between loses nothing, because the next
// round begins with the rows. Until a row is gone, it and not what was written is what is read.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  CARRIED,
  carriedKey,
  carriedName,
  carriedSize,
  copyCarried,
} from '../records/inline-contents.ts'
import type { Kv, KvWriter } from '../records/kv.ts'
import type { ContentName } from '../port.ts'

export interface WriteOut {
  /** More waits than is good: contents are written at once until it is less. */
  isFull(): boolean
  waitingBytes(): number
  /** A commit carried this many bytes. */
  add(sizeBytes: number): void
  /** Takes back what has not been written out; on return nobody writes it any more. */
  forget(names: readonly ContentName[]): Promise<void>
  /** Writes out what there is, and ends; what cannot be written stays for the next start. */
  close(): Promise<void>
}

export interface CarriedContent {
  readonly name: ContentName
  /** In memory that is used again when they are written. */
  readonly bytes: Uint8Array
}

export interface WriteOutOptions {
  readonly kv: Kv
  /** All durable when it resolves. What was begun before is written anew: its bytes were these. */
  readonly write: (contents: readonly CarriedContent[]) => Promise<void>
  /** False: left to others for now. Undefined: all are written here. */
  readonly isDue?: ((name: ContentName) => boolean) | undefined
  /** Whose rows others have removed while they were written: they may be named by nobody any more. */
  readonly onGone?: ((names: readonly ContentName[]) => Promise<void>) | undefined
  /** Rows stay and are tried again; saves go on, and their bytes are written at once when too many wait. */
  readonly onTrouble: (message: string, cause: unknown) => void
}

/** Before a round, unless the one before it was full: files of one round share the sync of a directory. */
const PAUSE_MS = 250
const PAUSE_AFTER_TROUBLE_MS = 5_000
/** Four files for each directory: with fewer, a sync of a directory would serve one or two. */
const ROUND_FILES = 1_024
const ROUND_BYTES = 8 * 1024 * 1024
const TROUBLE = 'contents wait to be written as files'
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

  /** Resolves with the time until the next one. */
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
      // What was carried while the last round ended.
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

  // What a crash left.
  if (hasRows(kv)) start()

  return {
    isFull: () => waitingBytes > MAX_WAITING_BYTES,
    waitingBytes: () => waitingBytes,

    add(sizeBytes) {
      waitingBytes += sizeBytes
      start()
    },

    async forget(names) {
      const keys = names.map(carriedKey)
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
  /** More may be waiting. */
  readonly isFull: boolean
  readonly sizeBytes: number
}

/**
 * Resolves with what is written out now. The buffer is shared with the thread that writes, and is the same in each
 * round: copies for every row and thread were garbage of three times what is saved.
 */
async function writeOutSome(
  { kv, write, isDue, onGone }: WriteOutOptions,
  buffer: Uint8Array,
): Promise<Round> {
  const waiting = findWaiting(kv, isDue)
  const contents: CarriedContent[] = []
  let used = 0
  for (const key of waiting) {
    const bytes = copyCarried(kv, key, buffer.subarray(used))
    if (bytes === undefined) break
    contents.push({ name: carriedName(key), bytes })
    used += bytes.length
  }
  if (contents.length === 0 && waiting.length > 0) {
    throw new Error(`a row of carried contents is larger than ${ROUND_BYTES} bytes`)
  }
  if (contents.length === 0) return { isEmpty: true, isFull: false, sizeBytes: 0 }

  await write(contents)
  const keys = waiting.slice(0, contents.length)
  const { sizeBytes, gone } = await kv.commit((writer) => removeRows(writer, keys))
  if (gone.length > 0) await onGone?.(gone.map(carriedName))
  const isFull = contents.length === ROUND_FILES || contents.length < waiting.length
  return { isEmpty: false, isFull, sizeBytes }
}

/** Keys of the rows of one round. */
function findWaiting(kv: Kv, isDue: WriteOutOptions['isDue']): readonly Buffer[] {
  if (isDue === undefined) return [...kv.keys({ ...CARRIED, limit: ROUND_FILES })]
  const due: Buffer[] = []
  for (const key of kv.keys(CARRIED)) {
    if (due.length === ROUND_FILES) break
    if (isDue(carriedName(key))) due.push(key)
  }
  return due
}

interface Removed {
  /** That they carried. */
  readonly sizeBytes: number
  /** Those that were not there. */
  readonly gone: readonly Buffer[]
}

function removeRows(writer: KvWriter, keys: readonly Buffer[]): Removed {
  const gone: Buffer[] = []
  let sizeBytes = 0
  for (const key of keys) {
    const size = carriedSize(writer, key)
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
  return kv.count({ ...CARRIED, limit: 1 }) > 0
}

/** Ends early when the signal is given. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
