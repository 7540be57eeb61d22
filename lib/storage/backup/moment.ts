// The records of one moment: a copy that LMDB makes while the server goes on writing, looked at before it
// is trusted. What it names are the contents of that moment; somebody must hold them (backup-holds.ts).

import { createHash, hash } from 'node:crypto'
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { FILE_MODE, readChunks, syncFile } from '../../workers/files.ts'
import { findCarried } from '../records/inline-contents.ts'
import { IDENTITY_KEY } from '../records/format.ts'
import type { Kv } from '../records/kv.ts'
import { damagedRecords, walkInChild } from '../integrity/look-at-records.ts'
import { type DataPaths, readSmallFile } from '../embedded/data-paths.ts'
import { endLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import type { Manifest } from './manifest.ts'
import { RefusedError } from '../embedded/refusal.ts'
import { eachContent, requireOwnContents } from '../integrity/verify-contents.ts'

export interface Moment {
  readonly uuid: string
  /** RFC 3339; the records were copied after it. */
  readonly moment: string
  readonly records: Manifest['records']
  /** What is wrong in the records themselves. */
  readonly faults: readonly string[]
  /** The files that belong to the records, one version for each, in chunks. */
  files(): Generator<readonly AssetFileVersion[]>
  close(): Promise<void>
}

/** Copies the records of `from` into the directory of `to`, which is empty; durable but for the name. */
export async function copyMoment(from: DataPaths, to: DataPaths): Promise<Moment> {
  mkdirSync(to.records, { recursive: true, mode: 0o700 })
  const moment = new Date().toISOString()
  await copyRecords(from, to)

  const walk = await walkInChild(to, 'contents')
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

/** Takes the server out of the copy, and makes the copy durable; returns the name of the site. */
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
    'The records (records/) and the content of this directory belong to two different sites. Nothing was copied.',
  )
}

/** Of its own locks LMDB needs none to begin with, and those of a copy say nothing. */
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

/** Small contents ride in the records until they are files; those that do are there already. */
export function* eachFile(kv: Kv): Generator<readonly AssetFileVersion[]> {
  for (const versions of eachContent(kv)) {
    yield versions.filter((version) => !isCarried(kv, version))
  }
}

function isCarried(kv: Kv, { asset_file_id: fileId, uid, sha256 }: AssetFileVersion): boolean {
  const bytes = findCarried(kv, { fileId, uid })
  return bytes !== undefined && hash('sha256', bytes) === sha256
}
