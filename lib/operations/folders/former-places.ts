// The former places of public folders, so that paths on the public site survive a rename or a move.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { type AssetCategory, formerPlaces } from '../../schema/asset-category.ts'
import { foldName } from '../../schema/names.ts'
import type { Reader, Unit } from '../../storage/port.ts'

/** Only the latest places redirect. */
const MAX_PLACES = 20
/** Folders that had the same place one after another. */
const MAX_HOLDERS = 20

/** Call in the commit that renames or moves the folder, before the folder is put: only a public path is kept. */
export function keepFormerPlace(unit: Unit, before: AssetCategory, next: AssetCategory): void {
  const { asset_category_id: id, parent_category_id: parent } = before
  if (parent === null) return
  const former = placeOf(parent, before.name)
  const present = placeOf(next.parent_category_id ?? parent, next.name)
  const visible = openVisibleFolders(unit, ANONYMOUS)
  if (isSame(former, present) || !visible.sees(id) || !visible.sees(parent)) return
  const known = unit.get(formerPlaces, id)?.value.places ?? []
  const others = known.filter((place) => !isSame(place, former) && !isSame(place, present))
  unit.put(formerPlaces, [id], {
    asset_category_id: id,
    places: [...others, former].slice(-MAX_PLACES),
  })
}

/** The public folder that formerly had the name in the parent folder. */
export function findFormerFolder(
  reader: Reader,
  visible: VisibleFolders,
  { parentId, name }: { readonly parentId: number; readonly name: string },
): number | undefined {
  const found = reader.lookup(formerPlaces, 'place', [parentId, foldName(name)], MAX_HOLDERS)
  return found.map(([id]) => Number(id)).find((id) => visible.sees(id))
}

type Place = readonly [parentId: number, foldedName: string]

function placeOf(parentId: number, name: string): Place {
  return [parentId, foldName(name)]
}

function isSame(left: Place, right: Place): boolean {
  return left[0] === right[0] && left[1] === right[1]
}
