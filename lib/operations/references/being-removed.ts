// Records that are being deleted in many commits, with everything that depends on them. Until the deletion ends they
// can be read, but nothing new may refer to them.

import { chainOf } from '../../auth/folders.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { idsOf, removalKey, removalMark, type RemovedRecord } from '../../schema/reference.ts'
import { entryValue } from '../../schema/entry.ts'
import { MODULE_OBJECTS } from '../../schema/module.ts'
import type { Reader } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { nameOfRecord } from './removal-plan.ts'

/** Records that are looked at to find out whether one of them is being deleted. */
const MOST_ABOVE = 1_000

export function isRemovalUnderWay(reader: Reader): boolean {
  return reader.count(removalMark) > 0
}

/**
 * Whether the record is being deleted: the record itself, its folder, or a record to which it refers with ON DELETE
 * CASCADE, however far above. True also if there are too many records above to tell.
 */
export function isBeingRemoved(
  services: Pick<Services, 'modules'>,
  reader: Reader,
  record: RemovedRecord,
): boolean {
  const known = new Set([nameOfRecord(record)])
  const queue = [record]
  for (const item of queue) {
    if (known.size > MOST_ABOVE || isMarked(reader, item)) return true
    for (const above of recordsAbove(services, reader, item)) {
      if (known.has(nameOfRecord(above))) continue
      known.add(nameOfRecord(above))
      queue.push(above)
    }
  }
  return false
}

/** Whether a folder, or a folder above it, is about to be deleted. */
function isFolderBeingRemoved(reader: Reader, categoryId: number): boolean {
  return (
    isRemovalUnderWay(reader) &&
    (chainOf(reader, categoryId)?.some(({ asset_category_id: id }) => hasMark(reader, id)) ?? true)
  )
}

function hasMark(reader: Reader, folderId: number): boolean {
  return isMarkedKey(reader, { object: 'asset_category', module_id: null, id: folderId })
}

function isMarked(reader: Reader, record: RemovedRecord): boolean {
  if (isMarkedKey(reader, record)) return true
  const folderId = folderOf(reader, record)
  return folderId !== undefined && isFolderBeingRemoved(reader, folderId)
}

function isMarkedKey(reader: Reader, record: RemovedRecord): boolean {
  return reader.get(removalMark, ...removalKey(record)) !== undefined
}

function folderOf(reader: Reader, { object, module_id, id }: RemovedRecord): number | undefined {
  if (object === 'asset_file') return reader.get(assetFile.recordType, id)?.value.parent_category_id
  if (object === 'asset_category') return id
  return reader.get(MODULE_OBJECTS[object].recordType, module_id ?? 0)?.value.parent_category_id
}

/** The records to which an entry refers with ON DELETE CASCADE. */
function recordsAbove(
  { modules }: Pick<Services, 'modules'>,
  reader: Reader,
  { object, module_id: moduleId, id }: RemovedRecord,
): readonly RemovedRecord[] {
  if (object === 'asset_file' || object === 'asset_category') return []
  const module = modules.find(reader, object, moduleId ?? 0)
  const stored = module && reader.get(module.entry.object.recordType, id)
  if (module === undefined || stored === undefined) return []
  const values = entryValue(module.entry, stored)
  return module.entry.referenceColumns.flatMap(({ column: { name, references } }) =>
    references?.onDelete === 'cascade'
      ? idsOf(values[name]).map((above) => ({
          object: references.object,
          module_id: references.module_id,
          id: above,
        }))
      : [],
  )
}
