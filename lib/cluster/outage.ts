// Tells once that the database or the store does not answer, and once that it does again.

import type { OnOutage, Outage } from '../storage/engine.ts'

export interface OutageWatch {
  /** Failed at each call between these; `sinceMs` counts for the first of them. */
  away(failure: { readonly host: string; readonly reason: string; readonly sinceMs: number }): void
  back(host: string): void
}

export function openOutageWatch(
  part: Outage['part'],
  onOutage: OnOutage,
  now: () => number,
): OutageWatch {
  let awayMs: number | undefined

  return {
    away({ host, reason, sinceMs }) {
      if (awayMs !== undefined) return
      awayMs = sinceMs
      onOutage({ part, host, reason })
    },
    back(host) {
      if (awayMs === undefined) return
      const awaySeconds = Math.round((now() - awayMs) / 100) / 10
      awayMs = undefined
      onOutage({ part, host, awaySeconds })
    },
  }
}
