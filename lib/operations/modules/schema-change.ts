// The effect of a change of columns on existing entries: determined before anything is changed, and returned by
// ?dry_run=true.

import { isSame } from '../../schema/check.ts'
import { isNoValue } from '../../schema/columns/converted-value.ts'
import type { Column } from '../../schema/columns/column.ts'
import { planChange, type SchemaChange } from '../../schema/columns/schema-diff.ts'
import { fillOf } from '../../schema/older-entries.ts'
import { counted } from '../../schema/message-text.ts'
import type { Context } from '../context.ts'
import { type ReferenceTest, testReferences } from './reference-change.ts'
import {
  type ConvertedTest,
  type CountedShared,
  countShared,
  requireFinishedIndexes,
  testConverted,
  testUnique,
  type UniqueTest,
} from './converted-values.ts'
import { testRules } from './changed-entries.ts'
import { countEach, countOnly, type Counted, type Found, type Test } from './conflict-counts.ts'
import type { Module } from './module-cache.ts'
import type { ColumnChange } from './module-columns.ts'
import type { EntryTest, WriteTest } from './entry-tracker.ts'

export interface ChangePlan {
  readonly added: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly widened: readonly string[]
  /** With the number of entries that have a value there. */
  readonly dropped: readonly Counted[]
  /** With the number of entries whose value would not fit. */
  readonly narrowed: readonly CountedValues[]
  /** NOTNULL columns, with the number of entries that would have no value there. */
  readonly required: readonly Counted[]
  /** Columns of another type, with the number of entries whose value would change. */
  readonly retyped: readonly CountedValues[]
  /** Columns, or several columns (a, b), that become UNIQUE, with the number of entries that share another entry's value. */
  readonly unique: readonly CountedShared[]
  /** Columns with new targets, with the number of entries whose reference leads to no record that the caller may see. */
  readonly references: readonly CountedShared[]
  /** CHECK rules by their expression, with the number of entries that break them. */
  readonly checks: readonly Found[]
  readonly refused: readonly { readonly name: string; readonly detail: string }[]
}

interface CountedValues extends Counted {
  /** Number of values that become null; the others are written in another form: 007 as 7. */
  readonly nulls: number
  /** The first identifiers of the entries. */
  readonly examples: readonly number[]
}

interface TwoStepTest extends Test {
  /** Why the change needs two steps, and which ones. */
  readonly detail: string
}

/** A change and the tests that every entry must pass first. */
export interface TestedChange {
  readonly schema: SchemaChange
  readonly dropped: readonly Test[]
  readonly narrowed: readonly ConvertedTest[]
  readonly required: readonly Test[]
  readonly retyped: readonly ConvertedTest[]
  readonly unique: readonly UniqueTest[]
  readonly references: readonly ReferenceTest[]
  readonly checks: readonly Test[]
  /** UNIQUE(a, b) */
  readonly together: readonly Test[]
  /** Changes that need two steps if such entries exist. */
  readonly twoStep: readonly TwoStepTest[]
}

export function testChange(context: Context, module: Module, change: ColumnChange): TestedChange {
  const from = module.entry.layout.columns.map((item) => item.column)
  const schema = planChange(
    from,
    change.isSchemaChange ? change.columns : from,
    change.isSchemaChange ? change.renames : new Map(),
  )
  if (change.isSchemaChange) requireFinishedIndexes(module, change.columns, change.renames)
  const { renames } = change
  const parts: Parts = {
    schema,
    renames,
    narrowed: testConverted(module, schema.narrowed, renames),
    retyped: testConverted(module, schema.retyped, renames),
    unique: testUnique(module, schema, renames),
  }
  return {
    ...parts,
    ...testRules(module, change, schema),
    dropped: schema.dropped.map(({ name }) => ({ name, isConflict: hasOwn(module, name) })),
    required: testRequired(parts),
    references: change.isSchemaChange ? testReferences(context, module, change) : [],
    twoStep: testTwoStep(parts),
  }
}

type Parts = Pick<TestedChange, 'schema' | 'narrowed' | 'retyped' | 'unique'> &
  Pick<ColumnChange, 'renames'>

function testRequired({ schema, renames, narrowed, retyped }: Parts): readonly Test[] {
  const converted = [...narrowed, ...retyped]
  const isNewAndRequired = (column: Column): boolean =>
    column.isRequired &&
    column.default === undefined &&
    column.isAuto === undefined &&
    column.computed === undefined
  const others = [...schema.requiredNow, ...schema.added.filter(isNewAndRequired)].filter(
    ({ name }) => !converted.some((test) => test.name === name),
  )
  return [
    ...others.map(({ name }) => ({ name, isConflict: hasNot(renames.get(name) ?? name) })),
    ...converted
      .filter(({ isRequired }) => isRequired)
      .map(({ name, isEmpty }) => ({ name, isConflict: isEmpty })),
  ]
}

