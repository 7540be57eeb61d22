// The records that the values of a column refer to: files, or entries of a datatable or a calendar. Each record is
// read once.

import { type Api, dataOf } from '../../client/api.ts'
import { pathOf } from '../../client/address.ts'
import type { Entry, EntryQuery } from '../../client/module-paths.ts'
import { columnKind, isSortable } from '../../client/column-kind.ts'
import { Problem } from '../../client/problem.ts'
import type { References } from '../../client/references.ts'
import { nameHolds } from '../../client/search.ts'
import { ofTypes } from '../content/picked-files.ts'
import { type FileRecord, searchFiles } from '../content/records.ts'

/** A record as it is shown. */
export interface Referenced {
  readonly id: number
  readonly title: string
  readonly file: FileRecord | undefined
}

export interface ReferenceTarget {
  /** Records whose title contains the text, or that have the number. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Referenced[]>
  /** The records by identifier, without those that the user may not see. */
  readonly read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Referenced>>
}

/** Results of one search. */
const MOST_FOUND = 20
/** Identifiers in one request, which are in its URL. */
const MOST_READ = 100

interface Source {
  readonly search: (wanted: Wanted, signal: AbortSignal) => Promise<readonly Referenced[]>
  readonly read: (ids: readonly number[]) => Promise<readonly Referenced[]>
}

interface Wanted {
  readonly text: string
  /** The number that the text may be. */
  readonly id: number | undefined
}

export function openReferenceTarget(api: Api, references: References): ReferenceTarget {
  const isFile = references.object === 'asset_file'
  const source = isFile ? filesOf(api, references.accept) : entriesOf(api, references)
  const known = new Map<number, Promise<Referenced | undefined>>()

  function readPart(ids: readonly number[]): void {
    const reading = source.read(ids)
    // The records are read again after an error.
    reading.catch(() => {
      for (const id of ids) known.delete(id)
    })
    for (const id of ids)
      known.set(
        id,
        reading.then((found) => found.find((each) => each.id === id)),
      )
  }

  return {
    async find(text, signal) {
      const [, digits] = /^#?([1-9]\d{0,14})$/.exec(text.trim()) ?? []
      const id = digits === undefined ? undefined : Number(digits)
      const found = await source.search({ text, id }, signal)
      for (const each of found) known.set(each.id, Promise.resolve(each))
      return found
    },
    async read(ids) {
      const missing = ids.filter((id) => !known.has(id))
      for (let at = 0; at < missing.length; at += MOST_READ)
        readPart(missing.slice(at, at + MOST_READ))
      const found = await Promise.all(ids.map(async (id) => known.get(id)))
      return new Map(found.flatMap((each) => (each === undefined ? [] : [[each.id, each]])))
    },
  }
}

/** The page of a record. */
export function pathOfReferenced({ object, module_id: moduleId }: References, id: number): string {
  if (object === 'asset_file') return pathOf(`/content/file/${id}`)
  return pathOf(
    object === 'datatable' ? `/data/${moduleId}/${id}` : `/calendars/${moduleId}?event=${id}`,
  )
}

function filesOf(api: Api, accept: References['accept']): Source {
  const shown = (file: FileRecord): Referenced => ({
    id: file.asset_file_id,
    title: file.name,
    file,
  })
  return {
    async search({ text, id }, signal) {
      const named = text.trim() === '' ? {} : { name: nameHolds(text) }
      const wanted = id === undefined ? named : { $or: [{ asset_file_id: id }, named] }
      const query = {
        qry: { $and: [wanted, ofTypes(accept)] },
        orderStr: 'name',
        length: MOST_FOUND,
      }
      return (await searchFiles(api, query, signal)).rows.map(shown)
    },
    async read(ids) {
      const qry = { asset_file_id: { $in: ids } }
      const query = { qry, orderStr: 'asset_file_id', length: ids.length }
      return (await searchFiles(api, query)).rows.map(shown)
    },
  }
}

