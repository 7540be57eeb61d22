// The identifier of a record that is made: asked for before the plan, as bytes are named by it before they are sealed.

import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { CmsError } from '../errors.ts'
import type { RecordType } from '../schema/values.ts'
import type { Reader, Records } from '../storage/port.ts'

const [FILE, FOLDER] = [assetFile.recordType, assetCategory.recordType]

/** A file and a folder of one number would share addresses, /file/{number}/{name}: a number that one has is skipped. */
function otherOf({ name }: RecordType): RecordType | undefined {
  if (name === FILE.name) return FOLDER
  return name === FOLDER.name ? FILE : undefined
}

export async function newId(
  { newIds, get }: Pick<Records, 'newIds' | 'get'>,
  type: RecordType,
): Promise<number> {
  const other = otherOf(type)
  for (;;) {
    const [id = 0] = await newIds(type, 1)
    if (other === undefined || get(other, id) === undefined) return id
  }
}

/** Inside the plan: the other object may have got the number since. */
export function requireOwnNumber(reader: Pick<Reader, 'get'>, type: RecordType, id: number): void {
  const other = otherOf(type)
  if (other === undefined || reader.get(other, id) === undefined) return
  throw new CmsError(
    'unavailable',
    'A file and a folder were given the same number at once. Nothing was saved; send the request again.',
    { headers: { 'retry-after': '1' } },
  )
}
