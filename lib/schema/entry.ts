// Entries of a module. Their object type is built at run time from the columns, so that entries share checks,
// searches, indexes and documentation with the core objects.

import type { EntrySize } from '../shared/list-size.ts'
import { CALENDAR_FIELDS, REPLACED_INDEX, seriesColumn, UID_COLUMN } from './calendar-fields.ts'
import type { JsonObject, SearchField, Stored } from './values.ts'
import { type Column, isNow, valueKind } from './columns/column.ts'
import { columnField } from './columns/column-field.ts'
import {
  compileComputed,
  type ComputedColumn,
  inOrder,
  withComputed,
} from './columns/computed-columns.ts'
import { type Check, compileCheck, expressionFields } from './columns/table-rules.ts'
import { isListKind } from './field-value.ts'
import { LAYOUT_MEMBER, type Layout, type LayoutColumn, upgraderOf } from './layout.ts'
import { isModuleKind, type ModuleKind } from './module.ts'
import { type EntryGroup, entryGroup, groupIndex } from './unique-groups.ts'
import { defineObject, type Fields, type ObjectType } from './object.ts'
import { pickFields } from './record.ts'
import { fillBytesOf, firstFillOf, isPresent } from './older-entries.ts'

export interface EntryType {
  readonly object: ObjectType
  readonly layout: Layout
  /** Columns with UNIQUE, KEY or AUTO. */
  readonly uniqueColumns: readonly LayoutColumn[]
  readonly autoColumns: readonly LayoutColumn[]
  /** Columns with references to other records. */
  readonly referenceColumns: readonly LayoutColumn[]
  /** Names of columns whose values are lists with an index row for each element. */
  readonly listColumns: readonly string[]
  readonly checks: readonly Check[]
  /** COMPUTED columns, each after those that it reads. */
  readonly computed: readonly ComputedColumn[]
  /** UNIQUE(a, b). */
  readonly uniqueGroups: readonly EntryGroup[]
  /** Columns with DEFDATE or DEFTIMESTAMP. */
  readonly nowColumns: readonly LayoutColumn[]
  /** End of the stored text of entries in the present layout, as text and as bytes. */
  readonly tail: string
  readonly tailBytes: Buffer
  /**
   * Bytes that an entry gains from columns that were added, renamed or converted after it was stored; undefined
   * if no column was.
   */
  readonly fillBytes: ((stored: Stored) => number) | undefined
  /** Fields of a single read: all fields except the columns. */
  readonly baseNames: ReadonlySet<string>
  /** Fields that a client may set. */
  readonly givenNames: ReadonlySet<string>
  /** True if all fields between the identifier and the base fields can be set. */
  readonly isGivenWhole: boolean
}

/** Fields that a client may set in every entry, besides the columns. */
export const BASE_FIELDS: Readonly<Record<ModuleKind, Fields>> = {
  datatable: {},
  calendar: CALENDAR_FIELDS,
}

/** Names that columns must not have. */
export const RESERVED_NAMES: Readonly<Record<ModuleKind, ReadonlySet<string>>> = {
  datatable: reservedOf('datatable'),
  calendar: reservedOf('calendar'),
}

function reservedOf(kind: ModuleKind): ReadonlySet<string> {
  const ids = ['datatable_entry_id', 'calendar_entry_id', 'datatable_id', 'calendar_id']
  return new Set([
    ...ids,
    'date_added',
    'date_modified',
    'owner',
    ...Object.keys(BASE_FIELDS[kind]),
  ])
}

/** Whether the values of a column are indexed: all except long texts. */
export function hasIndex(column: Column): boolean {
  return columnField(column).isIndexed
}

/** Entries that are older than these fields have no exceptions. */
const NO_EXCEPTIONS = { exdates: [], rdates: [] }

/** Key space of the entries of a module. */
export function entryTypeName(kind: ModuleKind, moduleId: number): string {
  return `${kind}_entry.${moduleId}`
}

/** The module of such a key space; undefined for any other key space. */
export function parseEntryTypeName(
  name: string,
): { readonly kind: ModuleKind; readonly moduleId: number } | undefined {
  const [, kind, id] = /^(\w+)_entry\.(\d+)$/.exec(name) ?? []
  return isModuleKind(kind) ? { kind, moduleId: Number(id) } : undefined
}

