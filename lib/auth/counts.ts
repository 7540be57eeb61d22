// Attempt counts of a single process.

import type { AskedCount, Counts } from '../storage/counts.ts'
import { type Failures, openFailures } from './failure-counts.ts'

/** Counts synchronously, before the promise is returned, so that parallel attempts are all counted. */
export function openOwnCounts(tableSize: number): Counts {
  const tables = new Map<string, Failures>()

  function tableOf({ kind, most, windowMs }: AskedCount): Failures {
    const known = tables.get(kind) ?? openFailures({ most, windowMs, tableSize })
    tables.set(kind, known)
    return known
  }

  return {
    async take(asked) {
      const waits = asked.map((one) => tableOf(one).waitOf(one.name) ?? 0)
      const waitSeconds = Math.max(...waits)
      if (waitSeconds > 0) return waitSeconds
      for (const one of asked) tableOf(one).note(one.name)
      return undefined
    },
    takeBack(counted) {
      for (const { kind, name } of counted) tables.get(kind)?.takeBack(name)
    },
  }
}
