// Reads contents from local files or from rows of the records (inline-contents.ts): whole, lent, in chunks, encoded,
// compared. The engine knows the path of a content's file.

import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { admits } from '../../base/cache-admission.ts'
import { isStml } from '../../schema/stml.ts'
import type { Pool } from '../../workers/pool.ts'
import { verifyContent } from '../../workers/describe-content.ts'
import { compareInline, findInline } from '../records/inline-contents.ts'
import type { KvReader } from '../records/kv.ts'
import type {
  ContentName,
  Contents,
  LabeledContent,
  Lent,
  OpenContent,
  ReadOptions,
} from '../port.ts'
import type { ContentLimits } from '../engine.ts'
import { type ContentFiles, openContentFiles } from './content-files.ts'
import { openReusedMemory, type ReusedMemory } from './buffer-pool.ts'

export interface ContentReadsOptions {
  readonly kv: KvReader
  readonly pool: Pool
  readonly limits: ContentLimits
  readonly pathOf: (name: ContentName) => string
}

export interface ContentReads
  extends Pick<Contents, 'read' | 'lend' | 'open' | 'encode' | 'verify' | 'diff'> {
  /** Caches contents that were just saved, because they are likely to be read soon. */
  keep(uid: string, saved: { readonly bytes: Buffer; readonly sha256: string }): void
  forget(uid: string): void
}

interface Work extends ContentReadsOptions {
  readonly recent: RecentContents
  readonly files: ContentFiles
  /** Smallest first. */
  readonly pools: readonly { readonly sizeBytes: number; readonly memory: ReusedMemory }[]
}

export function openContentReads(options: ContentReadsOptions): ContentReads {
  const { kv, pool, limits, pathOf } = options
  const files = openContentFiles()
  const pools = LENT.map((each) => ({ sizeBytes: each.sizeBytes, memory: openReusedMemory(each) }))
  const work: Work = { recent: openRecent(), files, pools, ...options }

  return {
    read: (name, expected) => read(work, name, expected),
    lend: (name, expected) => lend(work, name, expected),

    async open(name) {
      const bytes = findInline(kv, name)
      return bytes === undefined ? files.open(pathOf(name)) : openBytes(bytes)
    },

    async encode(name, { maxBytes, ...expected }) {
      // Passed as bytes: a text of 16 MiB would only be encoded to bytes again.
      if (expected.sizeBytes > limits.inlineJsonBytes)
        return pool.run('encodePage', { maxBytes, path: pathOf(name), sha256: expected.sha256 })
      const bytes = await read(work, name, expected)
      return bytes === undefined ? undefined : JSON.stringify(bytes.toString())
    },

    async verify(name, { sizeBytes, bytes: same, ...expected }) {
      if (same !== undefined && !isStml(expected.type)) return isThere(work, name, same)
      const bytes = findInline(kv, name)
      const task = { ...expected, source: bytes ?? pathOf(name), textBytes: limits.pageBytes }
      return bytes === undefined ? pool.run('verifyContent', task) : verifyContent(task)
    },

    diff: (left, right) =>
      pool.run('diffTexts', { left: sideOf(work, left), right: sideOf(work, right) }),

    keep(uid, { bytes, sha256 }) {
      // Larger contents are cached when they are read: long-lived copies become garbage that only a full collection finds.
      if (bytes.length > RECENT_WHEN_SAVED_BYTES) return
      work.recent.set(uid, { bytes, sha256, isCompared: true })
    },

    forget: (uid) => void work.recent.delete(uid),
  }
}

interface Recent {
  readonly bytes: Buffer
  readonly sha256: string
  /** The bytes were compared with their hash. */
  readonly isCompared: boolean
}

type RecentContents = LRUCache<string, Recent>

/** Largest content that is cached after a read. The next two limits are for saved contents and for the whole cache. */
const RECENT_BYTES = 256 * 1024
const RECENT_WHEN_SAVED_BYTES = 32 * 1024
const MAX_RECENT_BYTES = 16 * 1024 * 1024
/** Bytes counted for each entry in addition to its content. */
const OVERHEAD = 512

/**
 * Reused memory for contents that are read whole and not cached; one reader at a time has each buffer. New buffers would
 * be garbage, which took a quarter of the time of reads of many small files.
 */
