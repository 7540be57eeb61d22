// The public site: finds the file at a path. A path names folders below the root folder of the site, and a file. Only files of
// public folders are found; every other path is answered like a path without a file. The live site shows live files, a preview
// shows staged files.

import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import type { Site } from '../../config/flag-values.ts'
import type { AssetFile } from '../../schema/asset-file.ts'
import { foldName, nameFault } from '../../schema/names.ts'
import { keyOf, type Redirect, type SiteHeaders } from '../../schema/site-settings.ts'
import type { Reader } from '../../storage/port.ts'
import type { Download } from '../files/downloads.ts'
import type { Context } from '../context.ts'
import { findFormerFolder } from '../folders/former-places.ts'
import { findByName } from '../requirements.ts'
import { matchRedirect } from './redirects.ts'
import { openLiveFiles, type ShownFiles } from './shown-files.ts'
import { pathOfFile, type ShownPlace } from './shown-place.ts'
import { openPlace, pathOf, type Place } from './site-place.ts'

export type SitePage =
  | {
      readonly kind: 'file'
      readonly download: Download
      readonly status: 200 | 404
      /** The headers that its folders set; an empty text omits a header. */
      readonly headers: SiteHeaders
      /** The name of the file on the site. */
      readonly name: string
      readonly place: ShownPlace
    }
  /** The path where the page is now, or another address. */
  | { readonly kind: 'moved'; readonly path: string; readonly status: Redirect['status'] }
  | { readonly kind: 'missing' }

const MISSING: SitePage = { kind: 'missing' }
const INDEX = 'index'
const NOT_FOUND = '404'
/** Endings that a path may omit, the preferred ending first. */
const ENDINGS = ['.html', '.stml'] as const

export interface AskedPage {
  readonly site: Site
  /** As sent, percent-encoded and without the query. */
  readonly path: string
}

export function findSitePage(
  context: Context,
  { site, path }: AskedPage,
  files = openLiveFiles(context.records),
): SitePage {
  const folders = openPlace(context, site)
  if (folders === undefined) return MISSING
  const place = { ...folders, files }
  const names = namesOf(path)
  const found = names === undefined ? MISSING : findPage(place, names, path)
  return found.kind === 'missing' ? missingPage(place) : found
}

/** The redirect of a path that has no live file, by the folders of the path; the nearest folder decides. */
export function findRedirect(
  context: Pick<Context, 'records' | 'caller'>,
  { site, path }: AskedPage,
): SitePage | undefined {
  const place = openPlace(context, site)
  const names = namesOf(path)?.filter((name) => name !== '')
  if (place === undefined || names === undefined) return undefined
  const folders = [place.rootId]
  for (const name of names) {
    const below = findBelow(place, folders.at(-1) ?? 0, name)
    if (below === undefined) break
    folders.push(below)
  }
  for (const [depth, id] of [...folders.entries()].toReversed()) {
    const redirects = place.records.get(assetCategory.recordType, id)?.value.redirects ?? []
    const folderPath = pathOf(place, id)
    if (redirects.length === 0 || folderPath === undefined) continue
    const found = matchRedirect(redirects, { folderPath, names: names.slice(depth) })
    // A page that does not exist must not lead to itself.
    if (found !== undefined && keyOf(found.location) !== keyOf(path))
      return { kind: 'moved', path: found.location, status: found.status }
  }
  return undefined
}

/**
 * The names in a path; the last is empty if the path ends with a slash. Undefined if no file can have such a path. Slashes in
 * a row count as one, as in nginx; the page redirects to its path.
 */
function namesOf(path: string): readonly string[] | undefined {
  try {
    const names = path.replace(/^\/+/, '').split(/\/+/).map(decodeURIComponent)
    return names.every((name, at) => isName(name) || (name === '' && at === names.length - 1))
      ? names
      : undefined
  } catch {
    // The path is not percent-encoded UTF-8.
    return undefined
  }
}

function isName(name: string): boolean {
  return name !== '' && nameFault(name) === undefined
}

