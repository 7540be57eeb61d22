// What lies in folders, whatever object it is: a folder with any of it is not empty, and it goes with its folder.

import type { ObjectType } from '../schema/object.ts'
import type { Records } from '../storage/port.ts'
import type { Services } from './context.ts'

/** Of all that lies in folders. */
export const FOLDER_FIELD = 'parent_category_id'

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
