// Loads data for a component. Previous data stays while it reloads, and outdated requests are aborted.
//
//   const files = useRequest((signal) => dataOf(api.GET('/asset_file', { signal, params: { query } })), [query])
//   if (files.data === undefined) return <Loading {...files} />

import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Requested<T> {
  /** Undefined until the first response. */
  readonly data: T | undefined
  /** Error of the last attempt; the data is then from an earlier one. */
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
  /** Sets known data, such as the response to a change. */
  readonly set: (data: T) => void
}

interface State<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
}

export function useRequest<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Requested<T> {
  const [state, setState] = useState<State<T>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  })
  const [round, setRound] = useState(0)

  useEffect(() => {
    const gone = new AbortController()
    setState(({ data }) => ({ data, error: undefined, isLoading: true }))
    load(gone.signal).then(
      (data) => {
        if (!gone.signal.aborted) setState({ data, error: undefined, isLoading: false })
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setState(({ data }) => ({ data, error, isLoading: false }))
      },
    )
    return () => gone.abort()
  }, [...inputs.map(comparable), round])

  const reload = useCallback(() => setRound((count) => count + 1), [])
  const set = useCallback((data: T) => setState({ data, error: undefined, isLoading: false }), [])
  return { ...state, reload, set }
}

/** NaN, as parsed from an invalid URL, is not equal to itself and would be requested endlessly. */
function comparable(input: unknown): unknown {
  return Number.isNaN(input) ? 'NaN' : input
}

/**
 * Debounces a value.
 *
 *   const wanted = useSettled(text)
 */
const PAUSE_MS = 150

export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
