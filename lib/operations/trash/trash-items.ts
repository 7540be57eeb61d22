// Items of the trash and their parts: what a deletion keeps in its own commit. Restores and removals for good are in
// operations/restoring/.

import { assetFileVersion } from '../../schema/asset-file.ts'
import { entryTypeName, parseEntryTypeName } from '../../schema/entry.ts'
import { isModuleKind } from '../../schema/module.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import { buildRecord } from '../../schema/record.ts'
import type { RemovedRecord } from '../../schema/reference.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import {
  MEMBERSHIP,
  siteDefaults,
  trash,
  type TrashedObject,
  type TrashItem,
  trashPart,
  type TrashPhase,
} from '../../schema/trash.ts'
import type { Id, JsonObject, RecordType, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'

export type TrashServices = Pick<Services, 'records' | 'now' | 'trashDays'>

/** Days until items of the trash are removed for good; 0: the site keeps no trash. */
export function trashDaysOf(
  reader: Pick<Reader, 'get'>,
  { trashDays }: Pick<Services, 'trashDays'>,
): number {
  return trashDays ?? reader.get(siteDefaults, 1)?.value.trash_days ?? 0
}

export interface NewTrashItem {
  readonly object: TrashedObject
  readonly object_id: number
  readonly module_id?: number | null
  readonly name: string | null
  readonly asset_category_id: number
  /** Undefined or null: the command line, or the server itself. */
  readonly deleted_by?: string | null
  /** False if further commits of the deletion follow. */
  readonly isComplete?: boolean
}

/** Puts an item for the deletion that this commit begins. Undefined if the site keeps no trash. */
export function beginItem(
  unit: Unit,
  services: TrashServices,
  item: NewTrashItem,
): number | undefined {
  if (trashDaysOf(unit, services) === 0) return undefined
  const { isComplete = true, ...values } = item
  const id = services.records.nextId(trash.recordType)
  const state = isComplete ? 'complete' : 'deleting'
  const record = buildRecord(
    trash,
    { ...values, count: 0, size: 0, state },
    { id, owner: '', now: services.now().toISOString() },
  )
  unit.put(trash.recordType, [id], record)
  return id
}

/** Changes the item; does nothing if the item is gone. */
export function changeItem(
  unit: Unit,
  trashId: number,
  change: (item: TrashItem) => Partial<TrashItem>,
): void {
  const item = unit.get(trash.recordType, trashId)?.value
  if (item !== undefined) unit.put(trash.recordType, [trashId], { ...item, ...change(item) })
}

interface Kept {
  readonly trashId: number
  readonly phase: TrashPhase
}

interface NewPart {
  readonly type: string
  readonly ids: readonly Id[]
  readonly revision: number
  readonly record: JsonObject
}

function putPart(
  unit: Unit,
  { records }: Pick<Services, 'records'>,
  { trashId, phase }: Kept,
  part: NewPart,
): void {
  const id = records.nextId(trashPart)
  unit.put(trashPart, [id], { trash_part_id: id, trash_id: trashId, phase, ...part })
}

/** Removes a record, and keeps it as a part of the item. `also` is what the item gains besides one record. */
export function moveToTrash(
  unit: Unit,
  services: Pick<Services, 'records'>,
  kept: Kept,
  { type, id, also }: { readonly type: RecordType; readonly id: number; readonly also?: Gain },
): void {
  const stored: Stored<object> | undefined = unit.get(type, id)
  if (stored === undefined) return
  const record = stored.value as JsonObject
  putPart(unit, services, kept, { type: type.name, ids: [id], revision: stored.revision, record })
  unit.remove(type, id)
  // A restore that was given up has counted the record before.
  changeItem(unit, kept.trashId, ({ count, size, state }) =>
    state === 'restoring'
      ? {}
      : { count: count + 1 + (also?.count ?? 0), size: size + (also?.size ?? 0) },
  )
}

/** Removes a record of a deleted folder, or keeps it as a part of the item. */
export function removeOrKeep(
  unit: Unit,
  services: Pick<Services, 'records'>,
  trashId: number | undefined,
  { type, id }: { readonly type: RecordType; readonly id: number },
): void {
  if (trashId === undefined) unit.remove(type, id)
  else moveToTrash(unit, services, { trashId, phase: 'content' }, { type, id })
}

/** Ends the work of a deletion; from then on its item can be restored. */
export async function finishRemoval(
  { records }: Pick<Services, 'records'>,
  workId: string,
  trashId: number | undefined,
): Promise<void> {
  await records.commit((unit) => {
    unit.remove(pendingWork, workId)
    if (trashId !== undefined) changeItem(unit, trashId, () => ({ state: 'complete' }))
  })
}

interface Gain {
  readonly count?: number
  readonly size?: number
}

/** Keeps every entry that this commit has removed. `roots` are the entries that the item stands for. */
export function keepEntries(
  unit: Unit,
  services: Pick<Services, 'records'>,
  trashId: number,
  roots: readonly RemovedRecord[] = [],
): void {
  const names = new Set(roots.map(nameOfRoot))
  const removed = unit.changes.filter(
    ({ type, ids: [id = 0], before, stored }) =>
      before !== undefined &&
      stored === undefined &&
      parseEntryTypeName(type.name) !== undefined &&
      // Another deletion of the same commit may have kept it.
      unit.lookup(trashPart, 'of', [type.name, id], 1).length === 0,
  )
  for (const { type, ids, before } of removed) {
    const [id = 0] = ids
    const phase = names.has(`${type.name}/${id}`) ? 'root' : 'after'
    const { revision = 0, value = {} } = before ?? {}
    const part = { type: type.name, ids, revision, record: value as JsonObject }
    putPart(unit, services, { trashId, phase }, part)
  }
  if (removed.length > 0)
    changeItem(unit, trashId, ({ count }) => ({ count: count + removed.length }))
}

function nameOfRoot({ object, module_id: moduleId, id }: RemovedRecord): string {
  return isModuleKind(object) ? `${entryTypeName(object, moduleId ?? 0)}/${id}` : ''
}

/** Keeps the place that a file had in a group. */
export function keepMembership(
  unit: Unit,
  services: Pick<Services, 'records'>,
  trashId: number,
  {
    groupId,
    fileId,
    place,
  }: { readonly groupId: number; readonly fileId: number; readonly place: number },
): void {
  const part = { type: MEMBERSHIP, ids: [groupId, fileId], revision: 0, record: { place } }
  putPart(unit, services, { trashId, phase: 'after' }, part)
}

/** Bytes of the contents of all versions of the files, counted in time slices. */
export async function contentBytes(
  { records }: Pick<Services, 'records'>,
  fileIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const sizes = new Map<number, number>()
  const slice = openTimeSlice()
  for (const fileId of fileIds) {
    const uids = new Map<string, number>()
    for (const ids of records.list(assetFileVersion, [fileId])) {
      if (slice.isOver(0)) await slice.next()
      const version = records.get(assetFileVersion, ...ids)?.value
      if (version !== undefined) uids.set(version.uid, version.size)
    }
    sizes.set(
      fileId,
      [...uids.values()].reduce((sum, size) => sum + size, 0),
    )
  }
  return sizes
}
