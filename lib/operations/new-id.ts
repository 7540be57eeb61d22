// Assigns identifiers of new records. They are assigned before the commit, because contents are named by them.

import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { CmsError } from '../base/errors.ts'
import type { RecordType } from '../schema/values.ts'
import type { Reader, Records } from '../storage/port.ts'

const [FILE, FOLDER] = [assetFile.recordType, assetCategory.recordType]

/** Files and folders share addresses, /file/{number}/{name}, so a number used by one is skipped by the other. */
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

type Numbering = Pick<Records, 'newIds' | 'newIdApart' | 'returnIds'>

/** Creates a record under a new identifier. A refused create returns the identifier, so the numbers have no gap. */
export async function withNewId<T>(
  records: Numbering,
  type: RecordType,
  create: (id: number) => Promise<T>,
): Promise<T> {
  const id = await newId(records, type)
  return keepOnSuccess(records, type, { ids: [id], create: () => create(id) })
}

/** Creates a list of records; not for files and folders. */
export async function withNewIds<T>(
  records: Numbering,
  { type, count }: { readonly type: RecordType; readonly count: number },
  create: (ids: readonly number[]) => Promise<T>,
): Promise<T> {
  const ids = await records.newIds(type, count)
  return keepOnSuccess(records, type, { ids, create: () => create(ids) })
}

interface Numbered<T> {
  readonly ids: readonly number[]
  readonly create: () => Promise<T>
}

async function keepOnSuccess<T>(
  records: Numbering,
  type: RecordType,
  { ids, create }: Numbered<T>,
): Promise<T> {
  try {
    return await create()
  } catch (error) {
    // After any other error the commit may have reached the disk.
    if (error instanceof CmsError && error.status < 500) records.returnIds(type, ids)
    throw error
  }
}

/** Call it inside the commit: another node may have given the number to the other object in the meantime. */
export function requireOwnNumber(reader: Pick<Reader, 'get'>, type: RecordType, id: number): void {
  const other = otherOf(type)
  if (other === undefined || reader.get(other, id) === undefined) return
  throw new CmsError(
    'unavailable',
    'A file and a folder were assigned the same number at the same time. Nothing was saved; send the request again.',
    { headers: { 'retry-after': '1' } },
  )
}
