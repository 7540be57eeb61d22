// Tracks whether the server is reachable. After a request without a response, /health is polled, so that the page can
// show the outage and waiting requests can resume.

import { type Cell, openCell, untilCell } from './cell.ts'

export type ConnectionState = 'there' | 'lost'

export interface Connection {
  readonly state: Cell<ConnectionState>
  /** Reports a request without a response. */
  readonly lose: () => void
  /** Resolves when the server responds again. */
  readonly back: (signal?: AbortSignal) => Promise<unknown>
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000

export function openConnection(server: string): Connection {
  const state = openCell<ConnectionState>('there')
  let waitMs = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  async function look(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (await answers(`${server}/health`)) {
      waitMs = FIRST_WAIT_MS
      state.set('there')
      return
    }
    timer = setTimeout(() => void look(), waitMs)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }

  // The operating system reports the network before the next poll.
  addEventListener('online', () => {
    if (state.get() === 'lost') void look()
  })

  return {
    state,
    lose() {
      if (state.get() === 'lost') return
      state.set('lost')
      timer = setTimeout(() => void look(), waitMs)
    },
    back: (signal) => untilCell(state, (value): value is 'there' => value === 'there', signal),
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
