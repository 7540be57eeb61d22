// References of entries that return from the trash. The records to which they refer may have been deleted meanwhile.

import { chainOf } from '../../auth/folders.ts'
import { assetFile } from '../../schema/asset-file.ts'
import type { References } from '../../schema/columns/column.ts'
import { type EntryType, entryTypeName } from '../../schema/entry.ts'
import { MODULE_OBJECTS } from '../../schema/module.ts'
import { idsOf, type RemovedRecord, targetKey } from '../../schema/reference.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { isRemovalUnderWay } from '../removal-marks.ts'
import { isBeingRemoved } from '../references/being-removed.ts'

export interface MissingReferences {
  readonly name: string
  readonly isMany: boolean
  readonly ids: readonly number[]
}

type Finder = Pick<Services, 'modules'>

/** Names of modules that the same restore brings back: the parts of targetKey, joined by a slash. */
export type RestoredModules = ReadonlySet<string>

const NONE: RestoredModules = new Set()

/** The references to records that do not exist, or that are being deleted. */
export function findMissing(
  services: Finder,
  reader: Reader,
  { referenceColumns }: EntryType,
  values: JsonObject,
  restored: RestoredModules = NONE,
): readonly MissingReferences[] {
  return referenceColumns.flatMap(({ column: { name, references } }) => {
    if (references === undefined) return []
    const ids = idsOf(values[name]).filter(
      (id) => !isThere(services, reader, { ...references, id }, restored),
    )
    return ids.length === 0 ? [] : [{ name, isMany: references.isMany, ids }]
  })
}

/** The values without these references. */
export function withoutMissing(
  values: JsonObject,
  missing: readonly MissingReferences[],
): JsonObject {
  const cleared: Record<string, JsonValue> = { ...values }
  for (const { name, isMany, ids } of missing)
    cleared[name] = isMany ? idsOf(values[name]).filter((id) => !ids.includes(id)) : null
  return cleared
}

function isThere(
  services: Finder,
  reader: Reader,
  { object, module_id, id }: RemovedRecord,
  restored: RestoredModules,
): boolean {
  if (object === 'asset_category') return false
  const folder =
    object === 'asset_file'
      ? reader.get(assetFile.recordType, id)?.value.parent_category_id
      : reader.get(MODULE_OBJECTS[object].recordType, module_id ?? 0)?.value.parent_category_id
  if (folder === undefined && !restored.has(targetKey({ object, module_id }).join('/')))
    return false
  const entries = object === 'asset_file' ? undefined : entryTypeName(object, module_id ?? 0)
  if (entries !== undefined && reader.get({ name: entries, indexes: [] }, id) === undefined)
    return false
  if (!isRemovalUnderWay(reader)) return true
  return !isBeingRemoved(services, reader, { object, module_id, id })
}

/** Whether the table or calendar to which a column refers exists. */
export function isTargetThere(reader: Reader, { object, module_id: id }: References): boolean {
  if (object === 'asset_file') return true
  const record = reader.get(MODULE_OBJECTS[object].recordType, id ?? 0)?.value
  return record !== undefined && chainOf(reader, record.parent_category_id) !== undefined
}
