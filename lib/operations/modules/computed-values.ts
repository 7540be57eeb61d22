// Computes the COMPUTED columns of entries that are written, so that the rules of entries see their values.

import type { Fault } from '../../base/errors.ts'
import { isSame, MAX_FAULTS, pointer } from '../../schema/check.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { JsonValue } from '../../schema/values.ts'
import type { WrittenValues } from './unique.ts'

interface Computed {
  readonly written: readonly WrittenValues[]
  /** The columns that cannot hold their value; the value is null. */
  readonly faults: readonly Fault[]
}

export function computeValues(
  { computed }: EntryType,
  written: readonly WrittenValues[],
): Computed {
  if (computed.length === 0) return { written, faults: [] }
  const faults: Fault[] = []
  const complete = written.map((item) => {
    const { before, values, place, ending = '' } = item
    const record: Record<string, JsonValue> = { ...before, ...values }
    const changed: Record<string, JsonValue> = { ...values }
    for (const { column, compute } of computed) {
      const { name } = column
      const checked = compute(record)
      const value = checked.ok ? checked.value : null
      record[name] = value
      if (!isSame(value, before?.[name])) changed[name] = value
      if (!checked.ok && faults.length < MAX_FAULTS)
        faults.push({ pointer: `${place}${pointer(name)}`, detail: checked.detail + ending })
    }
    return { ...item, values: changed }
  })
  return { written: complete, faults }
}
