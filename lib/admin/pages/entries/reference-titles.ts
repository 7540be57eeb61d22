// The titles of referenced records in a grid. The records come with the entries (expand); the names of their title
// fields come from the datatables that the columns refer to, all in one request.

import { MAX_EXPANDED_NAMES, MAX_LIST_LENGTH } from '../../../shared/limits.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { kindOfColumn } from '../../client/column-kind.ts'
import type { Entry, EntryPage, EntryQuery, EntryValue } from '../../client/module-paths.ts'
import { Problem } from '../../client/problem.ts'
import { isObject } from '../../client/stored.ts'
import { useRequest } from '../../ui/use-request.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryField, isReference, type TargetTitle } from './fields.ts'

/** The member of an entry that has its expanded records. */
const EXPANDED = 'expanded'

/** The same fields; those that refer to records know the title fields of these records. */
export function useTitles(fields: readonly EntryField[]): readonly EntryField[] {
  const api = useApi()
  const ids = new Set(
    fields.flatMap(({ column }) => {
      const { object, module_id: id } = column?.references ?? {}
      return object === 'datatable' && typeof id === 'number' ? [id] : []
    }),
  )
  const { data } = useRequest(
    async (signal) => {
      if (ids.size === 0) return []
      const query = {
        qry: JSON.stringify({ datatable_id: { $in: [...ids] } }),
        fields: 'datatable_id,title_field,columns',
        length: MAX_LIST_LENGTH,
      }
      return (await dataOf(api.GET('/datatable', { signal, params: { query } }))).datatable
    },
    [[...ids].join()],
  )

  return fields.map((field) => {
    const references = field.column?.references ?? null
    if (references === null) return field
    if (references.object !== 'datatable') return { ...field, target: OTHERS[references.object] }
    const table = data?.find((each) => each.datatable_id === references.module_id)
    const title = table?.title_field ?? null
    const column = table?.columns?.find(({ name }) => name === title)
    if (title === null || column === undefined) return field
    return { ...field, target: { idName: 'datatable_entry_id', titleName: title, column } }
  })
}

const OTHERS: Readonly<Record<'asset_file' | 'calendar', TargetTitle>> = {
  asset_file: { idName: 'asset_file_id', titleName: 'name', column: undefined },
  calendar: { idName: 'calendar_entry_id', titleName: 'event_title', column: undefined },
}

/** Fields for conditions on the titles of the referenced records: author.name. */
export function throughReferences(fields: readonly EntryField[]): readonly EntryField[] {
  return fields.flatMap(({ name, kind: own, target }): readonly EntryField[] => {
    if (target === undefined) return []
    const { titleName, column } = target
    const kind = column === undefined ? 'text' : kindOfColumn(column)
    const path = `${name}.${titleName}`
    const field = { name: path, kind, qryName: path, column }
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
    const record = recordsIn(entry, name).find((each) => each[target?.idName ?? ''] === id)
    const title = target === undefined ? '' : String(record?.[target.titleName] ?? '')
    return title === '' ? `#${String(id)}` : title
  })
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

function recordsIn(
  entry: Entry | undefined,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const all: unknown = entry?.[EXPANDED]
  const found = isObject(all) ? all[name] : undefined
  return (Array.isArray(found) ? found : [found]).filter(isObject)
}

interface ExpandedList {
  readonly requests: EntryRequests
  readonly query: EntryQuery
  readonly seen: readonly EntryField[]
}

/** A page of entries with the records that the fields refer to. A page that would be too large has the entries alone. */
export async function listWithTitles(
  { requests, query, seen }: ExpandedList,
  signal: AbortSignal,
): Promise<EntryPage> {
  const names = seen.filter(isReference).map(({ name }) => name)
  // A column with the name of the member would be overwritten, so the server expands nothing.
  if (names.length === 0 || seen.some(({ name }) => name === EXPANDED))
    return requests.list(query, signal)
  const expand = names.slice(0, MAX_EXPANDED_NAMES).join()
  try {
    return await requests.list({ ...query, expand }, signal)
  } catch (error) {
    const isRefused = error instanceof Problem && REFUSALS.has(error.code)
    if (!isRefused) throw error
    return requests.list(query, signal)
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['too-large', 'bad-request'])
