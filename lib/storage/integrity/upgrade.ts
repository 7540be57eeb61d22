// Upgrades a data directory of an earlier format to the format of this version, in place and step by step
// (embedded/data-paths.ts).
//
// 1. A child process reads everything: a damaged directory is refused, and nothing is changed.
// 2. instance.json names the new format and the format that the step converts ("upgradingFrom"). From here on no other
//    version opens the directory, and this version opens it only to resume the upgrade.
// 3. The step converts the records.
// 4. The next step begins; after the last step instance.json names only the format.
//
// Afterwards the start verifies everything, as after a crash.

import { setImmediate } from 'node:timers/promises'
import {
  makeDirectories,
  type DataPaths,
  readSmallFile,
  removeSmallFile,
  writeSmallFile,
} from '../embedded/data-paths.ts'
import {
  FORMAT,
  type ReportProgress,
  stepsOf,
  type UpgradeStep,
} from '../embedded/upgrade-steps.ts'
import { hasBytes, requireIdentity } from '../embedded/identity.ts'
import { requireFreeLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { RefusedError } from '../embedded/refusal.ts'
import type { UpgradeProgress } from '../engine.ts'
import { damagedRecords, readRowsInChild, requireOpens, requireWhole } from './inspect-records.ts'

export type OnUpgrade = (progress: UpgradeProgress) => void

export interface UpgradeOptions {
  readonly steps: readonly UpgradeStep[] | undefined
  readonly onUpgrade: OnUpgrade
}

const REPORT_EVERY_MS = 2_000

/**
 * Does nothing if no step is needed, or if this version cannot convert the directory; the start then refuses it. The
 * caller must hold the lock of the directory.
 */
export async function upgradeDirectory(
  dataPaths: DataPaths,
  { steps, onUpgrade }: UpgradeOptions,
): Promise<void> {
  const instance = await readSmallFile(dataPaths.instance)
  if (instance === undefined || !hasBytes(dataPaths.dataFile)) return
  const pending = stepsOf(instance, steps) ?? []
  if (pending.length === 0) return
  requireWhole(dataPaths)
  await requireUndamaged(dataPaths)

  makeDirectories(dataPaths)
  requireOpens(dataPaths)
  await removeSmallFile(dataPaths, dataPaths.clean)
  const kv = openLmdb({ path: dataPaths.records, onFailure: () => undefined })
  const { uuid } = instance
  try {
    await requireFreeLease(kv, dataPaths.dataDir)
    await requireIdentity(dataPaths, kv)
    for (const step of pending) {
      const { from: upgradingFrom, to: format } = step
      writeSmallFile(dataPaths, dataPaths.instance, { format, uuid, upgradingFrom })
      await step.run(kv, openReport(step, onUpgrade))
    }
  } finally {
    await kv.close()
  }
  writeSmallFile(dataPaths, dataPaths.instance, { format: FORMAT, uuid })
}

async function requireUndamaged(dataPaths: DataPaths): Promise<void> {
  const read = await readRowsInChild(dataPaths)
  if (read === undefined) throw damagedRecords()
  if (read.fault === undefined) return
  throw new RefusedError(
    `The records are damaged: ${read.fault} Nothing was changed. Restore a backup, or run "cms-server check" of the version that wrote them.`,
  )
}

/** Reports the progress of a step periodically and yields to the event loop, so that a signal can end the process. */
function openReport({ from, to }: UpgradeStep, onUpgrade: OnUpgrade): ReportProgress {
  let reportedMs = Number.NEGATIVE_INFINITY
  return async (done, total) => {
    if (done < total && performance.now() - reportedMs < REPORT_EVERY_MS) return
    onUpgrade({ from, to, done, total })
    reportedMs = performance.now()
    await setImmediate()
  }
}
