// Whether the user may create and change the entries of a datatable, by the grants in its folder.

import { type Api, dataOf } from '../../../client/api.ts'
import { type Me, maySomewhere } from '../../../client/me.ts'
import { Problem } from '../../../client/problem.ts'
import type { Grant } from '../../../../shared/grants.ts'
import { grantsIn, readFolderLine } from '../../content/records.ts'

const CREATING = ['create', 'modify'] as const

export function mayCreate(grants: ReadonlySet<Grant>): boolean {
  return CREATING.some((grant) => grants.has(grant))
}

interface InFolder {
  readonly me: Me | undefined
  readonly folderId: number
}

/** Makes no request for users who cannot write anywhere. */
export async function readGrants(
  api: Api,
  { me, folderId }: InFolder,
  signal?: AbortSignal,
): Promise<ReadonlySet<Grant>> {
  if (me === undefined || !CREATING.some((grant) => maySomewhere(me, grant))) return new Set()
  return grantsIn(me, await readFolderLine(api, folderId, signal))
}

/** False for a datatable that the user may not see. */
export async function mayCreateEntries(
  api: Api,
  { me, tableId }: { readonly me: Me | undefined; readonly tableId: number },
): Promise<boolean> {
  const params = { path: { id: tableId }, query: { fields: 'parent_category_id' } }
  try {
    const { parent_category_id: folderId } = await dataOf(api.GET('/datatable/{id}', { params }))
    return mayCreate(await readGrants(api, { me, folderId: folderId ?? 0 }))
  } catch (error) {
    if (error instanceof Problem && error.facts.status < 500) return false
    throw error
  }
}
