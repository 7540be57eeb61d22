// Opens contents on an S3 store as a node of a cluster does, with its own rows in memory and its
// own cache.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '../../../lib/config/limits.ts'
import { newUid } from '../../../lib/storage/embedded/data-paths.ts'
import type { StorageLimits } from '../../../lib/storage/engine.ts'
import {
  type ClusterContents,
  type ClusterContentsOptions,
  openClusterContents,
} from '../../../lib/cluster/open-s3-contents.ts'
import type { S3Settings, StoreTimes } from '../../../lib/cluster/store-client.ts'
import {
  beginMark,
  finishMark,
  type Place,
  readMark,
  requireMarked,
} from '../../../lib/cluster/site-mark.ts'
import type { Sealed } from '../../../lib/storage/port.ts'
import { INLINE_ROWS, inlineName, putInline } from '../../../lib/storage/records/inline-contents.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import type { Pool } from '../../../lib/workers/pool.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'
import { temporaryDirectory } from '../../helpers/server.ts'
import type { OpenContentStore } from '../contents-contract.ts'

export interface Node extends ClusterContents {
  readonly kv: Kv
  readonly cacheDir: string
  readonly troubles: string[]
  /** Carries the content as the commit that names it does. */
  commit(sealed: Sealed, fileId?: number): Promise<void>
}

export interface NodeOptions extends Pick<ClusterContentsOptions, 'settings' | 'pool'> {
  readonly times?: StoreTimes
  readonly limits?: Partial<StorageLimits>
  readonly siteUuid?: string
  readonly cacheDir?: string
  readonly kv?: Kv
}

export const AT_ONCE = { inlineContentBytes: -1 }
export const CACHE_BYTES = 256 * 1024 * 1024

export async function openNode(options: NodeOptions): Promise<Node> {
  const { siteUuid = 'a site', cacheDir = join(temporaryDirectory(), 'cache') } = options
  const { kv = openMemoryKv(), limits } = options
  mkdirSync(cacheDir, { recursive: true })
  const troubles: string[] = []
  const cluster = await openClusterContents({
    ...options,
    settle: (place) => markIfEmpty(place, siteUuid),
    cacheDir,
    kv,
    records: openRecords(kv),
    limits: { ...LIMITS, ...limits },
    onTrouble: (message) => void troubles.push(message),
  })
  return {
    ...cluster,
    kv,
    cacheDir,
    troubles,
    async commit({ uid, inline }, fileId = 7) {
      if (inline === undefined) return
      await kv.commit((writer) => putInline(writer, { fileId, uid }, inline))
      cluster.onInline(inline.length)
    },
  }
}

/** Nodes of these tests have separate rows, so each node may be the first to claim the place. */
async function markIfEmpty(place: Place, uuid: string): Promise<void> {
  if ((await readMark(place)) !== undefined) return requireMarked(place, uuid)
  await beginMark(place, uuid)
  await finishMark(place, uuid)
}

export interface StoreUnderTest {
  readonly settings: Omit<S3Settings, 'prefix' | 'cacheBytes'>
  /** Keys of all objects and of unfinished multipart uploads, listed by an independent client. */
  readonly keysUnder: (prefix: string) => readonly string[]
}

/** Opens stores for contentsContract; each store has its own prefix. */
export function contractOpener(
  { settings, keysUnder }: StoreUnderTest,
  pool: Pool,
  limits: Partial<StorageLimits> = {},
): OpenContentStore {
  return async () => {
    const prefix = `contract-${newUid()}/`
    const node = await openNode({
      pool,
      limits,
      settings: { ...settings, prefix, cacheBytes: CACHE_BYTES },
    })
    return {
      contents: node.contents,
      commit: node.commit,
      count: () => namesIn(node, prefix, keysUnder).size,
      close: async () => {
        await node.close()
        assert.deepEqual(node.troubles, [])
        rmSync(node.cacheDir, { recursive: true, force: true })
      },
    }
  }
}

/** The names of all stored contents. Each content counts once, as an object, a row or a copy. */
function namesIn(
  { kv, cacheDir }: Node,
  prefix: string,
  keysUnder: StoreUnderTest['keysUnder'],
): ReadonlySet<string> {
  const objects = keysUnder(prefix)
    .filter((key) => !key.endsWith('instance.json'))
    .map((key) => key.slice(prefix.length + 'ff/'.length))
  const inline = [...kv.keys(INLINE_ROWS)]
    .map(inlineName)
    .map(({ fileId, uid }) => `${fileId}.${uid}`)
  return new Set([...objects, ...inline, ...filesHere(cacheDir)])
}

/** Removed files are first renamed into .tmp and deleted a moment later, so .tmp is skipped. */
function filesHere(cacheDir: string): readonly string[] {
  return readdirSync(cacheDir)
    .filter((name) => name !== '.tmp')
    .flatMap((shard) => readdirSync(join(cacheDir, shard)))
    .map((name) => name.slice(0, name.lastIndexOf('.')))
}
