// Requests of import and export to the System API for the folders and files of a folder.

import type { Api, ApiRequest, JsonObject } from './api.ts'
import { MAX_LIST_LENGTH } from '../shared/limits.ts'
import { ClientError } from './client-error.ts'

export interface ListedCategory {
  readonly asset_category_id: number
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly layout_file_id: number | null
}

export interface ListedFile {
  readonly asset_file_id: number
  readonly name: string
  /** The name in the address: the name of the live version, if there is one. */
  readonly addressName: string
  readonly sha256: string
  readonly version: number
  readonly live_version: number | undefined
  readonly staged_version: number | undefined
  readonly type: string
  readonly title: string | null
  readonly description: string | null
  readonly alt_text: string | null
  readonly focus: string | null
  readonly layout_file_id: number | null
}

type Described = Pick<
  ListedFile,
  'type' | 'title' | 'description' | 'alt_text' | 'focus' | 'layout_file_id'
>

const FILE_FIELDS =
  'asset_file_id,name,url,sha256,version,live_version,staged_version,type,title,description,alt_text,focus,layout_file_id'

/** Throws if the folder does not exist or the key is rejected. */
export async function requireCategory(api: Api, id: number): Promise<void> {
  await readRecord(api, `/api/v2/asset_category/${id}?fields=asset_category_id`)
}

export interface SiteCategory {
  readonly isPublic: boolean
  readonly parentId: number | null
  /** The layout of its pages; null: as in the parent folder. */
  readonly layoutId: number | null
  readonly dateAdded: string
}

export async function readSiteCategory(api: Api, id: number): Promise<SiteCategory> {
  const fields = 'is_public,layout_file_id,parent_category_id,date_added'
  const row = await readRecord(api, `/api/v2/asset_category/${id}?fields=${fields}`)
  return {
    isPublic: row['is_public'] === true,
    parentId: numberOf(row, 'parent_category_id'),
    layoutId: numberOf(row, 'layout_file_id'),
    dateAdded: stringOf(row, 'date_added'),
  }
}

/** The public folders of a folder. */
export async function listPublicCategories(
  api: Api,
  parentId: number,
): Promise<
  readonly (Pick<ListedCategory, 'asset_category_id' | 'name'> & {
    readonly layoutId: number | null
  })[]
> {
  const fields = 'asset_category_id,name,is_public,layout_file_id'
  const rows = await listRows(api, { object: 'asset_category', parentId, fields })
  return rows
    .filter((row) => row['is_public'] === true)
    .map((row) => ({
      asset_category_id: integerOf(row, 'asset_category_id'),
      name: stringOf(row, 'name'),
      layoutId: numberOf(row, 'layout_file_id'),
    }))
}

export async function listCategories(api: Api, parentId: number): Promise<ListedCategory[]> {
  const rows = await listRows(api, {
    object: 'asset_category',
    parentId,
    fields: 'asset_category_id,name,title,description,layout_file_id',
  })
  return rows.map((row) => ({
    asset_category_id: integerOf(row, 'asset_category_id'),
    name: stringOf(row, 'name'),
    title: textOf(row, 'title'),
    description: textOf(row, 'description'),
    layout_file_id: numberOf(row, 'layout_file_id'),
  }))
}

export async function listFiles(api: Api, parentId: number): Promise<ListedFile[]> {
  const rows = await listRows(api, { object: 'asset_file', parentId, fields: FILE_FIELDS })
  return rows.map(parseFile)
}

/** Sends once, because the caller is already in a retry. */
export async function readFile(api: Api, id: number): Promise<ListedFile> {
  return parseFile(
    await api.sendJson({ method: 'GET', path: `/api/v2/asset_file/${id}?fields=${FILE_FIELDS}` }),
  )
}

export interface EnsuredCategory {
  readonly id: number
  /** Hint that the folder is new and therefore probably empty. */
  readonly isNew: boolean
}

/** Creates the folder, or finds the folder that another client created after the list was read. */
export async function ensureCategory(
  api: Api,
  { name, parentId }: { readonly name: string; readonly parentId: number },
): Promise<EnsuredCategory> {
  return api.retrying(async (attempt) => {
    try {
      const record = await api.sendJson({
        method: 'POST',
        path: '/api/v2/asset_category',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, parent_category_id: parentId }),
      })
      return { id: integerOf(record, 'asset_category_id'), isNew: true }
    } catch (error) {
      const id = takenBy(error, 'asset_category_id')
      if (id === undefined) throw error
      // After an attempt with a lost response, the folder is most likely ours.
      return { id, isNew: attempt > 1 }
    }
  })
}

