// Removes items of the trash for good. The commit of the request removes the item, and with it the last way to its records;
// the records and their bytes follow in small commits.

import { recheck } from '../../auth/caller.ts'
import { CmsError } from '../../base/errors.ts'
import { formerPlaces } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { parseEntryTypeName } from '../../schema/entry.ts'
import { isModuleKind } from '../../schema/module.ts'
import { deletedHistory, historyTypeOf } from '../../schema/past-values.ts'
import type { Doer } from '../../schema/audit.ts'
import type { DiscardWork } from '../../schema/pending-work.ts'
import { referrer, targetKey } from '../../schema/reference.ts'
import { trash, type TrashItem, trashPart, type TrashPart } from '../../schema/trash.ts'
import type { ContentName, Reader, Unit } from '../../storage/port.ts'
import { orphanComments } from '../comment-targets.ts'
import { openCommitSize } from '../commit-size.ts'
import type { ChangeContext, RecordInput, Services } from '../context.ts'
import { removeVersions } from '../files/file-removal.ts'
import { type NewWork, startModuleWorks } from '../modules/module-work.ts'
import { removeModuleRecords } from '../modules/modules.ts'
import {
  finishWork,
  newWorkId,
  type PendingTask,
  putWork,
  runRemove,
  runWork,
} from '../pending-work.ts'
import { requireMatch } from '../requirements.ts'
import { doerOf } from '../trail/audit.ts'
import { requireItem } from '../trash/trash-visibility.ts'
import { walkFirstParts } from './after-parts.ts'
import { requireComplete } from './begin-restore.ts'

/** Callers who see an item hold delete, and may remove it. */
export async function discardItem(
  context: ChangeContext,
  { id, precondition }: RecordInput,
): Promise<void> {
  const workId = newWorkId()
  const doer = doerOf(context.origin)
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const stored = requireItem(unit, caller, id)
    requireMatch(precondition, stored)
    requireComplete(stored)
    requireUnneeded(unit, stored.value)
    beginDiscard(unit, { workId, trashId: id, doer })
  })
  const work = { kind: 'discard', trash_id: id, doer } as const
  await runWork(context, discardTask(context, workId, work))
}

/** Columns of a module in the trash refer to a module until they are removed too. */
export function isNeeded(reader: Reader, { object, object_id: id }: TrashItem): boolean {
  if (!isModuleKind(object)) return false
  return reader
    .list(referrer, targetKey({ object, module_id: id }))
    .some(([, , kind, other]) => kind !== object || other !== id)
}

function requireUnneeded(reader: Reader, item: TrashItem): void {
  if (!isNeeded(reader, item)) return
  throw new CmsError(
    'in-use',
    `Columns of other datatables or calendars in the trash refer to ${item.object} ${item.object_id}. Remove those first.`,
  )
}

interface Discarding {
  readonly workId: string
  readonly trashId: number
  readonly doer: Doer
}

export function beginDiscard(unit: Unit, { workId, trashId, doer }: Discarding): void {
  putWork(unit, workId, { kind: 'discard', trash_id: trashId, doer })
  unit.remove(trash.recordType, trashId)
}

/** Parts of one commit. */
const AT_ONCE = 50
/** Rows that one commit removes, about 10 ms. */
const MOST_AT_ONCE = 500

export function discardTask(services: Services, workId: string, work: DiscardWork): PendingTask {
  return { name: 'discard', workId, run: (signal) => runDiscard(services, workId, work, signal) }
}

async function runDiscard(
  services: Services,
  workId: string,
  { trash_id: trashId }: DiscardWork,
  signal: AbortSignal,
): Promise<void> {
  for (const phase of ['after', 'content', 'root'] as const) {
    for (;;) {
      signal.throwIfAborted()
      const removeId = newWorkId()
      const done = await services.records.commit((unit) => {
        const room: Room = { left: MOST_AT_ONCE, contents: [], works: [] }
        const size = openCommitSize(unit)
        let isEnd = true
        for (const part of walkFirstParts(unit, { trash_id: trashId, phase }, AT_ONCE)) {
          isEnd = false
          if (room.left <= 0 || size.isFull() || !removeBelow(unit, part, room)) break
          unit.remove(trashPart, part.trash_part_id)
          room.left -= 1
        }
        putWork(unit, removeId, { kind: 'remove', contents: room.contents })
        return { ...room, isEnd }
      })
      void startModuleWorks(services, done.works)
      await runRemove(services, removeId, done.contents)
      if (done.isEnd) break
    }
  }
  await finishWork(services.records, workId)
}

interface Room {
  left: number
  readonly contents: ContentName[]
  readonly works: NewWork[]
}

/** Removes what belongs to the record; false if more is left than one commit should remove. */
function removeBelow(unit: Unit, { type, ids }: TrashPart, room: Room): boolean {
  const id = Number(ids[0])
  if (type === assetFile.recordType.name) {
    removeVersions(unit, id, room)
    return room.left >= 0
  }
  const kind = isModuleKind(type) ? type : undefined
  if (kind !== undefined) room.works.push(...removeModuleRecords(unit, { kind, id }))
  else if (type === 'asset_category') unit.remove(formerPlaces, id)
  const entry = parseEntryTypeName(type)
  if (entry !== undefined) orphanComments(unit, `${entry.kind}/${entry.moduleId}/${id}`)
  const history = entry && historyTypeOf(entry.kind, entry.moduleId)
  if (history !== undefined && unit.list(history, [id], 1).length > 0)
    unit.put(deletedHistory, [history.name, id], {})
  return true
}
