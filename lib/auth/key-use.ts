// When each key was last used, to the minute: noted in memory, written now and then. It may lose a
// minute in a crash, and costs a request nothing.

import { apiKeyUse } from '../schema/api-key.ts'
import type { Records } from '../storage/port.ts'

export interface KeyUse {
  note(apiKeyId: number, now: Date): void
  /** Writes what was noted. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_MS = 60_000

export function openKeyUse(records: Records): KeyUse {
  const noted = new Map<number, Date>()

  async function flush(): Promise<void> {
    if (noted.size === 0) return
    const batch = [...noted]
    noted.clear()
    await records.commit((unit) => {
      for (const [id, date] of batch) unit.put(apiKeyUse, [id], { last_used: date.toISOString() })
    })
  }

  // A failed flush is no fault of any request; the storage reports itself where it matters.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS).unref()

  return {
    note: (id, now) => void noted.set(id, now),
    flush,
    async close() {
      clearInterval(timer)
      // A stop is not held up by what a full disk does not take.
      await flush().catch(() => undefined)
    },
  }
}
