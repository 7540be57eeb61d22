// What a new table_schema means for the entries that are there. They are never rewritten: what a column
// takes no more is converted whenever an entry is read (conversion.ts). All values of a column are values of
// a wider one; of a narrower one and of one of another type the caller counts those that are not.

import { closest } from '../closest.ts'
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
 * Columns as they will be, but for the dropped ones. One that stays is in one or more of renamed,
 * widened, narrowed, requiredNow, retyped, uniqueNow and refused, or else unchanged.
 */
export interface SchemaChange {
  readonly added: readonly Column[]
  readonly dropped: readonly Column[]
  readonly renamed: readonly Rename[]
  /** Takes every value that it took, and others. */
  readonly widened: readonly Column[]
  /** Entries may have values that do not fit any more. */
  readonly narrowed: readonly Column[]
  /** NOTNULL, and was not: entries may have no value. */
  readonly requiredNow: readonly Column[]
  /** Of another type: entries may have values that are lost, or become others. */
  readonly retyped: readonly Column[]
  /** UNIQUE, and was not: entries may have the same value. */
  readonly uniqueNow: readonly Column[]
  /** Nothing that concerns the entries that are there: the default may be another one. */
  readonly unchanged: readonly Column[]
  readonly refused: readonly Refusal[]
}

/** A column that stays. */
interface Pair {
  readonly from: Column
  readonly to: Column
  readonly step: Step
}

type Names = ReadonlyMap<string, Column>

/**
 * A column stays where its name does, or where `renames` (new name → old name) says so. Names count with
 * their case, as they are what the values of entries are stored under: Title in place of title is a
 * column dropped and one added, unless it is renamed.
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
  return from === undefined ? [] : [{ from, to, step: stepBetween(from, to) }]
}

type Sorted = Omit<SchemaChange, 'added' | 'dropped' | 'refused'>

function sortPairs(pairs: readonly Pair[]): Sorted {
  const inStep = (step: Step): Column[] =>
    pairs.filter((pair) => pair.step === step).map(({ to }) => to)
  const renamed = pairs.filter(({ from, to }) => from.name !== to.name)
  const required = pairs.filter(({ from, to }) => to.isRequired && !from.isRequired)
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
    if (!after.has(column)) return 'is not in table_schema; write it there under its new name'
    if (!before.has(oldName)) {
      const near = closest(oldName, before.keys())
      const hint = near === undefined ? '' : `; did you mean ${show(near)}?`
      return `cannot be renamed from ${show(oldName)}, which is no column${hint}`
    }
    const other = newNames.get(oldName)
    if (other !== undefined)
      return `cannot be renamed from ${show(oldName)}, which is ${show(other)} already`
    // Until the rename is done the name is that of the old values.
    return after.has(oldName) && !renames.has(oldName)
      ? `cannot be renamed from ${show(oldName)} while table_schema has a column of that name; add it in a later update`
      : undefined
  }
}

function byName(columns: readonly Column[]): Names {
  return new Map(columns.map((column) => [column.name, column]))
}
