// Mends what verify-records.ts found: everything that follows from records which are right.

import { RECORD_TYPES } from '../../schema/catalog.ts'
import type { Kv, KvReader } from '../records/kv.ts'
import type { RecordType } from '../../schema/values.ts'
import type { Records } from '../port.ts'
import { encodeCounter } from '../records/format.ts'
import { findEntryTypes } from './entry-types.ts'
import { RefusedError } from '../embedded/refused.ts'
import type { Mend } from './faults.ts'

export async function applyMend(kv: Kv, records: Records, mend: Mend): Promise<void> {
  switch (mend.action) {
    case 'put-row':
      return kv.commit((writer) => writer.put(keyOf(mend.key), Buffer.alloc(0)))
    case 'remove-row':
      return kv.commit((writer) => writer.remove(keyOf(mend.key)))
    case 'set-counter':
      return kv.commit((writer) => writer.put(keyOf(mend.key), encodeCounter(mend.value)))
    case 'put-record':
      return records.commit(
        (unit) => void unit.put(requireType(kv, mend.type), mend.ids, mend.record),
      )
    case 'remove-record':
      return records.commit((unit) => unit.remove(requireType(kv, mend.type), ...mend.ids))
  }
}

function keyOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function requireType(kv: KvReader, name: string): RecordType {
  const known = RECORD_TYPES.find((item) => item.name === name)
  const type = known ?? findEntryTypes(kv).types.find((item) => item.name === name)
  if (type === undefined)
    throw new RefusedError(`This server knows no records of the kind ${name}.`)
  return type
}
