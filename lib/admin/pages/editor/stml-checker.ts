// Checks an STML page on the server after a pause in typing, one request at a time. Results for outdated texts are
// discarded.

import { type Api, dataOf } from '../../client/api.ts'

export interface Fault {
  /** Both start at 1. */
  readonly line: number
  readonly column: number
  readonly detail: string
}

export interface StmlChecker {
  readonly check: (text: string) => void
  readonly close: () => void
}

const PAUSE_MS = 300

export function openStmlChecker(
  api: Api,
  onFaults: (faults: readonly Fault[]) => void,
): StmlChecker {
  const gone = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = ''
  let isAsking = false

  async function ask(): Promise<void> {
    if (isAsking) return
    isAsking = true
    const asked = latest
    try {
      const { signal } = gone
      const { faults } = await dataOf(
        api.POST('/stml/check', { signal, body: { pageContent: asked } }),
      )
      if (asked === latest && !signal.aborted) onFaults(faults)
    } catch {
      // The save reports the same error.
    } finally {
      isAsking = false
    }
    if (asked !== latest && !gone.signal.aborted) await ask()
  }

  return {
    check(text) {
      latest = text
      clearTimeout(timer)
      timer = setTimeout(() => void ask(), PAUSE_MS)
    },
    close() {
      clearTimeout(timer)
      gone.abort()
    },
  }
}
