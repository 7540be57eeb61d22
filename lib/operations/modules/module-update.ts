// Updates a module: its fields and its columns. The effect of a change of columns is planned first
// (schema-change.ts). If the state changes before the commit, the update is planned again.

import { type Caller, recheck } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { checkUpdate, type Values } from '../../schema/check.ts'
import { type Column, showColumn } from '../../schema/columns/column.ts'
import { entryTypeName, hasIndex } from '../../schema/entry.ts'
import { type Layout, nextLayout } from '../../schema/layout.ts'
import {
  MODULE_OBJECTS,
  type ModuleKind,
  type ModuleRecord,
  moduleLayout,
  moduleNameOf,
} from '../../schema/module.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { requireAllowed } from './change-refusal.ts'
import type { ChangeContext, Context, RecordUpdate } from '../context.ts'
import { startNumbers } from './entry-numbers.ts'
import { storeOldName } from './find-module.ts'
import { type Module, requireLayout } from './module-cache.ts'
import { checkColumns, readRenames, type Renames } from './module-columns.ts'
import { type NewWork, startModuleWorks } from './module-work.ts'
import { addressOf, moduleVisibilities, readSchema, requireTitleField } from './modules.ts'
import { newWorkId, putWork } from '../pending-work.ts'
import { changesPublic, publicSettings } from './public-module.ts'
import type { ModuleWork } from '../../schema/pending-work.ts'
import { presentValue } from '../present.ts'
import { isRemovalUnderWay } from '../removal-marks.ts'
import { noteTargets } from './reference-change.ts'
import { putReferrers, requireTargets, withSelf } from '../references/reference-columns.ts'
import { requireMatch, requireMove, requireRecord } from '../requirements.ts'
import { keepDays } from './kept-days.ts'
import { type ChangePlan, forbidden, planColumns, testChange } from './schema-change.ts'
import { viewOf } from '../visibility.ts'

export interface UpdateModuleInput extends RecordUpdate {
  readonly kind: ModuleKind
  /** Data of dropped columns may be lost. */
  readonly isDropConfirmed: boolean
  /** Returns the plan and changes nothing. */
  readonly isDryRun: boolean
}

export type UpdatedModule =
  | { readonly kind: 'changed'; readonly stored: Stored }
  | { readonly kind: 'planned'; readonly plan: ChangePlan }

export async function updateModule(
  context: ChangeContext,
  input: UpdateModuleInput,
): Promise<UpdatedModule> {
  // Counting takes time; if the state has changed before the commit, plan again.
  const lossy = new Set<string>()
  for (;;) {
    const updated = await tryUpdate(context, input, lossy)
    if (updated !== undefined) return updated
  }
}

async function tryUpdate(
  context: ChangeContext,
  input: UpdateModuleInput,
  lossy: Set<string>,
): Promise<UpdatedModule | undefined> {
  const { kind, id } = input
  const before = requireRecord(context.records, MODULE_OBJECTS[kind], id)
  requireGrant(context.records, context.caller, 'modify', before.record.parent_category_id)
  requireMatch(input.precondition, before.stored)
  const module = context.modules.find(context.records, kind, id)
  if (module === undefined) return undefined

  const read = readChange(context, input, before.stored)
  const change = { ...read, moduleName: await moduleNameOf(String(read.values['name'] ?? '')) }
  if (change.isSchemaChange) requireReferable(context.records, context.caller, { module, change })
  const tested = testChange(context, module, change)
  const watch = context.watches.open(
    entryTypeName(kind, id),
    forbidden(tested, { isDropConfirmed: input.isDropConfirmed, lossy }),
  )
  try {
    // Waits for commits that began before the watch.
    const areThere = change.isSchemaChange
      ? await context.records.commit((unit) => noteTargets(unit, tested.references))
      : () => true
    // With confirmation the number of lost values is not needed, and counting takes long.
    const isLossAsked = input.isDryRun || !input.isDropConfirmed
    const plan = await planColumns(
      context,
      module,
      isLossAsked ? tested : { ...tested, dropped: [] },
    )
    if (input.isDryRun) return { kind: 'planned', plan }
    requireAllowed(plan, input.isDropConfirmed)
    if ('time_zone' in change.values) await keepDays(context, module)
    for (const { name, entries } of [...plan.narrowed, ...plan.retyped])
      if (entries > 0) lossy.add(name)
    return await commitUpdate(context, {
      input,
      change: { ...change, lossy },
      isStale: (unit) =>
        watch.hasSeen() ||
        !areThere(unit) ||
        context.modules.find(unit, kind, id)?.entry.layout.number !== module.entry.layout.number ||
        unit.get(MODULE_OBJECTS[kind].recordType, id)?.revision !== before.stored.revision,
    })
  } finally {
    watch.close()
  }
}

