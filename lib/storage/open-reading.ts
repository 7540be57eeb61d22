// Opens a data directory only for reading: for a server with --read-only, and for commands on a read-only file system.
// Nothing is created, repaired, moved or removed. If the directory is writable, the lock of lock.ts is still taken, so
// that no other server starts writing, and LMDB keeps its list of readers (records/lock.mdb). On a read-only file system
// neither is possible.
//
// Leftovers of a crash are read as they are: inline contents are read from the records, and versions without their bytes
// fail when they are read. Only faults that would give wrong answers are refused.

import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CmsError } from '../base/errors.ts'
import { assetCategory, ROOT_CATEGORY_ID } from '../schema/asset-category.ts'
import type { Records } from './port.ts'
import type { Archive } from './site-archive.ts'
import { openRecords } from './records/records.ts'
import { searchLimitsOf } from './records/search.ts'
import { sharesBytes } from './backup/adopt.ts'
import { buildOpenArchive } from './backup/archive.ts'
import { type Inspection, inspectInChildren, requireWhole } from './integrity/inspect-records.ts'
import { wasClosedCleanly, requireIdentity, requireIdentityFiles } from './embedded/identity.ts'
import type { ContentDisk } from './embedded/content-disk.ts'
import { openContents } from './embedded/file-contents.ts'
import { answerHold } from './backup/hold-contents.ts'
import { openHolds } from './embedded/backup-holds.ts'
import { NO_WRITE_OUT, NO_WRITING, openToRead, type ReadKv } from './embedded/read-only.ts'
import { type DataPaths, dataPathsOf } from './embedded/data-paths.ts'
import { requireFreeLease } from './embedded/lease.ts'
import { lockIfWritable } from './embedded/lock.ts'
import { refusalOf } from './embedded/permission-error.ts'
import type { EngineOptions, Storage } from './engine.ts'
import { isMendedByStart } from './integrity/recovery.ts'
import { RefusedError } from './embedded/refusal.ts'
import { requireSite } from './embedded/require-site.ts'
import { requireOwnContents } from './integrity/verify-contents.ts'
import { openWatch } from './storage-monitor.ts'
import { buildMatchElsewhere } from '../workers/patterns.ts'

export async function openReading(options: EngineOptions): Promise<Storage> {
  try {
    return await openDirectory(options)
  } catch (error) {
    throw refusalOf(options.dataDir, error)
  }
}

const NO_HEADROOM = { minFreeBytes: 0, minFreeRatio: 0 } as const

async function openDirectory(options: EngineOptions): Promise<Storage> {
  const { dataDir, limits, pool, onFailure, onTrouble } = options
  const dataPaths = dataPathsOf(dataDir)
  requireSite(dataPaths)
  const lock = await lockIfWritable(dataDir)
  let kv: ReadKv | undefined

  try {
    const inspection = await look(dataPaths, options.upgradeSteps)
    requireOpens(dataPaths)
    kv = openToRead(dataPaths, onFailure)
    await requireFreeLease(kv, dataDir)
    await requireIdentity(dataPaths, kv)
    requireOwnContents(dataPaths, kv)
    const records = openRecords(kv, {
      limits: searchLimitsOf(limits),
      matchElsewhere: buildMatchElsewhere(pool),
      onInline: () => undefined,
    })
    requireBegun(records, dataDir)
    const cut = inspection?.cut.length ?? 0
    if (cut > 0)
      onTrouble(`versions without bytes, not marked because read-only: ${cut}`, undefined)

    const opened = kv
    const holds = openHolds()
    const disk: ContentDisk = { ...NO_WRITING, pool }
    const contents = openContents({ dataPaths, disk, limits, kv, writeOut: NO_WRITE_OUT, holds })
    return {
      records,
      contents,
      recovered: { ...NOTHING_DONE, wasCrash: inspection !== undefined, damagedVersions: cut },
      status: () => ({
        isReadOnly: false,
        commits: opened.commits(),
        waitingBytes: 0,
        recordsFileBytes: statSync(dataPaths.dataFile).size,
      }),
      // A reader needs no free space, and a scrub would mark what it finds.
      keepWatch: (asked) =>
        openWatch(
          { dataPaths, kv: opened, records },
          { ...asked, headroom: NO_HEADROOM, scrub: { ...asked.scrub, everyMs: 0 } },
        ),
      tmpDir: dataPaths.tmp,
      serveCommands: (handler) => lock?.serve(answerHold(holds, handler)),
      openArchive: requirePlace(buildOpenArchive(dataPaths, holds, tmpdir())),
      settle: async () => undefined,
      async close() {
        await opened.close()
        await lock?.release()
      },
    }
  } catch (error) {
    await kv?.close()
    await lock?.release()
    throw error
  }
}

const MEND = 'Start the server once without --read-only, on a writable file system, to repair this.'

/** Verifies like a normal start, but repairs nothing. Returns undefined after a clean stop. */
async function look(
  dataPaths: DataPaths,
  steps: EngineOptions['upgradeSteps'],
): Promise<Inspection | undefined> {
  const isClean = await wasClosedCleanly(dataPaths)
  await requireIdentityFiles(dataPaths, steps)
  requireWhole(dataPaths)
  if (existsSync(dataPaths.manifest) && sharesBytes(dataPaths))
    throw new RefusedError(
      `${dataPaths.dataDir} is a backup that shares its contents with another backup. Restore it with "cms-server restore" and serve the restored directory.`,
    )
  const inspection = isClean ? undefined : await inspectInChildren(dataPaths)
  const fault = inspection?.faults.find(isMendedByStart)
  if (fault === undefined) return inspection
  throw new RefusedError(
    `The last stop of ${dataPaths.dataDir} left a fault that must be repaired before the site can be served: ${fault.detail} ${MEND}`,
  )
}

/** Like requireOpens of a normal start, but on a read-only file system LMDB works without its lock file. */
function requireOpens({ records, dataFile }: DataPaths): void {
  closeSync(openSync(dataFile, 'r'))
  try {
    closeSync(openSync(join(records, 'lock.mdb'), 'a+', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error
  }
}

/** An interrupted first start has not created the root folder. */
function requireBegun(records: Records, dataDir: string): void {
  if (records.get(assetCategory.recordType, ROOT_CATEGORY_ID) !== undefined) return
  throw new RefusedError(
    `The first start in ${dataDir} was interrupted and has not created a site. ${MEND}`,
  )
}

/** A backup needs a directory for the copy of the records while it is sent. */
function requirePlace(openArchive: () => Promise<Archive>): () => Promise<Archive> {
  return async () => {
    try {
      accessSync(tmpdir(), constants.W_OK | constants.X_OK)
    } catch (cause) {
      const detail =
        'A backup needs a writable directory for a copy of the records, and this server has none. Restart the server with TMPDIR set to a writable directory, or make the backup with "cms-server backup".'
      throw new CmsError('unavailable', detail, { cause })
    }
    return openArchive()
  }
}

const NOTHING_DONE = { temporaryFiles: 0, quarantined: 0, mended: 0 }
