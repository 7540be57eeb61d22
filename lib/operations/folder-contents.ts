// What lies in folders, whatever object it is: a folder with any of it is not empty, and it goes with its folder.

import { assetCategory } from '../schema/asset-category.ts'
import type { ObjectType } from '../schema/object.ts'
import type { Records } from '../storage/port.ts'
import type { FolderContents, GoneContents, Services } from './context.ts'
import type { ObjectRules } from './object-rules.ts'
import { commitTold } from './trail/audit.ts'

const FOLDER_FIELD = 'parent_category_id'

/** Of all objects but folders, which are cleared from below upwards: see folders/purge.ts. */
export function folderContentsOf(all: readonly ObjectRules[]): readonly FolderContents[] {
  return all
    .filter(({ object }) => FOLDER_FIELD in object.fields && object.name !== assetCategory.name)
    .map(({ object, clear }) => ({
      object,
      clear: clear ?? ((services, folder) => clearRecords(services, object, folder)),
    }))
}

/** Of records with nothing besides. */
async function clearRecords(
  services: Services,
  object: ObjectType,
  { categoryId, doer }: GoneContents,
): Promise<void> {
  await clearInBatches(services, { object, categoryId }, (ids) =>
    commitTold(services, {
      doer,
      plan(unit) {
        for (const id of ids) unit.remove(object.recordType, id)
      },
    }),
  )
}

interface Place {
  readonly object: ObjectType
  readonly categoryId: number
}

/** Until nothing of the object is left in the folder: each step removes some of the records that it is given. */
export async function clearInBatches(
  { records, limits }: Services,
  { object, categoryId }: Place,
  clear: (ids: readonly number[]) => Promise<void>,
): Promise<void> {
  const next = (): readonly number[] => idsInFolder(records, object, categoryId, limits.purgeBatch)
  for (let ids = next(); ids.length > 0; ids = next()) await clear(ids)
}

/** At most `limit` of them. */
export function idsInFolder(
  reader: Pick<Records, 'lookup'>,
  { recordType }: ObjectType,
  categoryId: number,
  limit?: number,
): readonly number[] {
  return reader.lookup(recordType, FOLDER_FIELD, [categoryId], limit).map(([id]) => Number(id))
}
