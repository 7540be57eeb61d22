// The audit trail, which is also the change log: one row in each commit that a request or command asks for, and in
// the commits of the resulting work. The row is derived from what the commit put and removed, so operations need no
// code for it.

import type { Caller } from '../../auth/caller.ts'
import { type ApiKey, apiKey } from '../../schema/api-key.ts'
import {
  type Audit,
  audit,
  AUDIT_SLACK_MS,
  auditClockReset,
  type Doer,
  isClockReset,
  NOBODY,
} from '../../schema/audit.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { VERSIONS } from '../../schema/version-retention.ts'
import type { Action } from '../../shared/actions.ts'
import { countIds, type RecordedChange } from '../../schema/recorded-change.ts'
import type { Change, Records, Unit } from '../../storage/port.ts'
import type { Addition } from './additions.ts'
import { type HistoryLimits, putHistory } from './history-writes.ts'
import { describeChanges } from './recorded-changes.ts'
import { pathsOf } from './recorded-names.ts'

/** The requester of a change. */
export interface Origin {
  readonly action: Action
  /** Undefined for the command line, where access to the data directory makes the caller the operator. */
  readonly caller: Pick<Caller, 'user' | 'key'> | undefined
  readonly address: string | undefined
  readonly requestId: string | undefined
}

export function doerOf({ action, caller, address, requestId }: Origin): Doer {
  return {
    user_name: caller?.user.name ?? null,
    user_id: caller?.user.user_id ?? null,
    api_key_id: caller?.key.api_key_id ?? null,
    api_key_name: caller?.key.name ?? null,
    address: address ?? null,
    request_id: requestId ?? null,
    action,
  }
}

/** Puts the row of a commit; no row if only internal records changed. */
export function auditAddition(services: Recorder, origin: Origin): Addition {
  return (unit, changes) => {
    const told = describeChanges({ reader: unit, changes })
    // An upsert is sent as a create, and may only update.
    const isUpdate = origin.action === 'create' && told.every(({ action }) => action === 'update')
    putRow(unit, services, {
      doer: doerOf(isUpdate ? { ...origin, action: 'update' } : origin),
      told,
      changes,
    })
  }
}

/** Puts the row of a key that is deleted after the requested one. */
export function putRowOfKey(
  unit: Unit,
  services: Recorder,
  doer: Doer,
  key: Pick<ApiKey, 'api_key_id' | 'name'>,
): void {
  const { api_key_id: id, name } = key
  const told = {
    object: apiKey.name,
    action: 'delete',
    ids: [[id, id]],
    names: [{ name }],
  } as const
  putRow(unit, services, { doer, told: [told], changes: [] })
}

/** Puts the row of a file some of whose versions a rule removed. */
export function putRowOfVersions(
  unit: Unit,
  services: Recorder,
  { asset_file_id: id, parent_category_id: folder }: AssetFile,
): void {
  const told = {
    object: assetFile.name,
    action: 'update',
    ids: [[id, id]],
    asset_category_id: folder,
    changed_fields: [VERSIONS],
  } as const
  putRow(unit, services, { doer: { ...NOBODY, action: 'update' }, told: [told], changes: [] })
}

export interface AuditedCommit<T> {
  /** The requester of the work that this commit belongs to. */
  readonly doer: Doer
  readonly plan: (unit: Unit) => T
  /** See Committed in recorded-changes.ts. */
  readonly through?: number | undefined
}

/** Commits work that continues after a request, with an audit row, so that followers of changes see it too. */
export function commitAudited<T>(
  services: Recorder,
  { doer, plan, through }: AuditedCommit<T>,
): Promise<T> {
  return services.records.commit((unit) => {
    const result = plan(unit)
    const changes = [...unit.changes]
    const told = describeChanges({ reader: unit, changes, through })
    putRow(unit, services, { doer, told, changes })
    return result
  })
}

/** Puts the row of records that a restore has brought back in earlier commits, so that followers of changes see them. */
export function reportRestored(
  services: Recorder,
  doer: Doer,
  records: readonly Pick<Change, 'type' | 'ids'>[],
): Promise<void> {
  return services.records.commit((unit) => {
    const changes = records.flatMap(({ type, ids }): Change[] => {
      const stored = unit.get(type, ...ids)
      return stored === undefined ? [] : [{ type, ids, before: undefined, stored }]
    })
    putRow(unit, services, { doer, told: describeChanges({ reader: unit, changes }), changes: [] })
  })
}

interface Recorder {
  readonly records: Records
  readonly now: () => Date
  readonly limits?: HistoryLimits | undefined
}

interface NewRow {
  readonly doer: Doer
  readonly told: readonly RecordedChange[]
  /** All changes of the commit, from which the history of entries follows. */
  readonly changes: readonly Change[]
}

/**
 * Each record has its own number among all changes, in the order of commits; the row is stored under the last of its
 * numbers. The numbers before it are reserved, so a reader can stop in between.
 */
