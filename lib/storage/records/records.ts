// Records on an ordered store. A record, its index rows and the counters of its type change in one commit, so none of them
// is visible without the others. The byte layout is in format.ts.

import { andThen } from '../../base/and-then.ts'
import type { Kv, KvReader } from './kv.ts'
import type { Id, KeyPart, RecordType, Stored } from '../../schema/values.ts'
import type { Change, Reader, Records, Unit } from '../port.ts'
import {
  countKey,
  findText,
  highestIdKey,
  IDENTITY_KEY,
  parseRecord,
  recordIds,
  recordKey,
  recordRange,
  rowParts,
  rowRange,
} from './format.ts'
import { encodePassing, type Range } from './keys.ts'
import { encodeRecord, readCounter } from './record-bytes.ts'
import { openGroupCommit } from './group-commit.ts'
import { requireKeys } from './type-numbers.ts'
import { putInline } from './inline-contents.ts'
import { buildMaintenance } from './maintenance.ts'
import { buildNumbers } from './numbers.ts'
import { changeRows } from './index-rows.ts'
import { openPageCache } from './page-cache.ts'
import { openBatches, type RecordBatch } from './record-batch.ts'
import { MAX_RECORD_SIZE, type RecordCache, recordLabel } from './record-cache.ts'
import { DEFAULT_LIMITS, search } from './search.ts'
import type { SearchLimits } from './search-job.ts'
import type { MatchElsewhere } from './slow-match.ts'
import { openShown, type Sharing } from './commit-visibility.ts'
import { type FindPage, traceOf } from './traced-records.ts'

export interface RecordsOptions {
  readonly limits?: SearchLimits
  readonly sharing?: Sharing
  /** If absent, every pattern is matched in this thread. */
  readonly matchElsewhere?: MatchElsewhere
  /** The part of the cache memory that may be used here. */
  readonly cacheShare?: number
  /** Called after a commit with this many inline bytes of contents. */
  readonly onInline?: (sizeBytes: number) => void
  /** Longest time that plans run in one stretch before other work runs. */
  readonly stretchMs?: number
}

export function openRecords(kv: Kv, options: RecordsOptions = {}): Records {
  const {
    limits = DEFAULT_LIMITS,
    sharing = 'alone',
    matchElsewhere,
    cacheShare = 1,
    onInline,
    stretchMs,
  } = options
  const isOneOfMany = sharing === 'replicated'
  const issued = new Map<string, number>()
  const shown = openShown(kv, sharing, cacheShare)
  const { changes, cache } = shown
  const pages = openPageCache(changes, limits.maxPageBytes, cacheShare)
  const findPage: FindPage = (type, searchable, query) =>
    pages.read(type, query, (trace) =>
      search(kv, { type, searchable, query, limits, matchElsewhere }, trace),
    )
  const maintenance = buildMaintenance(kv)
  const commit = openGroupCommit(
    kv,
    openBatches({ shown, issued, isOneOfMany, onInline }),
    stretchMs,
  )

  const reader = buildReader(kv, cache.read)
  const records: Records = {
    ...reader,
    ...buildNumbers({ kv, reader, issued, isOneOfMany }),
    search: (type, searchable, query) =>
      andThen(findPage(type, searchable, query), ({ page }) => page),
    renew: () => shown.renew(),
    siteId: () => kv.get(IDENTITY_KEY)?.toString() ?? '',
    trace: () => traceOf(kv, records, changes, findPage),
    commit: (plan) => commit((batch) => plan(buildUnit(batch, cache))),
    ...maintenance,
    dropIndex: (...asked) => forgetAfter(maintenance.dropIndex(...asked)),
    dropType: (...asked) => forgetAfter(maintenance.dropType(...asked)),
  }

  /** Clears the caches regardless of the outcome, because cached values may belong to removed rows. */
  async function forgetAfter(work: Promise<void>): Promise<void> {
    try {
      await work
    } finally {
      pages.clear()
      await shown.forget()
    }
  }

  return records
}

