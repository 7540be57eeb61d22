// Contents of folders, of any object: a folder with contents is not empty, and is deleted with them.

import type { ObjectType } from '../schema/object.ts'
import type { Records } from '../storage/port.ts'
import type { Services } from './context.ts'

/** The field that names the folder of a record. */
export const FOLDER_FIELD = 'parent_category_id'

interface Place {
  readonly object: ObjectType
  readonly categoryId: number
}

/** Repeats until the folder has no records of the object left: `clear` removes at least some of the given ones. */
export async function clearInBatches(
  { records, limits }: Services,
  { object, categoryId }: Place,
  clear: (ids: readonly number[]) => Promise<void>,
): Promise<void> {
  const next = (): readonly number[] => idsInFolder(records, object, categoryId, limits.purgeBatch)
  for (let ids = next(); ids.length > 0; ids = next()) await clear(ids)
}

/** Returns at most `limit` identifiers. */
export function idsInFolder(
  reader: Pick<Records, 'lookup'>,
  { recordType }: ObjectType,
  categoryId: number,
  limit?: number,
): readonly number[] {
  return reader.lookup(recordType, FOLDER_FIELD, [categoryId], limit).map(([id]) => Number(id))
}
