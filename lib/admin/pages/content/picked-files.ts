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

/** Media types of the offered files, such as image/*; null for all. */
export type Accept = readonly string[] | null

export const IMAGES: Accept = ['image/*']

export function isForImages(accept: Accept): boolean {
  return accept !== null && accept.every((type) => type.startsWith('image/'))
}

export function isAccepted(accept: Accept, type: string): boolean {
  const fits = (each: string): boolean =>
    each.endsWith('/*') ? type.startsWith(each.slice(0, -1)) : type === each
  return accept === null || accept.some(fits)
}

/** The files of these types in qry. */
export function ofTypes(accept: Accept): object {
  const types = accept?.map((type) => ({
    mime_type: type.endsWith('/*') ? { $startsWith: type.slice(0, -1) } : type,
  }))
  return types === undefined ? {} : { $or: types }
}

export interface Listing {
  /** The shown folder with its parents, topmost first; empty if no single folder is shown. */
  readonly line: readonly FolderRecord[]
  readonly folders: readonly FolderRecord[]
  readonly files: readonly FileRecord[]
  readonly hasMore: boolean
}

export interface ListingQuery {
  readonly accept: Accept
  readonly folderId: number
  /** Searches in all folders if not empty. */
  readonly text: string
  /** Shows these files instead of the folder. */
  readonly recent: readonly number[] | undefined
  readonly length: number
}

const MOST_FOLDERS = 200
const MOST_FOUND_FOLDERS = 10

export function readListing(api: Api, query: ListingQuery, signal: AbortSignal): Promise<Listing> {
  if (query.text !== '') return findByName(api, query, signal)
  if (query.recent !== undefined) return readRecent(api, query.recent, { query, signal })
  return readFolder(api, query, signal)
}

async function findByName(
  api: Api,
  { accept, text, length }: ListingQuery,
  signal: AbortSignal,
): Promise<Listing> {
  const name = nameHolds(text)
  const [, digits] = /^#?([1-9]\d{0,14})$/.exec(text) ?? []
  const named =
    digits === undefined ? { name } : { $or: [{ asset_file_id: Number(digits) }, { name }] }
  const qry = { $and: [named, ofTypes(accept)] }
  const [folders, files] = await Promise.all([
    searchFolders(api, { qry: { name }, orderStr: 'name', length: MOST_FOUND_FOLDERS }, signal),
    searchFiles(api, { qry, orderStr: 'name', length }, signal),
  ])
  return { line: [], folders: folders.rows, files: files.rows, hasMore: files.next !== null }
}

async function readRecent(
  api: Api,
  ids: readonly number[],
  { query: { accept }, signal }: { readonly query: ListingQuery; readonly signal: AbortSignal },
): Promise<Listing> {
  const none = { line: [], folders: [], hasMore: false }
  if (ids.length === 0) return { ...none, files: [] }
  const qry = { ...ofTypes(accept), asset_file_id: { $in: ids } }
  const found = await searchFiles(api, { qry, orderStr: 'name', length: ids.length }, signal)
  const placeOf = ({ asset_file_id: id }: FileRecord): number => ids.indexOf(id)
  return { ...none, files: found.rows.toSorted((a, b) => placeOf(a) - placeOf(b)) }
}

async function readFolder(
  api: Api,
  { accept, folderId, length }: ListingQuery,
  signal: AbortSignal,
): Promise<Listing> {
  const isTop = folderId === TOP
  const inFolder = { parent_category_id: isTop ? null : folderId }
  const [line, folders, files] = await Promise.all([
    isTop ? [] : readFolderLine(api, folderId, signal),
    searchFolders(api, { qry: inFolder, orderStr: 'name', length: MOST_FOLDERS }, signal),
    isTop
      ? { rows: [], next: null }
      : searchFiles(
          api,
          { qry: { ...ofTypes(accept), ...inFolder }, orderStr: 'name', length },
          signal,
        ),
  ])
  return { line, folders: folders.rows, files: files.rows, hasMore: files.next !== null }
}
