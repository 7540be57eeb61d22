// Work on many records, which may be large: others are served after every mebibyte.

import { setImmediate } from 'node:timers/promises'
import type { Stored } from '../storage/port.ts'

const BYTES_PER_TURN = 1024 * 1024

export async function mapInTurns<T>(
  records: readonly Stored[],
  map: (stored: Stored) => T,
): Promise<readonly T[]> {
  const results: T[] = []
  let sizeBytes = 0
  for (const stored of records) {
    if (sizeBytes >= BYTES_PER_TURN) {
      await setImmediate()
      sizeBytes = 0
    }
    sizeBytes += stored.bytes.length
    results.push(map(stored))
  }
  return results
}