function findPage(place: ShownPlace, names: readonly string[], path: string): SitePage {
  const last = names.at(-1) ?? ''
  const folderId = findFolder(place, names.slice(0, -1))
  const folderPath = folderId === undefined ? undefined : pathOf(place, folderId)
  if (folderId === undefined || folderPath === undefined) return MISSING
  const folder = { id: folderId, path: folderPath }

  const file = findFile(place.files, folder.id, last)
  if (file !== undefined) return pageOf(place, { file, folder, last, path })
  const below = last === '' ? undefined : findBelow(place, folder.id, last)
  if (below !== undefined && findFile(place.files, below, '') !== undefined)
    return movedTo(pathOf(place, below))
  return former(place, folder.id, last)
}

interface FoundFolder {
  readonly id: number
  /** Its path on the site, which begins and ends with a slash. */
  readonly path: string
}

/** Also by former names; the path of the folder then differs, and the page redirects there. */
function findFolder(place: Place, names: readonly string[]): number | undefined {
  let id: number | undefined = place.rootId
  for (const name of names) if (id !== undefined) id = findBelow(place, id, name)
  return id
}

/** A folder that is not public does not exist for visitors, so it ends no redirect either. */
function findBelow({ records, visible }: Place, id: number, name: string): number | undefined {
  const present = findByName(records, assetCategory, id, name)
  if (present !== undefined && visible.sees(present)) return present
  return visible.sees(id) ? findFormerFolder(records, visible, { parentId: id, name }) : undefined
}

function movedTo(path: string | undefined): SitePage {
  return path === undefined ? MISSING : { kind: 'moved', path, status: 308 }
}

/** A folder shows its index.html or index.stml; /hello also finds hello.html and hello.stml. */
function findFile(files: ShownFiles, folderId: number, name: string): AssetFile | undefined {
  if (name === '') return findNamedPage(files, folderId, INDEX)
  return files.find(folderId, name) ?? findNamedPage(files, folderId, name)
}

function findNamedPage(files: ShownFiles, folderId: number, name: string): AssetFile | undefined {
  for (const ending of ENDINGS) {
    const file = files.find(folderId, name + ending)
    if (file !== undefined) return file
  }
  return undefined
}

interface Found {
  readonly file: AssetFile
  readonly folder: FoundFolder
  /** The last name of the path. */
  readonly last: string
  readonly path: string
}

/** Names are found in any case and in any Unicode form; only one form answers, and the others redirect to it. */
function pageOf(place: ShownPlace, { file, folder, last, path }: Found): SitePage {
  const name = place.files.nameOf(file) ?? ''
  const isShort = last !== '' && foldName(last) !== foldName(name)
  const shown =
    last === '' ? '' : encodeURIComponent(isShort ? name.slice(0, -ENDINGS[0].length) : name)
  const own = folder.path + shown
  if (plain(own) !== plain(path)) return movedTo(own)
  return filePage(place, file, 200)
}

/** Clients encode different characters, and any of these forms is right. */
function plain(path: string): string {
  return decodeURIComponent(path).normalize('NFC')
}

function filePage(place: ShownPlace, file: AssetFile, status: 200 | 404): SitePage {
  const { files, records } = place
  const headers = headersOf(records, file.parent_category_id)
  return {
    kind: 'file',
    status,
    download: files.open(file),
    headers,
    name: files.nameOf(file) ?? '',
    place,
  }
}

/** The nearest folder decides about each header. */
export function headersOf(records: Reader, folderId: number): SiteHeaders {
  const headers: Record<string, string> = {}
  for (let id: number | null = folderId; id !== null; ) {
    const folder: AssetCategory | undefined = records.get(assetCategory.recordType, id)?.value
    for (const [name, value] of Object.entries(folder?.site_headers ?? {})) {
      const key = name.toLowerCase()
      if (!(key in headers)) headers[key] = value
    }
    id = folder?.parent_category_id ?? null
  }
  return headers
}

/** The file that was live at this path formerly, if this site shows it. */
function former(place: ShownPlace, folderId: number, name: string): SitePage {
  const file = name === '' ? undefined : place.files.findFormer(folderId, name)
  return movedTo(file && pathOfFile(place, file))
}

function missingPage(place: ShownPlace): SitePage {
  const file = findNamedPage(place.files, place.rootId, NOT_FOUND)
  if (file === undefined) return MISSING
  return filePage(place, file, 404)
}
