// Opens a data directory in an order that makes each step safe: lock it, identify it, verify the records before they are
// mapped, open them, recover from a crash. Any failure ends the start with one clear line and nothing modified.

import { randomUUID } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { CmsError } from '../base/errors.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { IDENTITY_KEY } from './records/format.ts'
import { EVERY_KEY } from './records/keys.ts'
import type { Kv } from './records/kv.ts'
import type { EngineOptions, Storage } from './engine.ts'
import { openRecords } from './records/records.ts'
import { searchLimitsOf } from './records/search.ts'
import { adoptBackup } from './backup/adopt.ts'
import { buildOpenArchive } from './backup/archive.ts'
import { inspectInChildren, requireOpens, requireWhole } from './integrity/inspect-records.ts'
import {
  markClean,
  wasClosedCleanly,
  hasBytes,
  requireIdentityFiles,
  requireSame,
} from './embedded/identity.ts'
import { type ContentDisk, watchContentDisk } from './embedded/content-disk.ts'
import { openFormStore, withForms } from './embedded/coded-forms.ts'
import { openPictureStore } from './embedded/picture-store.ts'
import { withDeadline } from './embedded/commit-deadline.ts'
import { buildWriteFiles, type ContentsOptions, openContents } from './embedded/file-contents.ts'
import { answerHold } from './backup/hold-contents.ts'
import { openHolds } from './embedded/backup-holds.ts'
import {
  type DataPaths,
  dataPathsOf,
  foreignNames,
  makeDirectories,
  readSmallFile,
  removeSmallFile,
  requireKinds,
  writeSmallFile,
} from './embedded/data-paths.ts'
import { FORMAT } from './embedded/upgrade-steps.ts'
import { type WriteOut, openWriteOut } from './embedded/content-flush.ts'
import { openPartialFiles } from './embedded/partial-files.ts'
import { holdLease, requireFreeLease } from './embedded/lease.ts'
import { type LmdbKv, openLmdb } from './embedded/lmdb-kv.ts'
import { acquireLock } from './embedded/lock.ts'
import { refusalOf } from './embedded/permission-error.ts'
import { recover } from './integrity/recovery.ts'
import { upgradeDirectory } from './integrity/upgrade.ts'
import { RefusedError } from './embedded/refusal.ts'
import { refuseNode } from './embedded/require-site.ts'
import { requireOwnContents } from './integrity/verify-contents.ts'
import { openWatch } from './storage-monitor.ts'
import { buildMatchElsewhere } from '../workers/patterns.ts'
import type { StorageStatus } from './status.ts'

export async function openEmbedded(options: EngineOptions): Promise<Storage> {
  try {
    return await openDirectory(options)
  } catch (error) {
    throw refusalOf(options.dataDir, error)
  }
}

async function openDirectory(options: EngineOptions): Promise<Storage> {
  const { dataDir, limits, pool, isShared, commitTimeoutMs } = options
  const { onFailure, onTrouble, onCommit, onUpgrade, onWait, upgradeSteps: steps } = options
  const dataPaths = dataPathsOf(dataDir)
  refuseNode(dataDir)
  requireOwnDirectory(dataPaths)
  makeDirectory(dataDir)
  const lock = await acquireLock(dataDir)
  let kv: LmdbKv | undefined
  let writeOut: WriteOut | undefined

  try {
    requireKinds(dataPaths)
    if (onUpgrade !== undefined) await upgradeDirectory(dataPaths, { steps, onUpgrade })
    const isNew = !hasBytes(dataPaths.dataFile)
    const isClean = isNew || (await wasClosedCleanly(dataPaths))
    await requireIdentityFiles(dataPaths, steps)
    if (!isNew) requireWhole(dataPaths)
    const inspection = isClean ? undefined : await inspectInChildren(dataPaths)

    makeDirectories(dataPaths)
    await adoptBackup(dataPaths)
    requireOpens(dataPaths)
    const disk = watchContentDisk(pool, (cause) => onTrouble(READ_ONLY, cause))
    kv = openLmdb({ path: dataPaths.records, onFailure, onReadOnly: disk.note, onCommit })
    await requireFreeLease(kv, dataDir, { onWait })
    requireOwnContents(dataPaths, kv)
    await settleIdentity(dataPaths, kv)
    await removeSmallFile(dataPaths, dataPaths.clean)
    const endLease = await holdLease(kv, lock.owner)

    const opened = kv
    writeOut = openWriteOut({ kv, write: buildWriteFiles(dataPaths, disk.pool), onTrouble })
    const records = openRecords(kv, {
      sharing: isShared ? 'writes' : 'alone',
      limits: searchLimitsOf(limits),
      matchElsewhere: buildMatchElsewhere(pool),
      onInline: writeOut.add,
    })
    const holds = openHolds()
    const parts = { dataPaths, disk, limits, kv, writeOut, holds }
    const stored = openStored(parts, options.pictureCacheBytes)
    const recovered = await recover({ dataPaths, kv, records, inspection, ...stored })
    return {
      records: commitTimeoutMs === undefined ? records : withDeadline(records, commitTimeoutMs),
      ...stored,
      recovered,
      status: statusOf({ dataPaths, kv, writeOut, disk }),
      keepWatch: (asked) => openWatch({ dataPaths, kv: opened, records }, asked),
      tmpDir: dataPaths.tmp,
      serveCommands: (handler) =>
        lock.serve(answerHold(holds, handler, () => writeFileSync(dataPaths.lastBackup, ''))),
      openArchive: buildOpenArchive(dataPaths, holds),
      settle: writeOut.close,
      close: closer({ dataPaths, kv, writeOut, disk, endLease, release: lock.release, onTrouble }),
    }
  } catch (error) {
    await writeOut?.close()
    await kv?.close()
    await lock.release()
    throw error
  }
}

