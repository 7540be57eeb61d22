// Finds deleted records in the trash, and restores them.

import { type Api, dataOf } from './api.ts'

export interface DeletedRecord {
  readonly object: string
  readonly id: number
  /** The datatable or calendar of an entry. */
  readonly moduleId?: number
}

/** The number of the item in the trash; undefined if the site keeps no trash. */
export async function findDeleted(
  api: Api,
  { object, id, moduleId }: DeletedRecord,
): Promise<number | undefined> {
  const qry = { object, object_id: id, ...(moduleId !== undefined && { module_id: moduleId }) }
  const body = { qry, orderStr: 'date_added', orderDir: 'DESC', length: 1 } as const
  const { trash } = await dataOf(api.POST('/trash/search', { body }))
  return trash[0]?.trash_id
}

/** Whether the site keeps what was deleted, asked for one of the deleted records. */
export async function isInTrash(api: Api, record: DeletedRecord): Promise<boolean> {
  return (await findDeleted(api, record)) !== undefined
}

export async function restoreItem(api: Api, id: number): Promise<void> {
  await dataOf(api.POST('/trash/{id}/restore', { params: { path: { id } }, body: {} }))
}

/** Throws a problem of the server if the record is not in the trash any more. */
export async function restoreDeleted(api: Api, record: DeletedRecord): Promise<void> {
  // The server explains that an item with this number does not exist.
  await restoreItem(api, (await findDeleted(api, record)) ?? MISSING)
}

const MISSING = Number.MAX_SAFE_INTEGER
