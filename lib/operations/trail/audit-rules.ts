// The audit trail: readable by administrators of the whole site only, read-only, and removed after a time.

import { requireEverywhere } from '../../auth/grants.ts'
import { type Audit, audit, auditClockReset } from '../../schema/audit.ts'
import { inMatch, type Match } from '../../schema/match.ts'
import { laterFields } from '../../schema/record.ts'
import type { SearchField, Stored } from '../../schema/values.ts'
import type { Records } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { Context, Services } from '../context.ts'
import type { ReadRules } from '../object-rules.ts'
import { requireRecord } from '../requirements.ts'
import { forgetChanges } from './change-log.ts'
import { expireHistory, removeDeletedHistories } from './history-writes.ts'

const LATER_FIELDS = [
  'asset_category_id',
  'previous_category_id',
  'changes',
  'api_key_name',
  'entries',
  'schedule_fault',
  'name',
  'path',
  'previous_name',
  'previous_path',
] as const satisfies readonly (keyof Audit)[]

export const auditRules: ReadRules<Audit> = {
  object: audit,
  readAccess: ['admin'],
  widen,
  // Null is not stored, and older rows lack these fields.
  derive: () => (row) => laterFields(row, LATER_FIELDS) ?? {},
  seen: {
    requireRead: readRow,
    requireMade: readRow,
    visibility(context) {
      requireAuditor(context)
      return undefined
    },
  },
}

/** `publish` and `stage` match every row that moved the pointer, like the filters of GET /change. */
function widen(match: Match): Match {
  if (match.op === 'and' || match.op === 'or')
    return { ...match, parts: match.parts.map((part) => widen(part)) }
  if (match.op === 'not') return { op: 'not', part: widen(match.part) }
  if (match.op !== 'eq' && match.op !== 'in') return match
  if (match.field.name !== 'action') return match
  const values = match.op === 'eq' ? [match.value] : match.values
  const states = values.filter((value) => value === 'publish' || value === 'stage')
  return states.length === 0 ? match : { op: 'or', parts: [match, moved(match.field, states)] }
}

function moved(action: SearchField, states: readonly string[]): Match {
  const fileState = audit.searchable.get('fileState')
  if (fileState === undefined) return { op: 'or', parts: [] }
  // After an unpublish or unstage, the remaining pointer was not moved by it.
  const takesOff = inMatch(action, ['unpublish', 'unstage'])
  const isMoved = inMatch(fileState, states)
  return { op: 'and', parts: [isMoved, { op: 'not', part: takesOff }] }
}

function readRow(context: Context, id: number): Stored<Audit> {
  requireAuditor(context)
  return requireRecord(context.records, audit, id).stored
}

function requireAuditor({ caller }: Context): void {
  requireEverywhere(caller, 'admin', 'for the audit trail')
}

const DAY_MS = 86_400_000
/** Short enough that the row count stays close to its limit. */
const EXPIRE_EVERY_MS = 60_000

/** Rows per commit: few enough that a concurrent write does not wait. */
const BATCH = 100

/** Retention set by the operator; 0 means unlimited. */
interface Retention {
  readonly days: number
  readonly rows: number
}

type Needed = Pick<Services, 'records' | 'retentionClock'>

/**
 * Removes audit rows after the configured number of days, and the oldest rows beyond the configured count, in small
 * commits between those of requests. Identifiers are not reused. Runs now and every minute until the signal aborts, and
 * returns at once if there are no limits.
 */
export async function expireAudit(
  services: Needed & Pick<Services, 'background'>,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  if (retention.days === 0 && retention.rows === 0) return
  const rounds = { name: 'expire-audit', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, async () => {
    if (retention.days > 0) await removeExpired(services, retention.days, signal)
    if (retention.rows > 0) await removeOldest(services, retention.rows, signal)
    await removeTurns(services.records)
  })
}

async function removeOldest(
  { records }: Pick<Needed, 'records'>,
  mostRows: number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const spare = Math.min(records.count(audit.recordType) - mostRows, BATCH)
    if (spare <= 0 || signal.aborted) return
    await removeRows(
      records,
      records.list(audit.recordType, [], spare).map(([id]) => Number(id)),
    )
  }
}

async function removeExpired(
  { records, retentionClock }: Needed,
  days: number,
  signal: AbortSignal,
): Promise<void> {
  const isExpired = (date: string): boolean => retentionClock.since(date) > days * DAY_MS
  const resets = records.list(auditClockReset, []).map(([id]) => Number(id))
  for (const [at, from] of [1, ...resets].entries()) {
    const run = { from, to: resets[at] ?? Number.MAX_SAFE_INTEGER }
    const next = (): Promise<readonly number[]> => findExpired(records, run, isExpired)
    for (let ids = await next(); ids.length > 0 && !signal.aborted; ids = await next())
      await removeRows(records, ids)
  }
}

async function removeRows(records: Records, ids: readonly number[]): Promise<void> {
  const rows = ids.flatMap((id) => records.get(audit.recordType, id)?.value ?? [])
  await expireHistory(records, rows)
  await records.commit((unit) => {
    for (const id of ids) unit.remove(audit.recordType, id)
    const dates = rows.map(({ date_added: date }) => date)
    forgetChanges(unit, Math.max(...ids), dates.toSorted().at(-1) ?? '')
  })
}

/** Removes reset rows at or before the first remaining audit row, which separate nothing any more. */
async function removeTurns(records: Records): Promise<void> {
  const [[first = 1] = []] = records.list(audit.recordType, [], 1)
  const spare = records.list(auditClockReset, []).filter(([id]) => Number(id) <= Number(first))
  for (let done = 0; done < spare.length; done += BATCH)
    await records.commit((unit) => {
      for (const ids of spare.slice(done, done + BATCH)) unit.remove(auditClockReset, ...ids)
    })
}

interface Run {
  readonly from: number
  readonly to: number
}

/**
 * Searches run by run, within which dates rise (schema/audit.ts), so that a clock that was ahead for a while does not
 * keep other rows.
 */
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

/** Removes the rest of the histories of deleted entries, now and every minute, until the signal aborts. */
export async function expireDeletedHistories(
  services: Pick<Services, 'records' | 'background'>,
  signal: AbortSignal,
): Promise<void> {
  const rounds = { name: 'expire-history', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, () => removeDeletedHistories(services.records, signal))
}
