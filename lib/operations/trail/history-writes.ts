// Writes the history of entries: the values that an update replaces, in the commit of the update. Operations need no code
// for it, because the values follow from what the commit put and removed.

import { LIMITS, type Limits } from '../../config/limits.ts'
import type { Audit } from '../../schema/audit.ts'
import { parseEntryTypeName } from '../../schema/entry.ts'
import {
  deletedHistory,
  historyOfEntries,
  historyTypeOf,
  layoutOf,
  type PastValues,
  valueBytes,
} from '../../schema/past-values.ts'
import type { RecordedChange } from '../../schema/recorded-change.ts'
import { type TrashPart, trashPart } from '../../schema/trash.ts'
import type { Id, JsonObject, JsonValue, RecordType, Stored } from '../../schema/values.ts'
import type { Change, Records, Unit } from '../../storage/port.ts'
import { orphanComments } from '../comment-targets.ts'
import { fieldsOf, valueIn } from './changed-fields.ts'

export type HistoryLimits = Pick<
  Limits,
  'historyValueBytes' | 'historyCommitBytes' | 'historyChanges'
>

interface Written {
  readonly changes: readonly Change[]
  /** The row of the audit trail of this commit. */
  readonly auditId: number
  readonly limits?: HistoryLimits | undefined
}

/** Records that one commit removes; the rest of a longer history is removed later. */
const REMOVED = 500

export function putHistory(unit: Unit, { changes, auditId, limits = LIMITS }: Written): void {
  const room = { bytes: limits.historyCommitBytes, removals: REMOVED }
  let kept: ReadonlySet<string> | undefined
  for (const { type, id, before, stored } of entriesIn(changes)) {
    const history = historyOfEntries(type)
    if (history === undefined) continue
    if (before === undefined || stored === undefined) {
      if (stored !== undefined && stored.revision > 1)
        putRestored(unit, history, { id, stored, auditId })
      // The history of an entry in the trash stays.
      if (stored === undefined && !(kept ??= keptIn(changes)).has(`${type.name}/${id}`)) {
        removeHistory(unit, { history, id, room })
        orphanComments(unit, `${type.name.replace('_entry.', '/')}/${id}`)
      }
      continue
    }
    const { values, omitted } = pastOf({ type, before, stored }, room, limits.historyValueBytes)
    unit.put(history, [id, stored.revision], {
      audit_id: auditId,
      previous: before.revision,
      layout: layoutOf(stored.value as JsonObject),
      values,
      ...(Object.keys(omitted).length > 0 && { omitted }),
    })
    const oldest = stored.revision - limits.historyChanges
    if (oldest > 0) unit.remove(history, id, oldest)
  }
}

/** Connects the history of an entry that returns from the trash, with a higher revision, to its former history. */
function putRestored(
  unit: Unit,
  history: RecordType<PastValues>,
  {
    id,
    stored,
    auditId,
  }: { readonly id: Id; readonly stored: Stored<object>; readonly auditId: number },
): void {
  const layout = layoutOf(stored.value as JsonObject)
  const past = { audit_id: auditId, previous: stored.revision - 1, layout, values: {} }
  unit.put(history, [id, stored.revision], past)
}

/** Names of the records that the commit has moved to the trash. */
function keptIn(changes: readonly Change[]): ReadonlySet<string> {
  const parts = changes.flatMap(({ type, stored }) =>
    type === trashPart && stored !== undefined ? [stored.value as TrashPart] : [],
  )
  return new Set(parts.map(({ type, ids }) => `${type}/${ids[0]}`))
}

/** An entry before and after the commit. */
interface ChangedEntry extends Pick<Change, 'type' | 'before' | 'stored'> {
  readonly id: Id
}

/** A commit may put the same entry several times. */
function entriesIn(changes: readonly Change[]): Iterable<ChangedEntry> {
  const [change] = changes
  if (change !== undefined && changes.length === 1) {
    const { type, ids, before, stored } = change
    const [id] = ids
    return id === undefined ? [] : [{ type, id, before, stored }]
  }
  const entries = new Map<string, ChangedEntry>()
  for (const { type, ids, before, stored } of changes) {
    const [id] = ids
    if (id === undefined || historyOfEntries(type) === undefined) continue
    const label = `${type.name}/${id}`
    const known = entries.get(label)
    entries.set(label, { type, id, before: known === undefined ? before : known.before, stored })
  }
  return entries.values()
}

