// Reports once that the database or the store does not answer, and once that it answers again.

import type { OnOutage, Outage } from '../storage/engine.ts'

export interface OutageWatch {
  /** Call for each failure; `sinceMs` of the first failure counts. */
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