function buildUnit(batch: RecordBatch, cache: RecordCache): Unit {
  const { writer, own, tallies } = batch
  const reader = buildReader(writer, cache.readNewest)
  const changes: Change[] = []
  // Records too large for the cache, which are costly to parse twice: a large record that is read is nearly always written.
  const large = new Map<string, Stored<object>>()
  const parsed = new Map<string, Stored<object>>()

  function get<T extends object>(
    type: RecordType<T>,
    ...ids: readonly Id[]
  ): Stored<T> | undefined {
    const known = large.size === 0 ? undefined : large.get(recordLabel(type, ids))
    const stored = (known as Stored<T> | undefined) ?? reader.get(type, ...ids)
    if (stored === undefined || stored.sizeBytes <= MAX_RECORD_SIZE) return stored
    const label = recordLabel(type, ids)
    const earlier = parsed.get(label) as Stored<T> | undefined
    const newest = earlier !== undefined && isSame(earlier, stored) ? earlier : stored
    large.set(label, newest)
    return newest
  }

  function touch(type: RecordType, ids: readonly Id[]): void {
    own.touch(type, ids)
    if (large.size > 0) large.delete(recordLabel(type, ids))
  }

  return {
    ...reader,
    get,
    reuse: (type, ids, stored) => void parsed.set(recordLabel(type, ids), stored),
    changes,
    count: (type) => reader.count(type) + tallies.changeOf(type),
    highestId: (type) => Math.max(reader.highestId(type), tallies.highestOf(type)),
    put(type, ids, record, text, above = 0) {
      // Read before the record is touched, so that the cache can be used.
      const before = tallies.isNew(type, ids) ? undefined : get(type, ...ids)
      touch(type, ids)
      const revision = (before?.revision ?? above) + 1
      const { value, stored } = encodeRecord(record, revision, text)
      writer.put(encodePassing(requireKeys(writer, type).record, ids), value)
      const old = before && parseRecord(type, before)
      changeRows(writer, type, ids, { before: old, after: record, onRow: own.touchRow })
      if (before === undefined) tallies.add(type, 1, ids)
      changes.push({ type, ids, before, stored })
      return stored
    },
    remove(type, ...ids) {
      const before = get(type, ...ids)
      if (before === undefined) return
      touch(type, ids)
      writer.remove(recordKey(writer, type, ids))
      const old = parseRecord(type, before)
      changeRows(writer, type, ids, { before: old, after: undefined, onRow: own.touchRow })
      tallies.add(type, -1, [])
      changes.push({ type, ids, before, stored: undefined })
    },
    putInline(name, bytes) {
      batch.inlineContentBytes += bytes.length
      putInline(writer, name, bytes)
    },
  }
}

function isSame(left: Stored<object>, right: Stored<object>): boolean {
  return left.revision === right.revision && Buffer.compare(left.bytes, right.bytes) === 0
}

function buildReader(kv: KvReader, read: RecordCache['read']): Reader {
  return {
    get: (type, ...ids) => read(type, ids, () => findText(kv, recordKey(kv, type, ids))),
    lookup: (type, index, values, limit) => lookup(kv, type, { index, values, limit }),
    newest(type, { index, values, before, length: limit }) {
      const { start, end } = rowRange(kv, type, { index, values })
      const bound =
        before === undefined
          ? end
          : rowRange(kv, type, { index, values: [...values, before] }).start
      const keys = kv.keys({ start, end: bound, reverse: true, limit })
      return Array.from(keys, (key) => Number(rowParts(key).at(-1)))
    },
    highest: (type, index) => highestPart(kv, rowRange(kv, type, { index })),
    list: (type, prefix, limit) =>
      Array.from(kv.keys({ limit, ...recordRange(kv, type, prefix) }), recordIds),
    count: (type) => readCounter(kv, countKey(kv, type)),
    highestId: (type) => readCounter(kv, highestIdKey(kv, type)),
  }
}

interface Lookup {
  readonly index: string
  readonly values: readonly KeyPart[]
  readonly limit: number | undefined
}

function lookup(kv: KvReader, type: RecordType, { index, values, limit }: Lookup): readonly Id[][] {
  const range = rowRange(kv, type, { index, values })
  // A row may have more values than were given; the identifiers are its last parts.
  const { idCount = 1 } = type
  return Array.from(kv.keys({ limit, ...range }), (key) => rowParts(key).slice(-idCount) as Id[])
}

function highestPart(kv: KvReader, rows: Range): KeyPart | undefined {
  for (const key of kv.keys({ reverse: true, limit: 1, ...rows })) return rowParts(key)[0]
  return undefined
}
