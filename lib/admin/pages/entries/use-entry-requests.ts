// The requests of one datatable; the object stays the same while the name does.

import { useMemo } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import type { Datatable } from '../data/table.ts'
import { type EntryRequests, openEntries } from './entry-requests.ts'

export function useEntryRequests(table: Datatable): EntryRequests {
  const api = useApi()
  return useMemo(() => openEntries(api, table), [api, table.datatable_id, table.module_name])
}
