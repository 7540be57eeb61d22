// The sources of the pages of a site: the layouts, fragments, menus and linked files that the site shows. Anything else counts
// as missing.

import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import { assetFile, type AssetFileVersion } from '../../schema/asset-file.ts'
import { fileGroup } from '../../schema/file-group.ts'
import type { ComposedPage, MenuItem, PageSources } from '../../schema/page-composition.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Reader } from '../../storage/port.ts'
import { MAX_MENU_FILES } from '../../shared/limits.ts'
import type { Context } from '../context.ts'
import type { Download } from '../files/downloads.ts'
import { findPart, isKnownPlain, isPage, renderPage } from './rendered-pages.ts'
import { pathOfFileId, type ShownPlace } from './shown-place.ts'
import { namesTo, pathOf } from './site-place.ts'

function openSources(context: Context, place: ShownPlace): PageSources {
  // A file may be 64 folders deep.
  const slice = openTimeSlice()
  const paths = new Map<number, string | undefined>()

  async function pathTo(id: number): Promise<string | undefined> {
    if (!paths.has(id)) {
      if (slice.isOver(0)) await slice.next()
      paths.set(id, pathOfFileId(place, id))
    }
    return paths.get(id)
  }

  return {
    pathTo,

    async find(id) {
      if (slice.isOver(0)) await slice.next()
      const version = findShownPage(place, id)
      return version && findPart(context, version)
    },

    async filesOf(groupId) {
      const group = place.records.get(fileGroup.recordType, groupId)?.value
      if (group === undefined || namesTo(place, group.parent_category_id) === undefined)
        return undefined
      const items: MenuItem[] = []
      for (const fileId of group.asset_file_ids ?? []) {
        const path = await pathTo(fileId)
        const item = path === undefined ? undefined : menuItem(place, fileId, path)
        if (item !== undefined) items.push(item)
        if (items.length >= MAX_MENU_FILES) break
      }
      return items
    },
  }
}

/** The version of a page that the site shows. */
function findShownPage(place: ShownPlace, id: number): AssetFileVersion | undefined {
  const file = place.records.get(assetFile.recordType, id)?.value
  if (file === undefined || pathOfFileId(place, id) === undefined) return undefined
  const { version } = place.files.open(file)
  return isPage(version) ? version : undefined
}

/** Links lead to a folder instead of its index. */
function menuItem(place: ShownPlace, fileId: number, path: string): MenuItem | undefined {
  const file = place.records.get(assetFile.recordType, fileId)?.value
  if (file === undefined) return undefined
  const { title } = place.files.open(file).version
  const name = place.files.nameOf(file) ?? ''
  const isIndex = /^index\.(?:html|stml)$/i.test(name)
  const text = title === null || title.trim() === '' ? name : title
  return {
    fileId,
    text,
    path: isIndex ? (pathOf(place, file.parent_category_id) ?? path) : path,
  }
}

interface RenderedFile {
  readonly place: ShownPlace
  readonly download: Pick<Download, 'version'>
  /** The name of the file on the site. */
  readonly name: string
}

/** The file as the site shows it; undefined if the site sends the stored bytes. */
export function renderFile(
  context: Context,
  { place, download, name }: RenderedFile,
): ComposedPage | undefined | Promise<ComposedPage | undefined> {
  const { version } = download
  if (!isPage(version)) return undefined
  const layout = findLayout(place, version)
  if (layout === undefined && isKnownPlain(version)) return undefined
  return renderPage(context, { version, name, layout, sources: openSources(context, place) })
}

/** The layout counts only if the site shows the layout. */
export function findLayout(
  place: ShownPlace,
  version: AssetFileVersion,
): AssetFileVersion | undefined {
  if (!isPage(version)) return undefined
  const { records } = place
  const file = records.get(assetFile.recordType, version.asset_file_id)?.value
  const id = file && layoutIdOf(records, version, file.parent_category_id)
  return id === undefined ? undefined : findShownPage(place, id)
}

/** The layout that applies to a page; undefined for none. The page decides first, then the nearest folder; 0 is none. */
function layoutIdOf(
  records: Reader,
  { layout_file_id: own }: AssetFileVersion,
  folderId: number,
): number | undefined {
  // Records of earlier builds lack the field.
  let found: number | null = own ?? null
  for (let id: number | null = folderId; found === null && id !== null; ) {
    const folder: AssetCategory | undefined = records.get(assetCategory.recordType, id)?.value
    found = folder?.layout_file_id ?? null
    id = folder?.parent_category_id ?? null
  }
  return found === null || found === 0 ? undefined : found
}
