// Loads a datatable with its parent folders and the user's grants.

import { type Api, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import type { components } from '../../client/interface.d.ts'
import type { Grant } from '../../../shared/grants.ts'
import type { Fetched } from '../../ui/use-edit.ts'
import { type Requested, useRequest } from '../../ui/use-request.ts'
import { type FolderRecord, grantsIn, readFolderLine } from '../content/records.ts'

export type Datatable = components['schemas']['datatable']

export type Column = NonNullable<Datatable['columns']>[number]

export interface ShownTable extends Fetched<Datatable> {
  /** The parent folders, topmost first. */
  readonly line: readonly FolderRecord[]
  readonly grants: ReadonlySet<Grant>
}

/** `reload` and `set` are for actions that change the table. */
export function useTable(id: number): Requested<ShownTable> {
  const api = useApi()
  const me = useMe()
  return useRequest(
    async (signal) => {
      const fetched = await readTable(api, id, signal)
      const line = await readFolderLine(api, fetched.record.parent_category_id, signal)
      return { ...fetched, line, grants: grantsIn(me, line) }
    },
    [id],
  )
}

export async function readTable(
  api: Api,
  id: number,
  signal?: AbortSignal,
): Promise<Fetched<Datatable>> {
  const init = { ...(signal !== undefined && { signal }), params: { path: { id } } }
  // Without `fields`, the response has all fields.
  return (await recordOf(api.GET('/datatable/{id}', init))) as Fetched<Datatable>
}
