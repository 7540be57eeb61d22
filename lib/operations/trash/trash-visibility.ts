// Decides who sees an item of the trash: callers who could see and delete the record in its folder. Administrators of the whole site also
// see items whose folder is gone.

import { holdsEverywhere, noSuchRecord } from '../../auth/grants.ts'
import { categoryRoles, narrow, seesDrafts } from '../../auth/key-role.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import type { Caller } from '../../auth/caller.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { MODULE_OBJECTS } from '../../schema/module.ts'
import { trash, type TrashItem, trashPart } from '../../schema/trash.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { ReadRules } from '../object-rules.ts'
import { requireRecord } from '../requirements.ts'

export const trashRules: ReadRules<TrashItem> = {
  object: trash,
  // A caller without the grants sees an empty list.
  readAccess: 'key',
  derive:
    ({ reader }, visible) =>
    (item) => ({ path: hidesName(reader, visible, item) ? null : pathOf(visible, item) }),
  // The name and the size of a draft are hidden from callers who saw the live version only.
  mask: ({ reader, caller }, visible) =>
    holdsEverywhere(caller, 'modify')
      ? undefined
      : (item) => (hidesName(reader, visible, item) ? { name: null, size: 0 } : undefined),
  seen: {
    requireRead: (context, id) => requireItem(context.records, context.caller, id),
    requireMade: (context, id) => requireItem(context.records, context.caller, id),
    visibility({ records, caller }: Context) {
      if (isSiteAdmin(caller)) return undefined
      const visible = openVisibleFolders(records, caller)
      return (item) => seesItem(records, caller, visible, item)
    },
  },
}

function pathOf(visible: VisibleFolders, { asset_category_id: folder, name }: TrashItem) {
  const path = visible.pathOf(folder)
  return path === '' || name === null ? null : `${path}/${name}`
}

function hidesName(reader: Reader, visible: VisibleFolders, item: TrashItem): boolean {
  if (item.object !== 'asset_file') return false
  const folder = folderOf(reader, item)
  const held = folder === undefined ? undefined : visible.grantsAt(folder)
  return held !== undefined && held.size > 0 && !seesDrafts(held)
}

/** Administrators of the whole site also see items whose folder is gone. */
function isSiteAdmin(caller: Caller): boolean {
  return ADMIN_GRANTS.every((grant) => holdsEverywhere(caller, grant))
}

const ADMIN_GRANTS = ['view', 'delete', 'admin'] as const

/** Throws not-found if there is no item that the caller sees. */
export function requireItem(reader: Reader, caller: Caller, id: number): Stored<TrashItem> {
  const { stored, record } = requireRecord(reader, trash, id)
  if (!seesItem(reader, caller, openVisibleFolders(reader, caller), record)) throw noSuchRecord()
  return stored
}

/** The item of a file that was deleted by itself. Throws not-found without deciding who sees the item. */
export function requireItemOfFile(reader: Reader, fileId: number): number {
  const [found] = reader.lookup(trashPart, 'of', [assetFile.name, fileId], 1)
  const part = found && reader.get(trashPart, Number(found[0]))?.value
  const item = part && reader.get(trash.recordType, part.trash_id)?.value
  if (item?.object !== assetFile.name || item.object_id !== fileId) throw noSuchRecord()
  return item.trash_id
}

function seesItem(
  reader: Reader,
  caller: Caller,
  visible: VisibleFolders,
  item: TrashItem,
): boolean {
  if (isSiteAdmin(caller)) return true
  const folder = folderOf(reader, item)
  const held = folder === undefined ? undefined : visible.grantsAt(folder)
  if (held?.has('view') !== true || !held.has('delete')) return false
  return item.object !== 'asset_category' || holdsInside(reader, caller, item)
}

/** The folder that contained the record; for an entry, the present folder of its module. Undefined if it is gone. */
function folderOf(reader: Reader, item: TrashItem): number | undefined {
  const { object, module_id: moduleId, asset_category_id: folder } = item
  if (moduleId === null) return folder
  const kind = object === 'calendar_entry' ? 'calendar' : 'datatable'
  return reader.get(MODULE_OBJECTS[kind].recordType, moduleId)?.value.parent_category_id
}

/** Whether no role that the caller's user has in a folder of the item withholds these grants. */
function holdsInside(reader: Reader, caller: Caller, { trash_id: id }: TrashItem): boolean {
  return categoryRoles(caller).every(({ asset_category_id: folder, role }) => {
    const parts = reader.lookup(trashPart, 'of', ['asset_category', folder], 1)
    const isInside = parts.some(
      ([part]) => reader.get(trashPart, Number(part))?.value.trash_id === id,
    )
    const held = narrow(caller, role)
    return !isInside || (held.has('view') && held.has('delete'))
  })
}
