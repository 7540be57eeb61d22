// Datatables and calendars: create, delete, their shown form, and reading the columns of a body. module-update.ts
// updates them.

import { recheck } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { checkCreate, refuseField, type Values } from '../../schema/check.ts'
import { type Column, showColumn } from '../../schema/columns/column.ts'
import { EMPTY_LAYOUT, type Layout, nextLayout } from '../../schema/layout.ts'
import { type ParsedSchema, parseTableSchema } from '../../schema/columns/table-schema.ts'
import { entryTypeName, hasIndex, RESERVED_NAMES, BASE_FIELDS } from '../../schema/entry.ts'
import {
  MODULE_OBJECTS,
  type ModuleKind,
  moduleLayout,
  moduleNameOf,
  moduleNames,
  moduleNumbers,
  moduleUrlOf,
} from '../../schema/module.ts'
import { historyTypeOf } from '../../schema/past-values.ts'
import type { PublicSettings } from '../../schema/public-settings.ts'
import { buildRecord } from '../../schema/record.ts'
import type { JsonObject, JsonValue, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { orphanComments } from '../comment-targets.ts'
import type { Context, DeletedFolder, RecordInput, Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import {
  putReferrers,
  requireTargets,
  requireUnreferred,
  withSelf,
} from '../references/reference-columns.ts'
import { withNewId } from '../new-id.ts'
import { newWorkId, putWork } from '../pending-work.ts'
import { requireFolder, requireMatch, requireRecord } from '../requirements.ts'
import { commitAudited } from '../trail/audit.ts'
import { beginItem, moveToTrash } from '../trash/trash-items.ts'
import { seenInFolder, type Visibility } from '../visibility.ts'
import { checkColumns } from './module-columns.ts'
import { type NewWork, startModuleWorks } from './module-work.ts'
import { changesPublic, publicSettings } from './public-module.ts'

export async function createModule(
  context: Context,
  kind: ModuleKind,
  body: unknown,
): Promise<Stored> {
  const object = MODULE_OBJECTS[kind]
  const checked = checkCreate(object, body)
  const { columns: parsed, checks, uniques } = readSchema(kind, checked)
  const asked = (body as JsonObject)['columns'] ?? undefined
  checkColumns(asked, { before: undefined, after: parsed })
  const given: Values = { ...checked, ...requireTitleField(kind, checked, parsed) }
  const layoutOf = (columns: readonly Column[]): Layout =>
    nextLayout(
      { ...EMPTY_LAYOUT, number: 0 },
      { columns, checks, uniques, renames: new Map(), isEmpty: true, hasIndex, lossy: new Set() },
    )
  const settings = publicSettings({
    kind,
    layout: layoutOf(parsed),
    values: given,
    now: context.now(),
  })
  const moduleName = await moduleNameOf(String(given['name']))

  return withNewId(context.records, object.recordType, (id) =>
    context.records.commit((unit) => {
      const caller = recheck(unit, context.caller, context.now())
      const categoryId = Number(given['parent_category_id'])
      requireFolder(unit, caller, categoryId)
      requireGrant(unit, caller, 'create', categoryId)
      if (changesPublic(given, undefined)) requireGrant(unit, caller, 'publish', categoryId)

      const columns = withSelf(parsed, { kind, id })
      requireTargets(unit, { caller, module: { kind, id }, before: undefined, columns })
      const derived = {
        columns: columns.map(showColumn),
        ...addressOf(kind, id, moduleName),
        ...settings,
      }
      const values = { ...given, ...derived }
      const origin = { id, owner: caller.user.name, now: context.now().toISOString() }
      unit.put(object.recordType, [id], buildRecord(object, values, origin))
      const layout = layoutOf(columns)
      unit.put(moduleLayout, [kind, id], layout)
      putReferrers(unit, { kind, id }, { after: layout })
      return requireRecord(unit, object, id).stored
    }),
  )
}

/** Deletes a module: its address is gone at once, its entries are removed later. */
export async function removeModule(
  context: Context,
  input: RecordInput & { readonly kind: ModuleKind },
): Promise<void> {
  const works = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord(unit, MODULE_OBJECTS[input.kind], input.id)
    requireGrant(unit, caller, 'delete', record.parent_category_id)
    requireMatch(input.precondition, stored)
    requireUnreferred(context, unit, { kind: input.kind, id: input.id, caller })
    const trashId = beginItem(unit, context, {
      object: input.kind,
      object_id: input.id,
      name: record.name,
      asset_category_id: record.parent_category_id,
      deleted_by: caller.user.name,
    })
    if (trashId === undefined) return removeModuleRecords(unit, input)
    moveModuleToTrash(unit, context, { trashId, phase: 'root' }, input)
    return []
  })
  void startModuleWorks(context, works)
}

