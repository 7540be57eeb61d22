// What a start clears away. After a clean stop there is nothing to look for but the work that was
// promised; after a crash the bytes on disk and the versions are compared both ways:
// - bytes that no version names go to .quarantine: they may be the unfinished half of a save;
// - a version whose bytes are gone or cut is marked damaged, and the rest is served.
// Every step can be interrupted and run again.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AssetFileVersion, assetFileVersion } from '../../schema/asset-file.ts'
import { pendingWork } from '../../schema/catalog.ts'
import { syncDirectory } from '../../workers/files.ts'
import type { KvReader } from '../kv.ts'
import type { ContentName, Contents, Records } from '../port.ts'
import { parseRecord } from '../record-format.ts'
import type { Layout } from './layout.ts'
import { eachOrphan, eachVersion, hasBytes } from './verify-contents.ts'

export interface Recovered {
  /** The last stop was a crash, so everything was compared. */
  readonly wasCrash: boolean
  readonly temporaryFiles: number
  readonly quarantined: number
  readonly damagedVersions: number
}

export interface RecoverInput {
  readonly layout: Layout
  readonly kv: KvReader
  readonly records: Records
  readonly contents: Contents
  readonly isClean: boolean
}

const QUARANTINE_DAYS = 30
const DAY_MS = 86_400_000

export async function recover({
  layout,
  kv,
  records,
  contents,
  isClean,
}: RecoverInput): Promise<Recovered> {
  const temporaryFiles = purgeTemporary(layout)
  await finishRemovals(records, contents)
  if (isClean) return { wasCrash: false, temporaryFiles, quarantined: 0, damagedVersions: 0 }

  const orphans = [...eachOrphan(layout, kv)]
  quarantine(layout, orphans)
  const damagedVersions = await markDamaged(layout, kv, records)
  emptyQuarantine(layout)
  return { wasCrash: true, temporaryFiles, quarantined: orphans.length, damagedVersions }
}

function purgeTemporary(layout: Layout): number {
  const names = readdirSync(layout.tmp)
  for (const name of names) rmSync(join(layout.tmp, name), { recursive: true, force: true })
  return names.length
}

/** Before orphans are looked for: bytes of a deleted file are to be removed, not kept. */
async function finishRemovals(records: Records, contents: Contents): Promise<void> {
  for (const [id] of records.list(pendingWork, [])) {
    const stored = records.get(pendingWork, String(id))
    const work = stored === undefined ? undefined : parseRecord(stored)
    if (work?.['kind'] !== 'remove') continue
    await contents.remove(work['contents'] as unknown as readonly ContentName[])
    await records.commit((unit) => unit.remove(pendingWork, String(id)))
  }
}

/** Moves what no record knows out of the way, under a name that keeps where it was. */
export function quarantine(layout: Layout, paths: readonly string[]): void {
  if (paths.length === 0) return
  mkdirSync(layout.quarantine, { recursive: true, mode: 0o700 })
  const time = Date.now()
  for (const [index, path] of paths.entries()) {
    renameSync(path, join(layout.quarantine, `${time}-${index}-${basename(path)}`))
  }
  syncDirectory(layout.quarantine)
}

async function markDamaged(layout: Layout, kv: KvReader, records: Records): Promise<number> {
  const damaged = [...eachVersion(kv)].filter(
    (version) => !version.damaged && !hasBytes(layout, version),
  )
  for (const version of damaged) await putDamaged(records, version)
  return damaged.length
}

/** The one change that a version can undergo. */
export async function putDamaged(records: Records, version: AssetFileVersion): Promise<void> {
  await records.commit((unit) => {
    const ids = [version.asset_file_id, version.version]
    if (unit.get(assetFileVersion, ...ids) === undefined) return
    unit.put(assetFileVersion, ids, { ...version, damaged: true })
  })
}

function emptyQuarantine(layout: Layout): void {
  const oldest = Date.now() - QUARANTINE_DAYS * DAY_MS
  for (const name of readdirSync(layout.quarantine)) {
    const path = join(layout.quarantine, name)
    if (statSync(path).ctimeMs < oldest) rmSync(path, { recursive: true, force: true })
  }
}
