// The addresses of files: /file/{asset_file_id}/{name} and /file/{asset_category_id}/{name}. The name belongs to the
// version: a draft with another name changes no address, and former addresses of a live file redirect.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import type { Caller } from '../../auth/caller.ts'
import { grantsAt, missingGrant } from '../../auth/grants.ts'
import type { Holder } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import {
  formerAddress,
  liveName,
  nameOfLive,
  stagedName,
  fileUrlOf,
} from '../../schema/file-address.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { foldName } from '../../schema/names.ts'
import type { ObjectType } from '../../schema/object.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { findByName, isHeldBelow, nameTaken } from '../requirements.ts'

interface Place {
  readonly categoryId: number
  readonly name: string
}

/** The name in the public address; the record's name if no version is live. */
export function addressName(reader: Pick<Reader, 'get'>, file: AssetFile): string {
  const { live_version: live, version, asset_file_id: id } = file
  if (live === null || live === version) return file.name
  return nameOfLive(file, reader.get(liveName, id)?.value)
}

/** The file that has the name in the folder, by its record or by its live version. */
export function findNamed(reader: Reader, categoryId: number, name: string): number | undefined {
  return findByName(reader, assetFile, categoryId, name) ?? findLiveNamed(reader, categoryId, name)
}

/** The file whose live version has the name in the folder, while its record has another. */
function findLiveNamed(reader: Reader, categoryId: number, name: string): number | undefined {
  for (const [key] of reader.lookup(liveName, 'place', [categoryId, foldName(name)])) {
    const file = reader.get(assetFile.recordType, Number(key))?.value
    if (file !== undefined && isAddress(reader, file, { categoryId, name }))
      return file.asset_file_id
  }
  return undefined
}

function isAddress(reader: Reader, file: AssetFile, { categoryId, name }: Place): boolean {
  if (file.live_version === null || file.parent_category_id !== categoryId) return false
  return foldName(addressName(reader, file)) === foldName(name)
}

/** The live file with this name in the folder. */
export function findLive(reader: Reader, categoryId: number, name: string): AssetFile | undefined {
  const id = findByName(reader, assetFile, categoryId, name)
  const file = id === undefined ? undefined : reader.get(assetFile.recordType, id)?.value
  if (file !== undefined && isAddress(reader, file, { categoryId, name })) return file
  const other = findLiveNamed(reader, categoryId, name)
  return other === undefined ? undefined : reader.get(assetFile.recordType, other)?.value
}

/** The name of the staged version. */
export function stageName(reader: Pick<Reader, 'get'>, file: AssetFile): string | undefined {
  const { staged_version: staged, version, asset_file_id: id } = file
  if (staged === null) return undefined
  if (staged === version) return file.name
  return reader.get(assetFileVersion, id, staged)?.value.name
}

/** Returns the oldest file staged under this name in the folder; names of staged versions are not unique. */
export function findStaged(
  reader: Reader,
  categoryId: number,
  name: string,
): AssetFile | undefined {
  for (const [key] of reader.lookup(stagedName, 'place', [categoryId, foldName(name)])) {
    const file = reader.get(assetFile.recordType, Number(key))?.value
    const row = reader.get(stagedName, Number(key))?.value
    const isCurrent = file?.parent_category_id === categoryId
    if (isCurrent && file.staged_version === row?.staged_version) return file
  }
  return undefined
}

/** The folders in which the file was live under this name. */
export function formerFolders(reader: Reader, fileId: number, name: string): readonly number[] {
  return reader.list(formerAddress, [fileId, foldName(name)]).map((ids) => Number(ids.at(-1)))
}

/** The file that was formerly live under this name in the folder. */
export function findFormer(
  reader: Reader,
  categoryId: number,
  name: string,
): AssetFile | undefined {
  const [ids] = reader.lookup(formerAddress, 'place', [categoryId, foldName(name)], 1)
  return ids && reader.get(assetFile.recordType, Number(ids[0]))?.value
}

/**
 * Names are unique in their folder, across files and folders: a directory cannot hold both under one name, so an
 * export could not write them. A file has two names while its draft is renamed. The error names the holder only to
 * callers that may view it.
 */