const LENT = [
  { sizeBytes: 16 * 1024, maxIdle: 64 },
  { sizeBytes: 64 * 1024, maxIdle: 32 },
  { sizeBytes: 1024 * 1024, maxIdle: 4 },
] as const

/** By uid. Versions never change, so cached facts about their bytes stay valid. */
function openRecent(): RecentContents {
  return new LRUCache({
    maxSize: MAX_RECENT_BYTES,
    maxEntrySize: RECENT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
  })
}

async function read(
  work: Work,
  name: ContentName,
  options: ReadOptions,
  isCached = admits(work.recent, name.uid),
): Promise<Buffer | undefined> {
  const { kv, recent } = work
  const { sizeBytes, sha256, isVerified = false } = options
  const known = recent.get(name.uid)
  if (known?.sha256 === sha256 && (known.isCompared || isVerified)) return known.bytes

  const bytes =
    findInline(kv, name) ?? (await readFile(work, name, Buffer.allocUnsafeSlow(sizeBytes)))
  if (bytes === undefined || !isAsExpected(bytes, options)) return undefined
  if (isCached) recent.set(name.uid, { bytes, sha256, isCompared: !isVerified })
  return bytes
}

/** Reads into reused memory if the content is in a file, is not to be cached, and fits. */
async function lend(
  work: Work,
  name: ContentName,
  options: ReadOptions,
): Promise<Lent | undefined> {
  const { sizeBytes, isVerified = false } = options
  // A recently saved copy in memory proves nothing about the file.
  if (!isVerified) work.recent.delete(name.uid)
  const isFinal = findInline(work.kv, name) === undefined
  const isCached = sizeBytes <= RECENT_BYTES && admits(work.recent, name.uid)
  const pool = isFinal && !isCached ? poolFor(work, sizeBytes) : undefined
  if (pool === undefined) {
    const bytes = await read(work, name, options, isCached)
    return bytes && { bytes, giveBack: undefined, isFinal }
  }

  const memory = pool.take()
  const giveBack = (): void => pool.give(memory)
  const bytes = await readFile(work, name, memory.subarray(0, sizeBytes))
  if (bytes !== undefined && isAsExpected(bytes, options)) return { bytes, giveBack, isFinal: true }
  giveBack()
  return undefined
}

function poolFor({ pools }: Work, sizeBytes: number): ReusedMemory | undefined {
  return pools.find((pool) => sizeBytes <= pool.sizeBytes)?.memory
}

/** Reads the file into this memory; undefined if the file has another size. */
async function readFile(
  { pathOf, files }: Work,
  name: ContentName,
  memory: Buffer,
): Promise<Buffer | undefined> {
  return (await files.read(pathOf(name), memory)) ? memory : undefined
}

/** Whether these bytes are stored: in a row, or in a file, which is read into reused memory. */
async function isThere(work: Work, name: ContentName, bytes: Uint8Array): Promise<boolean> {
  const isInline = compareInline(work.kv, name, bytes)
  if (isInline !== undefined) return isInline
  const pool = poolFor(work, bytes.length)
  const memory = pool?.take()
  const found = await readFile(
    work,
    name,
    (memory ?? Buffer.allocUnsafeSlow(bytes.length)).subarray(0, bytes.length),
  )
  const isSame = found?.equals(bytes) === true
  if (memory !== undefined) pool?.give(memory)
  return isSame
}

function isAsExpected(
  bytes: Buffer,
  { sizeBytes, sha256, isVerified = false }: ReadOptions,
): boolean {
  return bytes.length === sizeBytes && (isVerified || hash('sha256', bytes) === sha256)
}

/** One side of a diff: the bytes if the content is inline, else the path of its file. */
function sideOf({ pathOf, kv }: Work, { label, ...name }: LabeledContent) {
  return { name: label, source: findInline(kv, name) ?? pathOf(name) }
}

function openBytes(bytes: Buffer): OpenContent {
  return {
    sizeBytes: bytes.length,
    async *chunks({ start, end } = { start: 0, end: bytes.length - 1 }) {
      yield bytes.subarray(start, end + 1)
    },
    close: async () => undefined,
  }
}
