// Tests the CHECK rules of a module, inside the commit that writes an entry. A rule is broken if it is false; null is
// unknown and satisfies the rule, as in SQL.

import type { Fault } from '../../base/errors.ts'
import { MAX_FAULTS, pointer, refuseFaults } from '../../schema/check.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { WrittenValues } from './unique.ts'

/** Throws invalid-content with all rules that the entries break, each with the first of its columns that was written. */
export function requireChecks({ checks }: EntryType, written: readonly WrittenValues[]): void {
  if (checks.length === 0) return
  const faults: Fault[] = []
  for (const { values, before, place, ending = '' } of written) {
    const record: JsonObject = before === undefined ? values : { ...before, ...values }
    for (const { text, expression } of checks) {
      if (faults.length >= MAX_FAULTS) break
      const changed = expression.columns.find((name) => name in values)
      if (changed === undefined || expression.run(record) !== false) continue
      const detail = `must satisfy CHECK(${text})${ending}`
      faults.push({ pointer: `${place}${pointer(changed)}`, detail })
    }
  }
  refuseFaults(faults)
}
