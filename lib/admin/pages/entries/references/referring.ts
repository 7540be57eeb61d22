// The entries that refer to an entry, by the columns of datatables and calendars that the user sees. A reference is
// added and removed by a change of the referring entry.

import { type Api, dataOf, recordOf } from '../../../client/api.ts'
import type { Entry, EntryValue } from '../../../client/module-paths.ts'
import { labelsIn } from '../fields.ts'

/** A column that refers to the entries of a datatable. */
export interface Referring {
  readonly object: 'datatable' | 'calendar'
  readonly id: number
  readonly name: string
  readonly moduleName: string
  /** Null if the entries have no title. */
  readonly titleName: string | null
  readonly column: string
  /** The column in words. */
  readonly label: string
  readonly isMany: boolean
  readonly isRequired: boolean
  readonly folderId: number
}

/** Referring columns that are shown: each takes one request. */
const MOST_COLUMNS = 20
/** Entries that are shown of each column. */
const MOST_ENTRIES = 10

export function qryOf({ column }: Referring, entryId: number): string {
  return JSON.stringify({ [column]: entryId })
}

/** The modules whose schemas name the datatable are searched; their columns decide. */
export async function findReferring(
  api: Api,
  tableId: number,
  signal: AbortSignal,
): Promise<readonly Referring[]> {
  const pattern = String.raw`REFERENCES\s+datatable\s+${tableId}\b`
  const named = { table_schema: { $regex: pattern, $options: 'i' } }
  const query = (qry: object, fields: string) => ({
    params: { query: { qry: JSON.stringify(qry), fields, orderStr: 'name', length: MOST_COLUMNS } },
    signal,
  })
  const shared = 'name,module_name,columns,parent_category_id'
  const [{ datatable }, { calendar }] = await Promise.all([
    // The own datatable may refer to itself as SELF.
    dataOf(
      api.GET(
        '/datatable',
        query({ $or: [named, { datatable_id: tableId }] }, `datatable_id,title_field,${shared}`),
      ),
    ),
    dataOf(api.GET('/calendar', query(named, `calendar_id,${shared}`))),
  ])
  const modules = [
    ...datatable.map((each) => ({
      ...each,
      object: 'datatable' as const,
      id: each.datatable_id ?? 0,
      titleName: each.title_field ?? null,
    })),
    ...calendar.map((each) => ({
      ...each,
      object: 'calendar' as const,
      id: each.calendar_id ?? 0,
      titleName: 'event_title',
    })),
  ]
  const found = modules.flatMap(({ object, id, titleName, ...module }) => {
    const { name = '', module_name, columns, parent_category_id } = module
    const labels = labelsIn((columns ?? []).map((each) => each.name))
    return (columns ?? []).flatMap(
      ({ name: column, references, isRequired }): readonly Referring[] =>
        references?.object === 'datatable' && references.module_id === tableId
          ? [
              {
                object,
                id,
                name,
                moduleName: module_name ?? '',
                titleName,
                column,
                label: labels(column),
                isMany: references.isMany,
                isRequired,
                folderId: parent_category_id ?? 0,
              },
            ]
          : [],
    )
  })
  return found.slice(0, MOST_COLUMNS)
}

export interface ReferredEntry {
  readonly referring: Referring
  /** The entry to which the column refers. */
  readonly entryId: number
}

export interface FoundEntries {
  readonly entries: readonly Entry[]
  readonly total: number
}

export async function readReferring(
  api: Api,
  { referring, entryId }: ReferredEntry,
  signal: AbortSignal,
): Promise<FoundEntries> {
  const { object, id, moduleName, titleName } = referring
  const idName = `${object}_entry_id`
  const query = {
    qry: qryOf(referring, entryId),
    fields: titleName === null ? idName : `${idName},${titleName}`,
    length: MOST_ENTRIES,
    count: 'exact' as const,
  }
  const init = { signal, params: { path: { id, module_name: moduleName }, query } }
  if (object === 'calendar') {
    const { calendar_entry: entries, page } = await dataOf(
      api.GET('/module/calendar/{id}/{module_name}', init),
    )
    return { entries, total: page.total ?? entries.length }
  }
  const { datatable_entry: entries, page } = await dataOf(
    api.GET('/module/datatable/{id}/{module_name}', init),
  )
  return { entries, total: page.total ?? entries.length }
}

const ONE = {
  datatable: '/module/datatable/{id}/{module_name}/{entry_id}',
  calendar: '/module/calendar/{id}/{module_name}/{entry_id}',
} as const

/** Gives back the previous references. Fails if the entry was changed since. */
type Undo = () => Promise<unknown>

/** Adds the reference to an entry: as its only one, or at the end of its list. */
export function addReference(api: Api, referred: ReferredEntry, id: number): Promise<Undo> {
  const { referring, entryId } = referred
  return changeReferences(api, { referring, id }, (before) =>
    referring.isMany ? [...listOf(before).filter((each) => each !== entryId), entryId] : entryId,
  )
}

/** Removes the reference from an entry. */
export function removeReference(api: Api, referred: ReferredEntry, id: number): Promise<Undo> {
  const { referring, entryId } = referred
  return changeReferences(api, { referring, id }, (before) =>
    referring.isMany ? listOf(before).filter((each) => each !== entryId) : null,
  )
}

function listOf(value: EntryValue | undefined): readonly EntryValue[] {
  return Array.isArray(value) ? (value as readonly EntryValue[]) : []
}

interface ChangedEntry {
  readonly referring: Referring
  readonly id: number
}

/** The ETag protects a change that somebody else makes between the request and the change. */
async function changeReferences(
  api: Api,
  { referring, id }: ChangedEntry,
  change: (before: EntryValue | undefined) => EntryValue,
): Promise<Undo> {
  const { object, column } = referring
  const path = { id: referring.id, module_name: referring.moduleName, entry_id: id }
  const query = { fields: column }
  const { record, etag } = await recordOf(api.GET(ONE[object], { params: { path, query } }))
  const before = record[column] ?? null
  const send = (value: EntryValue, match: string) => {
    const params = { path, header: { 'If-Match': match } }
    return recordOf(api.PATCH(ONE[object], { params, body: { [column]: value } }))
  }
  const changed = await send(change(before), etag)
  return () => send(before, changed.etag)
}
