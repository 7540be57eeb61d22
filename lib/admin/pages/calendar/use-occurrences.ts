// Loads the occurrences of the visible days, plus a margin for other time zones.

import { useMemo } from 'preact/hooks'
import { useRequest } from '../../ui/use-request.ts'
import { type Events, type Occurrence, occurrenceOf } from './events.ts'
import { type Clock, DAY_MS } from './wall.ts'

/** More occurrences than anybody would read. */
const MOST = 5_000

interface Wanted {
  readonly events: Events
  readonly clock: Clock
  readonly days: readonly number[]
}

export function useOccurrences({ events, clock, days }: Wanted) {
  const [from = 0] = days
  const to = from + days.length * DAY_MS
  const window = { fromMs: clock.instantOf(from), toMs: clock.instantOf(to), most: MOST }
  const found = useRequest((signal) => events.occurrences(window, signal), [events, from, to])
  const data = useMemo(
    () => (found.data ?? []).map((record) => occurrenceOf(record, clock)),
    [found.data, clock],
  )
  return {
    data: data satisfies readonly Occurrence[],
    /** Changes identity with every load. */
    loaded: found.data,
    error: found.error,
    isLoading: found.isLoading,
    isTooMany: data.length >= MOST,
    reload: found.reload,
  }
}