/** Undefined if the state differs from the planned one. */
async function commitUpdate(
  context: Context,
  { isStale, ...put }: PutInput & { readonly isStale: (unit: Unit) => boolean },
): Promise<UpdatedModule | undefined> {
  const updated = await context.records.commit((unit) =>
    isStale(unit) ? undefined : putUpdated(unit, context, put),
  )
  if (updated === undefined) return undefined

  const { kind, id } = put.input
  const runs = startModuleWorks(context, updated.works)
  const entries = context.records.count({ name: entryTypeName(kind, id), indexes: [] })
  if (entries <= context.limits.smallModule) await runs
  return { kind: 'changed', stored: updated.stored }
}

interface Change {
  readonly values: Values
  readonly columns: readonly Column[]
  readonly checks: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly renames: Renames
  readonly isSchemaChange: boolean
  /** Derived from the new name, if there is one. */
  readonly moduleName: string
}

function readChange(
  context: Context,
  { kind, id, body }: UpdateModuleInput,
  stored: Stored,
): Omit<Change, 'moduleName'> {
  const object = MODULE_OBJECTS[kind]
  const current = presentValue(viewOf(context), moduleVisibilities[kind], stored)
  const { columns: asked, ...values } = checkUpdate(object, body, current)
  const renames = readRenames(asked)
  const layout = requireLayout(context.records, kind, id)
  const isSchemaChange = 'table_schema' in values || renames.size > 0
  const {
    columns: parsed,
    checks,
    uniques,
  } = isSchemaChange ? readSchema(kind, { ...current, ...values }) : rulesOf(layout)
  const columns = withSelf(parsed, { kind, id })

  checkColumns(asked, { before: columnsOf(layout), after: columns })
  const title = newTitle(current, values, renames)
  const named = title === undefined ? values : { ...values, title_field: title }
  const titled = requireTitleField(kind, { ...current, ...named }, columns)
  const isRetitled = 'title_field' in named && titled.title_field !== undefined
  const given = isRetitled ? { ...named, ...titled } : named
  return { values: given, columns, checks, uniques, renames, isSchemaChange }
}

/** If the title's column is renamed, the title follows, unless the body names another title. */
function newTitle(current: JsonObject, values: Values, renames: Renames): string | undefined {
  if ('title_field' in values) return undefined
  for (const [name, oldName] of renames) if (oldName === current['title_field']) return name
  return undefined
}

interface PutInput {
  readonly input: UpdateModuleInput
  readonly change: AllowedChange
}

interface AllowedChange extends Change {
  /** Columns in which values are lost, with confirmation. */
  readonly lossy: ReadonlySet<string>
}

interface Updated {
  readonly stored: Stored
  readonly works: readonly NewWork[]
}

