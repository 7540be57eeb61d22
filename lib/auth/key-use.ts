// When each key was last used, to the minute, and how late it was then: noted in memory, written now and
// then. It may lose a minute in a crash, and costs a request nothing.

import { apiKeyUse, type SeenTime, seenTime } from '../schema/api-key.ts'
import { valueOf } from '../schema/record.ts'
import type { Reader, Records } from '../storage/port.ts'

export interface KeyUse {
  note(apiKeyId: number, now: Date): void
  /** Writes what was noted. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_MS = 60_000

export function openKeyUse(records: Records, now: () => Date): KeyUse {
  const noted = new Map<number, Date>()

  async function flush(): Promise<void> {
    const batch = [...noted]
    noted.clear()
    await records.commit((unit) => {
      for (const [id, date] of batch) unit.put(apiKeyUse, [id], { last_used: date.toISOString() })
      const date_seen = laterOf(findSeenTime(unit), now())
      unit.put(seenTime, [1], { date_seen })
    })
  }

  // A failed flush is no fault of any request; the storage reports itself where it matters.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS).unref()

  return {
    note: (id, date) => void noted.set(id, date),
    flush,
    async close() {
      clearInterval(timer)
      // A stop is not held up by what a full disk does not take.
      await flush().catch(() => undefined)
    },
  }
}

/** The latest time that the server has seen, also in earlier runs; undefined in its first minute. */
export function findSeenTime(reader: Pick<Reader, 'get'>): string | undefined {
  const stored = reader.get(seenTime, 1)
  return stored === undefined ? undefined : valueOf<SeenTime>(stored).date_seen
}

/** Both in ISO 8601 with milliseconds, where the order of texts is that of times. */
export function laterOf(seen: string | undefined, now: Date): string {
  const text = now.toISOString()
  return seen === undefined || seen < text ? text : seen
}
