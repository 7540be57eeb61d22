// Reads the metrics of the server every two seconds while the page is visible.

import { useEffect, useState } from 'preact/hooks'
import type { Api } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { addSample, type History, readHistory } from './figures.ts'

const PERIOD_MS = 2_000

/** The response of /ready. */
export interface Readiness {
  readonly warnings: readonly { readonly code: string; readonly detail: string }[]
  /** Undefined if the server accepts all requests. */
  readonly trouble: { readonly reason: string; readonly detail: string } | undefined
}

interface Live {
  readonly history: History
  /** Undefined until the first response. */
  readonly readiness: Readiness | undefined
  /** Error of the last reading. */
  readonly error: unknown
  readonly isPaused: boolean
}

export interface LiveFigures extends Live {
  readonly pause: (isPaused: boolean) => void
}

export function useFigures(): LiveFigures {
  const api = useApi()
  const [live, setLive] = useState<Live>(() => ({
    history: readHistory(),
    readiness: undefined,
    error: undefined,
    isPaused: false,
  }))
  const { isPaused } = live

  useEffect(() => {
    if (isPaused) return undefined
    const gone = new AbortController()
    void followWhileShown(gone.signal, async () => {
      const found = await readSample(api, gone.signal).catch((error: unknown) => ({ error }))
      if (!gone.signal.aborted) setLive((before) => ({ ...before, error: undefined, ...found }))
    })
    return () => gone.abort()
  }, [api, isPaused])

  const pause = (paused: boolean): void => setLive((before) => ({ ...before, isPaused: paused }))
  return { ...live, pause }
}

async function followWhileShown(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    if (document.hidden) await untilShown(signal)
    else {
      await work()
      await wait(signal)
    }
  }
}

function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function wait(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PERIOD_MS)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

async function readSample(
  api: Api,
  signal: AbortSignal,
): Promise<Pick<Live, 'history' | 'readiness'>> {
  const [{ data = '', response }, readiness] = await Promise.all([
    api.GET('/metrics', { signal, parseAs: 'text' }),
    readReadiness(api, signal),
  ])
  const serverTime = Date.parse(response.headers.get('date') ?? '') / 1_000
  const now = Number.isNaN(serverTime) ? Date.now() / 1_000 : serverTime
  return { history: addSample({ text: data, serverTime: now }), readiness }
}

async function readReadiness(api: Api, signal: AbortSignal): Promise<Readiness> {
  try {
    const { data } = await api.GET('/ready', { signal })
    return { warnings: data?.warnings ?? [], trouble: undefined }
  } catch (error) {
    if (!(error instanceof Problem) || error.facts.status !== 503) throw error
    const { reason = '', detail } = error.facts
    return { warnings: [], trouble: { reason, detail } }
  }
}
