// Plans inside the commit how a deletion affects referring records: entries to delete with
// them, references to clear, and references that forbid the deletion. Nothing is written before the plan is complete.

import { CmsError } from '../../base/errors.ts'
import { entryValue, withLayout } from '../../schema/entry.ts'
import { elementsIn } from '../../schema/list-elements.ts'
import { type RemovedRecord, type TargetObject, targetKey } from '../../schema/reference.ts'
import type { JsonObject, JsonValue, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { findReferringColumns, type ReferringColumn } from './reference-columns.ts'

/** An entry with a reference. */
export interface Referrer extends ReferringColumn {
  readonly id: number
  readonly target: RemovedRecord
}

export interface RemovalPlan {
  /** Entries that are deleted with the records, nearest first. */
  readonly dependents: readonly Referrer[]
  /** References that become null, or leave their list. */
  readonly cleared: readonly Referrer[]
  /** References with ON DELETE RESTRICT. */
  readonly blockers: readonly Referrer[]
  /** The work is too much for one commit, and the lists are incomplete. */
  readonly isOver: boolean
  /** There are more blockers than the list names. */
  readonly hasMore: boolean
}

type Finder = Pick<Services, 'modules'>

/** Values that one commit deletes or changes, as in a create of many entries; about 30 ms. */
const MOST_VALUES = 3_000
/** Bytes of the entries that one commit deletes or changes. */
const MOST_BYTES = 2 * 1024 * 1024
/** Index lookups of one plan. */
const MOST_LOOKUPS = 2_000
/** Clearing a reference parses and encodes the entry, and changes one index. */
export const CLEAR_COST = 5
/** Elements of lists that cost as much as one value: each has a row in an index, which a clearing compares. */
const DELETED_ELEMENTS = 3
const COMPARED_ELEMENTS = 25

/** The cost of a deletion in values. */
export function deleteCost(
  { entry }: ReferringColumn['module'],
  stored: Stored | undefined,
): number {
  return Object.keys(entry.object.fields).length + elementsIn(entry, stored) / DELETED_ELEMENTS
}

function clearCost({ entry }: ReferringColumn['module'], stored: Stored | undefined): number {
  return CLEAR_COST + elementsIn(entry, stored) / COMPARED_ELEMENTS
}

/** Remembers the referring columns of each table, calendar or kind of record. */
export function openColumns(services: Finder, reader: Reader) {
  const known = new Map<string, readonly ReferringColumn[]>()
  return ({ object, module_id }: RemovedRecord): readonly ReferringColumn[] => {
    if (object === 'asset_category') return []
    const target: TargetObject = { object, module_id }
    const name = targetKey(target).join(' ')
    const columns = known.get(name) ?? findReferringColumns(services, reader, target)
    known.set(name, columns)
    return columns
  }
}

/**
 * Throws unavailable while the index of a referring column is being built, because it does not name all entries yet. The
 * error does not name the column, which the caller may not be allowed to see.
 */
export function requireIndexed({ column }: ReferringColumn): void {
  if (column.isIndexed) return
  throw new CmsError(
    'unavailable',
    'The index of a column that refers to such records is still being built. Delete the record again in a moment.',
    { headers: { 'retry-after': '1' } },
  )
}

export function nameOfRecord({ object, module_id: moduleId, id }: RemovedRecord): string {
  return `${object} ${moduleId ?? 0} ${id}`
}

export function asRecord({ module, id }: Pick<Referrer, 'module' | 'id'>): RemovedRecord {
  return { object: module.kind, module_id: module.id, id }
}

type ColumnsOf = ReturnType<typeof openColumns>

function hasCascade(columnsOf: ColumnsOf, record: RemovedRecord): boolean {
  return columnsOf(record).some(({ column }) => column.column.references?.onDelete === 'cascade')
}

/** Reads at most what one commit can do. */
export function planRemoval(
  services: Finder,
  reader: Reader,
  seeds: readonly RemovedRecord[],
): RemovalPlan {
  const columnsOf = openColumns(services, reader)
  const removed = new Set(seeds.map(nameOfRecord))
  const dependents: Referrer[] = []
  const cleared: Referrer[] = []
  const blockers: Referrer[] = []
  const left = { values: MOST_VALUES, bytes: MOST_BYTES, lookups: MOST_LOOKUPS }
  const isOver = (): boolean => left.values < 0 || left.bytes < 0 || left.lookups < 0
  // Without a cascade no further record is deleted, so the first blocker decides.
  const over = (): RemovalPlan => {
    const isBlocked = blockers.length > 0 && !seeds.some((seed) => hasCascade(columnsOf, seed))
    const own = blockers.filter((referrer) => !removed.has(nameOfRecord(asRecord(referrer))))
    const isRefused = isBlocked && own.length > 0
    return { dependents, cleared, blockers: own, isOver: !isRefused, hasMore: true }
  }

  const queue = [...seeds]
  for (const target of queue) {
    for (const referring of columnsOf(target)) {
      requireIndexed(referring)
      const { module, column } = referring
      const { recordType } = module.entry.object
      left.lookups -= 1
      const most = Math.max(1, Math.ceil(left.values / CLEAR_COST) + 1)
      for (const [part] of reader.lookup(recordType, column.key, [target.id], most)) {
        const id = Number(part)
        const referrer = { ...referring, id, target }
        const isCascade = column.column.references?.onDelete === 'cascade'
        const stored = reader.get(recordType, id)
        left.values -= isCascade ? deleteCost(module, stored) : clearCost(module, stored)
        if (isOver()) return over()
        if (column.column.references?.onDelete === 'restrict') blockers.push(referrer)
        else if (!isCascade) cleared.push(referrer)
        else if (!removed.has(nameOfRecord(asRecord(referrer)))) {
          removed.add(nameOfRecord(asRecord(referrer)))
          dependents.push(referrer)
          queue.push(asRecord(referrer))
        }
        left.bytes -= stored?.sizeBytes ?? 0
      }
      if (isOver()) return over()
    }
  }
  const isKept = (referrer: Referrer): boolean => !removed.has(nameOfRecord(asRecord(referrer)))
  return {
    dependents,
    cleared: cleared.filter(isKept),
    blockers: blockers.filter(isKept),
    isOver: false,
    hasMore: false,
  }
}

/** Deletes and clears what the plan names; call it before the records themselves are removed. */
export function applyRemoval(
  services: Pick<Services, 'watches' | 'now'>,
  unit: Unit,
  { dependents, cleared }: Pick<RemovalPlan, 'dependents' | 'cleared'>,
): void {
  for (const referrer of cleared) clearReference(services, unit, referrer)
  for (const { module, id } of dependents.toReversed())
    unit.remove(module.entry.object.recordType, id)
}

/** The entry as it is stored without the reference. */
function withoutReference(
  { module: { entry }, column: { column }, target }: Referrer,
  stored: Stored,
): JsonObject {
  const current = entryValue(entry, stored)
  const value = current[column.name]
  const cleared: JsonValue = Array.isArray(value)
    ? value.filter((item) => item !== target.id)
    : null
  return withLayout({ ...current, [column.name]: cleared }, entry)
}

/** The cost of a change for its commit. */
export interface Cost {
  readonly values: number
  /** Bytes of the entry; 0 if there is none. */
  readonly bytes: number
}

/** Removes the target from the value of one entry. */
export function clearReference(
  { watches, now }: Pick<Services, 'watches' | 'now'>,
  unit: Unit,
  referrer: Referrer,
): Cost {
  const { recordType } = referrer.module.entry.object
  const stored = unit.get(recordType, referrer.id)
  const values = clearCost(referrer.module, stored)
  if (stored === undefined) return { values, bytes: 0 }
  const record = { ...withoutReference(referrer, stored), date_modified: now().toISOString() }
  watches.notice(recordType.name, record, unit)
  unit.put(recordType, [referrer.id], record)
  return { values, bytes: stored.sizeBytes }
}
