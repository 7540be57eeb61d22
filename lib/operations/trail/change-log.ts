// The extent and the identity of the change log.

import { audit } from '../../schema/audit.ts'
import { type ChangeLog, changeLog, folderTombstone, newEpoch } from '../../schema/change-log.ts'
import type { Reader, Records, Unit } from '../../storage/port.ts'

/** Epoch of a read-only site of an earlier version, whose changes cannot be followed. */
const NO_EPOCH = '0000000000000000'

/** Two histories of a site collide once in four billion restores. */
const MARK_LENGTH = 8

export function readChangeLog(reader: Pick<Reader, 'get' | 'highestId'>): ChangeLog {
  const known = reader.get(changeLog, 1)?.value
  return known ?? { epoch: NO_EPOCH, removed: reader.highestId(audit.recordType) }
}

/**
 * Identifies the history of the records; every record's ETag contains it. A restored backup assigns the same
 * revisions to other contents, so a restore renews the epoch, and ETags from before it never match again.
 */
export function historyMark(reader: Pick<Reader, 'get' | 'highestId'>): string {
  return readChangeLog(reader).epoch.slice(0, MARK_LENGTH)
}

/**
 * Called at a start. Rows of an earlier version lack fields that changes need, so the log begins after them, and gets
 * a new epoch if such a version has run since.
 */
export async function beginChangeLog(records: Records): Promise<void> {
  if (isWhole(records)) return
  await records.commit((unit) => {
    // Another process may have begun the log meanwhile.
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

/** Marks changes up to this number and date as removed; call it in the commit that removes the rows. */
export function forgetChanges(unit: Unit, last: number, date: string): void {
  const log = readChangeLog(unit)
  if (last <= log.removed) return
  const { removed, removed_until: until } = log
  const isDated = removed === 0 || until !== undefined
  const removed_until = until !== undefined && until > date ? until : date
  unit.put(changeLog, [1], { ...log, removed: last, ...(isDated && { removed_until }) })
  for (const [id] of unit.lookup(folderTombstone, 'sequence', [], BATCH)) {
    const gone = unit.get(folderTombstone, Number(id))?.value
    if (gone !== undefined && gone.sequence < last) unit.remove(folderTombstone, Number(id))
  }
}

/** Number of gone folders removed per commit. */
const BATCH = 100
