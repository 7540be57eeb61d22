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
  records: Pick<Records, 'newIds' | 'newIdApart'>,
  type: RecordType,
): Promise<number> {
  const other = otherOf(type)
  if (other !== undefined) return records.newIdApart(type, other)
  const [id = 0] = await records.newIds(type, 1)
  return id
}

/** Inside the plan: another node may have given the number to the other object since. */
export function requireOwnNumber(reader: Pick<Reader, 'get'>, type: RecordType, id: number): void {
  const other = otherOf(type)
  if (other === undefined || reader.get(other, id) === undefined) return
  throw new CmsError(
    'unavailable',
    'A file and a folder were given the same number at once. Nothing was saved; send the request again.',
    { headers: { 'retry-after': '1' } },
  )
}
