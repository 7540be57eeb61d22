// Removes a deleted file: its records in the commit of the deletion, the rest in small commits afterwards.

import { assetFile, type AssetFileVersion, assetFileVersion } from '../../schema/asset-file.ts'
import { liveName, stagedName } from '../../schema/file-address.ts'
import { type Doer, NOBODY } from '../../schema/audit.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { fileSchedule } from '../../schema/file-schedule.ts'
import { linkRow } from '../../schema/link-index.ts'
import type { ForgetWork } from '../../schema/pending-work.ts'
import type { TrashPhase } from '../../schema/trash.ts'
import { removedVersions } from '../../schema/version-retention.ts'
import type { ContentName, Unit } from '../../storage/port.ts'
import { orphanComments } from '../comment-targets.ts'
import type { DeletedFolder, Services } from '../context.ts'
import { openCommitSize } from '../commit-size.ts'
import { clearInBatches } from '../folder-contents.ts'
import { newWorkId, putWork, runRemove, runWork } from '../pending-work.ts'
import { fileRecord } from '../removal-marks.ts'
import { removeDependents, type RemoveRoot } from '../references/long-removal.ts'
import { unnamedContents } from './versions.ts'
import { requireRecord } from '../requirements.ts'
import { removeAddresses } from './addresses.ts'
import { removeLinks } from './linked-file.ts'
import { commitAudited } from '../trail/audit.ts'
import {
  changeItem,
  contentBytes,
  finishRemoval,
  keepMembership,
  moveToTrash,
  removeOrKeep,
} from '../trash/trash-items.ts'

/** Limit per commit, about 10 ms: versions, and files and memberships in groups weighted by their index rows. */
const MOST_AT_ONCE = 500
/** Removing a file takes about as long as removing ten versions. */
const FILE_COST = 10

interface Removal {
  readonly now: string
  /** The item of the trash that keeps the files; undefined: they are removed for good. */
  readonly trash: InTrash | undefined
  /** Remaining budget of this commit. */
  left: number
  /** The bytes to remove after the commit. */
  readonly contents: ContentName[]
}

interface InTrash {
  readonly services: Pick<Services, 'records'>
  readonly id: number
}

function openRemoval(services: Pick<Services, 'records' | 'now'>, trashId?: number): Removal {
  return {
    now: services.now().toISOString(),
    trash: trashId === undefined ? undefined : { services, id: trashId },
    left: MOST_AT_ONCE,
    contents: [],
  }
}

interface RemovedRoot {
  readonly fileId: number
  readonly doer: Doer
  readonly sizeBytes: number
}

/**
 * Removes a file in the commit that ends its deletion; its bytes and many versions follow after the commit. In the trash
 * the versions stay where they are. `sizeBytes`: the contents of the file.
 */
export function rootRemovalOf(
  services: Services,
  { fileId, doer, sizeBytes }: RemovedRoot,
): RemoveRoot {
  return (unit, trashId) => {
    const file = unit.get(assetFile.recordType, fileId)?.value
    if (file === undefined) return undefined
    const removal = openRemoval(services, trashId)
    const [workId, forgetId] = [newWorkId(), newWorkId()]
    const isWhole = removeBelow(unit, fileId, removal)
    removeHead(unit, removal, { fileId, phase: 'root', sizeBytes })
    if (trashId === undefined) putWork(unit, workId, { kind: 'remove', contents: removal.contents })
    else if (!isWhole) changeItem(unit, trashId, () => ({ state: 'deleting' }))
    const forget: ForgetWork = {
      kind: 'forget',
      asset_file_id: fileId,
      asset_category_id: file.parent_category_id,
      doer,
      ...(trashId !== undefined && { trash_id: trashId }),
    }
    if (!isWhole) putWork(unit, forgetId, forget)
    // The file is gone already, so the deletion has succeeded.
    return async () => {
      const remove = () => runRemove(services, workId, removal.contents)
      if (trashId === undefined) await runWork(services, { name: 'remove', workId, run: remove })
      const rest = () => runForget(services, forgetId, forget)
      if (!isWhole) await runWork(services, { name: 'forget', workId: forgetId, run: rest })
    }
  }
}

interface Head {
  readonly fileId: number
  readonly phase: TrashPhase
  readonly sizeBytes: number
}

/** Removes the record of a file, or moves it to the trash. */
function removeHead(unit: Unit, { trash }: Removal, { fileId, phase, sizeBytes }: Head): void {
  const type = assetFile.recordType
  if (trash === undefined) unit.remove(type, fileId)
  else
    moveToTrash(
      unit,
      trash.services,
      { trashId: trash.id, phase },
      {
        type,
        id: fileId,
        also: { size: sizeBytes },
      },
    )
}

/** Removes the remaining versions and group memberships of a deleted file. */
export async function runForget(
  services: Services,
  workId: string,
  {
    asset_file_id: fileId,
    asset_category_id: through,
    doer = NOBODY,
    trash_id: trashId,
  }: ForgetWork,
): Promise<void> {
  const removals: [string, readonly ContentName[]][] = []
  for (let isWhole = false; !isWhole; ) {
    const removeId = newWorkId()
    const plan = (unit: Unit): Removal & { readonly isEnd: boolean } => {
      const made = openRemoval(services, trashId)
      const isEnd = removeBelow(unit, fileId, made)
      if (trashId === undefined)
        putWork(unit, removeId, { kind: 'remove', contents: made.contents })
      return { isEnd, ...made }
    }
    const removal = await commitAudited(services, { doer, through, plan })
    if (trashId === undefined) removals.push([removeId, removal.contents])
    isWhole = removal.isEnd
  }
  // Starts after the last commit, because later versions may share the bytes.
  for (const [removeId, contents] of removals) await runRemove(services, removeId, contents)
  await finishRemoval(services, workId, trashId)
}

