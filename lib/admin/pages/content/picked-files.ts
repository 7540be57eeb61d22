// Reads the entries of the dialog that chooses a file: a folder, the results of a search, or the recent files.

import type { Api } from '../../client/api.ts'
import { nameHolds } from '../../client/search.ts'
import { TOP } from './folder-tree.ts'
import {
  type FileRecord,
  type FolderRecord,
  readFolderLine,
  searchFiles,
  searchFolders,
} from './records.ts'

export type PickedKind = 'image' | 'any'

export interface Listing {
  /** The shown folder with its parents, topmost first; empty if no single folder is shown. */
  readonly line: readonly FolderRecord[]
  readonly folders: readonly FolderRecord[]
  readonly files: readonly FileRecord[]
  readonly hasMore: boolean
}

export interface ListingQuery {
  readonly kind: PickedKind
  readonly folderId: number
  /** Searches in all folders if not empty. */
  readonly text: string
  /** Shows these files instead of the folder. */
  readonly recent: readonly number[] | undefined
  readonly length: number
}

const IMAGES = { mime_type: { $regex: '^image/' } }
const MOST_FOLDERS = 200
const MOST_FOUND_FOLDERS = 10

export function readListing(api: Api, query: ListingQuery, signal: AbortSignal): Promise<Listing> {
  if (query.text !== '') return findByName(api, query, signal)
  if (query.recent !== undefined) return readRecent(api, query.recent, { query, signal })
  return readFolder(api, query, signal)
}

async function findByName(
  api: Api,
  { kind, text, length }: ListingQuery,
  signal: AbortSignal,
): Promise<Listing> {
  const name = nameHolds(text)
  const [folders, files] = await Promise.all([
    searchFolders(api, { qry: { name }, orderStr: 'name', length: MOST_FOUND_FOLDERS }, signal),
    searchFiles(api, { qry: { ...only(kind), name }, orderStr: 'name', length }, signal),
  ])
  return { line: [], folders: folders.rows, files: files.rows, hasMore: files.next !== null }
}

async function readRecent(
  api: Api,
  ids: readonly number[],
  { query: { kind }, signal }: { readonly query: ListingQuery; readonly signal: AbortSignal },
): Promise<Listing> {
  const none = { line: [], folders: [], hasMore: false }
  if (ids.length === 0) return { ...none, files: [] }
  const qry = { ...only(kind), asset_file_id: { $in: ids } }
  const found = await searchFiles(api, { qry, orderStr: 'name', length: ids.length }, signal)
  const placeOf = ({ asset_file_id: id }: FileRecord): number => ids.indexOf(id)
  return { ...none, files: found.rows.toSorted((a, b) => placeOf(a) - placeOf(b)) }
}

async function readFolder(
  api: Api,
  { kind, folderId, length }: ListingQuery,
  signal: AbortSignal,
): Promise<Listing> {
  const isTop = folderId === TOP
  const inFolder = { parent_category_id: isTop ? null : folderId }
  const [line, folders, files] = await Promise.all([
    isTop ? [] : readFolderLine(api, folderId, signal),
    searchFolders(api, { qry: inFolder, orderStr: 'name', length: MOST_FOLDERS }, signal),
    isTop
      ? { rows: [], next: null }
      : searchFiles(api, { qry: { ...only(kind), ...inFolder }, orderStr: 'name', length }, signal),
  ])
  return { line, folders: folders.rows, files: files.rows, hasMore: files.next !== null }
}

function only(kind: PickedKind): object {
  return kind === 'image' ? IMAGES : {}
}
