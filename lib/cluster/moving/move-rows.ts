// Makes the rows of a target equal to the rows of a source: walks both in key order, a bounded page at a time, and writes
// only differences. An interrupted move therefore resumes by starting over, and a walk without differences proves that
// all rows were moved.
//
// The lease is not part of a site: it names the process that has the directory open.

import { createHash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'
import type { Write } from '../log-body.ts'
import { LEASE_NAME } from '../../storage/embedded/lease.ts'
import { keyText, markKey } from '../../storage/records/format.ts'
import type { Kv, Pair } from '../../storage/records/kv.ts'

export interface Rows {
  /** Rows after this key in key order, one bounded page; an empty page means the end. */
  after(key: Buffer): Promise<readonly Pair[]>
}

export interface RowsTarget extends Rows {
  /** All writes are durable when this resolves. */
  write(writes: readonly Write[]): Promise<void>
}

export interface ComparedRows {
  readonly rows: number
  readonly bytes: number
  /** Hash over all keys and values, each preceded by its length. */
  readonly sha256: string
  /** Number of rows of the target that differed. */
  readonly changed: number
}

export interface Walk {
  readonly from: Rows
  readonly to: RowsTarget
  readonly signal: AbortSignal
  readonly onRows: (rows: number, bytes: number) => void
}

const BEFORE_ALL: Buffer = Buffer.alloc(0)
const LEASE_KEY = markKey(LEASE_NAME)
/** If the source still differs after this many walks, something is changing it. */
const MOST_WALKS = 4

/** On return a complete walk has found both sides equal and has written nothing. */
export async function moveRows(
  walk: Walk,
  beforeCompare: () => Promise<void>,
): Promise<ComparedRows & { readonly moved: number }> {
  let moved = 0
  for (let count = 0; count < MOST_WALKS; count += 1) {
    if (count > 0) await beforeCompare()
    const compared = await walkBoth(walk, walk.to.write)
    if (count > 0 && compared.changed === 0) return { ...compared, moved }
    moved += compared.changed
  }
  throw new CmsError(
    'unavailable',
    'The source is being changed. Stop the program that changes it, then run the same command again.',
  )
}

/** Writes nothing; throws if a row differs. */
export async function compareRows(walk: Walk, refusal: () => Error): Promise<ComparedRows> {
  return walkBoth(walk, async () => {
    throw refusal()
  })
}

async function walkBoth(
  { from, to, signal, onRows }: Walk,
  write: RowsTarget['write'],
): Promise<ComparedRows> {
  const sum = createHash('sha256')
  let [rows, bytes, changed] = [0, 0, 0]
  let key = BEFORE_ALL
  for (;;) {
    signal.throwIfAborted()
    const [source, target] = await Promise.all([from.after(key), to.after(key)])
    const end = endOf(source, target)
    if (end === undefined) return { rows, bytes, changed, sha256: sum.digest('hex') }

    const present = source.filter((pair) => Buffer.compare(pair.key, end) <= 0)
    for (const pair of present) {
      if (pair.key.equals(LEASE_KEY)) continue
      rows += 1
      bytes += pair.key.length + pair.value.length
      for (const part of [pair.key, pair.value]) sum.update(lengthOf(part)).update(part)
    }
    const writes = differences(
      present,
      target.filter((pair) => Buffer.compare(pair.key, end) <= 0),
    )
    if (writes.length > 0) await write(writes)
    changed += writes.length
    key = end
    onRows(rows, bytes)
  }
}

/** The last key up to which both pages are complete; undefined if both are empty. */
function endOf(...pieces: readonly (readonly Pair[])[]): Buffer | undefined {
  const ends = pieces.flatMap((pairs) => pairs.at(-1)?.key ?? [])
  return ends.toSorted((left, right) => Buffer.compare(left, right))[0]
}

function differences(present: readonly Pair[], target: readonly Pair[]): readonly Write[] {
  const there = new Map(target.map(({ key, value }) => [keyText(key), value]))
  const writes: Write[] = []
  for (const { key, value } of present) {
    const other = there.get(keyText(key))
    there.delete(keyText(key))
    if (!key.equals(LEASE_KEY) && other?.equals(value) !== true) writes.push({ key, value })
  }
  const left = target.filter(({ key }) => there.has(keyText(key)) && !key.equals(LEASE_KEY))
  return [...writes, ...left.map(({ key }) => ({ key, value: undefined }))]
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(part.length)
  return length
}

const ROWS_AT_ONCE = 2_000
const BYTES_AT_ONCE = 4 * 1024 * 1024
/** Every key begins with the letter of its kind, which is less than 0xff. */
const AFTER_ALL = Buffer.of(0xff)

export function rowsOfKv(kv: Kv): RowsTarget {
  return {
    async after(key) {
      await kv.renew()
      const found: Pair[] = []
      let sizeBytes = 0
      const start = Buffer.concat([key, Buffer.of(0)])
      for (const pair of kv.pairs({ start, end: AFTER_ALL, limit: ROWS_AT_ONCE })) {
        found.push(pair)
        sizeBytes += pair.value.length
        if (sizeBytes >= BYTES_AT_ONCE) break
      }
      return found
    },
    write: (writes) =>
      kv.commit((writer) => {
        for (const { key, value } of writes) {
          if (value === undefined) writer.remove(key)
          else writer.put(key, value)
        }
      }),
  }
}
