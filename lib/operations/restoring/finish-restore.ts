// The work after the commit of a restore: memberships in groups and dependent entries return, and followers of changes
// learn of the contents of a restored folder. After a crash the work is repeated, which is harmless.

import { CmsError } from '../../base/errors.ts'
import type { Doer } from '../../schema/audit.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { parseEntryTypeName } from '../../schema/entry.ts'
import { pendingWork, type RestoreWork } from '../../schema/pending-work.ts'
import { trash, trashPart, type TrashPart } from '../../schema/trash.ts'
import type { Unit } from '../../storage/port.ts'
import { smallEnough } from '../commit-size.ts'
import type { Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import { commitAudited, reportRestored } from '../trail/audit.ts'
import { firstParts, isMembership, partsAfter, putMembership } from './after-parts.ts'
import { putEntries } from './put-entries.ts'

export async function runRestore(
  services: Services,
  workId: string,
  { trash_id: trashId, asset_category_id: folderId, doer }: RestoreWork,
  signal: AbortSignal,
): Promise<void> {
  for await (const parts of partsAfter(services.records, trashId)) {
    signal.throwIfAborted()
    // The commits of one page share a transaction, and run in this order.
    await Promise.all(parts.map((part) => restoreAfter(services, part, doer)))
  }
  if (folderId !== null) await reportContents(services, folderId, { doer, signal })
  await services.records.commit((unit) => {
    endItem(unit, trashId)
    unit.remove(pendingWork, workId)
  })
}

/** An entry that breaks a rule by now stays in the trash. */
async function restoreAfter(services: Services, part: TrashPart, doer: Doer): Promise<void> {
  const plan = (unit: Unit): void => {
    if (unit.get(trashPart, part.trash_part_id) === undefined) return
    if (isMembership(part)) putMembership(unit, services, part)
    else putEntries(services, unit, [part], undefined)(false)
  }
  try {
    await commitAudited(services, { doer, plan })
  } catch (error) {
    if (!(error instanceof CmsError) || error.status >= 500) throw error
  }
}

/** Removes the item, unless entries are left that could not return: then it stands for them. */
function endItem(unit: Unit, trashId: number): void {
  const item = unit.get(trash.recordType, trashId)?.value
  if (item === undefined) return
  // The restore has only begun: nothing has returned.
  if (firstParts(unit, { trash_id: trashId, phase: 'root' }, 1).length > 0)
    return void unit.put(trash.recordType, [trashId], { ...item, state: 'complete' })
  const left = firstParts(unit, { trash_id: trashId, phase: 'after' }, MOST_COUNTED)
  const [first] = left
  const module = first && parseEntryTypeName(first.type)
  if (first === undefined || module === undefined) return unit.remove(trash.recordType, trashId)
  unit.put(trash.recordType, [trashId], {
    ...item,
    object: `${module.kind}_entry`,
    object_id: Number(first.ids[0]),
    module_id: module.moduleId,
    name: null,
    count: left.length,
    size: 0,
    state: 'complete',
  })
}

const MOST_COUNTED = 1_000
/** Records that one row of the audit trail names. */
const REPORTED_AT_ONCE = 100

/** Followers of changes learn of each record, as they did of its deletion. */
async function reportContents(
  services: Services,
  folderId: number,
  { doer, signal }: { readonly doer: Doer; readonly signal: AbortSignal },
): Promise<void> {
  const folders = [folderId]
  for (const folder of folders) {
    const types = [assetCategory, ...services.folderContents.map(({ object }) => object)]
    for (const object of types) {
      const ids = idsInFolder(services.records, object, folder)
      if (object === assetCategory) folders.push(...ids)
      for (let done = 0; done < ids.length; ) {
        signal.throwIfAborted()
        const some = smallEnough(services.records, object, ids.slice(done, done + REPORTED_AT_ONCE))
        const records = some.map((id) => ({ type: object.recordType, ids: [id] }))
        await reportRestored(services, doer, records)
        done += some.length
      }
    }
  }
}
