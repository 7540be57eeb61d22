// Requests for the history of the entries of one datatable or calendar.

import { type Api, dataOf, recordOf } from '../../client/api.ts'
import type { Entry, EntryHistoryPage } from '../../client/module-paths.ts'
import type { Fetched } from '../../ui/use-edit.ts'

export interface HistoryRequests {
  readonly history: (id: number, length: number, signal?: AbortSignal) => Promise<EntryHistoryPage>
  /** Gives the entry the values of an earlier state. */
  readonly restore: (id: number, change: number, etag: string) => Promise<Fetched<Entry>>
}

interface ModuleOfHistory {
  readonly object: 'datatable' | 'calendar'
  readonly path: { readonly id: number; readonly module_name: string }
}

const HISTORY = {
  datatable: '/module/datatable/{id}/{module_name}/{entry_id}/history',
  calendar: '/module/calendar/{id}/{module_name}/{entry_id}/history',
} as const

export function openHistory(api: Api, { object, path }: ModuleOfHistory): HistoryRequests {
  const url = HISTORY[object]
  return {
    history: (id, length, signal) => {
      const params = { path: { ...path, entry_id: id }, query: { length } }
      return dataOf(api.GET(url, { ...(signal !== undefined && { signal }), params }))
    },
    restore: (id, change, etag) => {
      const params = { path: { ...path, entry_id: id, change }, header: { 'If-Match': etag } }
      return recordOf(api.POST(`${url}/{change}/restore`, { params }))
    },
  }
}
