// Public modules: what readers without a key see of a module, and the checks of the fields that decide it.

import { chainOf, type FolderReader } from '../../auth/folders.ts'
import { refuseField, type Values } from '../../schema/check.ts'
import { CmsError } from '../../base/errors.ts'
import { buildEntryType, type EntryType } from '../../schema/entry.ts'
import type { Layout } from '../../schema/layout.ts'
import { asksFor, type Match, matches } from '../../schema/match.ts'
import {
  MODULE_KINDS,
  MODULE_OBJECTS,
  type ModuleKind,
  type ModuleRecord,
} from '../../schema/module.ts'
import { parseIdentifier } from '../../schema/names.ts'
import type { PublicSettings } from '../../schema/public-settings.ts'
import { publicEntry, publicNames } from '../../schema/public-entry.ts'
import { parseQry } from '../../schema/qry.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Module } from './module-cache.ts'

/** Whether everybody may read the entries of the module `module_id`. */
export function isPublicModule(
  { records }: Context,
  kind: ModuleKind,
  { module_id: id }: Readonly<Record<string, string>>,
): boolean {
  const number = parseIdentifier(id ?? '')
  if (number === undefined) return false
  const stored = records.get(MODULE_OBJECTS[kind].recordType, number)
  return stored !== undefined && isPublicRecord(records, stored.value)
}

/** Returns a function that says whether the site has a public module. It looks again when a module changes. */
export function openHasPublic(): (context: Context) => boolean {
  let known: { readonly has: boolean; readonly isCurrent: () => boolean } | undefined
  return ({ records }) => {
    if (known?.isCurrent() === true) return known.has
    const trace = records.trace()
    const has = MODULE_KINDS.some((kind) => hasPublic(trace.records, kind))
    known = { has, isCurrent: trace.close() }
    return has
  }
}

function hasPublic(reader: Reader, kind: ModuleKind): boolean {
  const { recordType } = MODULE_OBJECTS[kind]
  return reader.list(recordType, []).some(([id]) => {
    const stored = reader.get(recordType, Number(id))
    return stored !== undefined && isPublicRecord(reader, stored.value)
  })
}

/** The folder may be deleted already, and its modules not yet. Older records have no `public`. */
export function isPublicRecord(reader: FolderReader, record: ModuleRecord): boolean {
  return record.public && chainOf(reader, record.parent_category_id) !== undefined
}

/** A module is another object after each change of its record or its columns. */
const PUBLIC = new WeakMap<Module, Module>()

/** The module as readers without a key see it. */
export function publicModule(module: Module): Module {
  const known = PUBLIC.get(module)
  if (known !== undefined) return known
  const { kind, record, entry } = module
  const made = {
    ...module,
    entry: publicEntry(entry, kind, record.public_columns ?? null),
    filter: filterOf(entry, record.public_filter ?? null),
  }
  PUBLIC.set(module, made)
  return made
}

function filterOf({ object }: EntryType, filter: JsonObject | null): Match | undefined {
  return filter === null
    ? undefined
    : parseQry(JSON.stringify(filter), object.searchable, object.name)
}

/** Whether the entry is among those that the module shows. */
export function isShown({ filter, entry }: Module, { value }: Stored): boolean {
  return filter === undefined || matches(filter, entry.object.recordType.upgrade?.(value) ?? value)
}

const SETTINGS = ['public', 'public_columns', 'public_filter'] as const

/** Whether a body changes what is public, which needs the grant publish. `before` is undefined for a new module. */
export function changesPublic(values: Values, before: ModuleRecord | undefined): boolean {
  return SETTINGS.some((name) => {
    const initial = name === 'public' ? false : null
    // Null is a value too: it makes all columns or all entries public.
    const old = before?.[name] ?? initial
    return name in values && JSON.stringify(old) !== JSON.stringify(values[name] ?? initial)
  })
}

const NONE: ReadonlyMap<string, string> = new Map()

interface SettingsInput {
  readonly kind: ModuleKind
  readonly layout: Layout
  /** Values of the body. */
  readonly values: Values
  readonly before?: ModuleRecord
  /** New name → old name. */
  readonly renames?: ReadonlyMap<string, string>
  readonly now: Date
}

/**
 * The settings after a change. Renamed columns stay public, and dropped columns leave the list. Throws for names and filters
 * that do not fit the columns.
 */
export function publicSettings({
  kind,
  layout,
  values,
  before,
  renames = NONE,
  now,
}: SettingsInput): PublicSettings {
  const entry = buildEntryType(kind, 1, layout)
  const given = 'public_columns' in values
  const asked = (given ? values['public_columns'] : before?.public_columns) ?? null
  const columns = asked as readonly string[] | null
  const filter =
    ('public_filter' in values ? values['public_filter'] : before?.public_filter) ?? null
  const isPublic = (values['public'] ?? before?.public ?? false) === true
  requireFilter(entry, filter as JsonObject | null, 'public_filter' in values ? NONE : renames)
  return {
    public: isPublic,
    public_columns:
      columns &&
      (given ? requireNames(kind, entry, columns) : present(kind, entry, columns, renames)),
    public_filter: filter as JsonObject | null,
    public_since: isPublic ? (before?.public_since ?? now.toISOString()) : null,
  }
}

function requireNames(
  kind: ModuleKind,
  entry: EntryType,
  columns: readonly string[],
): readonly string[] {
  const known = publicNames(kind, entry)
  const wrong = columns.find((name) => !known.includes(name))
  if (wrong === undefined) return columns
  refuseField(
    'public_columns',
    `names ${JSON.stringify(wrong)}, which is not a column; known are ${known.join(', ') || 'none'}`,
  )
}

function present(
  kind: ModuleKind,
  entry: EntryType,
  columns: readonly string[],
  renames: ReadonlyMap<string, string>,
): readonly string[] {
  const known = publicNames(kind, entry)
  // A column that takes the name of a public one does not become public.
  return columns.flatMap((column) => known.filter((name) => (renames.get(name) ?? name) === column))
}

/** `renames`: of columns, after which the filter of before would select by another column of the same name. */
function requireFilter(
  entry: EntryType,
  filter: JsonObject | null,
  renames: ReadonlyMap<string, string>,
): void {
  const match = parseFilter(entry, filter)
  const other = match && [...renames.keys()].find((name) => asksFor(match, name))
  if (other === undefined) return
  refuseField(
    'public_filter',
    `uses ${other}, which is now another column; send public_filter, too`,
  )
}

function parseFilter(entry: EntryType, filter: JsonObject | null): Match | undefined {
  try {
    return filterOf(entry, filter)
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    refuseField('public_filter', `is not a valid qry for these columns: ${error.message}`)
  }
}
