// A small, cleanly stopped site on disk, and ways to damage a copy.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { LIMITS } from '../../lib/config/limits.ts'
import { assetFileVersion } from '../../lib/schema/asset-file.ts'
import type { Kv } from '../../lib/storage/records/kv.ts'
import type { Records } from '../../lib/storage/port.ts'
import { contentPath, dataPathsOf } from '../../lib/storage/embedded/data-paths.ts'
import { openLmdb } from '../../lib/storage/embedded/lmdb-kv.ts'
import type { Storage } from '../../lib/storage/engine.ts'
import { openStorage, type StorageOptions } from '../../lib/server/open-storage.ts'
import { openRecords } from '../../lib/storage/records/records.ts'
import type { Pool } from '../../lib/workers/pool.ts'
import { newDataDirectory } from './data-directory.ts'
import { siteBehind } from './engine.ts'
import { startTestServer, temporaryDirectory } from './server.ts'

export interface Site {
  readonly dataDir: string
  /** Secret of an admin key. */
  readonly key: string
  /** Folder of the files. */
  readonly folderId: number
  /** Group of files 1 and 2. */
  readonly groupId: number
  /** Files with two versions each; the first version is live. */
  readonly fileIds: readonly number[]
}

export async function makeSite(): Promise<Site> {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const post = async (path: string, json: object): Promise<any> => {
    const answer = await server.call('POST', `/api/v2/${path}`, { json })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }

  const { asset_category_id: folderId } = await post('asset_category', { name: 'News' })
  const fileIds: number[] = []
  for (const name of ['a.html', 'b.html', 'c.html']) {
    const file = {
      name,
      type: 'html',
      parent_category_id: folderId,
      fileState: 'publish',
      pageContent: `<p>${name} 1</p>`,
    }
    const { asset_file_id: id } = await post('asset_file', file)
    await post(`asset_file/${id}`, { pageContent: `<p>${name} 2</p>` })
    fileIds.push(id)
  }
  const { file_group_id: groupId } = await post('file_group', {
    name: 'g',
    asset_file_ids: fileIds.slice(0, 2),
  })
  await server.stop()
  return { dataDir: server.dataDir, key: server.key, folderId, groupId, fileIds }
}

/**
 * Copies a site with its mark of a clean stop, which contains the time of the data file in nanoseconds. The copy functions of
 * Node round times to milliseconds, so every start on such a copy would check all records as after a crash. They
 * also refuse the socket of a killed server.
 */
export function copySite(dataDir: string): string {
  const copy = newDataDirectory()
  execFileSync('cp', ['-a', dataDir, copy])
  return copy
}

/** Copies a site and removes the mark of a clean stop, as after a crash. */
export function copyCrashed({ dataDir }: Site): string {
  const copy = copySite(dataDir)
  markCrashed(copy)
  return copy
}

export function markCrashed(dataDir: string): void {
  rmSync(dataPathsOf(dataDir).clean, { force: true })
}

/**
 * Changes records below all checks. In a cluster a separate node makes the changes, so other nodes
 * can run at the same time.
 */
export async function tamper(
  dataDir: string,
  change: (kv: Kv, records: Records) => Promise<unknown>,
): Promise<void> {
  const site = await siteBehind(dataDir)
  const { kv, records, close } =
    site === undefined ? openAlone(dataDir) : await openBeside(site.databaseUrl)
  try {
    await change(kv, records)
  } finally {
    await close()
  }
}

interface Opened {
  readonly kv: Kv
  readonly records: Records
  close(): Promise<void>
}

function openAlone(dataDir: string): Opened {
  const kv = openLmdb({ path: dataPathsOf(dataDir).records, onFailure: fail })
  return { kv, records: openRecords(kv), close: () => kv.close() }
}

async function openBeside(databaseUrl: string): Promise<Opened> {
  const { openSharedRecords } = await import('../../lib/cluster/replicated-kv.ts')
  const directory = temporaryDirectory()
  const node = await openSharedRecords({ databaseUrl, directory, onFailure: fail })
  return {
    ...node,
    async close() {
      await node.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Adds a version of a file whose bytes already are a file. It sorts last among the contents. */
export async function addContent(
  dataDir: string,
  { fileId, bytes }: { readonly fileId: number; readonly bytes: Buffer },
): Promise<string> {
  const uid = 'f'.repeat(32)
  const path = contentPath(dataPathsOf(dataDir), { fileId, uid })
  writeFileSync(path, bytes)
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const first = unit.get(assetFileVersion, fileId, 1)?.value
      assert.ok(first !== undefined)
      const sha256 = hash('sha256', bytes)
      const version = { ...first, version: 3, uid, size: bytes.length, sha256 }
      unit.put(assetFileVersion, [fileId, 3], version)
    }),
  )
  return path
}

export function openSite(
  dataDir: string,
  pool: Pool,
  options: Partial<StorageOptions> = {},
): Promise<Storage> {
  return openStorage({
    config: { dataDir },
    limits: LIMITS,
    pool,
    onFailure: fail,
    onTrouble: (_, cause) => fail(cause),
    ...options,
  })
}

function fail(cause: unknown): never {
  throw new Error('the storage failed', { cause })
}
