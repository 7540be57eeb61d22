// The former places of public folders, so that paths on the public site survive a rename or a move.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { type AssetCategory, formerPlaces } from '../../schema/asset-category.ts'
import { foldName } from '../../schema/names.ts'
import type { Reader, Unit } from '../../storage/port.ts'

/** Only the latest places redirect. */
const MAX_PLACES = 20

/** Call in the commit that renames or moves the folder, after the folder was put. */
export function keepFormerPlace(unit: Unit, before: AssetCategory, next: AssetCategory): void {
  const { asset_category_id: id, parent_category_id: parent } = before
  if (parent === null) return
  const former = placeOf(parent, before.name)
  const present = placeOf(next.parent_category_id ?? parent, next.name)
  if (isSame(former, present) || !openVisibleFolders(unit, ANONYMOUS).sees(id)) return
  const known = unit.get(formerPlaces, id)?.value.places ?? []
  const others = known.filter((place) => !isSame(place, former) && !isSame(place, present))
  unit.put(formerPlaces, [id], {
    asset_category_id: id,
    places: [...others, former].slice(-MAX_PLACES),
  })
}

/** The folder that formerly had the name in the parent folder. */
export function findFormerFolder(
  reader: Reader,
  parentId: number,
  name: string,
): number | undefined {
  const [ids] = reader.lookup(formerPlaces, 'place', [parentId, foldName(name)], 1)
  return ids === undefined ? undefined : Number(ids[0])
}

type Place = readonly [parentId: number, foldedName: string]

function placeOf(parentId: number, name: string): Place {
  return [parentId, foldName(name)]
}

function isSame(left: Place, right: Place): boolean {
  return left[0] === right[0] && left[1] === right[1]
}
