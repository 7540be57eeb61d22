// Starts a new epoch of the change log when records change without log entries, because a backup was restored or a repair
// changed them: clients that follow the log must then read all records again.

import { changeLog, newEpoch } from '../../schema/change-log.ts'
import type { Unit } from '../port.ts'
import { openRecords } from '../records/records.ts'
import type { DataPaths } from './data-paths.ts'
import { openLmdb } from './lmdb-kv.ts'

/** The log has a new epoch from this commit on. */
export function renewEpoch(unit: Unit): void {
  const log = unit.get(changeLog, 1)?.value
  if (log !== undefined) unit.put(changeLog, [1], { ...log, epoch: newEpoch() })
}

/** Renews the epoch of records that no process has open. */
export async function renewEpochOf({ records }: Pick<DataPaths, 'records'>): Promise<void> {
  const kv = openLmdb({ path: records, onFailure: () => undefined })
  try {
    await openRecords(kv).commit(renewEpoch)
  } finally {
    await kv.close()
  }
}
