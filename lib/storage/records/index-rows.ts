// Updates the index rows of a record that is put or removed.

import type { Id, KeyPart, RecordType } from '../../schema/values.ts'
import { keyText, rowKeys, rowsIn } from './format.ts'
import { encodeAfter, encodePassing } from './keys.ts'
import { keysOf, requireKeys } from './type-numbers.ts'
import type { KvWriter } from './kv.ts'

interface Transition {
  readonly before: object | undefined
  readonly after: object | undefined
  /**
   * Called for each row that is written or removed and that a search may find: its identifier is one number. The key is
   * valid only during the call.
   */
  readonly onRow: (key: Buffer) => void
}

const ROW_VALUE = Buffer.alloc(0)

type Rows = readonly (readonly KeyPart[])[]

const NO_ROWS: Rows = []

/** Compares index by index, because most changes leave most indexes unchanged. */
export function changeRows(
  writer: KvWriter,
  type: RecordType,
  ids: readonly Id[],
  { before, after, onRow }: Transition,
): void {
  const isFound = ids.length === 1 && typeof ids[0] === 'number'
  const onKey = isFound ? onRow : undefined
  const { indexes } = after === undefined ? keysOf(writer, type.name) : requireKeys(writer, type)
  for (const index of type.indexes) {
    const old = before === undefined ? NO_ROWS : rowsIn(index, before)
    const next = after === undefined ? NO_ROWS : rowsIn(index, after)
    if (isSame(old, next)) continue

    // An index without a number has no rows.
    const base = indexes.get(index.name)
    if (base === undefined) continue
    const change = { writer, base, ids, old, next, onKey }
    if (old.length < 2 && next.length < 2) changeOne(change)
    else changeMany(change)
  }
}

interface IndexChange {
  readonly writer: KvWriter
  readonly base: Buffer
  readonly ids: readonly Id[]
  readonly old: Rows
  readonly next: Rows
  readonly onKey: Transition['onRow'] | undefined
}

/** Nearly every index has one row for each record. */
function changeOne({ writer, base, ids, old: [old], next: [next], onKey }: IndexChange): void {
  const gone = old && encodeAfter(base, old, ids)
  if (next !== undefined) {
    const key = encodePassing(base, next, ids)
    // Different values may have the same key, for example texts that UTF-8 cannot express.
    if (gone?.equals(key) === true) return
    writer.put(key, ROW_VALUE)
    onKey?.(key)
  }
  if (gone === undefined) return
  writer.remove(gone)
  onKey?.(gone)
}

function changeMany({ writer, base, ids, onKey, ...rows }: IndexChange): void {
  const { old, next } = areNumbers(rows.old) && areNumbers(rows.next) ? difference(rows) : rows
  const left = new Map(rowKeys(base, ids, old).map((key) => [keyText(key), key]))
  for (const key of rowKeys(base, ids, next)) {
    if (left.delete(keyText(key))) continue
    writer.put(key, ROW_VALUE)
    onKey?.(key)
  }
  for (const key of left.values()) {
    writer.remove(key)
    onKey?.(key)
  }
}

/** Different numbers have different keys, so a diff by value is exact, and only the keys of changed rows are encoded. */
function areNumbers(rows: Rows): boolean {
  for (let row = 0; row < rows.length; row += 1) {
    const values = rows[row] ?? []
    if (values.length !== 1 || typeof values[0] !== 'number') return false
  }
  return true
}

function difference({
  old,
  next,
}: Pick<IndexChange, 'old' | 'next'>): Pick<IndexChange, 'old' | 'next'> {
  const [before, after] = [old, next].map((rows) => new Set(rows.map(([value]) => value)))
  return {
    old: old.filter(([value]) => after?.has(value) !== true),
    next: next.filter(([value]) => before?.has(value) !== true),
  }
}

/** Runs for each index at each change, so it counts instead of iterating: array iterators create garbage at every step. */
function isSame(left: Rows, right: Rows): boolean {
  if (left.length !== right.length) return false
  for (let row = 0; row < left.length; row += 1)
    if (!isSameRow(left[row] ?? [], right[row] ?? [])) return false
  return true
}

function isSameRow(left: readonly KeyPart[], right: readonly KeyPart[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false
  return true
}
