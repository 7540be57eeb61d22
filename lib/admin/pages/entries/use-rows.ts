// The entries of a search in a component. The previous entries stay until new ones arrive, and visible rows are
// reloaded when the window gets the focus.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useCell } from '../../client/cell.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryView, isQuick, listQueryOf } from './entry-view.ts'
import { type EntryField, ID } from './fields.ts'
import { openRows, type RowsState } from './rows.ts'

export interface RowsInput {
  readonly requests: EntryRequests
  readonly view: EntryView
  readonly fields: readonly EntryField[]
  /** Only the visible fields are requested. */
  readonly seen: readonly EntryField[]
}

export function useRows({ requests, view, fields, seen }: RowsInput) {
  const search = JSON.stringify(view)
  const names = [...new Set([ID, ...seen.map(({ name }) => name)])].join()
  const rows = useMemo(
    () =>
      openRows({
        isQuick: isQuick(view, fields),
        load: (query, signal) =>
          requests.list({ ...listQueryOf(view), fields: names, ...query }, signal),
      }),
    [requests, search, names],
  )
  const now = useCell(rows.state)
  const before = useRef<RowsState>(now)
  if (now.isReady) before.current = now
  useEffect(() => () => rows.close(), [rows])
  useEffect(() => {
    const back = (): void => {
      if (document.visibilityState === 'visible') rows.reload()
    }
    document.addEventListener('visibilitychange', back)
    return () => document.removeEventListener('visibilitychange', back)
  }, [rows])
  const isStale = !now.isReady && before.current.isReady
  const { isLoading, error } = now
  const state = isStale ? { ...before.current, isLoading, error } : now
  return { rows, state, search: `${search}${names}` }
}