export function buildEntryType(kind: ModuleKind, moduleId: number, layout: Layout): EntryType {
  const name = `${kind}_entry`
  const columnFields = Object.fromEntries(
    layout.columns.map(({ column }) => [column.name, columnField(column)] as const),
  )
  const keys = new Map(layout.columns.map(({ column, key }) => [column.name, key]))
  const fields = { ...BASE_FIELDS[kind], ...columnFields }
  const fieldNames = [`${name}_id`, ...Object.keys(fields), 'date_added', 'date_modified', 'owner']
  const uniqueGroups = (layout.uniques ?? []).map((group) => entryGroup(group, fields))
  const computed = computedOf(layout, fields)
  const convert = upgraderOf({ layout, fieldNames, fill: firstFillOf })
  const upgrade = (record: JsonObject): JsonObject => {
    const converted = convert(record)
    return converted === record ? record : withComputed(computed, converted)
  }

  const checks = (layout.checks ?? []).map((check) => compileCheck(check, expressionFields(fields)))
  const object = defineObject({
    name,
    label: `${kind} entry`,
    description: describeEntries(kind, { uniqueGroups, checks }),
    fields,
    recordName: entryTypeName(kind, moduleId),
    indexNameOf: (field) => keys.get(field) ?? field,
    indexes: [...uniqueGroups.map(groupIndex), ...(kind === 'calendar' ? [REPLACED_INDEX] : [])],
    isIdQualified: kind === 'datatable',
    // Responses of calendars include calendar_id, which is the same for all entries.
    upgrade:
      kind === 'datatable'
        ? upgrade
        : (record) => ({ ...NO_EXCEPTIONS, ...upgrade(record), calendar_id: moduleId }),
  })

  const givenNames = givenIn(fields)
  const tail = `,"${LAYOUT_MEMBER}":${layout.number}}`
  const tailBytes = Buffer.from(tail)
  return {
    object: { ...object, searchable: searchableOf(kind, object, layout) },
    layout,
    uniqueColumns: [
      ...layout.columns.filter(({ column }) => column.isUnique),
      ...(kind === 'calendar' ? [UID_COLUMN] : []),
    ],
    autoColumns: layout.columns.filter(({ column }) => column.isAuto),
    referenceColumns: [
      ...layout.columns.filter(({ column }) => column.references !== undefined),
      ...(kind === 'calendar' ? [seriesColumn(moduleId)] : []),
    ],
    listColumns: layout.columns
      .filter(({ column }) => isListKind(valueKind(column)))
      .map(({ column }) => column.name),
    uniqueGroups,
    computed,
    checks,
    nowColumns: layout.columns.filter(({ column }) => isNow(column.default)),
    tail,
    tailBytes,
    fillBytes: fillBytesOf(layout, tailBytes),
    baseNames: new Set(fieldNames.filter((field) => !keys.has(field))),
    givenNames,
    isGivenWhole: kind === 'datatable' && givenNames.size === Object.keys(fields).length,
  }
}

function givenIn(fields: Fields): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((field) => fields[field]?.access !== 'assigned'))
}

/** The values of on_conflict: the unique columns, and the columns of each UNIQUE(a, b). */
export function upsertKeyNames({
  uniqueColumns,
  uniqueGroups,
}: Pick<EntryType, 'uniqueColumns' | 'uniqueGroups'>): readonly string[] {
  const groups = uniqueGroups.map(({ columns }) => columns.join(','))
  return [...uniqueColumns.map(({ column }) => column.name), ...groups]
}

/** The description of an entry in the documents. */
export function describeEntries(
  kind: ModuleKind,
  { uniqueGroups, checks }: Pick<EntryType, 'uniqueGroups' | 'checks'>,
): string {
  return [
    `An entry of the ${kind}.`,
    ...uniqueGroups.map(({ columns }) => `Unique together: ${columns.join(', ')}.`),
    ...checks.map(({ text: check }) => `Every entry keeps CHECK(${check}).`),
  ].join(' ')
}