function putRow(unit: Unit, { records, now, limits }: Recorder, row: NewRow): void {
  const { doer, told, changes } = row
  const count = told.reduce((sum, { ids }) => sum + countIds(ids), 0)
  if (count === 0) return
  let id = 0
  for (let left = count; left > 0; left -= 1) id = records.nextId(audit.recordType)
  const { date_added, isReset } = dated(unit, { records, id, before: id - count, now: now() })
  if (isReset) unit.put(auditClockReset, [id], { date_added })
  unit.put(audit.recordType, [id], { audit_id: id, ...doer, ...describe(told), date_added })
  putHistory(unit, { changes, auditId: id, limits })
}

type Described = Omit<Audit, keyof Doer | 'audit_id' | 'date_added'>

/** Describes the requested change and changes of the same kind; lists all changes if there are others. */
function describe(told: readonly RecordedChange[]): Described {
  const last = told.at(-1)
  const alike = told.filter(
    ({ object, module_id: id }) => object === last?.object && id === last.module_id,
  )
  const runs = alike.flatMap(({ ids }) => ids)
  const isAlone = told.length === 1 && runs.length === 1
  const isWhole = isAlone && last?.names === undefined
  const { asset_category_id: folder = null, previous_category_id: previous } = last ?? {}
  const described = {
    object: last?.object ?? '',
    object_id: runs[0]?.[0] ?? 0,
    last_object_id: runs.at(-1)?.[1] ?? 0,
    count: countIds(runs),
    module_id: last?.module_id ?? null,
    version: last?.version ?? null,
    fileState: last?.fileState ?? null,
    changed_fields: last?.changed_fields ?? null,
    asset_category_id: folder,
    ...(isAlone && previous !== undefined && { previous_category_id: previous }),
    ...(last?.entries !== undefined && { entries: last.entries }),
    ...(last?.schedule_fault !== undefined && { schedule_fault: last.schedule_fault }),
    ...(last !== undefined && namesOf(last)),
    ...(!isWhole && { changes: told }),
  }
  // Readers show missing fields as null: nearly every row lacks both.
  return described as unknown as Described
}

/** The names of the first record. */
function namesOf(
  told: RecordedChange,
): Partial<Pick<Audit, 'name' | 'path' | 'previous_name' | 'previous_path'>> {
  const [first] = told.names ?? []
  if (first === undefined) return {}
  const { path, previous_path } = pathsOf(told, first)
  return {
    name: first.name,
    ...(path !== undefined && { path }),
    ...(first.previous_name !== undefined && { previous_name: first.previous_name }),
    ...(previous_path !== undefined && { previous_path }),
  }
}

interface New {
  readonly records: Records
  readonly id: number
  /** The previous row, unless a number was assigned in vain. */
  readonly before: number
  readonly now: Date
}

interface Dated {
  readonly date_added: string
  /** True if the row is dated well before the row in front of it, or if this is unknown. */
  readonly isReset: boolean
}

interface Last {
  readonly id: number
  /** At least the latest date since the last reset. */
  readonly latest: string
  /** The row of the last reset that was put. */
  readonly reset: number | undefined
}

/** The row last put through these records, even if its commit was rolled back. */
const LAST = new WeakMap<Records, Last>()

/**
 * The date of a row, and whether the row is a reset. Searches rely on rising dates between resets, because the clock
 * may go back. A rolled-back row stays in LAST, so a later row below it may become an unnecessary reset. After a
 * rolled-back reset, the order is unknown.
 */
function dated(unit: Unit, row: New): Dated {
  const { records, id, now } = row
  const last = LAST.get(records)
  const latest = last?.id === row.before ? latestOf(unit, last) : latestBefore(unit, row.before)
  const date_added = heldDate(latest, now)
  const isSo = row.before > 0 && (latest === undefined || isClockReset(latest, date_added))
  const stays = !isSo && latest !== undefined && latest > date_added
  LAST.set(records, {
    id,
    latest: stays ? latest : date_added,
    reset: isSo ? id : last?.reset,
  })
  return { date_added, isReset: isSo }
}

/**
 * A clock that is behind by fractions of a second does not count as a reset: otherwise nodes with different clocks that
 * alternate would make as many resets as rows. The row gets the earliest date that needs no reset.
 */
function heldDate(latest: string | undefined, now: Date): string {
  const date = now.toISOString()
  if (latest === undefined || date >= latest) return date
  const earliestMs = Date.parse(latest) - AUDIT_SLACK_MS
  const behindMs = earliestMs - now.getTime()
  return behindMs > 0 && behindMs <= AUDIT_SLACK_MS ? new Date(earliestMs).toISOString() : date
}

function latestOf(unit: Unit, { latest, reset }: Last): string | undefined {
  return reset === undefined || unit.get(auditClockReset, reset) !== undefined ? latest : undefined
}

/** Upper bound from the stored row: rows before it are later by at most the slack. */
function latestBefore(unit: Unit, id: number): string | undefined {
  const before = unit.get(audit.recordType, id)?.value.date_added
  return before && new Date(Date.parse(before) + AUDIT_SLACK_MS).toISOString()
}
