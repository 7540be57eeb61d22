// Loads the rows of a search, newest first, with the names of their records.

import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { paths } from '../../client/interface.d.ts'
import { findNames, nameKey, type Names } from '../../client/record-names.ts'
import { useRequest } from '../../ui/use-request.ts'

export type AuditRow =
  paths['/audit']['get']['responses'][200]['content']['application/json']['audit'][number]

const PAGE_ROWS = 50

export function useAudit(qry: string, cursor: string | undefined) {
  const api = useApi()
  return useRequest(
    async (signal) => {
      const query = {
        orderStr: 'audit_id',
        orderDir: 'DESC',
        length: PAGE_ROWS,
        ...(qry !== '' && { qry }),
        ...(cursor !== undefined && { cursor }),
      }
      const found = await dataOf(api.GET('/audit', { signal, params: { query } }))
      const names = await findNames(api, found.audit, signal)
      const deleted = await findDeleted(api, { rows: found.audit, names, signal })
      return { ...found, names, deleted }
    },
    [qry, cursor],
  )
}

interface Shown {
  readonly rows: readonly AuditRow[]
  readonly names: Names
  readonly signal: AbortSignal
}

/** The last names of records that no longer exist. The row of a deletion contains the name. */
async function findDeleted(api: Api, { rows, names, signal }: Shown): Promise<Names> {
  const asked = new Map<string, Set<number>>()
  for (const row of rows) {
    const key = typeof row.name === 'string' ? undefined : nameKey(row)
    if (key === undefined || names.has(key)) continue
    const [object = '', id] = key.split('/')
    asked.set(object, (asked.get(object) ?? new Set()).add(Number(id)))
  }
  const found = await Promise.all(
    [...asked].map(async ([object, ids]) => {
      const query = {
        qry: JSON.stringify({
          object,
          object_id: { $in: [...ids] },
          action: { $in: ['delete', 'revoke'] },
        }),
        length: ids.size,
        fields: 'object_id,name',
      }
      const { audit } = await dataOf(api.GET('/audit', { signal, params: { query } }))
      return audit.flatMap(({ object_id: id, name }) =>
        typeof name === 'string' ? [[`${object}/${id}`, name] as const] : [],
      )
    }),
  )
  return new Map(found.flat())
}
