// The parts of an item that return after its root: memberships in groups, and entries that ON DELETE CASCADE deleted.

import { fileGroup } from '../../schema/file-group.ts'
import {
  MEMBERSHIP,
  PARTS_SEARCHABLE,
  phaseKey,
  trashPart,
  type TrashPart,
} from '../../schema/trash.ts'
import type { Reader, Records, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'

/** The first parts of a phase, in the order in which they were removed. */
export function firstParts(...asked: Parameters<typeof walkFirstParts>): readonly TrashPart[] {
  return [...walkFirstParts(...asked)]
}

/** The same parts. A part is read when it is needed, because it may be large. */
export function* walkFirstParts(
  reader: Reader,
  key: Pick<TrashPart, 'trash_id' | 'phase'>,
  limit: number,
): Generator<TrashPart> {
  for (const [id] of reader.lookup(trashPart, 'item', [phaseKey(key)], limit)) {
    const part = reader.get(trashPart, Number(id))?.value
    if (part !== undefined) yield part
  }
}

/** All parts that return after the root, from the last removed one to the first: that is the order of a restore. */
export async function* partsAfter(
  records: Records,
  trashId: number,
): AsyncGenerator<readonly TrashPart[]> {
  const field = PARTS_SEARCHABLE.get('item')
  if (field === undefined) return
  const value = phaseKey({ trash_id: trashId, phase: 'after' })
  const match = { op: 'eq', field, value } as const
  const query = { match, orderBy: null, descending: true, length: AT_ONCE }
  let cursor: string | undefined
  do {
    const page = await records.search(trashPart, PARTS_SEARCHABLE, { ...query, cursor })
    yield page.records.map((stored) => stored.value)
    cursor = page.next
  } while (cursor !== undefined)
}

/** Parts of one commit. */
const AT_ONCE = 20

/** Puts a file back into a group, if both still exist. */
export function putMembership(
  unit: Unit,
  { now }: Pick<Services, 'now'>,
  { trash_part_id: id, ids, record }: TrashPart,
): void {
  const [groupId, fileId] = ids.map(Number)
  unit.remove(trashPart, id)
  const group = groupId === undefined ? undefined : unit.get(fileGroup.recordType, groupId)?.value
  const members = group?.asset_file_ids ?? []
  if (group === undefined || fileId === undefined || members.includes(fileId)) return
  const asset_file_ids = members.toSpliced(Number(record['place']), 0, fileId)
  const next = { ...group, asset_file_ids, date_modified: now().toISOString() }
  unit.put(fileGroup.recordType, [group.file_group_id], next)
}

export function isMembership({ type }: TrashPart): boolean {
  return type === MEMBERSHIP
}
