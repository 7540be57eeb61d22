// What a change of the columns would do to the entries that are there: found out before anything is
// changed, and answered as it is by ?dry_run=true.

import { CmsError } from '../errors.ts'
import type { Column } from '../schema/columns/column.ts'
import { columnField } from '../schema/columns/column-field.ts'
import { planChange, type SchemaChange } from '../schema/columns/change.ts'
import { fillOf } from '../schema/entry.ts'
import type { JsonObject } from '../storage/port.ts'
import type { Context } from './context.ts'
import type { Module } from './module-cache.ts'
import type { EntryTest, WriteTest } from './module-watch.ts'
import {
  type CountedShared,
  countShared,
  requireFinishedIndexes,
  testUnique,
  type UniqueTest,
} from './unique-change.ts'

export interface ChangePlan {
  readonly added: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly widened: readonly string[]
  /** With the number of entries that have a value there. */
  readonly dropped: readonly Counted[]
  /** With the number of entries whose value would not fit. */
  readonly narrowed: readonly Counted[]
  /** NOTNULL from now on, with the number of entries that have no value there. */
  readonly required: readonly Counted[]
  /** Of another type, with the number of entries that have a value there: refused unless it is 0. */
  readonly retyped: readonly Counted[]
  /** UNIQUE from now on, with the number of entries that have the value of another one. */
  readonly unique: readonly CountedShared[]
  readonly refused: readonly { readonly name: string; readonly detail: string }[]
}

export interface Counted {
  readonly name: string
  readonly entries: number
}

export interface ColumnChange {
  readonly columns: readonly Column[]
  readonly renames: ReadonlyMap<string, string>
  readonly isSchemaChange: boolean
}

/** A column with the entries that speak against its change. */
interface Test {
  readonly name: string
  readonly speaksAgainst: EntryTest
}

interface HastyTest extends Test {
  /** Why not in one step, and which two to take instead. */
  readonly detail: string
}

/** A change with what has to be asked of every entry before it. */
export interface TestedChange {
  readonly schema: SchemaChange
  readonly dropped: readonly Test[]
  readonly narrowed: readonly Test[]
  readonly required: readonly Test[]
  readonly retyped: readonly Test[]
  readonly unique: readonly UniqueTest[]
  /** What takes two steps where such entries are there. */
  readonly hasty: readonly HastyTest[]
}

export function testChange(module: Module, change: ColumnChange): TestedChange {
  const from = module.entry.layout.columns.map((item) => item.column)
  const schema = planChange(
    from,
    change.isSchemaChange ? change.columns : from,
    change.isSchemaChange ? change.renames : new Map(),
  )
  if (change.isSchemaChange) requireFinishedIndexes(module, change.columns, change.renames)
  const oldName = ({ name }: Column): string => change.renames.get(name) ?? name
  const isNewAndRequired = (column: Column): boolean =>
    column.isRequired && column.default === undefined && column.isAuto === undefined
  const unique = testUnique(module, schema, change.renames)

  return {
    schema,
    dropped: schema.dropped.map(({ name }) => ({ name, speaksAgainst: hasOwn(module, name) })),
    narrowed: schema.narrowed.map((column) => ({
      name: column.name,
      speaksAgainst: misfits(oldName(column), column),
    })),
    required: [...schema.requiredNow, ...schema.added.filter(isNewAndRequired)].map((column) => ({
      name: column.name,
      speaksAgainst: (record) => !has(oldName(column))(record),
    })),
    retyped: schema.retyped.map(({ column: name }) => ({
      name,
      speaksAgainst: has(change.renames.get(name) ?? name),
    })),
    unique,
    hasty: [
      ...schema.uniqueNow
        .filter(({ name }) => !unique.some((test) => test.name === name))
        .map((column) => ({
          name: column.name,
          speaksAgainst: has(oldName(column)),
          detail: `have a value that is in no index yet; make it ${column.type} first, then UNIQUE`,
        })),
      ...schema.added.flatMap(testAdded),
    ],
  }
}

/** Entries that are there would all have one value in a new column, or no number. */
function testAdded({ name, isUnique, isAuto, default: initial }: Column): readonly HastyTest[] {
  if (isUnique === undefined || (isAuto === undefined && initial === undefined)) return []
  const detail =
    isAuto === undefined
      ? 'would all have its DEFAULT; add it without DEFAULT, or without UNIQUE'
      : 'have no number in it, and AUTO is for new ones; add it without AUTO, give each entry a number, then make it AUTO'
  return [{ name, speaksAgainst: () => true, detail }]
}

