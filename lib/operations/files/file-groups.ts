// file_group: an ordered list of files in folders where the caller holds a grant.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import type { Caller } from '../../auth/caller.ts'
import { holdsEverywhere, requireGrant } from '../../auth/grants.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { refuseFaults, type Values } from '../../schema/check.ts'
import { type FileGroup, fileGroup } from '../../schema/file-group.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import { changesInFolder } from '../folder-records.ts'
import { IN_FOLDERS, type ObjectRules } from '../object-rules.ts'
import { beginItem, moveToTrash } from '../trash/trash-items.ts'
import { seenInFolder, type Visibility } from '../visibility.ts'
import { clearGroups } from './file-removal.ts'

const groupVisibility: Visibility<FileGroup> = {
  object: fileGroup,
  seen: seenInFolder(fileGroup),
  mask: ({ reader, caller }, visible) =>
    holdsEverywhere(caller, 'view') ? undefined : (record) => maskFiles(reader, visible, record),
}

export const groupRules: ObjectRules = {
  ...groupVisibility,
  ...IN_FOLDERS,
  body: 'json',
  needsRoom: 'record',
  ...changesInFolder(groupVisibility, {
    check({ unit, caller, values, shown }) {
      requireFiles(unit, caller, values['asset_file_ids'], filesOf(shown))
      if (shown !== undefined) requireOfMenu(unit, caller, [shown, values])
    },
    merge: ({ record, shown, values }) => ({
      ...values,
      ...changedFiles(record, filesOf(shown), values['asset_file_ids']),
    }),
    keep({ unit, context, caller, id, record: { name, parent_category_id } }) {
      const trashId = beginItem(unit, context, {
        object: 'file_group',
        object_id: id,
        name,
        asset_category_id: parent_category_id,
        deleted_by: caller.user.name,
      })
      if (trashId === undefined) return false
      moveToTrash(unit, context, { trashId, phase: 'root' }, { type: fileGroup.recordType, id })
      return true
    },
  }),
  clear: clearGroups,
}

function filesOf(record: JsonObject | undefined): readonly number[] {
  return (record?.['asset_file_ids'] ?? []) as readonly number[]
}

/** The new list, with hidden files in their former places: each after the visible file that it followed, or first. */
function changedFiles(
  { asset_file_ids: before }: FileGroup,
  present: readonly number[],
  wanted: JsonValue | undefined,
): { readonly asset_file_ids?: readonly number[] } {
  if (wanted === undefined) return {}
  const seen = new Set(present)
  const next = [...((wanted ?? []) as readonly number[])]
  if (seen.size === before?.length) return { asset_file_ids: next }

  const kept = new Set(next)
  const behind = new Map<number | undefined, number[]>()
  let last: number | undefined
  for (const id of before ?? []) {
    if (seen.has(id)) {
      if (kept.has(id)) last = id
      continue
    }
    const others = behind.get(last) ?? []
    others.push(id)
    behind.set(last, others)
  }
  const withHidden = next.flatMap((id) => [id, ...(behind.get(id) ?? [])])
  return { asset_file_ids: [...(behind.get(undefined) ?? []), ...withHidden] }
}

/** A hidden file counts as missing, but files that are in the group already may stay. */
function requireFiles(
  reader: Reader,
  caller: Caller,
  ids: JsonValue | undefined,
  present: readonly number[],
): void {
  if (!Array.isArray(ids)) return
  const inGroup = new Set(present)
  const visible = openVisibleFolders(reader, caller)
  const faults = (ids as readonly number[]).flatMap((id, index) => {
    if (inGroup.has(id) || seesFile(reader, visible, id)) return []
    const detail = `must be the identifier of an asset file; there is no ${id}`
    return [{ pointer: `/asset_file_ids/${index}`, detail }]
  })
  refuseFaults(faults)
}

/** Menus of a site list the groups of public folders, so a change is visible to visitors at once. */
function requireOfMenu(
  reader: Reader,
  caller: Caller,
  [shown, values]: readonly [JsonObject, Values],
): void {
  if (!('asset_file_ids' in values || 'parent_category_id' in values)) return
  const seenByAll = openVisibleFolders(reader, ANONYMOUS)
  for (const { parent_category_id: id } of [shown, values])
    if (typeof id === 'number' && seenByAll.sees(id)) requireGrant(reader, caller, 'publish', id)
}

function maskFiles(
  reader: Reader,
  visible: VisibleFolders,
  { asset_file_ids: ids }: FileGroup,
): JsonObject | undefined {
  const seen = (ids ?? []).filter((id) => seesFile(reader, visible, id))
  return seen.length === ids?.length ? undefined : { asset_file_ids: seen }
}

/** True if the caller holds a grant in the folder of the file. */
function seesFile(reader: Pick<Reader, 'get'>, visible: VisibleFolders, fileId: number): boolean {
  const stored = reader.get(assetFile.recordType, fileId)
  return stored !== undefined && visible.sees(stored.value.parent_category_id)
}