/** How the entries of a module are requested. */
interface EntryTarget {
  readonly list: (query: EntryQuery, signal?: AbortSignal) => Promise<readonly Entry[]>
  readonly idName: string
  /** Null if the entries have no title. */
  readonly titleName: string | null
  /** Whether a part of the title can be searched, and whether the title has an order. */
  readonly isText: boolean
  readonly isSorted: boolean
}

function entriesOf(api: Api, references: References): Source {
  const { object, module_id: moduleId } = references
  const idName = `${object}_entry_id`
  const idQuery = `${object}_entry.${idName}`
  const open = (): Promise<EntryTarget | undefined> =>
    (object === 'calendar' ? openCalendar : openDatatable)(api, moduleId ?? 0).catch(
      (error: unknown) => {
        // The user may not see the module.
        if (error instanceof Problem && error.facts.status < 500) return undefined
        throw error
      },
    )
  let opened: ReturnType<typeof open> | undefined
  const target = async (): ReturnType<typeof open> => {
    opened ??= open()
    opened.catch(() => (opened = undefined))
    return opened
  }

  async function ask(
    queryOf: (target: EntryTarget) => EntryQuery | undefined,
    signal?: AbortSignal,
  ): Promise<readonly Referenced[]> {
    const found = await target()
    const query = found && queryOf(found)
    if (query === undefined || found === undefined) return []
    const { titleName: title } = found
    const fields = title === null ? idName : `${idName},${title}`
    const rows = await found.list({ ...query, fields }, signal)
    return rows.map((entry) => ({
      id: Number(entry[idName]),
      title: title === null ? '' : String(entry[title] ?? ''),
      file: undefined,
    }))
  }

  return {
    search: ({ text, id }, signal) =>
      ask(({ titleName: title, isText, isSorted }) => {
        if (text.trim() === '')
          return { length: MOST_FOUND, ...(title !== null && isSorted && { orderStr: title }) }
        const parts = [
          ...(id === undefined ? [] : [{ [idQuery]: id }]),
          ...(title !== null && isText ? [{ [title]: nameHolds(text) }] : []),
        ]
        if (parts.length === 0) return undefined
        return { length: MOST_FOUND, qry: JSON.stringify({ $or: parts }) }
      }, signal),
    read: (ids) =>
      ask(() => ({ qry: JSON.stringify({ [idQuery]: { $in: ids } }), length: ids.length })),
  }
}

async function openDatatable(api: Api, id: number): Promise<EntryTarget> {
  const params = { path: { id }, query: { fields: 'module_name,title_field,columns' } }
  const record = await dataOf(api.GET('/datatable/{id}', { params }))
  const { module_name: name = '', title_field: title = null, columns = [] } = record
  const column = columns.find((each) => each.name === title)
  const kind = column === undefined ? 'json' : columnKind(column.type ?? 'C')
  return {
    async list(query, signal) {
      const path = { id, module_name: name }
      const init = { ...(signal !== undefined && { signal }), params: { path, query } }
      return (await dataOf(api.GET('/module/datatable/{id}/{module_name}', init))).datatable_entry
    },
    idName: 'datatable_entry_id',
    titleName: title,
    isText: kind === 'text' || kind === 'choice' || kind === 'long',
    isSorted: kind !== 'long' && isSortable({ kind }),
  }
}

async function openCalendar(api: Api, id: number): Promise<EntryTarget> {
  const params = { path: { id }, query: { fields: 'module_name' } }
  const { module_name: name = '' } = await dataOf(api.GET('/calendar/{id}', { params }))
  return {
    async list(query, signal) {
      const path = { id, module_name: name }
      const init = { ...(signal !== undefined && { signal }), params: { path, query } }
      return (await dataOf(api.GET('/module/calendar/{id}/{module_name}', init))).calendar_entry
    },
    idName: 'calendar_entry_id',
    titleName: 'event_title',
    isText: true,
    isSorted: true,
  }
}
