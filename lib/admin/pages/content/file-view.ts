// The sort order, filters and layout of a file list. They are stored in the URL, so that a reload or a link shows the
// same list; missing parameters mean the defaults.

import type { Api } from '../../client/api.ts'
import { nameHolds } from '../../client/search.ts'
import { type FileRecord, type PageOf, searchFiles, searchFolders } from './records.ts'

export const FILE_STATES = [
  'draft',
  'staged',
  'unpublished',
  'live',
  'changed',
  'never',
  'scheduled',
] as const

export type FileStateFilter = (typeof FILE_STATES)[number]

export interface FileView {
  readonly text: string
  readonly isEverywhere: boolean
  /** Empty means all types. */
  readonly type: string
  readonly state: FileStateFilter | ''
  readonly sort: { readonly by: string; readonly isDown: boolean }
}

export const USUAL_VIEW: FileView = {
  text: '',
  isEverywhere: false,
  type: '',
  state: '',
  sort: { by: 'name', isDown: false },
}

/** Parses URL parameters. Missing or invalid parameters get their default. */
export function viewOf(query: Readonly<Record<string, string>>): FileView {
  const { q = '', type = '', state, sort = '', everywhere } = query
  const by = sort.replace(/^-/, '')
  return {
    text: q,
    type,
    isEverywhere: everywhere !== undefined,
    state: FILE_STATES.find((each) => each === state) ?? '',
    sort: SORTS.has(by) ? { by, isDown: sort.startsWith('-') } : USUAL_VIEW.sort,
  }
}

/** The inverse of viewOf(): an empty string, or one that begins with a question mark. */
export function queryOf(view: FileView, making: string): string {
  const { text, type, state, sort, isEverywhere } = view
  const isUsual = sort.by === USUAL_VIEW.sort.by && !sort.isDown
  const parts = [
    ['q', text],
    ['type', type],
    ['state', state],
    ['sort', isUsual ? '' : `${sort.isDown ? '-' : ''}${sort.by}`],
    ['everywhere', isEverywhere ? '1' : ''],
    ['new', making],
  ]
  const query = new URLSearchParams(parts.filter(([, value]) => value !== ''))
  return query.size === 0 ? '' : `?${query}`
}

const SORTS: ReadonlySet<string> = new Set([
  'name',
  'live_version',
  'type',
  'size',
  'date_modified',
])

const LENGTH = 50

export function isFiltered({ text, type, state, isEverywhere }: FileView): boolean {
  return text.trim() !== '' || type !== '' || state !== '' || isEverywhere
}

export interface Wanted {
  readonly folderId: number
  readonly view: FileView
  readonly cursor: string | undefined
}

export interface FoundFiles extends PageOf<FileRecord> {
  /** The public folders among those of the files, if the files may be in several folders. */
  readonly publicFolders: ReadonlySet<number>
}

export async function findFiles(
  api: Api,
  { folderId, view, cursor }: Wanted,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const query = {
    qry: qryOf(folderId, view),
    orderStr: view.sort.by,
    orderDir: view.sort.isDown ? ('DESC' as const) : ('ASC' as const),
    cursor,
    length: LENGTH,
  }
  const found = await searchFiles(api, query, signal)
  const folderIds = view.isEverywhere ? found.rows.map((file) => file.parent_category_id) : []
  return { ...found, publicFolders: await publicAmong(api, new Set(folderIds), signal) }
}

async function publicAmong(
  api: Api,
  ids: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  if (ids.size === 0) return ids
  const query = {
    qry: { asset_category_id: { $in: [...ids] } },
    orderStr: 'asset_category_id',
    length: ids.size,
  }
  const { rows } = await searchFolders(api, query, signal)
  return new Set(rows.filter((each) => each.is_public).map((each) => each.asset_category_id))
}

function qryOf(folderId: number, { text, isEverywhere, type, state }: FileView): object {
  return {
    ...(!isEverywhere && { parent_category_id: folderId }),
    ...(text.trim() !== '' && { name: nameHolds(text) }),
    ...(type !== '' && { type }),
    ...(state !== '' && STATES[state]),
  }
}

const STATES: Readonly<Record<FileStateFilter, object>> = {
  draft: { state: 'draft' },
  staged: { state: 'staged' },
  unpublished: { live_version: null },
  live: { live_version: { $gt: 0 } },
  changed: { state: 'changed' },
  never: { live_version: null, was_published: false },
  scheduled: {
    $or: [
      { publish_at: { $exists: true } },
      { unpublish_at: { $exists: true } },
      { stage_at: { $exists: true } },
    ],
  },
}
