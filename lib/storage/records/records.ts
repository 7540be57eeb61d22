// Records above an ordered store: the record, its index rows and the counters of its type change in
// one commit, so none of them can be seen without the others. The bytes are in format.ts.

import { decodeKey, prefixRange } from './keys.ts'
import type { Kv, KvReader, KvWriter } from './kv.ts'
import type { Id, KeyPart, RecordType, Stored } from '../../schema/values.ts'
import type { Change, Reader, Records, Unit } from '../port.ts'
import {
  countKey,
  encodeCounter,
  encodeRecord,
  findRecord,
  highestIdKey,
  keyText,
  parseRecord,
  readCounter,
  recordIds,
  recordKey,
  recordRange,
  rowKeys,
  rowsIn,
} from './format.ts'
import { putCarried } from './carried.ts'
import { buildMaintenance } from './maintenance.ts'
import { openPageCache, type PageChange } from './page-cache.ts'
import {
  MAX_RECORD_SIZE,
  openRecordCache,
  type RecordCache,
  type RecordChange,
  recordName,
} from './record-cache.ts'
import { DEFAULT_LIMITS, search } from './search.ts'
import type { SearchLimits } from './search-job.ts'

export interface RecordsOptions {
  readonly limits?: SearchLimits
  /** Called after a commit that carried this many bytes of contents. */
  readonly onCarried?: (sizeBytes: number) => void
}

export function openRecords(
  kv: Kv,
  { limits = DEFAULT_LIMITS, onCarried = () => undefined }: RecordsOptions = {},
): Records {
  const issued = new Map<string, number>()
  const cache = openRecordCache()
  const pages = openPageCache(limits.maxPageBytes)
  const maintenance = buildMaintenance(kv)
  let state = 0
  let underWay = 0

  return {
    ...buildReader(kv, cache),
    state: () => (underWay === 0 ? state : undefined),
    search: (type, searchable, query) =>
      pages.read(type, query, () => search(kv, { type, searchable, query, limits })),
    nextId: (type) => {
      // This process alone writes, so what is stored tells nothing new after the first time.
      const highest = issued.get(type.name) ?? readCounter(kv, highestIdKey(type))
      issued.set(type.name, highest + 1)
      return highest + 1
    },
    async commit(plan) {
      const change = cache.begin()
      const pageChange = pages.begin()
      const carried = { sizeBytes: 0 }
      underWay += 1
      try {
        const outcome = await kv.commit((writer) => {
          carried.sizeBytes = 0
          const tallies = openTallies()
          const result = plan(buildUnit(writer, cache, { change, pageChange, carried, tallies }))
          tallies.write(writer, issued)
          return result
        })
        if (carried.sizeBytes > 0) onCarried(carried.sizeBytes)
        return outcome
      } finally {
        change.end()
        pageChange.end()
        underWay -= 1
        state += 1
      }
    },
    ...maintenance,
    async dropType(typeName, signal) {
      await maintenance.dropType(typeName, signal).finally(() => {
        cache.clear()
        pages.clear()
        state += 1
      })
    },
  }
}

interface Commit {
  readonly change: RecordChange
  readonly pageChange: PageChange
  readonly carried: { sizeBytes: number }
  readonly tallies: Tallies
}

function buildUnit(writer: KvWriter, cache: RecordCache, commit: Commit): Unit {
  const { change, pageChange, carried, tallies } = commit
  const reader = buildReader(writer, cache)
  const changes: Change[] = []
  // Too large for the cache, and costly to parse again: what is read here is nearly always written here.
  const large = new Map<string, Stored<object>>()

  function get<T extends object>(
    type: RecordType<T>,
    ...ids: readonly Id[]
  ): Stored<T> | undefined {
    const known = large.size === 0 ? undefined : large.get(recordName(type, ids))
    const stored = (known as Stored<T> | undefined) ?? reader.get(type, ...ids)
    if (stored !== undefined && stored.bytes.length > MAX_RECORD_SIZE)
      large.set(recordName(type, ids), stored)
    return stored
  }

  function touch(type: RecordType, ids: readonly Id[]): void {
    change.touch(type, ids)
    pageChange.touch(type)
    if (large.size > 0) large.delete(recordName(type, ids))
  }

  return {
    get,
    lookup: reader.lookup,
    highest: reader.highest,
    list: reader.list,
    changes,
    count: (type) => reader.count(type) + tallies.changeOf(type),
    put(type, ids, record) {
      // Before it is touched, the record may be in memory.
      const before = get(type, ...ids)
      touch(type, ids)
      const stored = put(writer, type, { ids, before, record })
      if (before === undefined) tallies.add(type, 1, ids)
      changes.push({ type, ids, before, stored })
      return stored
    },
    remove(type, ...ids) {
      const before = get(type, ...ids)
      if (before === undefined) return
      touch(type, ids)
      writer.remove(recordKey(type, ids))
      changeRows(writer, type, ids, { before: parseRecord(type, before), after: undefined })
      tallies.add(type, -1, [])
      changes.push({ type, ids, before, stored: undefined })
    },
    carry(name, bytes) {
      carried.sizeBytes += bytes.length
      putCarried(writer, name, bytes)
    },
  }
}

