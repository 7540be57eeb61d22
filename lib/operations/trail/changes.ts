// The log of changes: what the rows of the audit trail tell, record by record, in the order in which it was committed. A
// number is given once; numbers may be missing. Who sees which of them is in following/change-visibility.ts.

import { type Audit, audit } from '../../schema/audit.ts'
import type { ToldChange, ToldFolder, ToldName } from '../../schema/recorded-change.ts'
import type { Reader } from '../../storage/port.ts'
import type { Services } from '../context.ts'

/** One change of one record. */
export interface ChangeEvent {
  readonly sequence: number
  readonly date_added: string
  readonly object: string
  readonly object_id: number
  /** Of an entry: its datatable or calendar. */
  readonly module_id: number | null
  /** create and delete are that; any other word is a change of a record that was there and stays. */
  readonly action: string
  readonly version: number | null
  readonly fileState: string | null
  readonly changed_fields: readonly string[] | null
  readonly user_name: string | null
  /** In which the record lies, or lay; of an entry that of its module, of a folder itself. */
  readonly asset_category_id: number | null
  readonly previous_category_id: number | null
  /** Of a datatable or calendar that was deleted: how many entries went with it. */
  readonly entries: number | null
  /** It follows from a change in this folder: not for who does not see that. */
  readonly through_category_id: number | null
  /** Of a record that was deleted, renamed or moved: its names, and the folders from the root down. */
  readonly named?: Named
}

export interface Named {
  readonly name: ToldName
  readonly folders: readonly ToldFolder[] | undefined
  readonly previousFolders: readonly ToldFolder[] | undefined
}

/** The number of the newest change; 0: there was none. */
export function newestSequence({
  records,
}: {
  readonly records: Pick<Reader, 'highestId'>
}): number {
  return records.highestId(audit.recordType)
}

/** Resolves when there is a change behind that number, or with the signal, or when the server stops. */
export function waitForChange(
  { changeWatch }: Pick<Services, 'changeWatch'>,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  return changeWatch.wait(after, signal)
}

export interface ReadChanges {
  /** The number behind which to begin: see newestSequence, or a position of an earlier call. */
  readonly after: number
  /** At most so many. */
  readonly length: number
  readonly wants: (change: ChangeEvent) => boolean
}

export interface ChangePage {
  readonly changes: readonly ChangeEvent[]
  /** The last number that was looked at: where the next call goes on. */
  readonly position: number
  /** There was nothing behind it. */
  readonly isEnd: boolean
}

/** Rows that one search reads. */
const AT_ONCE = 200
/** Changes that one call looks at, as a search looks at so many records. */
const MAX_LOOKED = 100_000

/** In turns with others. Whoever calls sees to it that nothing behind `after` was removed: readChangeLog. */
export async function readChanges(
  { records }: Pick<Services, 'records'>,
  { after, length, wants }: ReadChanges,
): Promise<ChangePage> {
  const changes: ChangeEvent[] = []
  let position = after
  for (let looked = 0; looked < MAX_LOOKED; ) {
    const newest = newestSequence({ records })
    const { rows, isLast } = newest > position ? await rowsBehind(records, position) : NO_ROWS
    for (const row of rows) {
      for (const change of changesOf(row)) {
        if (change.sequence <= position) continue
        if (changes.length === length) return { changes, position, isEnd: false }
        position = change.sequence
        looked += 1
        if (wants(change)) changes.push(change)
      }
    }
    // What is committed meanwhile is read in whole rows, and behind the newest of before.
    if (isLast) return { changes, position: Math.max(position, newest), isEnd: true }
  }
  return { changes, position, isEnd: false }
}

interface Rows {
  readonly rows: readonly Audit[]
  readonly isLast: boolean
}

const NO_ROWS: Rows = { rows: [], isLast: true }

async function rowsBehind(records: Services['records'], after: number): Promise<Rows> {
  const field = audit.searchable.get(audit.idField)
  if (field === undefined) return NO_ROWS
  const match = { op: 'gt', field, value: after } as const
  const query = { match, orderBy: null, length: AT_ONCE }
  const page = await records.search(audit.recordType, audit.searchable, query)
  // A page may end early, by its bytes.
  return { rows: page.records.map(({ value }) => value), isLast: page.next === undefined }
}

/** The row lies under the number of the last. */
function* changesOf(row: Audit): Generator<ChangeEvent, void> {
  const all = (row.changes ?? [only(row)]) as readonly ToldChange[]
  let sequence = row.audit_id - all.reduce((sum, { ids }) => sum + countIds(ids), 0)
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

function countIds(ids: ToldChange['ids']): number {
  return ids.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

/** Where the row tells of one kind alone, it is told by the row itself. */
function only(row: Audit): ToldChange {
  const { module_id, version, fileState, changed_fields, asset_category_id: folder } = row
  const previous = row.previous_category_id ?? undefined
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
  }
}

/** By which a record is gone; what has no changed fields by another one is new. */
const ENDS: ReadonlySet<string> = new Set(['delete', 'revoke', 'sign_out'])

function endOf({ action }: Audit): 'create' | 'delete' {
  return ENDS.has(action) ? 'delete' : 'create'
}

interface Numbered {
  readonly told: ToldChange
  readonly id: number
  /** Among the records of which the same is told. */
  readonly place: number
  readonly sequence: number
  /** The record is what was asked for, and none that changed with it. */
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
    through_category_id: told.through_category_id ?? null,
    ...(name !== undefined && {
      named: { name, folders: told.folders, previousFolders: told.previous_folders },
    }),
  }
}
