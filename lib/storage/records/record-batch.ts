// State that the plans of one group commit share (group-commit.ts): their common changes, and the counters of each type,
// which are read and written once at the end of the commit.

import { withMembers } from '../../base/with-members.ts'
import type { Id, RecordType } from '../../schema/values.ts'
import { countKey, highestIdKey } from './format.ts'
import type { Reader } from '../port.ts'
import type { KvWriter } from './kv.ts'
import { encodeCounter, readCounter } from './record-bytes.ts'
import type { Shown, UnderWay } from './commit-visibility.ts'
import type { Batch } from './group-commit.ts'

export interface RecordBatch extends Batch {
  readonly writer: KvWriter
  readonly own: UnderWay
  readonly tallies: Tallies
  /** Reads the newest state, with the changes of this commit so far. */
  readonly reader: Reader
  /** Inline bytes of contents in this commit. */
  inlineContentBytes: number
}

interface BatchesOptions {
  readonly shown: Shown
  /** The highest assigned identifier of each type, by type name. */
  readonly issued: Map<string, number>
  /** Other processes also write, so the highest identifiers are known only for the duration of a commit. */
  readonly isOneOfMany: boolean
  readonly onInline: ((sizeBytes: number) => void) | undefined
  readonly readerOf: (writer: KvWriter) => Reader
}

export function openBatches({ shown, issued, isOneOfMany, onInline, readerOf }: BatchesOptions) {
  const reached: Reached = new Map()

  return (plain: KvWriter): RecordBatch => {
    if (isOneOfMany) reached.clear()
    const { writer, writes } = countWrites(plain)
    const own = shown.begin()
    const tallies = openTallies(writer, reached)
    const batch: RecordBatch = {
      writer,
      own,
      tallies,
      reader: readerOf(writer),
      inlineContentBytes: 0,
      writes,
      isFull: own.isFull,
      leave: own.leave,
      finish() {
        tallies.write(issued)
        own.write(writer)
      },
      show() {
        own.show()
        if (batch.inlineContentBytes > 0) onInline?.(batch.inlineContentBytes)
      },
      end: own.end,
    }
    return batch
  }
}

function countWrites(plain: KvWriter) {
  let count = 0
  const writer: KvWriter = withMembers(plain, {
    put(key: Buffer, value: Buffer) {
      count += 1
      plain.put(key, value)
    },
    remove(key: Buffer) {
      count += 1
      plain.remove(key)
    },
  })
  return { writer, writes: () => count }
}

/**
 * For each type, by name: an identifier above which no record was ever put, not even by a failed commit. A put above it
 * need not look for an earlier record.
 */
type Reached = Map<string, number>

/** Effects of a commit on the counters of each type. */
export interface Tallies {
  add(type: RecordType, change: number, ids: readonly Id[]): void
  /** Whether no record ever had these identifiers. Call once, before putting the record. */
  isNew(type: RecordType, ids: readonly Id[]): boolean
  changeOf(type: RecordType): number
  /** 0 if this commit has put no record. */
  highestOf(type: RecordType): number
  /** Writes the counters and raises the highest assigned identifiers. */
  write(issued: Map<string, number>): void
}

function openTallies(writer: KvWriter, reached: Reached): Tallies {
  const tallies = new Map<string, { type: RecordType; change: number; highest: number }>()
  return {
    add(type, change, ids) {
      const tally = tallies.get(type.name) ?? { type, change: 0, highest: 0 }
      tallies.set(type.name, tally)
      tally.change += change
      const id = onlyNumber(ids)
      if (id !== undefined) tally.highest = Math.max(tally.highest, id)
    },
    isNew(type, ids) {
      const id = onlyNumber(ids)
      if (id === undefined) return false
      const highest = reached.get(type.name) ?? readCounter(writer, highestIdKey(writer, type))
      reached.set(type.name, Math.max(highest, id))
      return id > highest
    },
    changeOf: ({ name }) => tallies.get(name)?.change ?? 0,
    highestOf: ({ name }) => tallies.get(name)?.highest ?? 0,
    write(issued) {
      for (const { type, change, highest } of tallies.values()) {
        if (change !== 0) addToCounter(writer, countKey(writer, type), change)
        if (highest === 0) continue
        const key = highestIdKey(writer, type)
        const stored = readCounter(writer, key)
        if (highest > stored) writer.put(key, encodeCounter(highest))
        issued.set(type.name, Math.max(issued.get(type.name) ?? 0, stored, highest))
      }
    },
  }
}

/** The identifier if it is a single number. */
function onlyNumber(ids: readonly Id[]): number | undefined {
  const [id] = ids
  return ids.length === 1 && typeof id === 'number' ? id : undefined
}

function addToCounter(writer: KvWriter, key: Buffer, change: number): void {
  writer.put(key, encodeCounter(readCounter(writer, key) + change))
}
