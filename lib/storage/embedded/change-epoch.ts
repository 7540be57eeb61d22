// Records that become others than the log of changes tells, be it that a backup takes their place or that a repair mends
// them: whoever has followed the log is to read them anew.

import { changeLog, newEpoch } from '../../schema/change-log.ts'
import type { Unit } from '../port.ts'
import { openRecords } from '../records/records.ts'
import type { DataPaths } from './data-paths.ts'
import { openLmdb } from './lmdb-kv.ts'

/** The log is another one from this commit on. */
export function renewEpoch(unit: Unit): void {
  const log = unit.get(changeLog, 1)?.value
  if (log !== undefined) unit.put(changeLog, [1], { ...log, epoch: newEpoch() })
}

/** Of records that nobody has open. */
export async function renewEpochOf({ records }: Pick<DataPaths, 'records'>): Promise<void> {
  const kv = openLmdb({ path: records, onFailure: () => undefined })
  try {
    await openRecords(kv).commit(renewEpoch)
  } finally {
    await kv.close()
  }
}
