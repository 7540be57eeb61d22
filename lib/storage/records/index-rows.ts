// The rows of the indexes of a record that is put or removed.

import type { Id, KeyPart, RecordType } from '../../schema/values.ts'
import { keyText, rowKeys, rowsIn } from './format.ts'
import { keysOf, requireKeys } from './type-numbers.ts'
import type { KvWriter } from './kv.ts'

interface Transition {
  readonly before: object | undefined
  readonly after: object | undefined
  /** Called for each row that is written or removed, where a search may find it: it has one identifier, a number. */
  readonly onRow: (key: Buffer) => void
}

const ROW_VALUE = Buffer.alloc(0)

/** Index by index: most changes leave most of them as they are. */
export function changeRows(
  writer: KvWriter,
  type: RecordType,
  ids: readonly Id[],
  { before, after, onRow }: Transition,
): void {
  const isFound = ids.length === 1 && typeof ids[0] === 'number'
  const { indexes } = after === undefined ? keysOf(writer, type.name) : requireKeys(writer, type)
  for (const index of type.indexes) {
    const old = before === undefined ? [] : rowsIn(index, before)
    const next = after === undefined ? [] : rowsIn(index, after)
    if (isSame(old, next)) continue

    // No record has rows in one that has no number.
    const base = indexes.get(index.name)
    if (base === undefined) continue
    const left = new Map(rowKeys(base, ids, old).map((key) => [keyText(key), key]))
    for (const key of rowKeys(base, ids, next)) {
      if (left.size > 0 && left.delete(keyText(key))) continue
      writer.put(key, ROW_VALUE)
      if (isFound) onRow(key)
    }
    for (const key of left.values()) {
      writer.remove(key)
      if (isFound) onRow(key)
    }
  }
}

type Rows = readonly (readonly KeyPart[])[]

function isSame(left: Rows, right: Rows): boolean {
  return (
    left.length === right.length &&
    left.every((values, row) => values.every((value, at) => value === right[row]?.[at]))
  )
}
