// The fields of an entry: the columns of the datatable and the base fields. The title column comes first.

import { COLUMN_TYPES } from '../../../shared/column-types.ts'
import { isTexted, readValue, writeValue } from '../../../shared/value-text.ts'
import { type ColumnKind, kindOfColumn } from '../../client/column-kind.ts'
import type { Entry, EntryValue } from '../../client/module-paths.ts'
import { idsIn } from '../../client/references.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import type { Column, Datatable } from '../data/table.ts'
import { pageMark, withMark, withPoint } from './decimal-mark.ts'

export interface EntryField {
  readonly name: string
  /** The name in words, which no other column of the datatable has. */
  readonly label: string
  readonly kind: ColumnKind
  /** Name in qry: the identifier has a qualified name only. */
  readonly qryName: string
  /** Undefined for fields that the server sets. */
  readonly column: Column | undefined
  /** The titles of the records to which the values refer. */
  readonly target?: TargetTitle
  /** The field of the records in a list, of which at least one has to match ($some). */
  readonly some?: string
}

/** How the title of a referenced record is found in the record. */
export interface TargetTitle {
  readonly idName: string
  readonly titleName: string
  /** Undefined for files and the titles of events. */
  readonly column: Column | undefined
  /** The record to which the title refers, if the title is a reference. */
  readonly through?: TargetTitle
}

export const ID = 'datatable_entry_id'

const BASE: readonly EntryField[] = [
  baseField(ID, 'integer', `datatable_entry.${ID}`),
  baseField('date_added', 'time'),
  baseField('date_modified', 'time'),
  baseField('owner', 'text'),
]

function baseField(name: string, kind: ColumnKind, qryName = name): EntryField {
  return { name, label: labelOf(name), kind, qryName, column: undefined }
}

export function fieldsOf({ columns, title_field: title }: Datatable): readonly EntryField[] {
  const labels = labelsIn((columns ?? []).map(({ name }) => name))
  const own = (columns ?? []).map((column) => ({
    name: column.name,
    label: labels(column.name),
    kind: kindOfColumn(column),
    qryName: column.name,
    column,
  }))
  const first = own.filter(({ name }) => name === title)
  return [...first, ...own.filter(({ name }) => name !== title), ...BASE]
}

/** The values of a field that are chosen instead of typed; undefined for other fields. */
export function choicesOf({ kind, column }: EntryField, { entries }: Speech['t']) {
  if (kind === 'boolean')
    return [
      { value: 'true', text: entries.yes },
      { value: 'false', text: entries.no },
    ]
  return kind === 'choice' ? valuesOfList(column) : undefined
}

/** The values of an ENUM or a SET as options. */
export function valuesOfList(column: Column | undefined) {
  return (column?.values ?? []).map((value) => ({ value, text: value }))
}

/** Whether people can set the values: the server sets some fields, and computes some columns. */
export function isWritable({ column }: EntryField): boolean {
  return column !== undefined && (column.computed ?? null) === null
}

export function isReference({ kind }: EntryField): boolean {
  return kind === 'reference' || kind === 'references'
}

export function idOf(entry: Entry): number {
  return Number(entry[ID])
}

/** Whether values can have a decimal part. */
export function isDecimal({ kind }: Pick<EntryField, 'kind'>): boolean {
  return kind === 'decimal' || kind === 'number'
}

/**
 * The value as people type it: numbers keep all their digits, and have the decimal mark of the page language. Lists and
 * objects have the text of a CSV file.
 */
export function textOf(field: EntryField, value: EntryValue | undefined): string {
  const { column } = field
  if (value === null || value === undefined) return ''
  if (isDecimal(field)) return withMark(String(value), pageMark())
  const { kind } = COLUMN_TYPES[column?.type ?? 'C']
  if (isTexted(kind)) return writeValue(kind, value)
  if (column?.references?.isMany === true) return String(value)
  // An earlier value of a column that had another type.
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Converts typed text to a value. Numbers are sent as text, so that no digit is lost. Empty text means no value,
 * except in a required text column.
 */
export function valueOf({ kind, column }: EntryField, text: string): EntryValue {
  const mayBeNull = column?.isRequired !== true
  if (kind === 'text' || kind === 'long') return text === '' && mayBeNull ? null : text
  const trimmed = text.trim()
  // A list without values is empty, unless the column requires values.
  if (kind === 'references' && (mayBeNull || trimmed !== '')) return idsIn(trimmed) ?? trimmed
  if (trimmed === '') return null
  const { kind: valueKind } = COLUMN_TYPES[column?.type ?? 'C']
  // A text of another form is sent as it is, and the server reports the error; JSON was checked before (typedFault).
  if (isTexted(valueKind)) return (readValue(valueKind, trimmed) ?? trimmed) as EntryValue
  if (isDecimal({ kind })) return withPoint(trimmed, pageMark()) ?? trimmed
  return kind === 'boolean' ? trimmed === 'true' : trimmed
}

/** Whether a typed value and a stored value are equal. */
export function isSame(left: EntryValue | undefined, right: EntryValue | undefined): boolean {
  if (left === null || left === undefined) return right === null || right === undefined
  if (right === null || right === undefined) return false
  if (typeof left === 'object' || typeof right === 'object')
    return JSON.stringify(left) === JSON.stringify(right)
  return String(left) === String(right)
}

export function nameOfEntry(entry: Entry, lead: EntryField | undefined): string {
  const name = lead === undefined ? '' : textOf(lead, entry[lead.name])
  return name === '' ? `#${idOf(entry)}` : name
}

/** A column name in words: `first_name` and `firstName` become `First name`. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(
      /([a-z])([A-Z][a-z])/g,
      (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    )
    .replaceAll(/_+/g, ' ')
    .trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The labels of columns that people see side by side. Labels that would be equal, also to a label in `taken`, show the
 * column name too: `First name (firstName)`.
 */
export function labelsIn(
  names: readonly string[],
  taken: readonly string[] = [],
): (name: string) => string {
  const counts = new Map<string, number>()
  for (const label of [...names.map(labelOf), ...taken].map(folded))
    counts.set(label, (counts.get(label) ?? 0) + 1)
  return (name) => {
    const label = labelOf(name)
    return (counts.get(folded(label)) ?? 0) > 1 ? withName(label, name) : label
  }
}

function folded(label: string): string {
  return label.toLowerCase()
}

function withName(label: string, name: string): string {
  return `${label} (${name})`
}

export function labelsOf(fields: readonly EntryField[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map(({ name, label }) => [name, label]))
}

/** The label of a field: column names in words, base fields translated. The title of a reference follows its column. */
export function useFieldName(): (field: EntryField) => string {
  const { t } = useTexts()
  const texts: Readonly<Record<string, string>> = t.entries.base
  const taken = new Set(Object.values(texts).map(folded))
  return ({ name, label }) =>
    texts[name] ?? (taken.has(folded(label)) ? withName(label, name) : label)
}
