// Records on an ordered store. A record, its index rows and the counters of its type change in one commit, so none of them
// is visible without the others. The byte layout is in format.ts.

import { andThen } from '../../base/and-then.ts'
import type { Kv, KvReader } from './kv.ts'
import type { Id, KeyPart, RecordType } from '../../schema/values.ts'
import type { Reader, Records } from '../port.ts'
import {
  countKey,
  findText,
  highestIdKey,
  IDENTITY_KEY,
  recordIds,
  recordKey,
  recordRange,
  rowParts,
  rowRange,
} from './format.ts'
import type { Range } from './keys.ts'
import { readCounter } from './record-bytes.ts'
import { openGroupCommit } from './group-commit.ts'
import { buildMaintenance } from './maintenance.ts'
import { buildNumbers } from './numbers.ts'
import { openPageCache } from './page-cache.ts'
import { openBatches } from './record-batch.ts'
import type { RecordCache } from './record-cache.ts'
import { RecordUnit } from './record-unit.ts'
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
  const settings = { limits, matchElsewhere }
  const findPage: FindPage = (type, searchable, query) =>
    pages.read(type, query, (trace) => search(kv, { type, searchable, query, ...settings }, trace))
  const maintenance = buildMaintenance(kv)
  const readerOf = (writer: KvReader): Reader => buildReader(writer, cache.readNewest)
  const commit = openGroupCommit(
    kv,
    openBatches({ shown, issued, isOneOfMany, onInline, readerOf }),
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
    uncached: () => ({
      ...records,
      ...buildReader(kv, (_type, _ids, find) => find()),
      search: (type, searchable, query) =>
        search(kv, { type, searchable, query, ...settings }, changes.trace()),
    }),
    commit: (plan) => commit((batch) => plan(new RecordUnit(batch))),
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
