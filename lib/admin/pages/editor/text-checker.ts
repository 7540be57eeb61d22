// Checks a text on the server after a pause in typing, one request at a time. Results for outdated texts are discarded.

export interface Fault {
  /** Both start at 1. */
  readonly line: number
  readonly column: number
  readonly detail: string
  /** Characters of the faulty part; undefined: the word there. */
  readonly length?: number
  /** The fault does not prevent a save. */
  readonly isWarning?: boolean
}

interface TextChecker {
  readonly check: (text: string) => void
  readonly close: () => void
}

const PAUSE_MS = 300

export function openTextChecker(
  ask: (text: string, signal: AbortSignal) => Promise<readonly Fault[]>,
  onFaults: (faults: readonly Fault[]) => void,
): TextChecker {
  const gone = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = ''
  let isAsking = false

  async function askLatest(): Promise<void> {
    if (isAsking) return
    isAsking = true
    const asked = latest
    try {
      const faults = await ask(asked, gone.signal)
      if (asked === latest && !gone.signal.aborted) onFaults(faults)
    } catch {
      // The save reports the same error.
    } finally {
      isAsking = false
    }
    if (asked !== latest && !gone.signal.aborted) await askLatest()
  }

  return {
    check(text) {
      latest = text
      clearTimeout(timer)
      timer = setTimeout(() => void askLatest(), PAUSE_MS)
    },
    close() {
      clearTimeout(timer)
      gone.abort()
    },
  }
}
