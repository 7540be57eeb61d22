// Records above an ordered store: the record, its index rows and the counters of its type change in
// one commit, so none of them can be seen without the others. The bytes are in record-format.ts.

import { decodeKey, prefixRange } from './keys.ts'
import type { Kv, KvReader, KvWriter } from './kv.ts'
import type { Id, JsonObject, KeyPart, Reader, Records, RecordType, Stored, Unit } from './port.ts'
import {
  asStored,
  countKey,
  encodeCounter,
  encodeRecord,
  findRecord,
  highestIdKey,
  indexKeys,
  keyText,
  parseRecord,
  readCounter,
  recordIds,
  recordKey,
  recordRange,
} from './record-format.ts'
import { putCarried } from './carried.ts'
import { buildMaintenance } from './maintenance.ts'
import { type Change, openRecordCache, type RecordCache } from './record-cache.ts'
import { DEFAULT_LIMITS, search } from './search.ts'
import type { SearchLimits } from './search-rows.ts'

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
  const maintenance = buildMaintenance(kv)

  return {
    ...buildReader(kv, cache),
    search: (type, searchable, query) => search(kv, { type, searchable, query, limits }),
    nextId: (type) => {
      const highest = readCounter(kv, highestIdKey(type))
      const id = Math.max(highest, issued.get(type.name) ?? 0) + 1
      issued.set(type.name, id)
      return id
    },
    async commit(plan) {
      const change = cache.begin()
      const carried = { sizeBytes: 0 }
      try {
        const outcome = await kv.commit((writer) => {
          carried.sizeBytes = 0
          return plan(buildUnit(writer, cache, { change, carried }))
        })
        if (carried.sizeBytes > 0) onCarried(carried.sizeBytes)
        return outcome
      } finally {
        change.end()
      }
    },
    ...maintenance,
    async dropType(typeName, signal) {
      await maintenance.dropType(typeName, signal).finally(() => cache.clear())
    },
  }
}

interface Commit {
  readonly change: Change
  readonly carried: { sizeBytes: number }
}

function buildUnit(writer: KvWriter, cache: RecordCache, { change, carried }: Commit): Unit {
  return {
    ...buildReader(writer, cache),
    put(type, ids, record) {
      change.touch(type, ids)
      return put(writer, type, { ids, record })
    },
    remove(type, ...ids) {
      change.touch(type, ids)
      remove(writer, type, ids)
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
    list: (type, prefix, limit) =>
      Array.from(kv.keys({ ...recordRange(type, prefix), ...bound(limit) }), recordIds),
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
  const rows = Array.from(kv.keys({ ...range, ...bound(limit) }), decodeKey)
  if (rows.length === 0) return []

  // A row may have more values than were asked for; the identifiers are its last parts.
  const idCount = countIds(kv, type)
  return rows.map((parts) => parts.slice(-idCount) as Id[])
}

/** Every record of a type has the same number of identifiers, so the first one tells it. */
function countIds(kv: KvReader, type: RecordType): number {
  for (const key of kv.keys({ ...recordRange(type), limit: 1 })) return recordIds(key).length
  return 1
}

function bound(limit: number | undefined): { readonly limit?: number } {
  return limit === undefined ? {} : { limit }
}

interface Entry {
  readonly ids: readonly Id[]
  readonly record: JsonObject
}

function put(writer: KvWriter, type: RecordType, { ids, record }: Entry): Stored {
  const key = recordKey(type, ids)
  const before = findRecord(writer, key)
  const revision = (before?.revision ?? 0) + 1

  const value = encodeRecord(record, revision)
  writer.put(key, value)
  replaceRows(writer, rowsOf(type, ids, before), indexKeys(type, ids, record))
  if (before === undefined) {
    addToCount(writer, type, 1)
    raiseHighestId(writer, type, ids)
  }
  return asStored(value)
}

function remove(writer: KvWriter, type: RecordType, ids: readonly Id[]): void {
  const key = recordKey(type, ids)
  const before = findRecord(writer, key)
  if (before === undefined) return

  writer.remove(key)
  replaceRows(writer, rowsOf(type, ids, before), [])
  addToCount(writer, type, -1)
}

function rowsOf(
  type: RecordType,
  ids: readonly Id[],
  stored: Stored | undefined,
): readonly Buffer[] {
  return stored === undefined ? [] : indexKeys(type, ids, parseRecord(type, stored))
}

const ROW_VALUE = Buffer.alloc(0)

function replaceRows(writer: KvWriter, before: readonly Buffer[], after: readonly Buffer[]): void {
  const old = new Map(before.map((key) => [keyText(key), key]))
  for (const key of after) {
    if (!old.delete(keyText(key))) writer.put(key, ROW_VALUE)
  }
  for (const key of old.values()) writer.remove(key)
}

function addToCount(writer: KvWriter, type: RecordType, change: number): void {
  const key = countKey(type)
  writer.put(key, encodeCounter(readCounter(writer, key) + change))
}

function raiseHighestId(writer: KvWriter, type: RecordType, ids: readonly Id[]): void {
  const [id] = ids
  if (ids.length !== 1 || typeof id !== 'number') return

  const key = highestIdKey(type)
  if (id > readCounter(writer, key)) writer.put(key, encodeCounter(id))
}