function testTwoStep({ schema, renames, ...parts }: Parts): readonly TwoStepTest[] {
  const converted = [...parts.narrowed, ...parts.retyped].filter(({ isUnique }) => isUnique)
  const others = schema.uniqueNow.filter(
    (column) => ![...parts.unique, ...converted].some(({ name }) => name === column.name),
  )
  return [
    ...others.map(({ name, type }) => ({
      name,
      isConflict: has(renames.get(name) ?? name),
      detail: unindexed(type),
    })),
    ...converted.map(({ name, type, hasNewIndex, isConflict }) => ({
      name,
      isConflict: hasNewIndex ? has(renames.get(name) ?? name) : isConflict,
      detail: unindexed(type),
    })),
    ...schema.added.flatMap(testAdded),
  ]
}

function unindexed(type: string): string {
  return `with a value that is not indexed yet; make the column ${type} without UNIQUE first, and UNIQUE in a later update`
}

/** In a new column, existing entries would all share one value, or have no number. */
function testAdded({ name, isUnique, isAuto, default: initial }: Column): readonly TwoStepTest[] {
  if (isUnique === undefined || (isAuto === undefined && initial === undefined)) return []
  const detail =
    isAuto === undefined
      ? 'would get its DEFAULT; add the column without DEFAULT, or without UNIQUE'
      : 'without a number in it, and AUTO numbers only new entries; add the column without AUTO, give each entry a number, then make it AUTO'
  return [{ name, isConflict: () => true, detail }]
}

export interface Confirmation {
  readonly isDropConfirmed: boolean
  /** Columns in which values may be lost. */
  readonly lossy: ReadonlySet<string>
}

/** Tests whether an entry forbids the change, apart from confirmed losses. */
export function forbidden(
  {
    dropped,
    narrowed,
    required,
    retyped,
    unique,
    together,
    references,
    checks,
    twoStep,
  }: TestedChange,
  { isDropConfirmed, lossy }: Confirmation,
): WriteTest {
  const converted = [...narrowed, ...retyped]
  // If the count found no loss, no value is converted; so later writes must not need a conversion.
  const kept = converted.filter(({ name, isRebuilt }) => !isRebuilt && !lossy.has(name))
  const lost = isDropConfirmed ? kept : [...dropped, ...converted]
  const tests = [...lost, ...required, ...twoStep, ...unique, ...together, ...references, ...checks]
  return (record, reader) => tests.some((test) => test.isConflict(record, reader))
}

export async function planColumns(
  context: Context,
  module: Module,
  tested: TestedChange,
): Promise<ChangePlan> {
  const refused = tested.schema.refused.map(({ column, detail }) => ({ name: column, detail }))
  return {
    added: tested.schema.added.map((column) => column.name),
    renamed: tested.schema.renamed,
    widened: tested.schema.widened.map((column) => column.name),
    dropped: await countOnly(context, module, tested.dropped),
    narrowed: await countValues(context, module, tested.narrowed),
    required: await countOnly(context, module, tested.required),
    retyped: await countValues(context, module, tested.retyped),
    unique: [
      ...(await countShared(context, module, tested.unique)),
      ...(await countEach(context, module, tested.together)),
    ],
    references: await countEach(
      context,
      module,
      tested.references.map(({ name, isConflict }) => ({
        name,
        isConflict: (record) => isConflict(record, context.records),
      })),
    ),
    checks: await countEach(context, module, tested.checks),
    refused: [...refused, ...(await refuseTwoStep(context, module, tested.twoStep))],
  }
}

async function countValues(
  context: Context,
  module: Module,
  tests: readonly ConvertedTest[],
): Promise<readonly CountedValues[]> {
  const counts = await countEach(context, module, [
    ...tests,
    ...tests.map(({ name, isLost }) => ({ name, isConflict: isLost })),
  ])
  return tests.map(({ name }, at) => ({
    name,
    entries: counts[at]?.entries ?? 0,
    nulls: counts[at + tests.length]?.entries ?? 0,
    examples: counts[at]?.examples ?? [],
  }))
}

async function refuseTwoStep(
  context: Context,
  module: Module,
  tests: readonly TwoStepTest[],
): Promise<ChangePlan['refused']> {
  const counts = await countEach(context, module, tests)
  return counts.flatMap(({ name, entries }, at) =>
    entries === 0 ? [] : [{ name, detail: `${counted(entries, 'entry')} ${tests[at]?.detail}` }],
  )
}

function has(name: string): EntryTest {
  return (record) => !isNoValue(record[name])
}

function hasNot(name: string): EntryTest {
  return (record) => isNoValue(record[name])
}

/** Tests for a value other than the one that the column gave to all entries when it was added. */
function hasOwn({ entry }: Module, name: string): EntryTest {
  const item = entry.layout.columns.find(({ column }) => column.name === name)
  const fill = item && fillOf(item)
  return (record) => has(name)(record) && !isSame(record[name], fill?.(record))
}
