// Requests of the client to the System API for file groups, which sites show as menus.

import type { Api, JsonObject } from './api.ts'
import { ClientError } from './client-error.ts'
import { integerOf, listRows, readRecord, stringOf, textOf } from './records.ts'

/** Undefined if the key sees no such group. */
export async function findFileGroup(
  api: Api,
  id: number,
): Promise<{ readonly folderId: number; readonly fileIds: readonly number[] } | undefined> {
  try {
    const row = await readRecord(api, `/api/v2/file_group/${id}`)
    return { folderId: integerOf(row, 'parent_category_id'), fileIds: fileIdsOf(row) }
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined
    throw error
  }
}

export interface ListedGroup {
  readonly id: number
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  /** The files that the key sees, in order. */
  readonly fileIds: readonly number[]
}

/** Ordered by number. */
export async function listFileGroups(api: Api, parentId: number): Promise<ListedGroup[]> {
  const fields = 'file_group_id,name,title,description,asset_file_ids'
  const rows = await listRows(api, { object: 'file_group', parentId, fields })
  return rows.map((row) => ({
    id: integerOf(row, 'file_group_id'),
    name: stringOf(row, 'name'),
    title: textOf(row, 'title'),
    description: textOf(row, 'description'),
    fileIds: fileIdsOf(row),
  }))
}

function fileIdsOf({ asset_file_ids: ids }: JsonObject): readonly number[] {
  return Array.isArray(ids) ? ids.map(Number) : []
}
