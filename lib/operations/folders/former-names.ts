// The former names of files and folders in a folder, which lead visitors to the present paths: list and removal. A caller
// learns only of names that lead to a file or folder with the grant view.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt, noSuchRecord, requireGrant } from '../../auth/grants.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { assetCategory, formerPlaces } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { formerAddress } from '../../schema/file-address.ts'
import { foldName } from '../../schema/names.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { addressName, findFormer, findLive } from '../files/addresses.ts'
import { findByName, requireRecord } from '../requirements.ts'
import { findFormerFolder } from './former-places.ts'

export interface FormerName {
  /** Names are compared without case, so the name is in lower case. */
  readonly name: string
  readonly object: 'asset_file' | 'asset_category'
  readonly object_id: number
  /** The present path. */
  readonly path: string
}

interface ListInput {
  /** The folder. */
  readonly id: number
  /** Only names behind this one are listed. */
  readonly after: string | undefined
  readonly length: number
}

interface FormerNamePage {
  readonly names: readonly FormerName[]
  /** Undefined on the last page. */
  readonly next: string | undefined
}

/** Names of each kind that are examined, so that one request has a bound. */
const MAX_EXAMINED = 10_000

/** The names that redirect now, in order. A page may be longer by one item, because a file and a folder may have had one name. */
export async function listFormerNames(
  context: Context,
  { id, after = '', length }: ListInput,
): Promise<FormerNamePage> {
  const { records, caller } = context
  if (grantsAt(records, caller, id).size === 0) throw noSuchRecord()
  requireGrant(records, caller, 'view', id)
  const visible = openVisibleFolders(records, caller)
  const slice = openTimeSlice()
  const names: FormerName[] = []
  for (const name of await namesIn(records, id)) {
    if (name <= after) continue
    if (slice.isOver(0)) await slice.next()
    const found = redirectsFrom(records, visible, { id, name })
    if (found.length > 0 && names.length >= length) return { names, next: names.at(-1)?.name }
    names.push(...found)
  }
  return { names, next: undefined }
}

/** In time slices, because thousands of folders may have been renamed in one folder. */
async function namesIn(reader: Reader, id: number): Promise<readonly string[]> {
  const slice = openTimeSlice()
  const ofFiles = reader.lookup(formerAddress, 'place', [id], MAX_EXAMINED)
  const names = new Set(ofFiles.map(([, folded]) => String(folded)))
  if (slice.isOver(0)) await slice.next()
  for (const [folder] of reader.lookup(formerPlaces, 'place', [id], MAX_EXAMINED)) {
    if (slice.isOver(0)) await slice.next()
    for (const [parent, folded] of reader.get(formerPlaces, Number(folder))?.value.places ?? [])
      if (parent === id) names.add(folded)
  }
  return [...names].toSorted()
}

interface Place {
  /** The folder. */
  readonly id: number
  readonly name: string
}

function redirectsFrom(
  reader: Reader,
  visible: VisibleFolders,
  { id, name }: Place,
): readonly FormerName[] {
  const found: FormerName[] = []
  const file = findFormer(reader, id, name)
  if (file !== undefined && isReached(file, visible) && findLive(reader, id, name) === undefined) {
    const { asset_file_id, parent_category_id: parent } = file
    const path = `${visible.pathOf(parent)}/${addressName(reader, file)}`
    found.push({ name, object: 'asset_file', object_id: asset_file_id, path })
  }
  const folder = findRedirectedFolder(reader, { id, name })
  if (folder !== undefined && visible.grantsAt(folder).has('view'))
    found.push({ name, object: 'asset_category', object_id: folder, path: visible.pathOf(folder) })
  return found
}

function isReached({ live_version: live, parent_category_id }: AssetFile, visible: VisibleFolders) {
  return live !== null && visible.grantsAt(parent_category_id).has('view')
}

/** The public folder to which visitors are led, unless another public folder has taken the name. */
function findRedirectedFolder(reader: Reader, { id, name }: Place): number | undefined {
  const visitors = openVisibleFolders(reader, ANONYMOUS)
  const present = findByName(reader, assetCategory, id, name)
  if (present !== undefined && visitors.sees(present)) return undefined
  return findFormerFolder(reader, visitors, { parentId: id, name })
}

/** Removes the redirects from a name that the caller sees in the list. Needs modify and publish in the folder. */
export async function removeFormerName(context: Context, place: Place): Promise<void> {
  const { id } = place
  const name = foldName(place.name)
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { record } = requireRecord(unit, assetCategory, id)
    if (grantsAt(unit, caller, id).size === 0) throw noSuchRecord()
    requireGrant(unit, caller, 'view', id)
    requireGrant(unit, caller, 'modify', id)
    requireGrant(unit, caller, 'publish', id)
    removeSeen(unit, caller, { id, name })
    // The audit trail and the live tree learn of the removal by a change of the folder.
    const next = { ...record, date_modified: context.now().toISOString() }
    unit.put(assetCategory.recordType, [id], next)
  })
}

function removeSeen(unit: Unit, caller: Caller, { id, name }: Place): void {
  const seen = redirectsFrom(unit, openVisibleFolders(unit, caller), { id, name })
  if (seen.length === 0) throw noSuchRecord()
  for (const { object, object_id: target } of seen) {
    if (object === assetFile.name) unit.remove(formerAddress, target, name, id)
    else {
      const places = unit.get(formerPlaces, target)?.value.places ?? []
      unit.put(formerPlaces, [target], {
        asset_category_id: target,
        places: places.filter(([parent, folded]) => parent !== id || folded !== name),
      })
    }
  }
}
