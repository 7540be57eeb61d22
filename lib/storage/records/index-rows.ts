// The rows of the indexes of a record that is put or removed.

import type { Id, KeyPart, RecordType } from '../../schema/values.ts'
import { keyText, rowKeys, rowsIn } from './format.ts'
import type { KvWriter } from './kv.ts'

interface Transition {
  readonly before: object | undefined
  readonly after: object | undefined
  /** Called for each row that is written or removed. */
  readonly onRow: (type: RecordType, key: Buffer) => void
}

const ROW_VALUE = Buffer.alloc(0)

/** Index by index: most changes leave most of them as they are. */
export function changeRows(
  writer: KvWriter,
  type: RecordType,
  ids: readonly Id[],
  { before, after, onRow }: Transition,
): void {
  for (const [at, index] of type.indexes.entries()) {
    const old = before === undefined ? [] : rowsIn(index, before)
    const next = after === undefined ? [] : rowsIn(index, after)
    if (isSame(old, next)) continue

    const left = new Map(rowKeys(type, at, ids, old).map((key) => [keyText(key), key]))
    for (const key of rowKeys(type, at, ids, next)) {
      if (left.size > 0 && left.delete(keyText(key))) continue
      writer.put(key, ROW_VALUE)
      onRow(type, key)
    }
    for (const key of left.values()) {
      writer.remove(key)
      onRow(type, key)
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
