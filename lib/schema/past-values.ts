// The history of entries: what a change of an entry replaced. Entries themselves hold the newest values, so a state of
// the past is the present entry with the past values of all later changes, newest change first.

import { parseEntryTypeName, type EntryType } from './entry.ts'
import { conversionsOf, LAYOUT_MEMBER, type LayoutColumn } from './layout.ts'
import type { ModuleKind } from './module.ts'
import type { JsonObject, JsonValue, RecordType } from './values.ts'

/**
 * Key: [entry, the revision of the entry after the change]. Written in the commit of the change, and removed with the
 * entry, with the module, or when the row of the audit trail expires.
 */
export interface PastValues {
  /** The row of the audit trail with the author and the time of the change. */
  readonly audit_id: number
  /** The revision before the change. A gap in this chain ends the history that is shown. */
  readonly previous: number
  /** The layout whose names and forms the values have. */
  readonly layout: number
  /** The values that the changed fields had. */
  readonly values: JsonObject
  /** Changed fields whose former value was too large to be kept, with its size in bytes. */
  readonly omitted?: Readonly<Record<string, number>>
}

/** Key space of the history of a module. */
export function historyTypeOf(kind: ModuleKind, moduleId: number): RecordType<PastValues> {
  return { name: `${kind}_history.${moduleId}`, idCount: 2, indexes: [] }
}

/** Cache by the type of the entries, which is the same object while it is used. */
const KNOWN = new WeakMap<RecordType, RecordType<PastValues> | 'none'>()

/** The key space of the history of these entries; undefined for records that are not entries. */
export function historyOfEntries(type: RecordType): RecordType<PastValues> | undefined {
  const known = KNOWN.get(type) ?? findHistory(type)
  KNOWN.set(type, known)
  return known === 'none' ? undefined : known
}

function findHistory({ name }: RecordType): RecordType<PastValues> | 'none' {
  const module = parseEntryTypeName(name)
  return module === undefined ? 'none' : historyTypeOf(module.kind, module.moduleId)
}

/** Name of the key space of the entries with this history; undefined for any other key space. */
export function entriesOfHistory(name: string): string | undefined {
  const entries = name.replace(/^(\w+)_history\.(\d+)$/, '$1_entry.$2')
  return entries === name || parseEntryTypeName(entries) === undefined ? undefined : entries
}

/**
 * Key: [name of the key space of a history, entry]. The history of a deleted entry, as far as the commit of the
 * deletion has not removed it.
 */
export const deletedHistory: RecordType = { name: 'deleted_history', idCount: 2, indexes: [] }

/** A value, or the size of a value that was too large to be kept. */
export type PastValue = { readonly value: JsonValue } | { readonly omittedBytes: number }

/** Past values by the present name of their field. Fields that the module no longer has are left out. */
export type PastFields = ReadonlyMap<string, PastValue>

interface Naming {
  readonly name: string
  readonly convert: (value: JsonValue, layout: number) => JsonValue
}

/** Shows past values like entries of that time: with present names, and converted to present types. */
export function pastReader({ layout, givenNames }: EntryType): (past: PastValues) => PastFields {
  const columns = new Map(layout.columns.map((item) => [item.column.name, item]))
  const known = new Map<number, ReadonlyMap<string, Naming>>()

  function namesAt(number: number): ReadonlyMap<string, Naming> {
    const names = [...givenNames].flatMap((name) => {
      const column = columns.get(name)
      const oldName = column === undefined ? name : nameAt(column, number)
      if (oldName === undefined) return []
      const convert = column === undefined ? (value: JsonValue) => value : conversionsOf(column)
      return [[oldName, { name, convert }] as const]
    })
    return new Map(names)
  }

  return ({ layout: number, values, omitted = {} }) => {
    const names = known.get(number) ?? namesAt(number)
    known.set(number, names)
    const fields = new Map<string, PastValue>()
    for (const [oldName, value] of Object.entries(values)) {
      const naming = names.get(oldName)
      if (naming !== undefined) fields.set(naming.name, { value: naming.convert(value, number) })
    }
    for (const [oldName, omittedBytes] of Object.entries(omitted)) {
      const naming = names.get(oldName)
      if (naming !== undefined) fields.set(naming.name, { omittedBytes })
    }
    return fields
  }
}

/** Undefined if the column is younger than the layout: a dropped column may have had the same name. */
function nameAt({ since, names }: LayoutColumn, layout: number): string | undefined {
  return since > layout ? undefined : names.findLast(([number]) => number <= layout)?.[1]
}

/** The number of the layout in a stored entry. */
export function layoutOf(entry: JsonObject): number {
  return Number(entry[LAYOUT_MEMBER])
}

/** Bytes of a value, by which the history decides what to keep. */
export function valueBytes(value: JsonValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}
