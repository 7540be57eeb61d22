// Requests for the entries of one datatable.

import { useMemo } from 'preact/hooks'
import { type Api, dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { isInTrash, restoreDeleted } from '../../client/deleted-records.ts'
import type { Entry, EntryPage, EntryQuery } from '../../client/module-paths.ts'
import type { OnceHeader } from '../../ui/filled.ts'
import type { Fetched } from '../../ui/use-edit.ts'
import type { Datatable } from '../data/table.ts'
import { type HistoryRequests, openHistory } from './history-requests.ts'

export interface EntryRequests extends HistoryRequests {
  readonly list: (query: EntryQuery, signal?: AbortSignal) => Promise<EntryPage>
  /** Includes all columns. */
  readonly read: (id: number, signal?: AbortSignal) => Promise<Fetched<Entry>>
  /** Idempotent with the same header. */
  readonly create: (entry: Entry, once: OnceHeader) => Promise<Fetched<Entry>>
  /** Creates all entries in one commit, or none; idempotent with the same key. */
  readonly createMany: (
    entries: readonly Entry[],
    key: string,
    signal?: AbortSignal,
  ) => Promise<unknown>
  /** Without an ETag, overwrites concurrent changes. */
  readonly change: (id: number, changed: Entry, etag?: string) => Promise<Fetched<Entry>>
  readonly remove: (id: number, etag?: string) => Promise<unknown>
  /** Restores the entry from the trash. */
  readonly bringBack: (id: number) => Promise<unknown>
  readonly isInTrash: (id: number) => Promise<boolean>
}

const ALL = '/module/datatable/{id}/{module_name}'
const ONE = '/module/datatable/{id}/{module_name}/{entry_id}'

function openEntries(api: Api, table: Datatable): EntryRequests {
  const path = { id: table.datatable_id, module_name: table.module_name }
  const until = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })
  const match = (etag: string | undefined) => (etag === undefined ? {} : { 'If-Match': etag })
  const deleted = (id: number) =>
    ({ object: 'datatable_entry', id, moduleId: table.datatable_id }) as const
  return {
    list: (query, signal) => dataOf(api.GET(ALL, { ...until(signal), params: { path, query } })),
    read: (id, signal) => {
      const params = { path: { ...path, entry_id: id }, query: { fields: '*' } }
      return recordOf(api.GET(ONE, { ...until(signal), params }))
    },
    async create(body, once) {
      const params = { path, header: { Prefer: 'return=representation', ...once } }
      const { record, etag } = await recordOf(api.POST(ALL, { params, body }))
      return { record: record.datatable_entry, etag }
    },
    createMany: (body, key, signal) => {
      const params = { path, header: { 'Idempotency-Key': key } }
      return dataOf(api.POST(ALL, { ...until(signal), params, body }))
    },
    change: (id, body, etag) => {
      const params = { path: { ...path, entry_id: id }, header: match(etag) }
      return recordOf(api.PATCH(ONE, { params, body }))
    },
    remove: (id, etag) => {
      const params = { path: { ...path, entry_id: id }, header: match(etag) }
      return dataOf(api.DELETE(ONE, { params }))
    },
    bringBack: (id) => restoreDeleted(api, deleted(id)),
    isInTrash: (id) => isInTrash(api, deleted(id)),
    ...openHistory(api, { object: 'datatable', path }),
  }
}

/** The requests of one datatable; the object stays the same while the name does. */
export function useEntryRequests(table: Datatable): EntryRequests {
  const api = useApi()
  return useMemo(() => openEntries(api, table), [api, table.datatable_id, table.module_name])
}