/** False if more is left than one commit should remove. */
function removeBelow(unit: Unit, fileId: number, removal: Removal): boolean {
  // A restore derives these rows from the versions again.
  for (const type of [liveName, stagedName])
    if (unit.get<object>(type, fileId) !== undefined) unit.remove(type, fileId)
  if (removal.trash === undefined) removeVersions(unit, fileId, removal)

  for (
    let groupId = groupOf(unit, fileId);
    groupId !== undefined;
    groupId = groupOf(unit, fileId)
  ) {
    if (removal.left <= 0) return false
    removal.left -= leaveGroup(unit, groupId, { fileId, ...removal })
  }
  return removal.left >= 0
}

/** Removes versions, former addresses and links. */
export function removeVersions(
  unit: Unit,
  fileId: number,
  removal: Pick<Removal, 'left' | 'contents'>,
): void {
  const versions = unit.list(assetFileVersion, [fileId], removal.left + 1)
  const removed: AssetFileVersion[] = []
  for (const ids of versions.slice(0, removal.left)) {
    const stored = unit.get(assetFileVersion, ...ids)
    if (stored !== undefined) removed.push(stored.value)
    unit.remove(assetFileVersion, ...ids)
  }
  removal.contents.push(...unnamedContents(unit, removed))
  removal.left -= versions.length
  removal.left -= removeAddresses(unit, fileId, Math.max(1, removal.left + 1))
  unit.remove(fileSchedule, fileId)
  unit.remove(removedVersions, fileId)
  removal.left -= removeLinkRow(unit, fileId)
  orphanComments(unit, `asset_file/${fileId}`)
  removal.left -= removeLinks(unit, fileId, Math.max(1, removal.left + 1))
}

/** The index rows of links that cost as much as a version. */
const KEYS_PER_COST = 10

/** The row stays in the trash with the versions, because its index has a row for each link. Returns the cost. */
function removeLinkRow(unit: Unit, fileId: number): number {
  const row = unit.get(linkRow, fileId)?.value
  if (row === undefined) return 0
  unit.remove(linkRow, fileId)
  return Math.ceil(row.keys.length / KEYS_PER_COST)
}

function groupOf(unit: Unit, fileId: number): number | undefined {
  const [ids] = unit.lookup(fileGroup.recordType, 'asset_file_ids', [fileId], 1)
  return ids === undefined ? undefined : Number(ids[0])
}

/** Returns the cost: the index of a group has a row for each of its files. */
function leaveGroup(
  unit: Unit,
  groupId: number,
  { fileId, now, trash }: Pick<Removal, 'now' | 'trash'> & { readonly fileId: number },
): number {
  const { record: group } = requireRecord(unit, fileGroup, groupId)
  const ids = group.asset_file_ids ?? []
  if (trash !== undefined)
    keepMembership(unit, trash.services, trash.id, { groupId, fileId, place: ids.indexOf(fileId) })
  const asset_file_ids = ids.filter((id) => id !== fileId)
  unit.put(fileGroup.recordType, [groupId], { ...group, asset_file_ids, date_modified: now })
  return groupCost(ids)
}

function groupCost(ids: readonly number[]): number {
  return 10 + ids.length / 10
}

const NO_SIZES: ReadonlyMap<number, number> = new Map()

/** Removes the files of a deleted folder. */
export async function clearFiles(
  services: Services,
  { categoryId, doer, signal, trashId }: DeletedFolder,
): Promise<void> {
  await clearInBatches(services, { object: assetFile, categoryId }, async (ids) => {
    const sizes = trashId === undefined ? NO_SIZES : await contentBytes(services, ids)
    const files = ids.map((id) => fileRecord(id))
    await removeDependents(services, files, { doer, signal, trashId })
    const workId = newWorkId()
    const plan = (unit: Unit): readonly ContentName[] => {
      const removal = openRemoval(services, trashId)
      const size = openCommitSize(unit)
      for (const id of ids) {
        // The file is hidden already: the rest goes with the next batch.
        if (removal.left <= 0 || size.isFull() || !removeBelow(unit, id, removal)) break
        removeHead(unit, removal, { fileId: id, phase: 'content', sizeBytes: sizes.get(id) ?? 0 })
        removal.left -= FILE_COST
      }
      if (trashId === undefined)
        putWork(unit, workId, { kind: 'remove', contents: removal.contents })
      return removal.contents
    }
    const contents = await commitAudited(services, { doer, through: categoryId, plan })
    if (trashId === undefined) await runRemove(services, workId, contents)
  })
}

/** Removes the groups of a deleted folder. */
export async function clearGroups(
  services: Services,
  { categoryId, doer, trashId }: DeletedFolder,
): Promise<void> {
  await clearInBatches(services, { object: fileGroup, categoryId }, (ids) => {
    const plan = (unit: Unit): void => {
      let left = MOST_AT_ONCE
      const size = openCommitSize(unit)
      for (const id of ids) {
        if (left <= 0 || size.isFull()) return
        const stored = unit.get(fileGroup.recordType, id)
        left -= groupCost(stored?.value.asset_file_ids ?? [])
        removeOrKeep(unit, services, trashId, { type: fileGroup.recordType, id })
      }
    }
    return commitAudited(services, { doer, plan })
  })
}
