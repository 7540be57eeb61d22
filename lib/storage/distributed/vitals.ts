// What is known of the database without asking it: the copy follows the log once a second in any case.

import type { DatabaseStatus } from '../status.ts'

export interface Vitals {
  /** Everything that was committed by now is shown. */
  heard(seq: number): void
  failed(): void
  chose(label: string): void
  status(): DatabaseStatus
}

/** Longer than what it takes to be told that a server does not answer. */
const SILENT_MS = 5_000

export function openVitals(now: () => number = () => performance.now()): Vitals {
  let heardMs = now()
  let hasFailed = false
  let known: string | undefined
  const counts = { seq: 0, renewals: 0, failovers: 0 }

  return {
    heard(seq) {
      heardMs = now()
      hasFailed = false
      counts.seq = seq
      counts.renewals += 1
    },
    failed() {
      hasFailed = true
    },
    chose(label) {
      if (known !== undefined && known !== label) counts.failovers += 1
      known = label
    },
    status() {
      const silentMs = now() - heardMs
      return { ...counts, isUp: !hasFailed && silentMs < SILENT_MS, lagSeconds: silentMs / 1_000 }
    },
  }
}
