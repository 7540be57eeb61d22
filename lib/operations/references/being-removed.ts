// Records that are being deleted in many commits, with everything that depends on them. Until the deletion ends they
// can be read, but nothing new may refer to them.

import { assetFile } from '../../schema/asset-file.ts'
import { idsOf, type RemovedRecord } from '../../schema/reference.ts'
import { entryValue } from '../../schema/entry.ts'
import { MODULE_OBJECTS } from '../../schema/module.ts'
import type { Reader } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { isFolderMarked, isMarked } from '../removal-marks.ts'
import { nameOfRecord } from './removal-plan.ts'

/** The maximum number of records that are examined to find out whether one of them is being deleted. */
const MOST_ABOVE = 1_000

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
    if (known.size > MOST_ABOVE || isMarkedOrInMarked(reader, item)) return true
    for (const above of recordsAbove(services, reader, item)) {
      if (known.has(nameOfRecord(above))) continue
      known.add(nameOfRecord(above))
      queue.push(above)
    }
  }
  return false
}

function isMarkedOrInMarked(reader: Reader, record: RemovedRecord): boolean {
  if (isMarked(reader, record)) return true
  const folderId = folderOf(reader, record)
  return folderId !== undefined && isFolderMarked(reader, folderId)
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