function buildReader(kv: KvReader, cache: RecordCache): Reader {
  return {
    get: (type, ...ids) => cache.read(type, ids, () => findRecord(kv, recordKey(type, ids))),
    lookup: (type, index, values, limit) => lookup(kv, type, { index, values, limit }),
    highest: (type, index) => highestPart(kv, ['i', type.name, index]),
    list: (type, prefix, limit) =>
      Array.from(kv.keys({ limit, ...recordRange(type, prefix) }), recordIds),
    count: (type) => readCounter(kv, countKey(type)),
  }
}

interface Lookup {
  readonly index: string
  readonly values: readonly KeyPart[]
  readonly limit: number | undefined
}

function lookup(kv: KvReader, type: RecordType, { index, values, limit }: Lookup): readonly Id[][] {
  const range = prefixRange(['i', type.name, index, ...values])
  // A row may have more values than were asked for; the identifiers are its last parts.
  const { idCount = 1 } = type
  return Array.from(kv.keys({ limit, ...range }), (key) => decodeKey(key).slice(-idCount) as Id[])
}

function highestPart(kv: KvReader, base: readonly KeyPart[]): KeyPart | undefined {
  for (const key of kv.keys({ reverse: true, limit: 1, ...prefixRange(base) }))
    return decodeKey(key)[base.length]
  return undefined
}

interface Written<T extends object> {
  readonly ids: readonly Id[]
  readonly before: Stored<T> | undefined
  readonly record: T
}

function put<T extends object>(
  writer: KvWriter,
  type: RecordType<T>,
  { ids, before, record }: Written<T>,
): Stored<T> {
  const { value, stored } = encodeRecord(record, (before?.revision ?? 0) + 1)
  writer.put(recordKey(type, ids), value)
  changeRows(writer, type, ids, { before: before && parseRecord(type, before), after: record })
  return stored
}

interface Transition {
  readonly before: object | undefined
  readonly after: object | undefined
}

const ROW_VALUE = Buffer.alloc(0)

/** Index by index: most changes leave most of them as they are. */
function changeRows(
  writer: KvWriter,
  type: RecordType,
  ids: readonly Id[],
  { before, after }: Transition,
): void {
  for (const [at, index] of type.indexes.entries()) {
    const old = before === undefined ? [] : rowsIn(index, before)
    const next = after === undefined ? [] : rowsIn(index, after)
    if (isSame(old, next)) continue

    const left = new Map(rowKeys(type, at, ids, old).map((key) => [keyText(key), key]))
    for (const key of rowKeys(type, at, ids, next)) {
      if (left.size === 0 || !left.delete(keyText(key))) writer.put(key, ROW_VALUE)
    }
    for (const key of left.values()) writer.remove(key)
  }
}

type Rows = readonly (readonly KeyPart[])[]

function isSame(left: Rows, right: Rows): boolean {
  return (
    left.length === right.length &&
    left.every((values, row) => values.every((value, at) => value === right[row]?.[at]))
  )
}

/** What a commit does to the counters of each type, written once at its end. */
interface Tallies {
  add(type: RecordType, change: number, ids: readonly Id[]): void
  changeOf(type: RecordType): number
  /** Raises the highest identifiers that are known to be taken. */
  write(writer: KvWriter, issued: Map<string, number>): void
}

function openTallies(): Tallies {
  const tallies = new Map<string, { type: RecordType; change: number; highest: number }>()
  return {
    add(type, change, [id, ...others]) {
      const tally = tallies.get(type.name) ?? { type, change: 0, highest: 0 }
      tallies.set(type.name, tally)
      tally.change += change
      // Only where the identifier is one number.
      if (typeof id === 'number' && others.length === 0) tally.highest = Math.max(tally.highest, id)
    },
    changeOf: ({ name }) => tallies.get(name)?.change ?? 0,
    write(writer, issued) {
      for (const { type, change, highest } of tallies.values()) {
        if (change !== 0) addToCounter(writer, countKey(type), change)
        if (highest === 0) continue
        const key = highestIdKey(type)
        const stored = readCounter(writer, key)
        if (highest > stored) writer.put(key, encodeCounter(highest))
        issued.set(type.name, Math.max(issued.get(type.name) ?? 0, stored, highest))
      }
    },
  }
}

function addToCounter(writer: KvWriter, key: Buffer, change: number): void {
  writer.put(key, encodeCounter(readCounter(writer, key) + change))
}
