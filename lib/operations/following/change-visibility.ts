// Decides which changes a caller sees, and in which form. Present grants apply, in the folder that the row names: a
// record moved from a visible to a hidden folder appears as deleted, and the other way round as created. A folder
// filter hides changes in the same way.
//
// A deleted folder counts as part of its former parent (FolderTombstone), so that clients who follow its contents learn
// that they are gone. Roles assigned in the deleted folder still apply.

import type { Caller } from '../../auth/caller.ts'
import { holdsAll } from '../../auth/delegation.ts'
import { holdsEverywhere } from '../../auth/grants.ts'
import { narrow, ownRole, seesDrafts, seesFaults } from '../../auth/key-role.ts'
import { apiKey } from '../../schema/api-key.ts'
import { assetCategory, ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { comment } from '../../schema/comment.ts'
import { folderTombstone } from '../../schema/change-log.ts'
import type { RecordedFolder, RecordedName } from '../../schema/recorded-change.ts'
import { user } from '../../schema/user.ts'
import type { Reader } from '../../storage/port.ts'
import { seesKey } from '../people/key-authority.ts'
import { seesUser } from '../people/user-visibility.ts'
import type { ChangeEvent, Named } from '../trail/changes.ts'
import { pathsOf } from '../trail/recorded-names.ts'
import { addressOf } from './changed-addresses.ts'
import { withoutSchedule } from './hidden-schedules.ts'
import type { ChangeFilter } from '../trail/streams.ts'

/** The form in which a change is sent. */
export interface ShownChange
  extends Omit<ChangeEvent, 'sequence' | 'through_category_id' | 'named'>,
    ShownNames {
  /** Null unless the caller sees everything: gaps between numbers would reveal hidden changes. */
  readonly sequence: number | null
}

/** Undefined if the caller must not see the change. */
export type ChangeView = (change: ChangeEvent) => ShownChange | undefined

interface Whose {
  readonly reader: Pick<Reader, 'get'>
  readonly caller: Caller
}

interface Watching extends Whose {
  readonly basePath: string
}

/** Returns what `make` returns, or the same value of an earlier call for the same change. */
export type Keep = (change: ChangeEvent, make: () => ShownChange) => ShownChange

/** False if the filter excludes a visible change. openFolderView has applied the folder of the filter already. */
export function isSelected(filter: ChangeFilter, change: ChangeEvent, shown: ShownChange): boolean {
  return concerns(filter, change) && isWanted(shown, filter.actions)
}

function concerns({ objects, moduleId }: ChangeFilter, change: ChangeEvent): boolean {
  if (objects?.has(change.object) === false) return false
  return moduleId === undefined || change.module_id === moduleId
}

/** A view for changes that are sent together: each folder is looked up once. */
export function openChangeView(whose: Watching, filter: ChangeFilter): ChangeView {
  const view = openFolderView(whose, filter)
  return (change) => {
    const shown = concerns(filter, change) ? view(change) : undefined
    return shown !== undefined && isWanted(shown, filter.actions) ? shown : undefined
  }
}

/** Like openChangeView, without the filter, except for its folder, which changes how a move is shown. */
export function openFolderView(
  { reader, caller, basePath }: Watching,
  filter: Pick<ChangeFilter, 'categoryId'>,
  keep: Keep = (_, make) => make(),
): ChangeView {
  const isAllSeeing = holdsAll(caller)
  const places = openPlaces({ reader, caller }, filter.categoryId)
  const names = { basePath, ...places }

  function show(change: ChangeEvent): ShownChange | undefined {
    const { object, object_id: id, through_category_id: through } = change
    if (object === user.name || object === apiKey.name) {
      if (filter.categoryId !== undefined) return undefined
      const isSeen = seesPerson({ reader, caller }, object, id) ?? isAllSeeing
      return isSeen ? told(change) : undefined
    }
    if (through !== null && !places.sees(through)) return undefined
    const { asset_category_id: folder, previous_category_id: previous } = change
    // Comments are as hidden as drafts.
    if (object === comment.name && folder !== null && !places.seesDrafts(folder)) return undefined
    const isNow =
      folder === null ? isAllSeeing && filter.categoryId === undefined : places.has(folder)
    const wasBefore = previous === null ? isNow : places.had(object, id, previous)
    if (isNow && wasBefore) return withoutAbove(told(change))
    if (isNow) return { ...told(change), ...MOVED, action: 'create' }
    if (!wasBefore) return undefined
    const left = previous !== null && places.sees(previous) ? previous : null
    const place = { asset_category_id: left, version: null, fileState: null }
    const { named } = change
    const old = { ...change, ...place, ...(named !== undefined && { named: beforeMove(named) }) }
    return { ...told(old), ...MOVED, action: 'delete' }
  }

  function told(change: ChangeEvent): ShownChange {
    return keep(change, () => {
      const { through_category_id: _, named: __, sequence, ...rest } = change
      return { sequence: isAllSeeing ? sequence : null, ...rest, ...shownNames(change, names) }
    })
  }

  /** Hides the parent folders of a folder that is visible only by a role in it. */
  function withoutAbove(shown: ShownChange): ShownChange {
    const { previous_category_id: previous, changed_fields: fields } = shown
    if (previous === null || places.sees(previous)) return shown
    const rest = fields?.filter((name) => name !== 'parent_category_id') ?? null
    return { ...shown, previous_category_id: null, previous_path: null, changed_fields: rest }
  }

  return (change) => withoutSchedule(show(change), places)
}

const TAKES_OFF: ReadonlySet<string> = new Set(['unpublish', 'unstage'])

/** A create, update or upload that moves a pointer also matches `publish` or `stage`. */
function isWanted({ action, fileState }: ShownChange, actions: ChangeFilter['actions']): boolean {
  if (actions === undefined || actions.has(action)) return true
  // After an unpublish or unstage, the remaining pointer was not moved by it.
  return fileState !== null && !TAKES_OFF.has(action) && actions.has(fileState)
}

const NO_PREVIOUS = { previous_name: null, previous_path: null, previous_url: null } as const
const NO_NAMES: ShownNames = { name: null, path: null, url: null, ...NO_PREVIOUS }
const MOVED = { previous_category_id: null, changed_fields: null, ...NO_PREVIOUS } as const

/** Undefined if the user or key no longer exists. */
function seesPerson({ reader, caller }: Whose, object: string, id: number): boolean | undefined {
  if (object === user.name) {
    const found = reader.get(user.recordType, id)?.value
    return found && seesUser(reader, caller, found)
  }
  const found = reader.get(apiKey.recordType, id)?.value
  return found && seesKey(reader, caller, found)
}

interface Place {
  readonly role: string | null
  readonly isInScope: boolean
  /** Inside the folder of the filter. */
  readonly isInside: boolean
}

/** For records whose folder is unknown. */
const NOWHERE: Place = { role: null, isInScope: false, isInside: false }

function openPlaces({ reader, caller }: Whose, categoryId: number | undefined) {
  const seesEverywhere = holdsEverywhere(caller, 'view')
  const { asset_category_id: scope } = caller.key
  const known = new Map<number, Place>()

  function look(id: number, above: Place): Place {
    const own = ownRole(caller, id)
    return {
      role: own === undefined ? above.role : own,
      isInScope: above.isInScope || scope === id,
      isInside: above.isInside || categoryId === id,
    }
  }

  /** Walks up to the first known folder or the root, then down again. */
  function find(categoryOf: number): Place {
    const unknown: number[] = []
    let id: number | null = categoryOf
    let above: Place = NOWHERE
    while (id !== null) {
      const found = known.get(id)
      if (found !== undefined) {
        above = found
        break
      }
      unknown.push(id)
      if (id === ROOT_CATEGORY_ID)
        above = { role: caller.user.role, isInScope: scope === null, isInside: false }
      id = parentOf(reader, id)
    }
    for (const one of unknown.toReversed()) {
      above = look(one, above)
      known.set(one, above)
    }
    return above
  }

  function isSeen({ role, isInScope }: Place): boolean {
    return seesEverywhere || (isInScope && narrow(caller, role).has('view'))
  }

  const isInFilter = ({ isInside }: Place): boolean => categoryId === undefined || isInside
  const sees = (id: number): boolean => seesEverywhere || isSeen(find(id))

  return {
    sees,
    seesDrafts: (id: number): boolean => seesDrafts(narrow(caller, find(id).role)),
    seesFaults: (id: number): boolean => seesFaults(narrow(caller, find(id).role)),
    has: (id: number): boolean => sees(id) && (categoryId === undefined || find(id).isInside),
    /** Like has, for a record that was in this folder; a folder keeps its own role and scope. */
    had(object: string, id: number, previous: number): boolean {
      const place = object === assetCategory.name ? look(id, find(previous)) : find(previous)
      return isSeen(place) && isInFilter(place)
    },
  }
}

function parentOf(reader: Pick<Reader, 'get'>, id: number): number | null {
  const folder = reader.get(assetCategory.recordType, id) ?? reader.get(folderTombstone, id)
  return folder?.value.parent_category_id ?? null
}

interface ShownNames {
  readonly name: string | null
  readonly path: string | null
  readonly url: string | null
  readonly previous_name: string | null
  readonly previous_path: string | null
  readonly previous_url: string | null
}

interface NameVisibility {
  readonly basePath: string
  readonly sees: (categoryId: number) => boolean
  readonly seesDrafts: (categoryId: number) => boolean
}

/**
 * The names shown for a deleted, renamed or moved record, as far as the caller may know them. A path begins at the
 * topmost folder from which the caller sees every level. A caller that may only view gets the name of the live
 * version.
 */
function shownNames(change: ChangeEvent, visibility: NameVisibility): ShownNames {
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
    addressOf(visibility.basePath, { object, id, addressName })
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
function beforeMove({ name: told, folders, previousFolders }: Named): Named {
  const name = told.previous_name ?? told.name
  const addressName = told.previous_address_name ?? told.address_name ?? told.name
  return {
    name: { name, ...(addressName !== name && { address_name: addressName }) },
    folders: previousFolders ?? folders,
    previousFolders: undefined,
  }
}

function liveOf(told: RecordedName): Pick<RecordedName, 'name' | 'previous_name'> {
  const { address_name, name, previous_address_name: previous } = told
  return { name: address_name ?? name, ...(previous !== undefined && { previous_name: previous }) }
}

function placeOf(folders: Named['folders'], previous: Named['previousFolders']) {
  return {
    ...(folders !== undefined && { folders }),
    ...(previous !== undefined && { previous_folders: previous }),
  }
}

function visible(
  folders: readonly RecordedFolder[],
  { sees }: NameVisibility,
): readonly RecordedFolder[] {
  const hidden = folders.findLastIndex(({ asset_category_id: id }) => !sees(id))
  return folders.slice(hidden + 1)
}
