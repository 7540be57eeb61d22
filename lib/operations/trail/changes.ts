// The change log: the rows of the audit trail, record by record, in the order of commits. A number is assigned once;
// numbers may be missing. following/change-visibility.ts decides who sees which change.

import { type Audit, audit } from '../../schema/audit.ts'
import {
  countIds,
  type RecordedChange,
  type RecordedFolder,
  type RecordedName,
} from '../../schema/recorded-change.ts'
import type { ScheduleFault } from '../../schema/file-schedule.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Services } from '../context.ts'

/** One change of one record. */
export interface ChangeEvent {
  readonly sequence: number
  readonly date_added: string
  readonly object: string
  readonly object_id: number
  /** The datatable or calendar of an entry; otherwise null. */
  readonly module_id: number | null
  /** `create` and `delete`; any other word is a change of an existing record. */
  readonly action: string
  readonly version: number | null
  readonly fileState: string | null
  readonly changed_fields: readonly string[] | null
  readonly user_name: string | null
  /** The present or last folder of the record; for an entry its module's folder, for a folder the folder itself. */
  readonly asset_category_id: number | null
  readonly previous_category_id: number | null
  /** Number of entries deleted with a datatable or calendar. */
  readonly entries: number | null
  /** Why a time of a file could not be kept. */
  readonly schedule_fault: ScheduleFault | null
  /** Folder of the change that caused this one; callers who do not see the folder do not see this change. */
  readonly through_category_id: number | null
  /** For a deleted, renamed or moved record: its names, and its folders from the root down. */
  readonly named?: Named
}

export interface Named {
  readonly name: RecordedName
  readonly folders: readonly RecordedFolder[] | undefined
  readonly previousFolders: readonly RecordedFolder[] | undefined
}

/** The number of the newest change; 0 if there is none. */
export function newestSequence({
  records,
}: {
  readonly records: Pick<Reader, 'highestId'>
}): number {
  return records.highestId(audit.recordType)
}

/** Resolves when there is a change after that number, when the signal aborts, or when the server stops. */
export function waitForChange(
  { changeWatch }: Pick<Services, 'changeWatch'>,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  return changeWatch.wait(after, signal)
}

export interface ReadChanges {
  /** The number after which to begin: see newestSequence, or the position of an earlier call. */
  readonly after: number
  /** Maximum number of changes. */
  readonly length: number
  readonly wants: (change: ChangeEvent) => boolean
}

export interface ChangePage {
  readonly changes: readonly ChangeEvent[]
  /** The last number examined; the next call continues there. */
  readonly position: number
  /** There were no changes after the position. */
  readonly isEnd: boolean
}

/** Rows per search. */
const AT_ONCE = 200
/** Changes examined per call, like the records examined per search. */
const MAX_LOOKED = 100_000

/** Runs in time slices. The caller must check that no change after `after` was removed: readChangeLog. */
export async function readChanges(
  { records }: Pick<Services, 'records'>,
  { after, length, wants }: ReadChanges,
): Promise<ChangePage> {
  const changes: ChangeEvent[] = []
  let position = after
  const slice = openTimeSlice()
  for (let looked = 0; looked < MAX_LOOKED; ) {
    const newest = newestSequence({ records })
    const { rows, isLast } = newest > position ? await rowsBehind(records, position) : NO_ROWS
    for (const { value: row, sizeBytes } of rows) {
      // One row of a bulk write describes a thousand changes.
      if (slice.isOver(sizeBytes)) await slice.next()
      for (const change of changesOf(row)) {
        if (change.sequence <= position) continue
        if (changes.length === length) return { changes, position, isEnd: false }
        position = change.sequence
        looked += 1
        if (wants(change)) changes.push(change)
      }
    }
    // Rows that were committed meanwhile were read completely, and have higher numbers than the former newest row.
    if (isLast) return { changes, position: Math.max(position, newest), isEnd: true }
  }
  return { changes, position, isEnd: false }
}

/**
 * The number after which to begin, for the changes from a time on. Changes that were made while the clock was set back
 * may be older than the time.
 */
