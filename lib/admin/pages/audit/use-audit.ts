// Loads the rows of a search, newest first, with the current names of their records.

import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { paths } from '../../client/interface.d.ts'
import { useRequest } from '../../ui/use-request.ts'

export type AuditRow =
  paths['/audit']['get']['responses'][200]['content']['application/json']['audit'][number]

const PAGE_ROWS = 50

/** By object and identifier: `asset_file/5`. */
export type Names = ReadonlyMap<string, string>

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
      return { ...found, names: await findNames(api, found.audit, signal) }
    },
    [qry, cursor],
  )
}

/** Kinds whose records have names. An entry is described by its module. */
const NAMED = ['asset_file', 'asset_category', 'file_group', 'datatable', 'calendar'] as const
const PEOPLE = ['user', 'api_key'] as const

async function findNames(api: Api, rows: readonly AuditRow[], signal: AbortSignal): Promise<Names> {
  const asked = new Map<string, Set<number>>()
  for (const { object, object_id: id, module_id: moduleId } of rows) {
    const kind = object?.replace(/_entry$/, '')
    const wanted = kind === object ? id : moduleId
    if (kind === undefined || typeof wanted !== 'number') continue
    asked.set(kind, (asked.get(kind) ?? new Set()).add(wanted))
  }
  const found = await Promise.all(
    [...NAMED, ...PEOPLE].map(async (kind) => {
      const ids = [...(asked.get(kind) ?? [])]
      return ids.length === 0 ? [] : namesOf(api, { kind, ids, signal })
    }),
  )
  return new Map(found.flat())
}

interface Asked {
  readonly kind: (typeof NAMED | typeof PEOPLE)[number]
  readonly ids: readonly number[]
  readonly signal: AbortSignal
}

/** Unreadable records are described by their identifier. */
async function namesOf(
  api: Api,
  { kind, ids, signal }: Asked,
): Promise<readonly (readonly [string, string])[]> {
  const id = `${kind}_id`
  const qry = JSON.stringify({ [id]: { $in: ids } })
  const query = { qry, length: ids.length, fields: `${id},name` }
  const read = dataOf<object>(api.GET(`/${kind}`, { signal, params: { query } }))
  const found = await read.catch((error: unknown) => {
    signal.throwIfAborted()
    if (error instanceof Error && error.name === 'NoConnection') throw error
    return {}
  })
  const records: Readonly<Record<string, unknown>> = { ...found }
  const list = records[kind]
  return (Array.isArray(list) ? list : []).flatMap((record: Readonly<Record<string, unknown>>) => {
    const name = record['name']
    return typeof name === 'string' ? [[`${kind}/${String(record[id])}`, name] as const] : []
  })
}
