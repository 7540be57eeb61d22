// Repairs the faults of verify-records.ts: everything that can be derived from valid records.

import { RECORD_TYPES } from '../../schema/catalog.ts'
import { renewEpoch } from '../embedded/change-epoch.ts'
import type { Kv, KvReader, KvWriter } from '../records/kv.ts'
import type { Id, RecordType } from '../../schema/values.ts'
import type { Records } from '../port.ts'
import { findRecord, parseRecord, recordKey, requireIndexKeys } from '../records/format.ts'
import { encodeCounter } from '../records/record-bytes.ts'
import { findEntryTypes } from './entry-types.ts'
import { RefusedError } from '../embedded/refusal.ts'
import type { Mend } from './faults.ts'

export async function applyMend(kv: Kv, records: Records, mend: Mend): Promise<void> {
  switch (mend.action) {
    case 'put-rows': {
      const type = requireType(kv, mend.type)
      return kv.commit((writer) => putRows(writer, type, mend.ids))
    }
    case 'remove-row':
      return kv.commit((writer) => writer.remove(keyOf(mend.key)))
    case 'set-counter':
      return kv.commit((writer) => writer.put(keyOf(mend.key), encodeCounter(mend.value)))
    case 'put-record':
      return records.commit((unit) => {
        unit.put(requireType(kv, mend.type), mend.ids, mend.record)
        renewEpoch(unit)
      })
    case 'remove-record':
      return records.commit((unit) => {
        unit.remove(requireType(kv, mend.type), ...mend.ids)
        renewEpoch(unit)
      })
  }
}

/** Writes the missing rows of a record; existing rows are kept. */
function putRows(writer: KvWriter, type: RecordType, ids: readonly Id[]): void {
  const stored = findRecord(writer, recordKey(writer, type, ids))
  if (stored === undefined) return
  const found = { ids, record: parseRecord(type, stored) }
  for (const row of requireIndexKeys(writer, type, found)) writer.put(row, NOTHING)
}

const NOTHING = Buffer.alloc(0)

function keyOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function requireType(kv: KvReader, name: string): RecordType {
  const known = RECORD_TYPES.find((item) => item.name === name)
  const type = known ?? findEntryTypes(kv).types.find((item) => item.name === name)
  if (type === undefined)
    throw new RefusedError(`This server does not support records of type ${name}.`)
  return type
}
