// The commit as one plan sees it: reads of the newest state, and the puts and removals of the plan.

import type { Id, KeyPart, NewestRange, RecordType, Stored } from '../../schema/values.ts'
import type { Change, ContentName, Reader, Unit } from '../port.ts'
import { parseRecord, recordKey } from './format.ts'
import { changeRows } from './index-rows.ts'
import { putInline } from './inline-contents.ts'
import { encodePassing } from './keys.ts'
import type { RecordBatch } from './record-batch.ts'
import { encodeRecord } from './record-bytes.ts'
import { MAX_RECORD_SIZE, recordLabel } from './record-cache.ts'
import { requireKeys } from './type-numbers.ts'

type Labeled = Map<string, Stored<object>>

interface Found {
  readonly ids: readonly Id[]
  readonly stored: Stored<object> | undefined
}

export class RecordUnit implements Unit {
  readonly changes: Change[] = []
  readonly #batch: RecordBatch
  readonly #reader: Reader
  /** Records too large for the cache, which are costly to parse twice: a large record that is read is nearly always written. */
  #large: Labeled | undefined
  #parsed: Labeled | undefined
  /**
   * The last record that was read of each type, by type name: an update reads its record for its rules and again to replace
   * the index rows, and the cache has only a part of a large table.
   */
  readonly #last = new Map<string, Found>()

  constructor(batch: RecordBatch) {
    this.#batch = batch
    this.#reader = batch.reader
  }

  get<T extends object>(type: RecordType<T>, ...ids: readonly Id[]): Stored<T> | undefined {
    return this.#find(type, ids)
  }

  reuse(type: RecordType, ids: readonly Id[], stored: Stored<object>): void {
    this.#parsed ??= new Map()
    this.#parsed.set(recordLabel(type, ids), stored)
  }

  lookup(
    type: RecordType,
    index: string,
    values: readonly KeyPart[],
    limit?: number,
  ): readonly (readonly Id[])[] {
    return this.#reader.lookup(type, index, values, limit)
  }

  newest(type: RecordType, range: NewestRange): readonly number[] {
    return this.#reader.newest(type, range)
  }

  highest(type: RecordType, index: string): KeyPart | undefined {
    return this.#reader.highest(type, index)
  }

  list(type: RecordType, prefix: readonly Id[], limit?: number): readonly (readonly Id[])[] {
    return this.#reader.list(type, prefix, limit)
  }

  count(type: RecordType): number {
    return this.#reader.count(type) + this.#batch.tallies.changeOf(type)
  }

  highestId(type: RecordType): number {
    return Math.max(this.#reader.highestId(type), this.#batch.tallies.highestOf(type))
  }

  put<T extends object>(
    type: RecordType<T>,
    ids: readonly Id[],
    record: NoInfer<T>,
    text?: string,
    above = 0,
  ): Stored<T> {
    const { writer, own, tallies } = this.#batch
    // Read before the record is touched, so that the cache can be used.
    const before = tallies.isNew(type, ids) ? undefined : this.#find(type, ids)
    this.#touch(type, ids)
    const revision = (before?.revision ?? above) + 1
    const { value, stored } = encodeRecord(record, revision, text)
    writer.put(encodePassing(requireKeys(writer, type).record, ids), value)
    const old = before && parseRecord(type, before)
    changeRows(writer, type, ids, { before: old, after: record, onRow: own.touchRow })
    if (before === undefined) tallies.add(type, 1, ids)
    this.changes.push({ type, ids, before, stored })
    return stored
  }

  remove(type: RecordType, ...ids: readonly Id[]): void {
    const before = this.#find(type, ids)
    if (before === undefined) return
    const { writer, own, tallies } = this.#batch
    this.#touch(type, ids)
    writer.remove(recordKey(writer, type, ids))
    const old = parseRecord(type, before)
    changeRows(writer, type, ids, { before: old, after: undefined, onRow: own.touchRow })
    tallies.add(type, -1, NO_IDS)
    this.changes.push({ type, ids, before, stored: undefined })
  }

  putInline(name: ContentName, bytes: Uint8Array): void {
    this.#batch.inlineContentBytes += bytes.length
    putInline(this.#batch.writer, name, bytes)
  }

  #find<T extends object>(type: RecordType<T>, ids: readonly Id[]): Stored<T> | undefined {
    const last = this.#last.get(type.name)
    if (last !== undefined && areSame(last.ids, ids)) return last.stored as Stored<T> | undefined
    const stored = this.#read(type, ids)
    this.#last.set(type.name, { ids, stored })
    return stored
  }

  #read<T extends object>(type: RecordType<T>, ids: readonly Id[]): Stored<T> | undefined {
    const known = this.#large?.get(recordLabel(type, ids))
    const stored = (known as Stored<T> | undefined) ?? this.#reader.get(type, ...ids)
    if (stored === undefined || stored.sizeBytes <= MAX_RECORD_SIZE) return stored
    const label = recordLabel(type, ids)
    const earlier = this.#parsed?.get(label) as Stored<T> | undefined
    const newest = earlier !== undefined && isSame(earlier, stored) ? earlier : stored
    this.#large ??= new Map()
    this.#large.set(label, newest)
    return newest
  }

  #touch(type: RecordType, ids: readonly Id[]): void {
    this.#batch.own.touch(type, ids)
    this.#last.delete(type.name)
    this.#large?.delete(recordLabel(type, ids))
  }
}

const NO_IDS: readonly Id[] = []

function areSame(left: readonly Id[], right: readonly Id[]): boolean {
  return left.length === right.length && left.every((id, at) => id === right[at])
}

function isSame(left: Stored<object>, right: Stored<object>): boolean {
  return left.revision === right.revision && Buffer.compare(left.bytes, right.bytes) === 0
}
