// Loads what a component shows. What was shown stays while it is loaded again, and what nobody waits for any more is
// broken off.
//
//   const files = useRequest((signal) => dataOf(api.GET('/asset_file', { signal, params: { query } })), [query])
//   if (files.data === undefined) return files.error === undefined ? <Skeleton /> : <ProblemNotice error={files.error} onRetry={files.reload} />

import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Requested<T> {
  /** Undefined: not there yet. */
  readonly data: T | undefined
  /** Of the last try; the data is that of an earlier one then. */
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
  /** Shows what is known already, such as the answer to a change. */
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

/** NaN, as of an address with a word for a number, is not itself: it would be asked for without end. */
function comparable(input: unknown): unknown {
  return Number.isNaN(input) ? 'NaN' : input
}