export function requireFreeName(
  reader: Reader,
  caller: Holder,
  object: ObjectType,
  { categoryId, name, ownId }: Place & { readonly ownId?: number },
): void {
  const holders: readonly (readonly [ObjectType, number | undefined])[] = [
    [assetFile, findNamed(reader, categoryId, name)],
    [assetCategory, findByName(reader, assetCategory, categoryId, name)],
  ]
  for (const [other, taken] of holders) {
    if (taken === undefined || (other === object && taken === ownId)) continue
    const folderId = other === assetCategory ? taken : categoryId
    const isTold = grantsAt(reader, caller, folderId).has('view')
    throw nameTaken(other, name, isTold ? taken : undefined)
  }
}

/** Moving a live file changes its address at once, so it requires the same grant as publishing. */
export function requireLiveMove(
  reader: Reader,
  caller: Caller,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (const categoryId of [from, to]) {
    if (grantsAt(reader, caller, categoryId).has('publish')) continue
    const where = `in ${openVisibleFolders(reader, caller).pathOf(categoryId)}`
    const why = 'A version of the file is live, so a move changes its public address at once'
    throw missingGrant(
      'publish',
      `${where}. ${why}. Ask somebody with the grant "publish" to unpublish the file first`,
    )
  }
}

/** Folders in which a rename or move searches for live files, within one time slice of the commit. */
const MAX_FOLDERS = 500

/**
 * Renaming or moving a folder changes the public paths of the live files below it at once, and a move between public and
 * other folders changes the menus of the site. Callers that may publish in all of these folders skip the search for live
 * files and file groups.
 */
export function requireLiveFolderChange(
  reader: Reader,
  caller: Caller,
  { id, to }: { readonly id: number; readonly to: number },
): void {
  const wanting = [id, to].find((folder) => !grantsAt(reader, caller, folder).has('publish'))
  if (wanting === undefined && isHeldBelow(reader, caller, 'publish', id)) return
  const seenByAll = openVisibleFolders(reader, ANONYMOUS)
  const isOfMenus = seenByAll.sees(id) !== seenByAll.sees(to)
  const found = isHeldBelow(reader, caller, 'view', id)
    ? findLiveBelow(reader, id, isOfMenus)
    : 'hidden'
  if (found === 'none') return
  const where =
    wanting === undefined
      ? 'in all folders below this one'
      : `in ${openVisibleFolders(reader, caller).pathOf(wanting)}`
  throw missingGrant('publish', `${where}. ${WHY_PUBLISH[found]}`)
}

const WHY_PUBLISH = {
  live: 'Files in the folder are live, so their public addresses would change at once. Ask somebody with the grant "publish" to unpublish them first',
  menu: 'The folder has file groups, and pages list the groups of public folders as menus. Ask somebody with the grant "publish" to move the folder',
  many: `More than ${MAX_FOLDERS} folders lie below this one, too many to search for live files. Ask somebody with the grant "publish" in these folders`,
  hidden:
    'The key does not see all folders below this one, and files in them may be live. Ask somebody with the grant "publish" in these folders',
}

function findLiveBelow(
  reader: Reader,
  categoryId: number,
  isOfMenus: boolean,
): 'live' | 'menu' | 'many' | 'none' {
  const folders = [categoryId]
  for (const folder of folders) {
    if (reader.lookup(assetFile.recordType, 'live_in', [folder], 1).length > 0) return 'live'
    if (
      isOfMenus &&
      reader.lookup(fileGroup.recordType, 'parent_category_id', [folder], 1).length > 0
    )
      return 'menu'
    const left = MAX_FOLDERS - folders.length + 1
    const below = reader.lookup(assetCategory.recordType, 'parent_category_id', [folder], left)
    folders.push(...below.map(([id]) => Number(id)))
    if (folders.length > MAX_FOLDERS) return 'many'
  }
  return 'none'
}

/**
 * Stores the address data of a record that is about to be put; returns the record with its address, and with a mark if it
 * was ever live. The caller has made sure that no other file has the name in the folder.
 */
