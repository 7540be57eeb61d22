// The titles of referenced records in a grid. The records come with the entries (expand); the names of their title
// fields come from the datatables that the columns refer to, all in one request.

import { MAX_EXPANDED_NAMES, MAX_LIST_LENGTH } from '../../../shared/limits.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { kindOfColumn } from '../../client/column-kind.ts'
import type { Entry, EntryPage, EntryQuery, EntryValue } from '../../client/module-paths.ts'
import { Problem } from '../../client/problem.ts'
import { isObject } from '../../client/stored.ts'
import { useRequest } from '../../ui/use-request.ts'
import type { References } from '../../client/references.ts'
import type { Column, Datatable } from '../data/table.ts'
import type { PicturedFile } from '../content/thumbnail.tsx'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryField, isReference, labelOf, type TargetTitle } from './fields.ts'

/** The member of an entry that has its expanded records. */
const EXPANDED = 'expanded'

/** The same fields; those that refer to records know the title fields of these records. */
export function useTitles(fields: readonly EntryField[]): readonly EntryField[] {
  const api = useApi()
  const ids = moduleIds(fields.map(({ column }) => column))
  const { data } = useRequest(
    async (signal) => {
      const tables = await readTitles(api, ids, signal)
      // A title that is a reference shows the title of its own record.
      const known = new Set(tables.map((table) => table.datatable_id))
      const more = moduleIds(tables.map(titleColumn)).filter((id) => !known.has(id))
      return [...tables, ...(await readTitles(api, more, signal))]
    },
    [ids.join()],
  )
  const targetOf = (references: References): TargetTitle | undefined => {
    if (references.object !== 'datatable') return OTHERS[references.object]
    const table = data?.find((each) => each.datatable_id === references.module_id)
    const column = table && titleColumn(table)
    return column && { idName: 'datatable_entry_id', titleName: column.name, column }
  }

  return fields.map((field) => {
    const references = field.column?.references ?? null
    const target = references === null ? undefined : targetOf(references)
    if (target === undefined) return field
    const next = target.column?.references ?? null
    const through = next === null || next.isMany ? undefined : targetOf(next)
    return { ...field, target: through === undefined ? target : { ...target, through } }
  })
}

type TitledTable = Pick<Datatable, 'title_field' | 'columns'>

function titleColumn({ title_field: title, columns }: Partial<TitledTable>): Column | undefined {
  return columns?.find(({ name }) => name === title)
}

/** The datatables to which the columns refer. */
function moduleIds(columns: readonly (Column | undefined)[]): readonly number[] {
  const ids = columns.flatMap((column) => {
    const { object, module_id: id } = column?.references ?? {}
    return object === 'datatable' && typeof id === 'number' ? [id] : []
  })
  return [...new Set(ids)]
}

async function readTitles(api: Api, ids: readonly number[], signal: AbortSignal) {
  if (ids.length === 0) return []
  const query = {
    qry: JSON.stringify({ datatable_id: { $in: ids } }),
    fields: 'datatable_id,title_field,columns',
    length: MAX_LIST_LENGTH,
  }
  return (await dataOf(api.GET('/datatable', { signal, params: { query } }))).datatable
}

const OTHERS: Readonly<Record<'asset_file' | 'calendar', TargetTitle>> = {
  asset_file: { idName: 'asset_file_id', titleName: 'name', column: undefined },
  calendar: { idName: 'calendar_entry_id', titleName: 'event_title', column: undefined },
}

/** Fields for conditions on the titles of the referenced records: author.name. */
export function throughReferences(fields: readonly EntryField[]): readonly EntryField[] {
  return fields.flatMap(({ name, label: ownLabel, kind: own, target }): readonly EntryField[] => {
    if (target === undefined) return []
    const { titleName, column } = target
    const kind = column === undefined ? 'text' : kindOfColumn(column)
    const path = `${name}.${titleName}`
    const label = `${ownLabel} › ${labelOf(titleName)}`
    const field = { name: path, label, kind, qryName: path, column }
    return [own === 'references' ? { ...field, qryName: name, some: titleName } : field]
  })
}

/** The titles of the records that a value refers to; the number of a record that is not visible or has no title. */
export function titlesIn(
  entry: Entry | undefined,
  { name, target }: EntryField,
  value: EntryValue,
): readonly string[] {
  return itemsIn(value).map((id) => {
    const title = titleIn(recordsIn(entry, name), id, target)
    return title === '' ? `#${String(id)}` : title
  })
}

/** The files that a value refers to, as they came with the entry. */
export function filesIn(
  entry: Entry | undefined,
  { name, column }: EntryField,
  value: EntryValue,
): readonly PicturedFile[] {
  if (column?.references?.object !== 'asset_file') return []
  const ids = new Set(itemsIn(value))
  return (
    recordsIn(entry, name)
      .filter(({ asset_file_id: id }) => ids.has(id as EntryValue))
      // The expanded file has these fields.
      .map((file) => file as unknown as PicturedFile)
  )
}

type ExpandedRecord = Readonly<Record<string, unknown>>

/** '' for a record that is not visible or has no title. */
function titleIn(
  records: readonly ExpandedRecord[],
  id: unknown,
  target: TargetTitle | undefined,
): string {
  if (target === undefined) return ''
  const record = records.find((each) => each[target.idName] === id)
  const title = record?.[target.titleName] ?? ''
  const { through, titleName } = target
  const inner = through === undefined ? '' : titleIn(recordsIn(record, titleName), title, through)
  return inner === '' ? String(title) : inner
}

/** Whether the entry has all records to which the field refers. */
export function hasTitles(entry: Entry, { name, target }: EntryField): boolean {
  const idName = target?.idName ?? ''
  const known = new Set(recordsIn(entry, name).map((record) => record[idName]))
  return target === undefined || itemsIn(entry[name] ?? null).every((id) => known.has(id))
}

function itemsIn(value: EntryValue): readonly EntryValue[] {
  if (Array.isArray(value)) return value as readonly EntryValue[]
  return value === null ? [] : [value]
}

function recordsIn(entry: ExpandedRecord | undefined, name: string): readonly ExpandedRecord[] {
  const all: unknown = entry?.[EXPANDED]
  const found = isObject(all) ? all[name] : undefined
  return (Array.isArray(found) ? found : [found]).filter(isObject)
}

/** The references to expand for the titles of the fields; '' for none. */
export function expandOf(fields: readonly EntryField[]): string {
  // A column with the name of the member would be overwritten, so the server expands nothing.
  if (fields.some(({ name }) => name === EXPANDED)) return ''
  const names = fields
    .filter(isReference)
    .map(({ name, target }) =>
      target?.through === undefined ? name : `${name}.${target.titleName}`,
    )
  return names.slice(0, MAX_EXPANDED_NAMES).join()
}

interface ExpandedList {
  readonly requests: EntryRequests
  readonly query: EntryQuery
  /** As expandOf() returns it. */
  readonly expand: string
}

/** A page of entries with the records that the fields refer to. A page that would be too large has the entries alone. */
export async function listWithTitles(
  { requests, query, expand }: ExpandedList,
  signal: AbortSignal,
): Promise<EntryPage> {
  if (expand === '') return requests.list(query, signal)
  try {
    return await requests.list({ ...query, expand }, signal)
  } catch (error) {
    const isRefused = error instanceof Problem && REFUSALS.has(error.code)
    if (!isRefused) throw error
    return requests.list(query, signal)
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['too-large', 'bad-request'])
