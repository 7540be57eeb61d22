// The live files of a site, folder by folder, and the path of each file. A path consists of the names of folders and of the
// file, unencoded and separated by slashes.

import type { Site } from '../../config/flag-values.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { and, type Match } from '../../schema/match.ts'
import { nameFault } from '../../schema/names.ts'
import type { ObjectType } from '../../schema/object.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { addressName, findLive } from '../files/addresses.ts'
import type { Download } from '../files/downloads.ts'
import { findVersion } from '../files/versions.ts'
import { namesTo, openPlace } from './site-place.ts'

/** A public folder of the site. */
export interface SiteFolder {
  readonly id: number
  /** The names from the root of the site down to this folder. */
  readonly names: readonly string[]
}

export interface SiteFile extends Download {
  readonly id: number
  readonly names: readonly string[]
  /** In sites of earlier versions, several live files of a folder may have one name; the site shows another of these files. */
  readonly isShadowed: boolean
}

const PAGE = 1_000

/** Every public folder of the site, each before the folders below it. Reads in time slices. */
export async function* siteFolders(context: Context, site: Site): AsyncGenerator<SiteFolder> {
  const root = openPlace(context, site)
  if (root === undefined) return
  const open: SiteFolder[] = [{ id: root.rootId, names: [] }]
  // Thousands of small folders would otherwise be read in one iteration of the event loop.
  const slice = openTimeSlice()
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (slice.isOver(0)) await slice.next()
    // A folder may have become private since the last step.
    const visible = openPlace(context, site)?.visible
    if (visible?.sees(folder.id) !== true) continue
    yield folder
    for await (const { value } of recordsIn(context, assetCategory, folder.id))
      open.push({ id: value.asset_category_id, names: [...folder.names, value.name] })
  }
}

/** The files with a live version in a folder. Reads in time slices. */
export async function* liveFilesIn(context: Context, folderId: number): AsyncGenerator<AssetFile> {
  const slice = openTimeSlice()
  for await (const { value } of recordsIn(context, assetFile, folderId)) {
    if (slice.isOver(0)) await slice.next()
    if (value.live_version !== null) yield value
  }
}

/** Undefined if the site does not show the file. */
export function findSiteFile(context: Context, site: Site, id: number): SiteFile | undefined {
  const { records } = context
  const file = records.get(assetFile.recordType, id)?.value
  if (typeof file?.live_version !== 'number') return undefined
  const place = openPlace(context, site)
  const folders = place && namesTo(place, file.parent_category_id)
  const version = findVersion(records, id, file.live_version)
  if (folders === undefined || version === undefined) return undefined
  const name = addressName(records, file)
  const names = [...folders, name]
  // The site finds no path with such a name, which only sites of earlier versions have.
  if (names.some((each) => nameFault(each) !== undefined)) return undefined
  const isShadowed = findLive(records, file.parent_category_id, name)?.asset_file_id !== id
  const dateModified = file.date_published ?? version.date_added
  return { id, names, version, dateModified, isShadowed }
}

async function* recordsIn<T extends JsonObject>(
  { records }: Context,
  object: ObjectType<T>,
  folderId: number,
): AsyncGenerator<Stored<T>> {
  const match = inFolder(object, folderId)
  let cursor: string | undefined
  do {
    const query = { match, length: PAGE, cursor, orderBy: null }
    const page = await records.search(object.recordType, object.searchable, query)
    yield* page.records
    cursor = page.next
  } while (cursor !== undefined)
}

function inFolder({ searchable }: ObjectType, folderId: number): Match {
  const field = searchable.get('parent_category_id')
  return field === undefined ? and() : { op: 'eq', field, value: folderId }
}