function computedOf(layout: Layout, fields: Fields): readonly ComputedColumn[] {
  const known = expressionFields(fields)
  const found = layout.columns.flatMap(({ column }) => {
    const field = column.computed === undefined ? undefined : fields[column.name]
    return field === undefined ? [] : [compileComputed(column, field, known)]
  })
  return inOrder(found) ?? found
}

function searchableOf(
  kind: ModuleKind,
  object: ObjectType,
  layout: Layout,
): ObjectType['searchable'] {
  const unfinished = new Set(
    layout.columns.filter((item) => !item.isIndexed).map((item) => item.column.name),
  )
  const fields = [...object.searchable].map(([name, field]): [string, SearchField] =>
    unfinished.has(name) ? [name, { ...field, isIndexed: false }] : [name, field],
  )
  const calendarId: [string, SearchField][] =
    kind === 'calendar'
      ? [['calendar_id', { name: 'calendar_id', kind: 'integer', isIndexed: false }]]
      : []
  return new Map([...fields, ...calendarId])
}

/** A record as stored: with its computed values, and with the number of its layout as the last member. */
export function withLayout(record: JsonObject, { layout, computed }: EntryType): JsonObject {
  return Object.assign({}, withComputed(computed, record), { [LAYOUT_MEMBER]: layout.number })
}

const END = Buffer.from('}')

/**
 * JSON of an entry in the present layout, without its closing brace. Stored bytes of the present layout are
 * neither copied nor parsed.
 */
function openEntry({ object, tailBytes }: EntryType, stored: Stored): Uint8Array {
  const { bytes } = stored
  if (isPresent(tailBytes, bytes)) return bytes.subarray(0, bytes.length - tailBytes.length)
  return Buffer.from(JSON.stringify(entryValue({ object }, stored)).slice(0, -1))
}

/** JSON of an entry in the present layout. */
export function entryBytes(entry: EntryType, stored: Stored): Uint8Array {
  return Buffer.concat(entryPieces(entry, stored))
}

/** The same JSON in pieces, so that callers can join it with others without copying. */
export function entryPieces(entry: EntryType, stored: Stored): readonly Uint8Array[] {
  return [openEntry(entry, stored), END]
}

/** The same JSON as text, for an entry whose text exists: Node sends it in one piece with the head. */
export function entryText({ object, tail }: EntryType, stored: Stored): string {
  if (stored.text.endsWith(tail)) return `${stored.text.slice(0, -tail.length)}}`
  return JSON.stringify(entryValue({ object }, stored))
}

/** JSON of some fields of an entry. */
export function entryPart(
  { object }: EntryType,
  stored: Stored,
  names: ReadonlySet<string>,
): string {
  return JSON.stringify(pickFields(inPresentLayout({ object }, stored), names))
}

/** JSON of the fields that a client may set: in nearly every stored text they are together and need no encoding. */
export function givenText(entry: EntryType, stored: Stored): string {
  const { object, tail, givenNames, isGivenWhole } = entry
  if (!isGivenWhole) return entryPart(entry, stored, givenNames)
  const { text, value } = stored
  const { [object.idField]: id, date_added, date_modified, owner } = value
  const start = `{"${object.idField}":${Number(id)},`
  const base = JSON.stringify({ date_added, date_modified, owner })
  const end = `,${base.slice(1, -1)}${tail}`
  const isTogether =
    text.length > start.length + end.length && text.startsWith(start) && text.endsWith(end)
  if (!isTogether) return entryPart(entry, stored, givenNames)
  return `{${text.slice(start.length, -end.length)}}`
}

/** An entry in the present layout, with only its fields. */
export function entryValue(entry: Pick<EntryType, 'object'>, stored: Stored): JsonObject {
  return pickFields(inPresentLayout(entry, stored), Object.keys(entry.object.fields))
}

function inPresentLayout({ object }: Pick<EntryType, 'object'>, { value }: Stored): JsonObject {
  return object.recordType.upgrade?.(value) ?? value
}

/**
 * The number of fields that a write stores, and how many columns are unique. The uid of an event is not counted as unique,
 * because most events have none.
 */
export function sizeOf({ givenNames, computed, layout }: EntryType): EntrySize {
  const unique = layout.columns.filter(({ column }) => column.isUnique).length
  return { fields: givenNames.size + computed.length, unique }
}