/** Sets the fields of a folder that differ. */
export async function describeCategory(
  api: Api,
  id: number,
  wanted: Pick<ListedCategory, 'title' | 'description'>,
): Promise<void> {
  const path = `/api/v2/asset_category/${id}`
  const row = await readRecord(api, `${path}?fields=title,description`)
  const { title, description } = wanted
  if (textOf(row, 'title') === title && textOf(row, 'description') === description) return
  await api.retrying(() => api.sendJson(post(path, { title, description })))
}

export function post(path: string, body: object): ApiRequest {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

/** The record that already has the name, if the error says so. */
export function takenBy(error: unknown, idField: string): number | undefined {
  if (!(error instanceof ClientError) || error.code !== 'name-taken') return undefined
  const id = error.members[idField]
  return typeof id === 'number' ? id : undefined
}

interface Listing {
  readonly object: string
  readonly parentId: number
  readonly fields: string
}

export async function listRows(
  api: Api,
  { object, parentId, fields }: Listing,
): Promise<JsonObject[]> {
  const rows: JsonObject[] = []
  const query = new URLSearchParams({
    qry: JSON.stringify({ parent_category_id: parentId }),
    fields,
    length: String(MAX_LIST_LENGTH),
  })

  for (;;) {
    const answer = await readRecord(api, `/api/v2/${object}?${query}`)
    const found = answer[object]
    const page = answer['page']
    if (!Array.isArray(found) || !isObject(page)) throw unexpected(object)
    for (const row of found) rows.push(isObject(row) ? row : refuse(object))
    if (typeof page['next'] !== 'string') return rows
    query.set('cursor', page['next'])
  }
}

export async function readRecord(api: Api, path: string): Promise<JsonObject> {
  return api.retrying(() => api.sendJson({ method: 'GET', path }))
}

function parseFile(row: JsonObject): ListedFile {
  return {
    asset_file_id: integerOf(row, 'asset_file_id'),
    name: stringOf(row, 'name'),
    addressName: lastSegmentOf(stringOf(row, 'url')),
    sha256: stringOf(row, 'sha256'),
    version: integerOf(row, 'version'),
    live_version: row['live_version'] === null ? undefined : integerOf(row, 'live_version'),
    staged_version: row['staged_version'] === null ? undefined : integerOf(row, 'staged_version'),
    ...describedBy(row),
  }
}

function describedBy(row: JsonObject): Described {
  return {
    type: stringOf(row, 'type'),
    title: textOf(row, 'title'),
    description: textOf(row, 'description'),
    alt_text: textOf(row, 'alt_text'),
    focus: textOf(row, 'focus'),
    layout_file_id: numberOf(row, 'layout_file_id'),
  }
}

/** The fields of one version. */
export async function readVersion(
  api: Api,
  id: number,
  version: number,
): Promise<Described & Pick<ListedFile, 'name'>> {
  const row = await readRecord(api, `/api/v2/asset_file/${id}/versions/${version}`)
  return { name: stringOf(row, 'name'), ...describedBy(row) }
}

function lastSegmentOf(url: string): string {
  try {
    return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))
  } catch {
    return refuse('url')
  }
}

function numberOf(row: JsonObject, name: string): number | null {
  const value = row[name]
  // A server of an earlier version does not have the field.
  return value === null || value === undefined ? null : integerOf(row, name)
}

export function integerOf(row: JsonObject, name: string): number {
  const value = row[name]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse(name)
}

export function stringOf(row: JsonObject, name: string): string {
  const value = row[name]
  return typeof value === 'string' ? value : refuse(name)
}

export function textOf(row: JsonObject, name: string): string | null {
  return row[name] === null ? null : stringOf(row, name)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(name: string): never {
  throw unexpected(name)
}

function unexpected(name: string): ClientError {
  const detail = `The response has no valid ${name}: the address does not belong to a content server.`
  return new ClientError('not-a-content-server', detail)
}
