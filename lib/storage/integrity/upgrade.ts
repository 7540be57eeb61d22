// Upgrades a data directory of format 1 to this version, in place. Only the bytes of the keys change
// (records/legacy-keys.ts).
//
// 1. A child process reads everything: a damaged directory is refused, and nothing is changed.
// 2. instance.json records that the upgrade is running. From here on no other version opens the directory, and this
//    version opens it only to resume the upgrade.
// 3. Rows are moved to their new keys, some thousands in a commit. A moved row has no old key any more, so an interrupted
//    run can resume without further bookkeeping.
// 4. instance.json records that the upgrade is finished.
//
// Afterwards the start verifies everything, as after a crash.

import { setImmediate } from 'node:timers/promises'
import { type Audit, audit, auditTurn, turnsBack } from '../../schema/audit.ts'
import { RECORD_TYPES } from '../../schema/catalog.ts'
import { IDENTITY_KEY, IDENTITY_NAME, recordIds, recordRange } from '../records/format.ts'
import { decodeRecord } from '../records/record-bytes.ts'
import { openRecords } from '../records/records.ts'
import { pairChunks } from '../records/slices.ts'
import {
  FORMAT,
  type DataPaths,
  makeDirectories,
  needsUpgrade,
  OLD_FORMAT,
  readSmallFile,
  removeSmallFile,
  writeSmallFile,
} from '../embedded/data-paths.ts'
import { hasBytes, requireSame } from '../embedded/identity.ts'
import type { UpgradeProgress } from '../engine.ts'
import { LEASE_NAME, requireFreeLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { RefusedError } from '../embedded/refusal.ts'
import type { Kv, KvWriter } from '../records/kv.ts'
import {
  hasOldKeys,
  type IsGone,
  OLD_KEYS,
  oldMarkKey,
  openTranslation,
  type Translate,
} from '../records/legacy-keys.ts'
import { damagedRecords, readOldInChild, requireOpens, requireWhole } from './look-at-records.ts'

export type OnUpgrade = (progress: UpgradeProgress) => void

/** Rows in one commit, and bytes of their records. */
const MAX_ROWS = 2_048
const MAX_BYTES = 4 * 1024 * 1024
const TELL_EVERY_MS = 2_000

/** Does nothing if no upgrade is needed. The caller must hold the lock of the directory. */
export async function upgradeDirectory(dataPaths: DataPaths, onUpgrade: OnUpgrade): Promise<void> {
  const instance = await readSmallFile(dataPaths.instance)
  if (!hasBytes(dataPaths.dataFile) || !needsUpgrade(instance)) return
  requireWhole(dataPaths)
  const found = await readOldInChild(dataPaths)
  if (found === undefined) throw damagedRecords()
  if (found.fault !== undefined)
    throw new RefusedError(
      `The records are damaged: ${found.fault} Nothing was changed. Restore a backup, or run "cms-server check" of the version that wrote them.`,
    )
  // An interrupted first start of this version.
  if (instance === undefined && found.rows === 0) return

  makeDirectories(dataPaths)
  requireOpens(dataPaths)
  await removeSmallFile(dataPaths, dataPaths.clean)
  const kv = openLmdb({ path: dataPaths.records, onFailure: () => undefined })
  try {
    const uuid = await requireOwn(kv, dataPaths, instance)
    writeSmallFile(dataPaths, dataPaths.instance, {
      format: FORMAT,
      uuid,
      upgradingFrom: OLD_FORMAT,
    })
    await upgradeRecords(kv, onUpgrade)
    await kv.close()
    writeSmallFile(dataPaths, dataPaths.instance, { format: FORMAT, uuid })
  } catch (error) {
    await kv.close()
    throw error
  }
}

/** Returns the uuid of the site. */
async function requireOwn(
  kv: Kv,
  { dataDir }: DataPaths,
  instance: Readonly<Record<string, unknown>> | undefined,
): Promise<string> {
  await requireFreeLease(kv, dataDir, { key: oldMarkKey(LEASE_NAME) })
  await requireFreeLease(kv, dataDir)
  const uuid = (kv.get(IDENTITY_KEY) ?? kv.get(oldMarkKey(IDENTITY_NAME)))?.toString()
  if (uuid === undefined)
    throw new RefusedError('The records hold no site identity. Restore a backup of records/.')
  if (instance !== undefined) requireSame(instance, uuid)
  return uuid
}

/** Converts the records to this version. May be interrupted and called again. */
export async function upgradeRecords(kv: Kv, onUpgrade: OnUpgrade): Promise<void> {
  await convertKeys(kv, onUpgrade)
  await noteTurns(kv, onUpgrade)
}

/** Records where the dates of the audit trail turn back, which format 1 did not note. */
async function noteTurns(kv: Kv, onUpgrade: OnUpgrade): Promise<void> {
  const records = openRecords(kv)
  const rows = recordRange(kv, audit.recordType)
  const telling = openTelling(onUpgrade, { step: 'audit', total: records.count(audit.recordType) })
  let latest = ''
  let done = 0
  for (const pairs of pairChunks(kv, rows)) {
    await telling.tell(done)
    for (const { key, value } of pairs) {
      const { date_added } = decodeRecord<Audit>(value).value
      if (date_added >= latest) latest = date_added
      if (!turnsBack(latest, date_added)) continue
      const id = Number(recordIds(key)[0])
      await records.commit((unit) => unit.put(auditTurn, [id], { date_added }))
      latest = date_added
    }
    done += pairs.length
  }
  onUpgrade({ step: 'audit', done, total: done })
}

/** Reports the progress of a step periodically and yields to the event loop, so that a signal can end the process. */
function openTelling(onUpgrade: OnUpgrade, step: Omit<UpgradeProgress, 'done'>) {
  let toldMs = Number.NEGATIVE_INFINITY
  return {
    async tell(done: number): Promise<void> {
      if (performance.now() - toldMs < TELL_EVERY_MS) return
      onUpgrade({ ...step, done })
      toldMs = performance.now()
      await setImmediate()
    },
  }
}

/** Moves all rows with old keys, in commits of bounded size. May be interrupted and called again. */
export async function convertKeys(kv: Kv, onUpgrade: OnUpgrade, maxRows = MAX_ROWS): Promise<void> {
  const translate = openTranslation(IS_GONE, RECORD_TYPES)
  const total = kv.count(OLD_KEYS)
  const telling = openTelling(onUpgrade, { step: 'keys', total })
  let done = 0
  while (hasOldKeys(kv)) {
    await telling.tell(done)
    done += await kv.commit((writer) => moveRows(writer, translate, maxRows))
  }
  onUpgrade({ step: 'keys', done, total })
}

function moveRows(writer: KvWriter, translate: Translate, maxRows: number): number {
  const pairs = []
  let sizeBytes = 0
  for (const pair of writer.pairs({ ...OLD_KEYS, limit: maxRows })) {
    pairs.push(pair)
    sizeBytes += pair.value.length
    if (sizeBytes >= MAX_BYTES) break
  }
  for (const { key, value } of pairs) {
    const next = translate(writer, key)
    if (next !== undefined) writer.put(next, value)
    writer.remove(key)
  }
  return pairs.length
}

/** Rows to drop: the lease of a stopped server, and an index that no longer exists (records/monotonic-index.ts). */
const IS_GONE: IsGone = ([kind, name, index]) =>
  (kind === 'm' && name === LEASE_NAME) ||
  (kind === 'i' && name === audit.recordType.name && index === 'date_added')
