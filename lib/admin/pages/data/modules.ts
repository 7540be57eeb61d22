// Common fields of datatables and calendars, and their search.

import { nameHolds } from '../../client/search.ts'
import { type Api, dataOf } from '../../client/api.ts'
import type { Sort } from '../../ui/table.tsx'
import { pathsOfFolders } from '../keys/key-search.ts'

export type ModuleKind = 'datatable' | 'calendar'

export interface ModuleRow {
  readonly id: number
  readonly name: string
  readonly folderId: number
  readonly entries: number
  /** Full URL path for programs, including the path prefix of the server. */
  readonly url: string
  readonly changed: string
}

export interface FoundModules {
  readonly rows: readonly ModuleRow[]
  readonly total: number
  readonly next: string | null
  readonly folders: ReadonlyMap<number, string>
}

export interface ModuleSearch {
  readonly kind: ModuleKind
  readonly text: string
  readonly sort: Sort
  readonly cursor: string | undefined
}

const LENGTH = 50

const SHARED = 'name,parent_category_id,entry_count,module_url,date_modified'

export async function searchModules(
  api: Api,
  { kind, text, sort, cursor }: ModuleSearch,
  signal: AbortSignal,
): Promise<FoundModules> {
  const query = {
    fields: `${kind}_id,${SHARED}`,
    orderStr: sort.by,
    orderDir: sort.isDown ? 'DESC' : 'ASC',
    length: LENGTH,
    count: 'exact' as const,
    ...(text !== '' && { qry: JSON.stringify({ name: nameHolds(text) }) }),
    ...(cursor !== undefined && { cursor }),
  }
  const { found, page } = await searchKind(api, { kind, query, signal })
  const rows = found.map(rowOf)
  const ids = rows.map(({ folderId }) => folderId)
  const folders = await pathsOfFolders(api, ids, signal)
  return { rows, total: page.total ?? rows.length, next: page.next, folders }
}

interface Asked {
  readonly kind: ModuleKind
  readonly query: { readonly [name: string]: string | number }
  readonly signal: AbortSignal
}

async function searchKind(api: Api, { kind, query, signal }: Asked) {
  const init = { signal, params: { query } }
  if (kind === 'calendar') {
    const { calendar, page } = await dataOf(api.GET('/calendar', init))
    return { found: calendar.map(({ calendar_id: id, ...rest }) => ({ ...rest, id })), page }
  }
  const { datatable, page } = await dataOf(api.GET('/datatable', init))
  return { found: datatable.map(({ datatable_id: id, ...rest }) => ({ ...rest, id })), page }
}

interface Told {
  readonly id: number | undefined
  readonly name?: string
  readonly parent_category_id?: number
  readonly entry_count?: number
  readonly module_url?: string
  readonly date_modified?: string
}

/** The requested fields are present. */
function rowOf(told: Told): ModuleRow {
  return {
    id: told.id ?? 0,
    name: told.name ?? '',
    folderId: told.parent_category_id ?? 0,
    entries: told.entry_count ?? 0,
    url: told.module_url ?? '',
    changed: told.date_modified ?? '',
  }
}
