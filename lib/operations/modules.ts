// Datatables and calendars: create and delete, and what is read of a body that describes columns. The
// change of one is in module-update.ts.

import { recheck } from '../auth/caller.ts'
import { requireGrant } from '../auth/grants.ts'
import { checkCreate, refuseField, type Values } from '../schema/check.ts'
import type { Column } from '../schema/columns/column.ts'
import { showColumn } from '../schema/columns/shown-column.ts'
import { type ParsedSchema, parseTableSchema } from '../schema/columns/table-schema.ts'
import { hasIndex, RESERVED_NAMES } from '../schema/entry.ts'
import { EMPTY_LAYOUT, nextLayout } from '../schema/layout.ts'
import {
  MODULE_OBJECTS,
  type ModuleKind,
  type ModuleRecord,
  moduleLayout,
  moduleNameOf,
  moduleUrlOf,
} from '../schema/module.ts'
import { buildRecord } from '../schema/record.ts'
import type { JsonObject, JsonValue, Stored } from '../storage/port.ts'
import type { Context, Precondition } from './context.ts'
import { checkColumns } from './module-columns.ts'
import { startModuleWorks } from './module-work.ts'
import { newWorkId } from './pending-work.ts'
import { removeModuleRecords } from './purge.ts'
import { requireFolder, requireMatch, requireRecord } from './require.ts'

export async function createModule(
  context: Context,
  kind: ModuleKind,
  body: unknown,
): Promise<Stored> {
  const object = MODULE_OBJECTS[kind]
  const given = checkCreate(object, body)
  const columns = readColumns(kind, given)
  const asked = (body as JsonObject)['columns'] ?? undefined
  checkColumns(asked, { before: undefined, after: columns })
  requireTitleField(kind, given, columns)
  const layout = nextLayout(
    { ...EMPTY_LAYOUT, number: 0 },
    { columns, renames: new Map(), isEmpty: true, hasIndex, lossy: new Set() },
  )
  const id = context.records.nextId(object.recordType)

  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const categoryId = Number(given['parent_category_id'])
    requireFolder(unit, caller, categoryId)
    requireGrant(unit, caller, 'create', categoryId)

    const values = { ...given, ...derivedOf(kind, id, { name: String(given['name']), columns }) }
    const origin = { id, owner: caller.user.name, now: context.now().toISOString() }
    unit.put(object.recordType, [id], buildRecord(object, values, origin))
    unit.put(moduleLayout, [kind, id], layout as unknown as JsonObject)
    return requireRecord(unit, object, id).stored
  })
}

/** Deletes a module; its resource is gone at that instant, and its entries are cleared away after it. */
export async function removeModule(
  context: Context,
  input: {
    readonly kind: ModuleKind
    readonly id: number
    readonly precondition: Precondition | undefined
  },
): Promise<void> {
  const workId = newWorkId()
  const work = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord<ModuleRecord>(
      unit,
      MODULE_OBJECTS[input.kind],
      input.id,
    )
    requireGrant(unit, caller, 'delete', record.parent_category_id)
    requireMatch(input.precondition, stored)
    return removeModuleRecords(unit, workId, input)
  })
  void startModuleWorks(context, [{ id: workId, work }])
}

export function readColumns(
  kind: ModuleKind,
  values: Readonly<Record<string, JsonValue>>,
): readonly Column[] {
  const { columns } = parseSchema(kind, values)
  if (kind === 'datatable' && columns.length === 0) {
    refuseField('table_schema', 'must describe at least one column, like "title C(255) NOTNULL"')
  }
  return columns
}

/** What is odd in a body that is accepted; nothing where it does not speak of columns. */
export function findSchemaWarnings(kind: ModuleKind, body: unknown): readonly string[] {
  return parseSchema(kind, body as Readonly<Record<string, JsonValue>>).warnings
}

function parseSchema(
  kind: ModuleKind,
  { table_schema: text }: Readonly<Record<string, JsonValue>>,
): ParsedSchema {
  if (typeof text !== 'string') return { columns: [], warnings: [] }
  return parseTableSchema(text, RESERVED_NAMES[kind])
}

export function requireTitleField(
  kind: ModuleKind,
  { title_field: title }: Readonly<Record<string, JsonValue>>,
  columns: readonly Column[],
): void {
  if (title === null || title === undefined || columns.some((column) => column.name === title))
    return
  if (kind === 'calendar' && title === 'event_title') return
  const names = columns.map((column) => column.name).join(', ')
  refuseField('title_field', `must be a column of table_schema: ${names || 'there are none'}`)
}

export function derivedOf(
  kind: ModuleKind,
  id: number,
  { name, columns }: { readonly name: string; readonly columns: readonly Column[] },
): Values {
  const module_name = moduleNameOf(name)
  return {
    columns: columns.map(showColumn),
    module_name,
    module_url: moduleUrlOf(kind, id, module_name),
  }
}
