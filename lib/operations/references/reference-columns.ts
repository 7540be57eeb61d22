// The columns that refer to an object. Rows of `referrer` name their modules; they are written in the commit that
// changes the columns, so every process and every node reads the same columns inside its commits.

import { type Caller } from '../../auth/caller.ts'
import { chainOf } from '../../auth/folders.ts'
import { grantsAt } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { pointer, refuseFaults } from '../../schema/check.ts'
import type { Column } from '../../schema/columns/column.ts'
import type { Layout, LayoutColumn } from '../../schema/layout.ts'
import { MODULE_OBJECTS, type ModuleKind } from '../../schema/module.ts'
import { referrer, type TargetObject, targetKey } from '../../schema/reference.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { MAX_REFERRING_MODULES } from '../../shared/limits.ts'
import type { Services } from '../context.ts'
import { isFolderMarked } from '../removal-marks.ts'

type Module = NonNullable<ReturnType<Services['modules']['find']>>

/** A column whose values refer to the object in question. */
export interface ReferringColumn {
  readonly module: Module
  readonly column: LayoutColumn
}

interface ModuleKey {
  readonly kind: ModuleKind
  readonly id: number
}

function isTarget(column: Column, { object, module_id: id }: TargetObject): boolean {
  const { references } = column
  return references?.object === object && references.module_id === id
}

/** The columns that refer to the object, in the state that the reader shows. */
export function findReferringColumns(
  services: Pick<Services, 'modules'>,
  reader: Reader,
  target: TargetObject,
): readonly ReferringColumn[] {
  return [...referringColumns(services, reader, target)]
}

/** The same columns, one by one, because preparing 500 modules takes long. */
export function* referringColumns(
  { modules }: Pick<Services, 'modules'>,
  reader: Reader,
  target: TargetObject,
): Generator<ReferringColumn> {
  const { object, module_id: own } = target
  const rows = reader.list(referrer, targetKey(target)).map(([, , kind, id]) => [kind, id] as const)
  // The entries of a calendar refer to each other by recurrence_of.
  const isListed = rows.some(([kind, id]) => kind === 'calendar' && id === own)
  if (object === 'calendar' && own !== null && !isListed) rows.push(['calendar', own])
  for (const [kind, id] of rows) {
    const module = modules.find(reader, kind as ModuleKind, Number(id))
    // A module in a deleted folder is about to be removed.
    if (module === undefined || chainOf(reader, module.record.parent_category_id) === undefined)
      continue
    for (const column of module.entry.referenceColumns)
      if (isTarget(column.column, target)) yield { module, column }
  }
}

/** Replaces SELF by the number of the module. */
export function withSelf(columns: readonly Column[], { kind, id }: ModuleKey): readonly Column[] {
  return columns.map((column) =>
    column.references?.module_id === 0
      ? { ...column, references: { ...column.references, object: kind, module_id: id } }
      : column,
  )
}

interface NewReferences {
  readonly caller: Caller
  readonly module: ModuleKey
  readonly before: Layout | undefined
  readonly columns: readonly Column[]
}

/**
 * Throws invalid-content if a column refers to a table or calendar that does not exist, or that the caller may not see;
 * the answer is the same for both. Targets that the module has already are not checked again.
 */
export function requireTargets(
  reader: Reader,
  { caller, module, before, columns }: NewReferences,
): void {
  const known = new Set([...targetsOf(before?.columns ?? []).keys(), ownName(module)])
  const faults = columns.flatMap(({ name, references }) => {
    if (references === undefined || known.has(nameOf(references))) return []
    const detail = targetFault(reader, caller, references)
    return detail === undefined
      ? []
      : [{ pointer: pointer('table_schema'), detail: `column "${name}": ${detail}` }]
  })
  refuseFaults(faults)
}

function targetFault(reader: Reader, caller: Caller, target: TargetObject): string | undefined {
  const { object, module_id: id } = target
  if (object !== 'asset_file') {
    const record = reader.get(MODULE_OBJECTS[object].recordType, id ?? 0)?.value
    if (record === undefined || !grantsAt(reader, caller, record.parent_category_id).has('view'))
      return `REFERENCES names ${object} ${id}, which does not exist, or which the key may not see`
    if (isFolderMarked(reader, record.parent_category_id))
      return `REFERENCES names ${object} ${id}, which is being deleted`
  }
  const modules = reader.list(referrer, targetKey(target), MAX_REFERRING_MODULES).length
  if (modules < MAX_REFERRING_MODULES) return undefined
  return `${MAX_REFERRING_MODULES} tables and calendars refer to ${object}${id === null ? '' : ` ${id}`} already, which is the limit`
}

/** Stores to which objects the columns of a module refer. */
export function putReferrers(
  unit: Unit,
  { kind, id }: ModuleKey,
  { before, after }: { readonly before?: Layout | undefined; readonly after?: Layout },
): void {
  const old = targetsOf(before?.columns ?? [])
  const next = targetsOf(after?.columns ?? [])
  for (const [name, target] of old)
    if (!next.has(name)) unit.remove(referrer, ...targetKey(target), kind, id)
  for (const [name, target] of next)
    if (!old.has(name)) unit.put(referrer, [...targetKey(target), kind, id], { kind, id })
}

function targetsOf(columns: readonly LayoutColumn[]): ReadonlyMap<string, TargetObject> {
  return new Map(
    columns.flatMap(({ column: { references } }) =>
      references === undefined ? [] : [[nameOf(references), references] as const],
    ),
  )
}

function nameOf(target: TargetObject): string {
  return targetKey(target).join(' ')
}

function ownName({ kind, id }: ModuleKey): string {
  return nameOf({ object: kind, module_id: id })
}

interface Unreferred extends ModuleKey {
  readonly caller: Caller
  /** Leaves out columns that the same deletion removes. */
  readonly isApart?: (referring: ReferringColumn) => boolean
}

/**
 * Throws in-use if columns of other modules refer to a table or calendar that is to be deleted; names the columns that
 * the caller may see.
 */
export function requireUnreferred(
  services: Pick<Services, 'modules'>,
  reader: Reader,
  { kind, id, caller, isApart = () => true }: Unreferred,
): void {
  const target = { object: kind, module_id: id }
  const others = findReferringColumns(services, reader, target).filter(
    (item) => (item.module.kind !== kind || item.module.id !== id) && isApart(item),
  )
  if (others.length === 0) return
  const seen = others.filter(({ module: { record } }) =>
    grantsAt(reader, caller, record.parent_category_id).has('view'),
  )
  const names = seen
    .slice(0, MAX_NAMED)
    .map(({ module, column }) => `${column.column.name} of ${module.kind} ${module.id}`)
  const who = names.length === 0 ? 'Columns' : `The columns ${names.join(', ')}`
  throw new CmsError(
    'in-use',
    `${who} refer to ${kind} ${id}. Remove REFERENCES there, or drop the columns, before you delete it.`,
  )
}

const MAX_NAMED = 10