export async function sequenceBefore(
  services: Pick<Services, 'records'>,
  date: string,
): Promise<number> {
  const { records } = services
  const field = audit.searchable.get('date_added')
  if (field === undefined) return newestSequence(services)
  const query = { match: { op: 'gte', field, value: date }, orderBy: null, length: 1 } as const
  const { records: found } = await records.search(audit.recordType, audit.searchable, query)
  const row = found[0]?.value
  return row === undefined ? newestSequence(services) : row.audit_id - countOf(row)
}

interface Rows {
  readonly rows: readonly Stored<Audit>[]
  readonly isLast: boolean
}

const NO_ROWS: Rows = { rows: [], isLast: true }

async function rowsBehind(records: Services['records'], after: number): Promise<Rows> {
  const field = audit.searchable.get(audit.idField)
  if (field === undefined) return NO_ROWS
  const match = { op: 'gt', field, value: after } as const
  const query = { match, orderBy: null, length: AT_ONCE }
  const page = await records.search(audit.recordType, audit.searchable, query)
  // A page may end early because of its size in bytes.
  return { rows: page.records, isLast: page.next === undefined }
}

/** The row is stored under the number of its last change. */
function* changesOf(row: Audit): Generator<ChangeEvent, void> {
  const all = recordedIn(row)
  let sequence = row.audit_id - countOf(row)
  for (const [at, told] of all.entries()) {
    const isAsked = at === all.length - 1
    let place = 0
    for (const [first, last] of told.ids)
      for (let id = first; id <= last; id += 1) {
        sequence += 1
        yield buildChange(row, { told, id, place, sequence, isAsked })
        place += 1
      }
  }
}

function recordedIn(row: Audit): readonly RecordedChange[] {
  return row.changes ?? [only(row)]
}

/** Number of changes that a row describes. */
function countOf(row: Audit): number {
  return recordedIn(row).reduce((sum, { ids }) => sum + countIds(ids), 0)
}

/** A row with changes of one kind describes them in its own fields. */
function only(row: Audit): RecordedChange {
  const { module_id, version, fileState, changed_fields, asset_category_id: folder } = row
  const previous = row.previous_category_id ?? undefined
  const { schedule_fault: fault } = row
  return {
    object: row.object,
    action: changed_fields === null ? endOf(row) : 'update',
    ids: [[row.object_id, row.last_object_id]],
    ...(module_id !== null && { module_id }),
    ...(version !== null && { version }),
    ...(fileState !== null && { fileState }),
    ...(changed_fields !== null && { changed_fields }),
    ...(folder !== null && { asset_category_id: folder }),
    ...(previous !== undefined && { previous_category_id: previous }),
    // Rows without a fault lack the member.
    ...(isFault(fault) && { schedule_fault: fault }),
  }
}

function isFault(value: unknown): value is ScheduleFault {
  return typeof value === 'object' && value !== null
}

/** Actions that remove a record; another action without changed fields is a create. */
const ENDS: ReadonlySet<string> = new Set(['delete', 'revoke', 'sign_out'])

function endOf({ action }: Audit): 'create' | 'delete' {
  return ENDS.has(action) ? 'delete' : 'create'
}

interface Numbered {
  readonly told: RecordedChange
  readonly id: number
  /** Index among the records with the same description. */
  readonly place: number
  readonly sequence: number
  /** The record is the requested one, not one that changed with it. */
  readonly isAsked: boolean
}

function buildChange(row: Audit, { told, id, place, sequence, isAsked }: Numbered): ChangeEvent {
  const name = told.names?.[place]
  const isNamed = isAsked && told.action === 'update' && !['create', 'delete'].includes(row.action)
  return {
    sequence,
    date_added: row.date_added,
    object: told.object,
    object_id: id,
    module_id: told.module_id ?? null,
    action: isNamed ? row.action : told.action,
    version: told.version ?? null,
    fileState: told.fileState ?? null,
    changed_fields: told.changed_fields ?? null,
    user_name: row.user_name,
    asset_category_id: told.asset_category_id ?? null,
    previous_category_id: told.previous_category_id ?? null,
    entries: told.entries ?? null,
    schedule_fault: told.schedule_fault ?? null,
    through_category_id: told.through_category_id ?? null,
    ...(name !== undefined && {
      named: { name, folders: told.folders, previousFolders: told.previous_folders },
    }),
  }
}
