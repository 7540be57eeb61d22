// Computes the COMPUTED columns of entries that are written, so that the rules of entries see their values.

import type { Fault } from '../../base/errors.ts'
import { isSame, MAX_FAULTS, pointer, refuseFaults } from '../../schema/check.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { JsonValue } from '../../schema/values.ts'
import type { WrittenValues } from './unique.ts'

/** Throws invalid-content with all columns that cannot hold their value. */
export function computeValues(
  { computed }: EntryType,
  written: readonly WrittenValues[],
): readonly WrittenValues[] {
  if (computed.length === 0) return written
  const faults: Fault[] = []
  const complete = written.map((item) => {
    const { before, values, place, ending = '' } = item
    const record: Record<string, JsonValue> = { ...before, ...values }
    const changed: Record<string, JsonValue> = { ...values }
    for (const { column, compute } of computed) {
      const { name } = column
      const checked = compute(record)
      if (checked.ok) {
        record[name] = checked.value
        if (!isSame(checked.value, before?.[name])) changed[name] = checked.value
      } else if (faults.length < MAX_FAULTS)
        faults.push({ pointer: `${place}${pointer(name)}`, detail: checked.detail + ending })
    }
    return { ...item, values: changed }
  })
  refuseFaults(faults)
  return complete
}