/** The bytes that this commit may still write, and the records that it may still remove. */
interface Room {
  bytes: number
  removals: number
}

type Updated = Pick<Change, 'type'> & { readonly [N in 'before' | 'stored']: Stored<object> }

function pastOf(
  { type, before, stored }: Updated,
  room: Room,
  maxBytes: number,
): { readonly values: JsonObject; readonly omitted: Readonly<Record<string, number>> } {
  const old = valueIn(type, before)
  const values: Record<string, JsonValue> = {}
  const omitted: Record<string, number> = {}
  for (const name of fieldsOf(type, before, stored) ?? []) {
    const value = old[name] ?? null
    const bytes = valueBytes(value)
    const isKept = bytes <= Math.min(maxBytes, room.bytes)
    if (!isKept) omitted[name] = bytes
    else values[name] = value
    if (isKept) room.bytes -= bytes
  }
  return { values, omitted }
}

interface Removal {
  readonly history: RecordType<PastValues>
  readonly id: Id
  readonly room: Room
}

function removeHistory(unit: Unit, { history, id, room }: Removal): void {
  const found = unit.list(history, [id], room.removals + 1)
  const removed = found.slice(0, room.removals)
  for (const ids of removed) unit.remove(history, ...ids)
  room.removals -= removed.length
  if (found.length > removed.length) unit.put(deletedHistory, [history.name, id], {})
}

/**
 * Removes what the commits of deletions have left of histories, in small commits, until the signal aborts.
 */
export async function removeDeletedHistories(records: Records, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [[name, id] = []] = records.list(deletedHistory, [], 1)
    if (name === undefined || id === undefined) return
    const history = { name: String(name), idCount: 2, indexes: [] }
    await records.commit((unit) => {
      unit.remove(deletedHistory, name, id)
      removeHistory(unit, { history, id, room: { bytes: 0, removals: REMOVED } })
    })
  }
}

/** A change in the history of an entry, known by its row of the audit trail. */
interface Expired {
  readonly history: RecordType<PastValues>
  readonly id: number
  readonly auditId: number
}

/** The changes of entries that a row of the audit trail describes. */
function* expiredIn(row: Audit): Generator<Expired> {
  const all = (row.changes ?? [only(row)]) as readonly ToldChange[]
  for (const { object, module_id: moduleId, changed_fields, ids } of all) {
    const module = parseEntryTypeName(`${object}.${moduleId}`)
    if (module === undefined || changed_fields === undefined) continue
    const history = historyTypeOf(module.kind, module.moduleId)
    for (const [first, last] of ids)
      for (let id = first; id <= last; id += 1) yield { history, id, auditId: row.audit_id }
  }
}

type ToldChange = Pick<RecordedChange, 'object' | 'module_id' | 'changed_fields' | 'ids'>

function only({ object, module_id, changed_fields, object_id, last_object_id }: Audit): ToldChange {
  return {
    object,
    ids: [[object_id, last_object_id]],
    ...(module_id !== null && { module_id }),
    ...(changed_fields !== null && { changed_fields }),
  }
}

/**
 * Removes the history that belongs to these rows of the audit trail. Call it before the rows are removed, so that no
 * change remains without its row.
 */
export async function expireHistory(records: Records, rows: readonly Audit[]): Promise<void> {
  const expired = rows.flatMap((row) => [...expiredIn(row)])
  for (let done = 0; done < expired.length; done += REMOVED / OLDER)
    await records.commit((unit) => {
      for (const change of expired.slice(done, done + REMOVED / OLDER)) removeUpTo(unit, change)
    })
}

/** The number of changes of an entry that are examined for each row. */
const OLDER = 5

/**
 * Also removes older changes, so that the history has no gap if a clock that was ahead has kept their rows. Changes
 * beyond a gap are not shown, and are removed with their own rows.
 */
function removeUpTo(unit: Unit, { history, id, auditId }: Expired): void {
  for (const [, number = 0] of unit.list(history, [id], OLDER)) {
    const past = unit.get(history, id, number)?.value
    if (past === undefined || past.audit_id > auditId) return
    unit.remove(history, id, number)
  }
}
