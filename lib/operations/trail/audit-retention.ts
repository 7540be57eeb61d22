// Rows of the audit trail are removed after the days that the operator wants them kept, in small commits
// beside the normal traffic. Their identifiers are not given again.

import { setTimeout as sleep } from 'node:timers/promises'
import { audit, auditTurn } from '../../schema/audit.ts'
import type { Records } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { forgetChanges } from './change-log.ts'

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
  const turns = records.list(auditTurn, []).map(([id]) => Number(id))
  for (const [at, from] of [1, ...turns].entries()) {
    const run = { from, to: turns[at] ?? Number.MAX_SAFE_INTEGER }
    const next = (): Promise<readonly number[]> => findExpired(records, run, isExpired)
    for (let ids = await next(); ids.length > 0 && !signal.aborted; ids = await next()) {
      const batch = ids
      await records.commit((unit) => {
        for (const id of batch) unit.remove(audit.recordType, id)
        forgetChanges(unit, Math.max(...batch))
      })
    }
  }
  await removeTurns(records)
}

/** What is dated by the first row that there is, and what lies before it, parts nothing any more. */
async function removeTurns(records: Records): Promise<void> {
  const [[first = 1] = []] = records.list(audit.recordType, [], 1)
  const spare = records.list(auditTurn, []).filter(([id]) => Number(id) <= Number(first))
  for (let done = 0; done < spare.length; done += BATCH)
    await records.commit((unit) => {
      for (const ids of spare.slice(done, done + BATCH)) unit.remove(auditTurn, ...ids)
    })
}

interface Run {
  readonly from: number
  readonly to: number
}

/** Run by run, in which dates rise (schema/audit.ts): a clock that was ahead for a while keeps no other rows. */
async function findExpired(
  records: Records,
  { from, to }: Run,
  isExpired: (date: string) => boolean,
): Promise<readonly number[]> {
  const field = audit.searchable.get(audit.idField)
  if (field === undefined) return []
  const parts = [
    { op: 'gte', field, value: from },
    { op: 'lt', field, value: to },
  ] as const
  const query = { match: { op: 'and', parts }, length: BATCH } as const
  const { records: oldest } = await records.search(audit.recordType, audit.searchable, query)
  const rows = oldest.map(({ value }) => value)
  const end = rows.findIndex(({ date_added }) => !isExpired(date_added))
  return rows.slice(0, end === -1 ? rows.length : end).map(({ audit_id: id }) => id)
}
