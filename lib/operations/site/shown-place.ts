// The files of a site at their paths, as visitors or a preview see them.

import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import type { ShownFiles } from './shown-files.ts'
import { pathOf, type Place } from './site-place.ts'

export interface ShownPlace extends Place {
  readonly files: ShownFiles
}

/** The path of a file on the site, percent-encoded; undefined if the site does not show the file. */
export function pathOfFile(place: ShownPlace, file: AssetFile): string | undefined {
  const name = place.files.nameOf(file)
  const folder = pathOf(place, file.parent_category_id)
  if (folder === undefined || name === undefined) return undefined
  return folder + encodeURIComponent(name)
}

export function pathOfFileId(place: ShownPlace, id: number): string | undefined {
  const file = place.records.get(assetFile.recordType, id)?.value
  return file && pathOfFile(place, file)
}
