// Reads files and folders from the server.

import type { Grant } from '../../../shared/grants.ts'
import { MAX_COUNTED_FOLDERS } from '../../../shared/limits.ts'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import type { components, paths } from '../../client/interface.d.ts'
import type { Me } from '../../client/me.ts'

export type FileRecord = Omit<components['schemas']['asset_file'], 'pageContent'>

export type FolderRecord = components['schemas']['asset_category']

/** All fields of a file except its text; the compiler names a missing field. */
const FILE_FIELDS = Object.keys({
  asset_file_id: true,
  name: true,
  type: true,
  parent_category_id: true,
  fileState: true,
  title: true,
  description: true,
  version: true,
  live_version: true,
  staged_version: true,
  alt_text: true,
  focus: true,
  layout_file_id: true,
  version_note: true,
  state: true,
  size: true,
  sha256: true,
  mime_type: true,
  width: true,
  height: true,
  thumbhash: true,
  was_published: true,
  date_published: true,
  date_staged: true,
  publish_at: true,
  publish_version: true,
  unpublish_at: true,
  stage_at: true,
  stage_version: true,
  schedule_failed_at: true,
  schedule_fault: true,
  pinned_versions: true,
  path: true,
  url: true,
  date_added: true,
  date_modified: true,
  owner: true,
} satisfies Readonly<Record<keyof FileRecord, true>>).join(',')

/** Media types of files that the website shows as pages. */
const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/stml+xml'])

export function isPage({ mime_type: type }: FileRecord): boolean {
  return PAGES.has(type)
}

export interface PageOf<R> {
  readonly rows: readonly R[]
  readonly next: string | null
  /** Undefined if counting would take extra work. */
  readonly total: number | undefined
}

interface SearchQuery {
  readonly qry: object
  readonly orderStr: string
  readonly orderDir?: 'ASC' | 'DESC'
  readonly cursor?: string | undefined
  readonly length: number
}

/** Parameters of a list request; undefined ones are omitted. */
function parametersOf({ qry, cursor, ...others }: SearchQuery) {
  return { qry: JSON.stringify(qry), ...others, ...(cursor !== undefined && { cursor }) }
}

export async function searchFiles(
  api: Api,
  query: SearchQuery,
  signal?: AbortSignal,
): Promise<PageOf<FileRecord>> {
  const params = { query: { ...parametersOf(query), fields: FILE_FIELDS } }
  const { asset_file: rows, page } = await dataOf(
    api.GET('/asset_file', { ...(signal !== undefined && { signal }), params }),
  )
  // The requested fields are present.
  return { rows: rows as readonly FileRecord[], next: page.next, total: page.total ?? undefined }
}

export async function searchFolders(
  api: Api,
  query: SearchQuery,
  signal?: AbortSignal,
): Promise<PageOf<FolderRecord>> {
  const params = { query: parametersOf(query) }
  const { asset_category: rows, page } = await dataOf(
    api.GET('/asset_category', { ...(signal !== undefined && { signal }), params }),
  )
  return { rows: rows as readonly FolderRecord[], next: page.next, total: page.total ?? undefined }
}

export type FolderCounts =
  paths['/asset_category/counts']['get']['responses'][200]['content']['application/json']['counts'][number]

/** The numbers of files and folders in each folder, by its identifier. */
export async function readFolderCounts(
  api: Api,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, FolderCounts>> {
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_COUNTED_FOLDERS) }, (_, at) =>
    ids.slice(at * MAX_COUNTED_FOLDERS, (at + 1) * MAX_COUNTED_FOLDERS),
  )
  const found = await Promise.all(
    parts.map((part) =>
      dataOf(
        api.GET('/asset_category/counts', { signal, params: { query: { ids: part.join() } } }),
      ),
    ),
  )
  return new Map(found.flatMap(({ counts }) => counts.map((row) => [row.asset_category_id, row])))
}

export async function readFile(
  api: Api,
  id: number,
  signal?: AbortSignal,
): Promise<{ readonly record: FileRecord; readonly etag: string }> {
  const params = { path: { id }, query: { fields: FILE_FIELDS } }
  const { data, response } = await api.GET('/asset_file/{id}', {
    ...(signal !== undefined && { signal }),
    params,
  })
  return { record: data as FileRecord, etag: response.headers.get('etag') ?? '' }
}

/** Reads a folder with all its visible parents, topmost first. */
export async function readFolderLine(
  api: Api,
  id: number,
  signal?: AbortSignal,
): Promise<readonly FolderRecord[]> {
  const line: FolderRecord[] = []
  for (let next: number | null = id; next !== null; ) {
    const folder: FolderRecord = (await dataOf(
      api.GET('/asset_category/{id}', {
        ...(signal !== undefined && { signal }),
        params: { path: { id: next } },
      }),
    )) as FolderRecord
    line.unshift(folder)
    next = folder.parent_category_id
  }
  return line
}

/** The user's grants in the last folder of a line: those of the nearest folder that sets grants. */
export function grantsIn(me: Me | undefined, line: readonly FolderRecord[]): ReadonlySet<Grant> {
  const places = new Map(me?.asset_category.map((item) => [item.asset_category_id, item.grants]))
  const nearest = line.findLast(({ asset_category_id: id }) => places.has(id))
  if (nearest === undefined) return new Set(line.length === 0 ? [] : me?.grants)
  return new Set(places.get(nearest.asset_category_id))
}

/**
 * URLs of version contents: every version for users who may modify the file, otherwise the live version.
 */
export interface VersionOf {
  readonly file: Pick<FileRecord, 'asset_file_id' | 'url'>
  readonly version: number
  readonly mayRead: boolean
}

export function versionAddress({ file, version, mayRead }: VersionOf): string {
  const { asset_file_id: id, url } = file
  return mayRead
    ? `/api/v2/asset_file/${id}/versions/${version}/content`
    : // Without the path of the site, which the client of the area adds: the name is that of the live version.
      `/file/${id}/${url.slice(url.lastIndexOf('/') + 1)}`
}

/** The server accepts longer texts, but browsers become slow. */
export const MOST_WRITTEN = 4 * 1024 * 1024

const TEXT = /^text\/|[/+](?:json|xml|javascript|yaml|x-yaml|toml)$/

export function isTextFile({ mime_type: type }: Pick<FileRecord, 'mime_type'>): boolean {
  return TEXT.test(type)
}

export function editorPath(fileId: number): string {
  return pathOf(`/content/file/${fileId}/edit`)
}
