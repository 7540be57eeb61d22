// Removes a deleted file: its records in the commit of the deletion, the rest in small commits afterwards.

import { assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { type Doer, NOBODY } from '../../schema/audit.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { fileSchedule } from '../../schema/file-schedule.ts'
import type { ForgetWork } from '../../schema/pending-work.ts'
import type { ContentName, Unit } from '../../storage/port.ts'
import type { DeletedFolder, Services } from '../context.ts'
import { clearInBatches } from '../folder-contents.ts'
import { finishWork, newWorkId, putWork, runRemove } from '../pending-work.ts'
import { fileRecord } from '../removal-marks.ts'
import { removeDependents, type RemoveRoot } from '../references/long-removal.ts'
import { requireRecord } from '../requirements.ts'
import { removeAddresses } from './addresses.ts'
import { removeLinks } from './file-links.ts'
import { commitAudited } from '../trail/audit.ts'

/** Limit per commit, about 10 ms: versions, and files and memberships in groups weighted by their index rows. */
const MOST_AT_ONCE = 500
/** Removing a file takes about as long as removing ten versions. */
const FILE_COST = 10

interface Removal {
  readonly now: string
  /** Remaining budget of this commit. */
  left: number
  /** The bytes to remove after the commit. */
  readonly contents: ContentName[]
}

function openRemoval({ now }: Pick<Services, 'now'>): Removal {
  return { now: now().toISOString(), left: MOST_AT_ONCE, contents: [] }
}

interface RemovedFile {
  readonly contents: readonly ContentName[]
  /** False if versions or group memberships are left for runForget. */
  readonly isWhole: boolean
}

/** Removes a file, and its versions and group memberships as far as one commit should. */
export function removeFileRecords(
  unit: Unit,
  services: Pick<Services, 'now'>,
  fileId: number,
): RemovedFile {
  const removal = openRemoval(services)
  const isWhole = removeBelow(unit, fileId, removal)
  unit.remove(assetFile.recordType, fileId)
  return { contents: removal.contents, isWhole }
}

/** Removes a file in the commit that ends its deletion; its bytes and many versions follow after the commit. */
export function rootRemovalOf(services: Services, fileId: number, doer: Doer): RemoveRoot {
  return (unit) => {
    const file = unit.get(assetFile.recordType, fileId)?.value
    if (file === undefined) return undefined
    const [workId, forgetId] = [newWorkId(), newWorkId()]
    const { contents, isWhole } = removeFileRecords(unit, services, fileId)
    putWork(unit, workId, { kind: 'remove', contents })
    const forget: ForgetWork = {
      kind: 'forget',
      asset_file_id: fileId,
      asset_category_id: file.parent_category_id,
      doer,
    }
    if (!isWhole) putWork(unit, forgetId, forget)
    // The file is gone already: an error here is only logged, and the next start tries again.
    return async () => {
      await services.background.run('remove', () => runRemove(services, workId, contents))
      if (!isWhole)
        await services.background.run('forget', () => runForget(services, forgetId, forget))
    }
  }
}

/** Removes the remaining versions and group memberships of a deleted file. */
export async function runForget(
  services: Services,
  workId: string,
  { asset_file_id: fileId, asset_category_id: through, doer = NOBODY }: ForgetWork,
): Promise<void> {
  const removals: [string, readonly ContentName[]][] = []
  for (let isWhole = false; !isWhole; ) {
    const removeId = newWorkId()
    const plan = (unit: Unit): Removal & { readonly isEnd: boolean } => {
      const made = openRemoval(services)
      const isEnd = removeBelow(unit, fileId, made)
      putWork(unit, removeId, { kind: 'remove', contents: made.contents })
      return { isEnd, ...made }
    }
    const removal = await commitAudited(services, { doer, through, plan })
    removals.push([removeId, removal.contents])
    isWhole = removal.isEnd
  }
  // Starts after the last commit, because later versions may share the bytes.
  for (const [removeId, contents] of removals) await runRemove(services, removeId, contents)
  await finishWork(services.records, workId)
}

/** False if more is left than one commit should remove. */
function removeBelow(unit: Unit, fileId: number, removal: Removal): boolean {
  const versions = unit.list(assetFileVersion, [fileId], removal.left + 1)
  const uids = new Set<string>()
  for (const ids of versions.slice(0, removal.left)) {
    const stored = unit.get(assetFileVersion, ...ids)
    if (stored !== undefined) uids.add(stored.value.uid)
    unit.remove(assetFileVersion, ...ids)
  }
  for (const uid of uids) removal.contents.push({ fileId, uid })
  removal.left -= versions.length
  removal.left -= removeAddresses(unit, fileId, Math.max(1, removal.left + 1))
  unit.remove(fileSchedule, fileId)
  removal.left -= removeLinks(unit, fileId, Math.max(1, removal.left + 1))

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

function groupOf(unit: Unit, fileId: number): number | undefined {
  const [ids] = unit.lookup(fileGroup.recordType, 'asset_file_ids', [fileId], 1)
  return ids === undefined ? undefined : Number(ids[0])
}

/** Returns the cost: the index of a group has a row for each of its files. */
function leaveGroup(
  unit: Unit,
  groupId: number,
  { fileId, now }: { readonly fileId: number; readonly now: string },
): number {
  const { record: group } = requireRecord(unit, fileGroup, groupId)
  const ids = group.asset_file_ids ?? []
  const asset_file_ids = ids.filter((id) => id !== fileId)
  unit.put(fileGroup.recordType, [groupId], { ...group, asset_file_ids, date_modified: now })
  return groupCost(ids)
}

function groupCost(ids: readonly number[]): number {
  return 10 + ids.length / 10
}

/** Removes the files of a deleted folder. */
export async function clearFiles(
  services: Services,
  { categoryId, doer, signal }: DeletedFolder,
): Promise<void> {
  await clearInBatches(services, { object: assetFile, categoryId }, async (ids) => {
    const files = ids.map((id) => fileRecord(id))
    await removeDependents(services, files, { doer, signal })
    const workId = newWorkId()
    const plan = (unit: Unit): readonly ContentName[] => {
      const removal = openRemoval(services)
      for (const id of ids) {
        // The file is hidden already: the rest goes with the next batch.
        if (removal.left <= 0 || !removeBelow(unit, id, removal)) break
        unit.remove(assetFile.recordType, id)
        removal.left -= FILE_COST
      }
      putWork(unit, workId, { kind: 'remove', contents: removal.contents })
      return removal.contents
    }
    const contents = await commitAudited(services, { doer, through: categoryId, plan })
    await runRemove(services, workId, contents)
  })
}

/** Removes the groups of a deleted folder. */
export async function clearGroups(
  services: Services,
  { categoryId, doer }: DeletedFolder,
): Promise<void> {
  await clearInBatches(services, { object: fileGroup, categoryId }, (ids) => {
    const plan = (unit: Unit): void => {
      let left = MOST_AT_ONCE
      for (const id of ids) {
        if (left <= 0) return
        const stored = unit.get(fileGroup.recordType, id)
        left -= groupCost(stored?.value.asset_file_ids ?? [])
        unit.remove(fileGroup.recordType, id)
      }
    }
    return commitAudited(services, { doer, plan })
  })
}