export function settleAddress(unit: Unit, next: AssetFile): AssetFile {
  const { asset_file_id: id, live_version: live } = next
  const before = unit.get(assetFile.recordType, id)?.value
  keepStagedName(unit, before, next)
  const isLive = live !== null
  const wasLive = before !== undefined && before.live_version !== null
  if (!isLive && !wasLive) return { ...next, url: fileUrlOf(id, next.name) }

  const name = isLive ? nextName(unit, before, next) : next.name
  const former = wasLive
    ? { categoryId: before.parent_category_id, name: addressName(unit, before) }
    : undefined
  keepLiveName(unit, next, name)
  if (isLive) {
    requireFreeAddress(unit, id, { name, former: former?.name })
    takeAddress(unit, { categoryId: next.parent_category_id, name }, former, id)
  }
  return { ...next, url: fileUrlOf(id, name), was_published: true }
}

/**
 * In earlier builds a file and a folder could have the same number. A live file in that folder keeps its address
 * /file/{number}/{name}: the file with that number cannot take over the address by a new name.
 */
function requireFreeAddress(
  reader: Reader,
  id: number,
  { name, former }: { readonly name: string; readonly former: string | undefined },
): void {
  if (former !== undefined && foldName(former) === foldName(name)) return
  if (reader.get(assetCategory.recordType, id) === undefined) return
  const holder = findLive(reader, id, name)
  if (holder === undefined || holder.asset_file_id === id) return
  throw new CmsError(
    'address-taken',
    `A live file in the folder ${id} already has the address ${fileUrlOf(id, name)}. Choose another name.`,
    { errors: [{ pointer: '/name', detail: 'is taken' }] },
  )
}

/** The live name after a change: it stays while the same version is live, whatever the draft's name is. */
function nextName(unit: Unit, before: AssetFile | undefined, next: AssetFile): string {
  const { live_version: live, version, asset_file_id: id } = next
  if (before?.live_version === live) return addressName(unit, before)
  if (live === version || live === null) return next.name
  return unit.get(assetFileVersion, id, live)?.value.name ?? next.name
}

function keepLiveName(unit: Unit, next: AssetFile, name: string): void {
  const { asset_file_id: id, live_version: live } = next
  if (live !== null && name !== next.name) {
    const asset_category_id = next.parent_category_id
    unit.put(liveName, [id], { asset_file_id: id, asset_category_id, live_version: live, name })
  } else if (unit.get(liveName, id) !== undefined) unit.remove(liveName, id)
}

function keepStagedName(unit: Unit, before: AssetFile | undefined, next: AssetFile): void {
  const { asset_file_id: id, parent_category_id: asset_category_id } = next
  const name = hasOwnStage(next) ? stageName(unit, next) : undefined
  const { staged_version } = next
  if (staged_version !== null && name !== undefined && name !== next.name)
    unit.put(stagedName, [id], { asset_file_id: id, asset_category_id, staged_version, name })
  else if (before !== undefined && hasOwnStage(before) && unit.get(stagedName, id) !== undefined)
    unit.remove(stagedName, id)
}

/** The staged version is neither the latest nor the live one, so its name may be a third name of the file. */
function hasOwnStage({ staged_version: staged, version, live_version: live }: AssetFile): boolean {
  return staged !== null && staged !== version && staged !== live
}

/** The new address no longer redirects to another file; the former address redirects from now on. */
function takeAddress(unit: Unit, place: Place, former: Place | undefined, id: number): void {
  const folded = foldName(place.name)
  const formerFolded = former && foldName(former.name)
  if (former?.categoryId === place.categoryId && formerFolded === folded) return
  for (const ids of unit.lookup(formerAddress, 'place', [place.categoryId, folded])) {
    const taken = unit.get(formerAddress, ...ids)?.value
    if (taken === undefined || taken.asset_file_id === id) unit.remove(formerAddress, ...ids)
    else unit.put(formerAddress, ids, { ...taken, is_taken: true })
  }
  if (former === undefined || formerFolded === undefined) return
  unit.put(formerAddress, [id, formerFolded, former.categoryId], {
    asset_file_id: id,
    asset_category_id: former.categoryId,
    folded_name: formerFolded,
  })
}

/** Removes up to `limit` former addresses of a deleted file; returns their number. */
export function removeAddresses(unit: Unit, fileId: number, limit: number): number {
  const former = unit.list(formerAddress, [fileId], limit)
  for (const ids of former) unit.remove(formerAddress, ...ids)
  return former.length
}
