// How far back the log of changes goes, and whose numbers they are.

import { audit } from '../../schema/audit.ts'
import { type ChangeLog, changeLog, goneFolder, newEpoch } from '../../schema/change-log.ts'
import type { Reader, Records, Unit } from '../../storage/port.ts'

/** Of a site that is served for reading alone since an earlier version: nothing can be followed, and nothing changes. */
const NO_EPOCH = '0000000000000000'

/** Two histories of a site have the same mark once in four billion restores. */
const MARK_LENGTH = 8

export function readChangeLog(reader: Pick<Reader, 'get' | 'highestId'>): ChangeLog {
  const known = reader.get(changeLog, 1)?.value
  return known ?? { epoch: NO_EPOCH, removed: reader.highestId(audit.recordType) }
}

/**
 * Marks the history of the records: every ETag of a record carries the mark. A restored backup gives revisions again that
 * other contents had, so a restore renews the epoch, and an ETag from before the restore never matches again.
 */
export function historyMark(reader: Pick<Reader, 'get' | 'highestId'>): string {
  return readChangeLog(reader).epoch.slice(0, MARK_LENGTH)
}

/**
 * At a start. Rows of an earlier version tell less than a change is told by: the log begins behind them, and is another
 * one where such a version has run since.
 */
export async function beginChangeLog(records: Records): Promise<void> {
  if (isWhole(records)) return
  await records.commit((unit) => {
    // Another process of the same site may have begun it meanwhile.
    if (isWhole(unit)) return
    const removed = unit.highestId(audit.recordType)
    unit.put(changeLog, [1], { epoch: newEpoch(), removed })
  })
}

function isWhole(reader: Pick<Reader, 'get' | 'highestId'>): boolean {
  if (reader.get(changeLog, 1) === undefined) return false
  const newest = reader.get(audit.recordType, reader.highestId(audit.recordType))
  return newest === undefined || newest.value.asset_category_id !== undefined
}

/** Up to this number; to be called in the commit that removes the rows. */
export function forgetChanges(unit: Unit, last: number): void {
  const log = readChangeLog(unit)
  if (last <= log.removed) return
  unit.put(changeLog, [1], { ...log, removed: last })
  for (const [id] of unit.lookup(goneFolder, 'sequence', [], BATCH)) {
    const gone = unit.get(goneFolder, Number(id))?.value
    if (gone !== undefined && gone.sequence < last) unit.remove(goneFolder, Number(id))
  }
}

/** Of folders that are forgotten in one commit. */
const BATCH = 100
