// Tests the CHECK rules of a module. A rule is broken if it is false; null is unknown and satisfies the rule, as in SQL.

import type { Fault } from '../../base/errors.ts'
import { MAX_FAULTS, pointer, type Values } from '../../schema/check.ts'
import { withComputed } from '../../schema/columns/computed-columns.ts'
import type { Check } from '../../schema/columns/table-rules.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { WrittenValues } from './unique.ts'

/** All rules that the entries break, each with the first of its columns that was written. */
export function findBroken(
  { checks }: Pick<EntryType, 'checks'>,
  written: readonly WrittenValues[],
): readonly Fault[] {
  const faults: Fault[] = []
  if (checks.length === 0) return faults
  for (const item of written) {
    const { values, before } = item
    const record: JsonObject = before === undefined ? values : { ...before, ...values }
    for (const check of checks) {
      if (faults.length >= MAX_FAULTS) return faults
      const fault = faultOf(check, record, item)
      if (fault !== undefined) faults.push(fault)
    }
  }
  return faults
}

function faultOf(
  { text, expression }: Check,
  record: JsonObject,
  { values, place, ending = '' }: WrittenValues,
): Fault | undefined {
  const changed = expression.columns.find((name) => name in values)
  if (changed === undefined || expression.run(record) !== false) return undefined
  return {
    pointer: `${place}${pointer(changed)}`,
    detail: `must satisfy CHECK(${text})${ending}`,
  }
}

interface FaultyBody {
  /** The valid values. */
  readonly values: Values
  readonly faults: readonly Fault[]
  readonly before?: JsonObject
}

/**
 * The rules that a refused body breaks besides its faults, so that all are reported at once. Only rules that read nothing but valid
 * values of columns are tested: values that the server assigns in the commit, and the times of events, are not known yet.
 */
export function findFurtherFaults(
  { checks, computed, baseNames, autoColumns, nowColumns }: EntryType,
  { values, faults, before }: FaultyBody,
): readonly Fault[] {
  if (checks.length === 0) return []
  const unknown = new Set([...baseNames, ...faults.map((fault) => fault.pointer.slice(1))])
  const assigned = [
    ...autoColumns.filter(({ column }) => (values[column.name] ?? null) === null),
    ...nowColumns,
  ]
  if (before === undefined) for (const { column } of assigned) unknown.add(column.name)
  for (const { column, expression } of computed)
    if (expression.columns.some((name) => unknown.has(name))) unknown.add(column.name)
  const tested = checks.filter(
    ({ expression }) => !expression.columns.some((name) => unknown.has(name)),
  )
  const record = withComputed(computed, { ...before, ...values })
  const changed: Record<string, JsonValue> = { ...values }
  for (const { column, expression } of computed)
    if (expression.columns.some((name) => name in changed))
      changed[column.name] = record[column.name] ?? null
  return findBroken({ checks: tested }, [{ values: changed, before: record, place: '' }])
}
