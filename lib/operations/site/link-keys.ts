// The keys of the link index under which the pages of a file are found: its number, its names and, for the start page of a folder,
// the names of the folder.

import { assetCategory, formerPlaces } from '../../schema/asset-category.ts'
import type { AssetFile } from '../../schema/asset-file.ts'
import { formerAddress } from '../../schema/file-address.ts'
import { KEY_OF_FOLDER, keyOfFile } from '../../schema/link-index.ts'
import { foldName } from '../../schema/names.ts'
import type { Reader } from '../../storage/port.ts'
import { addressName, stageName } from '../files/addresses.ts'

/** Former names of a file and of its folder that are looked up. */
const MAX_FORMER = 50
const INDEX_PAGES: ReadonlySet<string> = new Set(['index.html', 'index.stml'])

/** The keys of all addresses that may lead to the file. */
export function keysOfFile(reader: Reader, file: AssetFile): readonly string[] {
  const { asset_file_id: id, parent_category_id: folderId } = file
  const former = reader.list(formerAddress, [id], MAX_FORMER).map(([, name]) => String(name))
  const present = [file.name, addressName(reader, file), stageName(reader, file) ?? file.name]
  const names = [...present.map(foldName), ...former]
  const isStart = names.some((name) => INDEX_PAGES.has(name))
  return [
    keyOfFile(id),
    ...names,
    ...names.map((name) => name.replace(/\.(?:html|stml)$/, '')),
    ...(isStart ? [KEY_OF_FOLDER, ...namesOfFolder(reader, folderId)] : []),
  ]
}

function namesOfFolder(reader: Reader, folderId: number): readonly string[] {
  const folder = reader.get(assetCategory.recordType, folderId)?.value
  const places = reader.get(formerPlaces, folderId)?.value.places ?? []
  return [foldName(folder?.name ?? ''), ...places.map(([, name]) => name)]
}