/** Whether an entry forbids the change, or as far as it is confirmed does not. */
export function forbidden(
  { dropped, narrowed, required, retyped, unique, hasty }: TestedChange,
  isDropConfirmed: boolean,
): WriteTest {
  const lost = isDropConfirmed ? [] : dropped
  const tests = [...lost, ...narrowed, ...required, ...retyped, ...hasty, ...unique]
  return (record, reader) => tests.some((test) => test.speaksAgainst(record, reader))
}

export async function planColumns(
  context: Context,
  module: Module,
  { schema, dropped, narrowed, required, retyped, unique, hasty }: TestedChange,
): Promise<ChangePlan> {
  const counted = await countEach(context, module, retyped)
  const inUse = schema.retyped.filter((_, at) => (counted[at]?.entries ?? 0) > 0)
  const refused = [...schema.refused, ...inUse].map(({ column, detail }) => ({
    name: column,
    detail,
  }))
  return {
    added: schema.added.map((column) => column.name),
    renamed: schema.renamed,
    widened: schema.widened.map((column) => column.name),
    dropped: await countEach(context, module, dropped),
    narrowed: await countEach(context, module, narrowed),
    required: await countEach(context, module, required),
    retyped: counted,
    unique: await countShared(context, module, unique),
    refused: [...refused, ...(await refuseHasty(context, module, hasty))],
  }
}

async function refuseHasty(
  context: Context,
  module: Module,
  tests: readonly HastyTest[],
): Promise<ChangePlan['refused']> {
  const counted = await countEach(context, module, tests)
  return counted.flatMap(({ name, entries }, at) =>
    entries === 0 ? [] : [{ name, detail: `${entries} entries ${tests[at]?.detail}` }],
  )
}

/** Throws what forbids a change: data that would be lost without leave, or entries that would not fit. */
export function requireAllowed(plan: ChangePlan, isDropConfirmed: boolean): void {
  const [refused] = plan.refused
  if (refused !== undefined) {
    throw new CmsError('invalid-content', `The column ${refused.name}: ${refused.detail}`, {
      errors: plan.refused.map(({ name, detail }) => ({
        pointer: '/table_schema',
        detail: `${name}: ${detail}`,
      })),
    })
  }

  const unfit = plan.narrowed.concat(plan.required).filter((item) => item.entries > 0)
  if (unfit.length > 0) {
    throw new CmsError(
      'schema-conflict',
      `${listOf(unfit)} would not fit. Change these entries first, give a new column a DEFAULT, or leave the column as it is.`,
      {
        members: { plan },
      },
    )
  }
  requireUnshared(plan)
  const lost = plan.dropped.filter((item) => item.entries > 0)
  if (lost.length === 0 || isDropConfirmed) return
  throw new CmsError(
    'schema-conflict',
    `${listOf(lost)} would lose a value. Send ?confirm=drop to drop the columns all the same, or name the new column with renamed_from to keep the values.`,
    {
      members: { plan },
    },
  )
}

function requireUnshared(plan: ChangePlan): void {
  const shared = plan.unique.filter((item) => item.entries > 0)
  if (shared.length === 0) return
  const found = shared.map(({ name, examples }) => `${name}: ${examples.join(', ')}`).join('; ')
  throw new CmsError(
    'schema-conflict',
    `${listOf(shared)} would not be unique: an earlier entry has the same value. Change or delete them first; sorted by the column (orderStr) entries of one value stand side by side. The first by ${found}.`,
    { members: { plan } },
  )
}

function listOf(items: readonly Counted[]): string {
  return items.map(({ name, entries }) => `${entries} entries in column ${name}`).join(', ')
}

function has(name: string): EntryTest {
  return (record) => (record[name] ?? null) !== null
}

/** A value of its own, and not the one that the column gave to all entries when it was added. */
function hasOwn({ entry }: Module, name: string): EntryTest {
  const item = entry.layout.columns.find(({ column }) => column.name === name)
  return (record) => has(name)(record) && record[name] !== (item && fillOf(item, record))
}

function misfits(oldName: string, column: Column): EntryTest {
  const field = columnField(column)
  return (record) => has(oldName)(record) && !field.check(record[oldName]).ok
}

/** Looks at every entry once for all tests, in slices between which other requests are served. */
async function countEach(
  { records }: Context,
  { entry }: Module,
  tests: readonly Test[],
): Promise<readonly Counted[]> {
  const counted = tests.map(({ name }) => ({ name, entries: 0 }))
  if (tests.length === 0) return counted
  const isWanted = (record: JsonObject): boolean => {
    for (const [at, item] of counted.entries())
      if (tests[at]?.speaksAgainst(record) === true) item.entries += 1
    return false
  }

  const { recordType, searchable } = entry.object
  let cursor: string | undefined
  do {
    const page = await records.search(recordType, searchable, { length: 1, isWanted, cursor })
    cursor = page.next
  } while (cursor !== undefined)
  return counted
}
