// The effect of a new table_schema on existing entries. Entries are never rewritten: values that a column no
// longer accepts are converted whenever an entry is read (column-step.ts). Every value fits a wider column; for
// a narrower column or another type, the caller counts the values that do not fit.

import { closest } from '../message-text.ts'
import type { Column } from './column.ts'
import { type Step, stepBetween } from './column-step.ts'
import { show } from './tokens.ts'

interface Rename {
  readonly from: string
  readonly to: string
}

interface Refusal {
  readonly column: string
  readonly detail: string
}

/**
 * The new columns, except in `dropped`. A kept column is in one or more of renamed, widened, narrowed,
 * requiredNow, retyped, uniqueNow and refused, or in unchanged.
 */
export interface SchemaChange {
  readonly added: readonly Column[]
  readonly dropped: readonly Column[]
  readonly renamed: readonly Rename[]
  /** Accepts all previous values and more. */
  readonly widened: readonly Column[]
  /** Existing values may no longer fit. */
  readonly narrowed: readonly Column[]
  /** Newly NOTNULL: entries may lack a value. */
  readonly requiredNow: readonly Column[]
  /** Another type: values may be lost or change. */
  readonly retyped: readonly Column[]
  /** Newly UNIQUE: entries may have equal values. */
  readonly uniqueNow: readonly Column[]
  /** No effect on existing entries; the default may differ. */
  readonly unchanged: readonly Column[]
  readonly refused: readonly Refusal[]
}

/** A kept column. */
interface Pair {
  readonly from: Column
  readonly to: Column
  readonly step: Step
}

type Names = ReadonlyMap<string, Column>

/**
 * A column is kept if its name is kept or if `renames` (new name → old name) contains it. Names are
 * case-sensitive, because values of entries are stored under them: Title instead of title drops one column and
 * adds another, unless it is a rename.
 */
export function planChange(
  from: readonly Column[],
  to: readonly Column[],
  renames: ReadonlyMap<string, string>,
): SchemaChange {
  const [before, after] = [byName(from), byName(to)]
  const pairs = to.flatMap((column) => findPair(column, before, renames))
  const kept = new Set(pairs.map((pair) => pair.from))
  const paired = new Set(pairs.map((pair) => pair.to))

  return {
    added: to.filter((column) => !paired.has(column)),
    dropped: from.filter((column) => !kept.has(column)),
    ...sortPairs(pairs),
    refused: refuseRenames(before, after, renames),
  }
}

function findPair(
  to: Column,
  before: Names,
  renames: ReadonlyMap<string, string>,
): readonly Pair[] {
  const from = before.get(renames.get(to.name) ?? to.name)
  if (from === undefined || isComputed(from) !== isComputed(to)) return []
  // Computed values are not converted, but computed again.
  return [{ from, to, step: isComputed(to) ? 'same' : stepBetween(from, to) }]
}

function isComputed({ computed }: Column): boolean {
  return computed !== undefined
}

type Sorted = Omit<SchemaChange, 'added' | 'dropped' | 'refused'>

function sortPairs(pairs: readonly Pair[]): Sorted {
  const inStep = (step: Step): Column[] =>
    pairs.filter((pair) => pair.step === step).map(({ to }) => to)
  const renamed = pairs.filter(({ from, to }) => from.name !== to.name)
  const required = pairs.filter(
    ({ from, to }) => to.isRequired && !from.isRequired && !isComputed(to),
  )
  const unique = pairs.filter(({ from, to }) => to.isUnique && !from.isUnique)
  const listed = new Set([...renamed, ...required, ...unique].map(({ to }) => to))

  return {
    renamed: renamed.map(({ from, to }) => ({ from: from.name, to: to.name })),
    widened: inStep('wider'),
    narrowed: inStep('narrower'),
    retyped: inStep('other'),
    requiredNow: required.map(({ to }) => to),
    uniqueNow: unique.map(({ to }) => to),
    unchanged: inStep('same').filter((column) => !listed.has(column)),
  }
}

function refuseRenames(
  before: Names,
  after: Names,
  renames: ReadonlyMap<string, string>,
): readonly Refusal[] {
  const newNames = new Map<string, string>()
  return [...renames].flatMap(([column, oldName]) => {
    const detail = renameFault(column, oldName)
    newNames.set(oldName, column)
    return detail === undefined ? [] : [{ column, detail }]
  })

  function renameFault(column: string, oldName: string): string | undefined {
    if (!after.has(column)) return 'is not in table_schema; add it there under its new name'
    if (!before.has(oldName)) {
      const near = closest(oldName, before.keys())
      const hint = near === undefined ? '' : `; did you mean ${show(near)}?`
      return `cannot be renamed from ${show(oldName)}, which is not a column${hint}`
    }
    const other = newNames.get(oldName)
    if (other !== undefined)
      return `cannot be renamed from ${show(oldName)}, which is already renamed to ${show(other)}`
    // Until the rename is complete, the name refers to the old values.
    return after.has(oldName) && !renames.has(oldName)
      ? `cannot be renamed from ${show(oldName)} while table_schema has a column of that name; add it in a later update`
      : undefined
  }
}

function byName(columns: readonly Column[]): Names {
  return new Map(columns.map((column) => [column.name, column]))
}
