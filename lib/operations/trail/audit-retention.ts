// Rows of the audit trail are removed after the days that the operator wants them kept, in small commits
// beside the normal traffic. Their identifiers are not given again.

import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../../schema/audit.ts'
import type { Id } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Services } from '../context.ts'

const DAY_MS = 86_400_000
const EXPIRE_EVERY_MS = 3_600_000

/** Rows that one commit removes: few enough that a write beside it does not wait. */
const BATCH = 100

/** Removes what has been kept for `days`, now and every hour, until the signal; with 0 nothing ever. */
export async function expireAudit(
  services: Pick<Services, 'records' | 'lived' | 'background'>,
  days: number,
  signal: AbortSignal,
): Promise<void> {
  while (days > 0) {
    // A fault is reported, and does not end it for good.
    await services.background.run('expire-audit', () => removeExpired(services, days, signal))
    await sleep(EXPIRE_EVERY_MS, undefined, { signal, ref: false })
  }
}

async function removeExpired(
  { records, lived }: Pick<Services, 'records' | 'lived'>,
  days: number,
  signal: AbortSignal,
): Promise<void> {
  const isExpired = (date: string): boolean => lived.since(date) > days * DAY_MS
  const next = (): readonly (readonly Id[])[] => findExpired(records, isExpired)
  for (let expired = next(); expired.length > 0 && !signal.aborted; expired = next()) {
    const batch = expired
    await records.commit((unit) => {
      for (const ids of batch) unit.remove(audit.recordType, ...ids)
    })
  }
}

/** By the time and not by the identifier: a clock that was ahead for a while keeps no other rows. */
function findExpired(
  reader: Reader,
  isExpired: (date: string) => boolean,
): readonly (readonly Id[])[] {
  const oldest = reader.lookup(audit.recordType, 'date_added', [], BATCH)
  return oldest.filter((ids) => {
    const stored = reader.get(audit.recordType, ...ids)
    return stored !== undefined && isExpired(stored.value.date_added)
  })
}
