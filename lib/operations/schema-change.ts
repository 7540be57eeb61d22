// What a change of the columns would do to the entries that are there: found out before anything is
// changed, and answered as it is by ?dry_run=true.

import { CmsError } from '../errors.ts'
import type { Column } from '../schema/columns/column.ts'
import { columnField } from '../schema/columns/column-field.ts'
import { planChange } from '../schema/columns/change.ts'
import type { ModuleKind } from '../schema/module.ts'
import type { ObjectType } from '../schema/object.ts'
import type { JsonObject } from '../storage/port.ts'
import type { Context } from './context.ts'

export interface ChangePlan {
  readonly added: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly widened: readonly string[]
  /** With the number of entries that have a value there. */
  readonly dropped: readonly Counted[]
  /** With the number of entries whose value would not fit. */
  readonly narrowed: readonly Counted[]
  /** With the number of entries that have no value there. */
  readonly required: readonly Counted[]
  readonly refused: readonly { readonly name: string; readonly detail: string }[]
}

export interface Counted {
  readonly name: string
  readonly entries: number
}

export interface ColumnChange {
  readonly kind: ModuleKind
  readonly id: number
  readonly columns: readonly Column[]
  readonly renames: ReadonlyMap<string, string>
  readonly isSchemaChange: boolean
}

const NOTHING: ChangePlan = {
  added: [],
  renamed: [],
  widened: [],
  dropped: [],
  narrowed: [],
  required: [],
  refused: [],
}

export async function planColumns(context: Context, change: ColumnChange): Promise<ChangePlan> {
  if (!change.isSchemaChange) return NOTHING
  const module = context.modules.find(context.records, change.kind, change.id)
  if (module === undefined) return NOTHING

  const from = module.entry.layout.columns.map((item) => item.column)
  const plan = planChange(from, change.columns, change.renames)
  const { object } = module.entry
  const count = (isCounted: (record: JsonObject) => boolean): Promise<number> =>
    countEntries(context, object, isCounted)
  const has = (name: string) => (record: JsonObject) => (record[name] ?? null) !== null
  const misfits = (name: string, column: Column) => {
    const field = columnField(column)
    return (record: JsonObject) => (record[name] ?? null) !== null && !field.check(record[name]).ok
  }
  const oldName = (name: string): string => change.renames.get(name) ?? name

  return {
    added: plan.added.map((column) => column.name),
    renamed: [...change.renames].map(([to, name]) => ({ from: name, to })),
    widened: plan.widened.map((column) => column.name),
    dropped: await counted(plan.dropped, (column) => count(has(column.name))),
    narrowed: await counted(plan.narrowed, (column) =>
      count(misfits(oldName(column.name), column)),
    ),
    required: await counted(plan.requiredNow, (column) =>
      count((record) => !has(oldName(column.name))(record)),
    ),
    refused: plan.refused.map(({ column, detail }) => ({ name: column, detail })),
  }
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

  const misfits = [...plan.narrowed, ...plan.required].filter((item) => item.entries > 0)
  if (misfits.length > 0) {
    throw new CmsError(
      'schema-conflict',
      `${listOf(misfits)} would not fit. Change these entries first, or leave the column as it is.`,
      {
        members: { plan },
      },
    )
  }
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

function listOf(items: readonly Counted[]): string {
  return items.map(({ name, entries }) => `${entries} entries in column ${name}`).join(', ')
}

async function counted(
  columns: readonly Column[],
  count: (column: Column) => Promise<number>,
): Promise<readonly Counted[]> {
  const found: Counted[] = []
  for (const column of columns) found.push({ name: column.name, entries: await count(column) })
  return found
}

/** Looks at every entry, in slices between which other requests are served. */
async function countEntries(
  { records }: Context,
  object: Pick<ObjectType, 'recordType' | 'searchable'>,
  isVisible: (record: JsonObject) => boolean,
): Promise<number> {
  const page = await records.search(object.recordType, object.searchable, {
    length: 1,
    count: true,
    isVisible,
  })
  return page.total ?? 0
}
