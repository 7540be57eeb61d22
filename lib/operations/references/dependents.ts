// Finds everything that is deleted with some records because of ON DELETE CASCADE, in time slices.

import { type RemovedRecord } from '../../schema/reference.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Unit } from '../../storage/port.ts'
import { MAX_DEPENDENTS } from '../../shared/limits.ts'
import type { Services } from '../context.ts'
import type { ReferringColumn } from './reference-columns.ts'
import {
  asRecord,
  nameOfRecord,
  openColumns,
  type Referrer,
  requireIndexed,
} from './removal-plan.ts'

export function referrersOf(
  reader: Pick<Unit, 'lookup'>,
  { module, column }: ReferringColumn,
  target: RemovedRecord,
  limit: number,
): readonly Referrer[] {
  return reader
    .lookup(module.entry.object.recordType, column.key, [target.id], limit)
    .map(([id]) => ({ module, column, id: Number(id), target }))
}

interface Dependents {
  /** The records, and then the entries that are deleted with them, nearest first. */
  readonly all: readonly RemovedRecord[]
  /** Their names. */
  readonly names: ReadonlySet<string>
  readonly blockers: readonly Referrer[]
  /** There are more than the limit, and the lists are incomplete. */
  readonly isFull: boolean
}

/** Blockers that are kept for the refusal. */
const MOST_BLOCKERS = 1_000
const PAGE = 200

/**
 * Finds everything that depends on the records, in time slices. `isCounted` leaves out columns that the same deletion
 * removes.
 */
export async function findDependents(
  services: Services,
  roots: readonly RemovedRecord[],
  isCounted: (referring: ReferringColumn) => boolean = () => true,
): Promise<Dependents> {
  const { records } = services
  const columnsOf = openColumns(services, records)
  const removed = new Set(roots.map(nameOfRecord))
  const blockers: Referrer[] = []
  const slice = openTimeSlice()
  const queue = [...roots]
  for (const record of queue) {
    if (slice.isOver(0)) await slice.next()
    for (const referring of columnsOf(record)) {
      const rule = referring.column.column.references?.onDelete
      if (rule === 'set null' || !isCounted(referring)) continue
      requireIndexed(referring)
      for await (const referrer of allReferrers(services, referring, record)) {
        if (slice.isOver(0)) await slice.next()
        const name = nameOfRecord(asRecord(referrer))
        if (removed.has(name)) continue
        if (rule !== 'cascade') {
          if (blockers.length < MOST_BLOCKERS) blockers.push(referrer)
          continue
        }
        if (queue.length - roots.length >= MAX_DEPENDENTS)
          return { all: queue, names: removed, blockers, isFull: true }
        removed.add(name)
        queue.push(asRecord(referrer))
      }
    }
  }
  const isKept = (referrer: Referrer): boolean => !removed.has(nameOfRecord(asRecord(referrer)))
  return { all: queue, names: removed, blockers: blockers.filter(isKept), isFull: false }
}

async function* allReferrers(
  { records }: Services,
  referring: ReferringColumn,
  target: RemovedRecord,
): AsyncGenerator<Referrer> {
  const first = referrersOf(records, referring, target, PAGE + 1)
  if (first.length <= PAGE) return yield* first
  const { recordType, searchable, idField } = referring.module.entry.object
  const field = searchable.get(referring.column.column.name)
  if (field === undefined) return
  const match = { op: 'eq', field, value: target.id } as const
  let cursor: string | undefined
  do {
    const query = { match, orderBy: null, length: PAGE, cursor }
    const page = await records.search(recordType, searchable, query)
    for (const { value } of page.records) yield { ...referring, id: Number(value[idField]), target }
    cursor = page.next
  } while (cursor !== undefined)
}