function putUpdated(unit: Unit, context: Context, { input, change }: PutInput): Updated {
  const { kind, id } = input
  const object = MODULE_OBJECTS[kind]
  const caller = recheck(unit, context.caller, context.now())
  const { stored, record } = requireRecord(unit, object, id)
  requireGrant(unit, caller, 'modify', record.parent_category_id)
  requireMatch(input.precondition, stored)
  requirePlace(unit, caller, record, change.values)
  if (changesPublic(change.values, record))
    requireGrant(unit, caller, 'publish', record.parent_category_id)
  if (Object.keys(change.values).length === 0 && !change.isSchemaChange)
    return { stored, works: [] }

  const name = String(change.values['name'] ?? record.name)
  const { columns } = change
  // Only a new name changes the address: the rule that derives addresses may have changed since.
  const address = name === record.name ? {} : addressOf(kind, id, change.moduleName)
  const module = context.modules.find(unit, kind, id)
  if (change.isSchemaChange && module !== undefined)
    requireReferable(unit, caller, { module, change })
  const works =
    change.isSchemaChange && module !== undefined ? putLayout(unit, { module, change }) : []
  const layout = requireLayout(unit, kind, id)
  const { values, renames } = change
  const next = {
    ...record,
    ...values,
    columns: columns.map(showColumn),
    ...address,
    ...publicSettings({ kind, layout, values, before: record, renames, now: context.now() }),
    date_modified: context.now().toISOString(),
  }
  unit.put(object.recordType, [id], next)
  storeOldName(unit, { kind, id, before: record, now: next.module_name })
  return { stored: requireRecord(unit, object, id).stored, works }
}

/** Throws if a target is missing, or while a deletion reads the columns with references in many commits. */
function requireReferable(
  reader: Reader,
  caller: Caller,
  { module, change: { columns } }: { readonly module: Module; readonly change: Change },
): void {
  const before = requireLayout(reader, module.kind, module.id)
  requireTargets(reader, { caller, module, before, columns })
  const hasReferences = [...columnsOf(before), ...columns].some((item) => item.references)
  if (!hasReferences || !isRemovalUnderWay(reader)) return
  throw new CmsError(
    'unavailable',
    'Records with many dependents are being deleted. Change the columns again in a moment.',
    { headers: { 'retry-after': '5' } },
  )
}

/** Stores the new layout, and the index work that it requires. */
function putLayout(
  unit: Unit,
  { module, change }: { readonly module: Module; readonly change: AllowedChange },
): readonly NewWork[] {
  const { kind, id } = module
  const layout = requireLayout(unit, kind, id)
  const typeName = entryTypeName(kind, id)
  const isEmpty = unit.count({ name: typeName, indexes: [] }) === 0
  const { columns, checks, uniques, renames, lossy } = change
  const next = nextLayout(layout, { columns, checks, uniques, renames, isEmpty, hasIndex, lossy })
  unit.put(moduleLayout, [kind, id], next)
  putReferrers(unit, module, { before: layout, after: next })
  startNumbers(unit, { module, layout: next })

  const oldKeys = new Set([...layout.columns, ...(layout.uniques ?? [])].map((item) => item.key))
  const indexed = [...next.columns.filter((item) => hasIndex(item.column)), ...(next.uniques ?? [])]
  const keys = new Set([...next.columns, ...indexed].map((item) => item.key))
  const works = [
    ...indexed
      .filter((item) => !item.isIndexed && !oldKeys.has(item.key))
      .map((item): ModuleWork => ({ kind: 'build-index', module: kind, id, key: item.key })),
    ...[...oldKeys]
      .filter((key) => !keys.has(key))
      .map((key): ModuleWork => ({ kind: 'drop-index', type: typeName, key })),
  ]
  return works.map((work) => {
    const workId = newWorkId()
    putWork(unit, workId, work)
    return { id: workId, work }
  })
}

function rulesOf(layout: Layout): Pick<Change, 'columns' | 'checks' | 'uniques'> {
  const { checks = [], uniques = [] } = layout
  return { columns: columnsOf(layout), checks, uniques: uniques.map((group) => group.columns) }
}

function columnsOf(layout: Layout): readonly Column[] {
  return layout.columns.map((item) => item.column)
}

function requirePlace(unit: Unit, caller: Caller, record: ModuleRecord, values: Values): void {
  const target = values['parent_category_id']
  if (typeof target !== 'number' || target === record.parent_category_id) return
  requireMove(unit, caller, { from: record.parent_category_id, to: target })
}
