// The names shown for a deleted, renamed or moved record, as far as the caller may know them. A path begins at the
// topmost folder from which the caller sees every level. A caller that may only view gets the name of the live
// version.

import { assetFile, fileUrlOf } from '../../schema/asset-file.ts'
import { MODULE_KINDS, moduleUrlOf } from '../../schema/module.ts'
import type { ToldFolder, ToldName } from '../../schema/recorded-change.ts'
import type { ChangeEvent, Named } from '../trail/changes.ts'
import { pathsOf } from '../trail/recorded-names.ts'

export interface ShownNames {
  readonly name: string | null
  readonly path: string | null
  readonly url: string | null
  readonly previous_name: string | null
  readonly previous_path: string | null
  readonly previous_url: string | null
}

export const NO_PREVIOUS = { previous_name: null, previous_path: null, previous_url: null } as const
const NO_NAMES: ShownNames = { name: null, path: null, url: null, ...NO_PREVIOUS }

export interface NameVisibility {
  readonly basePath: string
  readonly sees: (categoryId: number) => boolean
  readonly seesDrafts: (categoryId: number) => boolean
}

export function shownNames(change: ChangeEvent, visibility: NameVisibility): ShownNames {
  const { object, object_id: id, asset_category_id: folder, named } = change
  if (named === undefined) return NO_NAMES
  const { name: told, folders, previousFolders } = named
  // A draft name belongs to the folder in which the file had it, so both folders of a move count.
  const isLiveOnly =
    object === assetFile.name &&
    [folder, change.previous_category_id].some((one) => one !== null && !visibility.seesDrafts(one))
  const { name, previous_name } = isLiveOnly ? liveOf(told) : told
  const place = { object, ...placeOf(folders, previousFolders) }
  const { path, previous_path } = pathsOf(place, told, (all) => visible(all, visibility))
  const urlOf = (addressName: string): string | null =>
    addressOf(visibility, { object, id, addressName })
  return {
    name,
    path: path ?? null,
    url: urlOf(told.address_name ?? told.name),
    previous_name: previous_name ?? null,
    previous_path: previous_path ?? null,
    previous_url:
      told.previous_address_name === undefined ? null : urlOf(told.previous_address_name),
  }
}

/** The names before the change as the present ones, for a caller that does not see the record's new place. */
export function beforeMove({ name: told, folders, previousFolders }: Named): Named {
  const name = told.previous_name ?? told.name
  const addressName = told.previous_address_name ?? told.address_name ?? told.name
  return {
    name: { name, ...(addressName !== name && { address_name: addressName }) },
    folders: previousFolders ?? folders,
    previousFolders: undefined,
  }
}

function liveOf(told: ToldName): Pick<ToldName, 'name' | 'previous_name'> {
  const { address_name, name, previous_address_name: previous } = told
  return { name: address_name ?? name, ...(previous !== undefined && { previous_name: previous }) }
}

function placeOf(folders: Named['folders'], previous: Named['previousFolders']) {
  return {
    ...(folders !== undefined && { folders }),
    ...(previous !== undefined && { previous_folders: previous }),
  }
}

function visible(folders: readonly ToldFolder[], { sees }: NameVisibility): readonly ToldFolder[] {
  const hidden = folders.findLastIndex(({ asset_category_id: id }) => !sees(id))
  return folders.slice(hidden + 1)
}

interface Addressed {
  readonly object: string
  readonly id: number
  readonly addressName: string
}

function addressOf(
  { basePath }: NameVisibility,
  { object, id, addressName }: Addressed,
): string | null {
  if (object === assetFile.name) return `${basePath}${fileUrlOf(id, addressName)}`
  const kind = MODULE_KINDS.find((name) => name === object)
  return kind === undefined ? null : `${basePath}${moduleUrlOf(kind, id, addressName)}`
}