export function readSchema(
  kind: ModuleKind,
  values: Readonly<Record<string, JsonValue>>,
): ParsedSchema {
  const parsed = parseSchema(kind, values)
  const { columns } = parsed
  if (kind === 'datatable' && columns.length === 0) {
    refuseField('table_schema', 'must describe at least one column, like "title C(255) NOTNULL"')
  }
  return parsed
}

/** Warnings for an accepted body; empty if the body has no table_schema. */
export function findSchemaWarnings(kind: ModuleKind, body: unknown): readonly string[] {
  return parseSchema(kind, body as Readonly<Record<string, JsonValue>>).warnings
}

function parseSchema(
  kind: ModuleKind,
  { table_schema: text }: Readonly<Record<string, JsonValue>>,
): ParsedSchema {
  if (typeof text !== 'string') return { columns: [], checks: [], uniques: [], warnings: [] }
  return parseTableSchema(text, RESERVED_NAMES[kind], BASE_FIELDS[kind])
}

/** The column's name as written in table_schema; names are compared without regard to case, as in ADOdb. */
export function requireTitleField(
  kind: ModuleKind,
  { title_field: title }: Readonly<Record<string, JsonValue>>,
  columns: readonly Column[],
): { readonly title_field?: string } {
  if (title === null || title === undefined) return {}
  const base = kind === 'calendar' ? ['event_title'] : []
  const known = [...columns.map((column) => column.name), ...base]
  const wanted = String(title).toLowerCase()
  const found = known.includes(String(title))
    ? String(title)
    : known.find((name) => name.toLowerCase() === wanted)
  if (found !== undefined) return { title_field: found }
  const names = columns.map((column) => column.name).join(', ')
  refuseField('title_field', `must be a column of table_schema: ${names || 'there are none'}`)
}

/** The values derived from the name; only the name changes the address. */
export function addressOf(kind: ModuleKind, id: number, module_name: string): Values {
  return { module_name, module_url: moduleUrlOf(kind, id, module_name) }
}

/** The entries, the columns and the history stay where they are; without its record, the module does not exist. */
function moveModuleToTrash(
  unit: Unit,
  services: Pick<Services, 'records'>,
  kept: Parameters<typeof moveToTrash>[2],
  { kind, id }: { readonly kind: ModuleKind; readonly id: number },
): void {
  const count = unit.count({ name: entryTypeName(kind, id), indexes: [] })
  const type = MODULE_OBJECTS[kind].recordType
  moveToTrash(unit, services, kept, { type, id, also: { count } })
}

/** Removes the module's records and stores the pending work that removes its entries and their history. */
export function removeModuleRecords(
  unit: Unit,
  { kind, id }: { readonly kind: ModuleKind; readonly id: number },
): readonly NewWork[] {
  unit.remove(MODULE_OBJECTS[kind].recordType, id)
  putReferrers(unit, { kind, id }, { before: unit.get(moduleLayout, kind, id)?.value })
  unit.remove(moduleLayout, kind, id)
  unit.remove(moduleNumbers, kind, id)
  unit.remove(moduleNames, kind, id)
  orphanComments(unit, `${kind}/${id}`)
  const history = historyTypeOf(kind, id)
  const types = [entryTypeName(kind, id), ...(unit.count(history) > 0 ? [history.name] : [])]
  return types.map((type) => {
    const workId = newWorkId()
    const work = { kind: 'drop-type', type } as const
    putWork(unit, workId, work)
    return { id: workId, work }
  })
}

/** Removes the modules of a deleted folder. */
export async function clearModules(
  services: Services,
  kind: ModuleKind,
  { categoryId, doer, trashId }: DeletedFolder,
): Promise<void> {
  for (const id of idsInFolder(services.records, MODULE_OBJECTS[kind], categoryId)) {
    const plan = (unit: Unit): readonly NewWork[] => {
      if (trashId === undefined) return removeModuleRecords(unit, { kind, id })
      moveModuleToTrash(unit, services, { trashId, phase: 'content' }, { kind, id })
      return []
    }
    const works = await commitAudited(services, { doer, plan })
    void startModuleWorks(services, works)
  }
}

export const moduleVisibilities: Readonly<Record<ModuleKind, Visibility>> = {
  datatable: visibilityOf('datatable'),
  calendar: visibilityOf('calendar'),
}

function visibilityOf(kind: ModuleKind): Visibility {
  const object = MODULE_OBJECTS[kind]
  return {
    object,
    seen: seenInFolder(object),
    derive:
      ({ reader }) =>
      (record) => ({
        // Modules of earlier builds lack these fields.
        ...(record['public'] === undefined && NOT_PUBLIC),
        entry_count: countEntries(reader, kind, Number(record[object.idField])),
      }),
    addressField: 'module_url',
  }
}

const NOT_PUBLIC: PublicSettings = Object.freeze({
  public: false,
  public_columns: null,
  public_filter: null,
  public_since: null,
})

function countEntries(reader: Reader, kind: ModuleKind, id: number): number {
  return reader.count({ name: entryTypeName(kind, id), indexes: [] })
}