function openStored(
  options: ContentsOptions,
  maxBytes: number,
): Pick<Storage, 'contents' | 'forms' | 'pictures' | 'partials'> {
  const { dataPaths } = options
  const { tmp } = dataPaths
  const forms = openFormStore({ directory: dataPaths.forms, tmp })
  const pictures = openPictureStore({ directory: dataPaths.pictures, tmp, maxBytes })
  const contents = withForms(openContents(options), forms, pictures)
  return { contents, forms, pictures, partials: openPartialFiles(options) }
}

const READ_ONLY =
  'the disk failed to write; changes are rejected, reads still work; check the disk and restart the server'

const NOT_MARKED =
  'disk full; the clean stop could not be recorded; the next start verifies everything, which takes longer'

type Shown = Pick<Opened, 'dataPaths' | 'kv' | 'writeOut' | 'disk'>

function statusOf({ dataPaths, kv, writeOut, disk }: Shown): () => StorageStatus {
  return () => ({
    isReadOnly: disk.isReadOnly(),
    commits: kv.commits(),
    waitingBytes: writeOut.waitingBytes(),
    recordsFileBytes: statSync(dataPaths.dataFile).size,
    lastBackupMs: statSync(dataPaths.lastBackup, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  })
}

interface Opened {
  readonly dataPaths: DataPaths
  readonly kv: LmdbKv
  readonly writeOut: WriteOut
  readonly disk: ContentDisk
  readonly endLease: () => Promise<void>
  readonly release: () => Promise<void>
  readonly onTrouble: EngineOptions['onTrouble']
}

/** After a failure the directory is not marked clean, so the next start verifies everything. */
function closer({ dataPaths, kv, writeOut, disk, endLease, release, onTrouble }: Opened) {
  return async (): Promise<void> => {
    if (!kv.hasFailed()) {
      await writeOut.close()
      if (!kv.isReadOnly()) await endLease().catch(requireFullDisk)
      await kv.close()
      if (!disk.hasFailed() && !markClean(dataPaths)) onTrouble(NOT_MARKED, undefined)
    }
    await release()
  }
}

/** A full or read-only disk cannot release the lease, which ends with this process anyway. */
function requireFullDisk(error: unknown): void {
  if (!(error instanceof CmsError && error.code === 'disk-full')) throw error
}

/** A directory with foreign files may be a home directory and must not be used for data. */
function requireOwnDirectory(dataPaths: DataPaths): void {
  if (!existsSync(dataPaths.dataDir)) return
  if (!statSync(dataPaths.dataDir).isDirectory())
    throw new RefusedError(`${dataPaths.dataDir} is not a directory.`)
  const names = foreignNames(dataPaths.dataDir).filter((name) => !name.startsWith('.'))
  const isOurs =
    names.length === 0 ||
    names.includes('records') ||
    names.includes('instance.json') ||
    names.includes('00')
  if (isOurs) return
  throw new RefusedError(
    `${dataPaths.dataDir} holds other files. Give --data an empty directory or a data directory of cms-server.`,
  )
}

/** The records and instance.json must name the same site; an interrupted first start is completed. */
async function settleIdentity(dataPaths: DataPaths, kv: Kv): Promise<void> {
  const inRecords = kv.get(IDENTITY_KEY)?.toString()
  const instance = await readSmallFile(dataPaths.instance)

  if (inRecords === undefined) {
    if (instance !== undefined || kv.count({ ...EVERY_KEY, limit: 1 }) > 0)
      throw new RefusedError('The records hold no site identity. Restore a backup of records/.')
    const uuid = randomUUID()
    await kv.commit((writer) => writer.put(IDENTITY_KEY, Buffer.from(uuid)))
    writeSmallFile(dataPaths, dataPaths.instance, { format: FORMAT, uuid })
    return
  }
  if (instance === undefined) {
    writeSmallFile(dataPaths, dataPaths.instance, { format: FORMAT, uuid: inRecords })
    return
  }
  requireSame(instance, inRecords)
}
