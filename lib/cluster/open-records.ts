// Opens records that several processes share, each with its own copy.

import type { Records } from '../storage/port.ts'
import { openRecords, type RecordsOptions } from '../storage/records/records.ts'
import { openReplicatedKv, type ReplicatedKv, type ReplicatedOptions } from './replicated-kv.ts'

export interface SharedRecords {
  readonly records: Records
  readonly kv: ReplicatedKv
  close(): Promise<void>
}

export async function openSharedRecords(
  options: ReplicatedOptions & Omit<RecordsOptions, 'sharing'>,
): Promise<SharedRecords> {
  const kv = await openReplicatedKv(options)
  return {
    records: openRecords(kv, { ...options, sharing: 'replicated' }),
    kv,
    close: () => kv.close(),
  }
}
