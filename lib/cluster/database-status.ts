// State of the database as last observed: no extra query, because the copy reads the log every second in any case.

import type { OnOutage } from '../storage/engine.ts'
import type { DatabaseStatus } from '../storage/status.ts'
import { reasonsOf } from './database-fault.ts'
import { openOutageWatch } from './outage.ts'

export interface Vitals {
  /** Everything committed until now is visible. */
  heard(seq: number): void
  failed(): void
  /** Retries were exhausted. */
  lost(error: unknown): void
  chose(label: string): void
  status(): DatabaseStatus
}

/** Longer than it takes to detect that a server does not answer. */
const SILENT_MS = 5_000

interface VitalsOptions {
  readonly onOutage?: OnOutage | undefined
  /** Name of the database in the log until a server is chosen. */
  readonly hosts: string
  readonly now?: () => number
}

export function openVitals({
  hosts,
  onOutage = () => undefined,
  now = () => performance.now(),
}: VitalsOptions): Vitals {
  const outages = openOutageWatch('database', onOutage, now)
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
      outages.back(known ?? hosts)
    },
    failed() {
      hasFailed = true
    },
    lost(error) {
      outages.away({ host: known ?? hosts, reason: reasonsOf(error), sinceMs: heardMs })
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
