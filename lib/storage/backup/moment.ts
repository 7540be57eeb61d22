// A snapshot of the records: a copy that LMDB makes while the server keeps writing, verified before it is used. The
// contents that it refers to must be held by the caller (backup-holds.ts).

import { createHash, hash } from 'node:crypto'
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AssetFileVersion, contentNameOf } from '../../schema/asset-file.ts'
import { FILE_MODE, readChunks, syncFile } from '../../workers/files.ts'
import { findInline } from '../records/inline-contents.ts'
import { IDENTITY_KEY } from '../records/format.ts'
import type { Kv } from '../records/kv.ts'
import { damagedRecords, inspectInChild } from '../integrity/inspect-records.ts'
import { type DataPaths, readSmallFile } from '../embedded/data-paths.ts'
import { endLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import type { Manifest } from './manifest.ts'
import { RefusedError } from '../embedded/refusal.ts'
import { eachContent, requireOwnContents } from '../integrity/verify-contents.ts'

export interface Moment {
  readonly uuid: string
  /** RFC 3339; the records were copied after this time. */
  readonly moment: string
  readonly records: Manifest['records']
  /** Faults of the records themselves. */
  readonly faults: readonly string[]
  /** The files of the snapshot in chunks, one version for each file. */
  files(): Generator<readonly AssetFileVersion[]>
  close(): Promise<void>
}

/** Copies the records of `from` into the empty directory of `to`. The bytes are durable on return; the name is not. */
export async function copyMoment(from: DataPaths, to: DataPaths): Promise<Moment> {
  mkdirSync(to.records, { recursive: true, mode: 0o700 })
  const moment = new Date().toISOString()
  await copyRecords(from, to)

  const walk = await inspectInChild(to, 'contents')
  if (walk === undefined) throw damagedRecords()
  const uuid = await detach(from, to)
  const kv = openLmdb({ path: to.records, readOnly: true, onFailure: () => undefined })
  return {
    uuid,
    moment,
    records: { count: walk.records, ...describeFile(to) },
    faults: walk.faults.map(({ detail }) => detail),
    files: () => eachFile(kv),
    async close() {
      await kv.close()
      removeLocks(to)
    },
  }
}

async function copyRecords(from: DataPaths, to: DataPaths): Promise<void> {
  const source = openLmdb({ path: from.records, readOnly: true, onFailure: () => undefined })
  try {
    requireOwnContents(from, source)
    await source.copyTo(to.records)
  } finally {
    await source.close()
  }
  chmodSync(to.dataFile, FILE_MODE)
}

/** Removes the server's lease from the copy and makes the copy durable. Returns the uuid of the site. */
async function detach(from: DataPaths, to: DataPaths): Promise<string> {
  const kv = openLmdb({ path: to.records, onFailure: () => undefined })
  const uuid = kv.get(IDENTITY_KEY)?.toString()
  await endLease(kv)
  await kv.close()
  removeLocks(to)
  syncFile(to.dataFile)

  const instance = await readSmallFile(from.instance)
  if (uuid !== undefined && instance?.['uuid'] === uuid) return uuid
  throw new RefusedError(
    'The records (records/) and the contents of this directory belong to different sites. Nothing was copied.',
  )
}

/** LMDB creates its lock file on demand, and the locks of a copy are meaningless. */
function removeLocks({ records }: DataPaths): void {
  rmSync(join(records, 'lock.mdb'), { force: true })
}

function describeFile({ dataFile }: DataPaths): {
  readonly bytes: number
  readonly sha256: string
} {
  const fd = openSync(dataFile, 'r')
  try {
    const sum = createHash('sha256')
    readChunks(fd, (chunk) => sum.update(chunk))
    return { bytes: fstatSync(fd).size, sha256: sum.digest('hex') }
  } finally {
    closeSync(fd)
  }
}

/** Small contents are inline in the records until they become files; inline contents were copied with the records. */
export function* eachFile(kv: Kv): Generator<readonly AssetFileVersion[]> {
  for (const versions of eachContent(kv)) {
    yield versions.filter((version) => !isInline(kv, version))
  }
}

function isInline(kv: Kv, version: AssetFileVersion): boolean {
  const bytes = findInline(kv, contentNameOf(version))
  return bytes !== undefined && hash('sha256', bytes) === version.sha256
}
