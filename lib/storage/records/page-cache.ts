// Caches recent search pages. A page is valid until something changes that the page was built from (change-tracker.ts).

import { LRUCache } from 'lru-cache'
import { andThen } from '../../base/and-then.ts'
import { admits } from '../../base/cache-admission.ts'
import type { JsonObject, RecordType, Stored } from '../../schema/values.ts'
import type { Page, Query } from '../port.ts'
import type { Changes, Name, Trace } from './change-tracker.ts'
import { isFiltered } from './search-job.ts'

export interface PageCache {
  /** The cached page, or the result of `find`, which also returns the names it was built from. */
  read<T extends JsonObject>(
    type: RecordType<T>,
    query: Query<T>,
    find: (trace: Trace) => Page<T> | Promise<Page<T>>,
  ): Made<T> | Promise<Made<T>>
  clear(): void
}

export interface Made<T extends JsonObject> {
  readonly page: Page<T>
  /** Names of everything that the page was built from. */
  readonly names: ReadonlySet<Name>
}

/** In bytes of stored records; a cached response that is built from them (api/entries.ts) is counted separately. */
const MAX_SIZE = 16 * 1024 * 1024
const MAX_PAGE_SIZE = 256 * 1024
/** Bytes counted for each page and for each record in it, in addition to the stored bytes. */
const OVERHEAD = 512
const ID_BYTES = 8

interface Known extends Made<JsonObject> {
  /** A type whose columns changed is another object. */
  readonly type: RecordType
  readonly isCurrent: () => boolean
  /** An empty page may have been built from many records. */
  readonly namesBytes: number
}

/** Bytes that a record adds to a page. */
export function answeredBytes<T extends JsonObject>(
  { reckonedBytes }: Pick<Query<T>, 'reckonedBytes'>,
  stored: Stored<T>,
): number {
  return stored.sizeBytes + (reckonedBytes?.(stored) ?? 0)
}

/** The reckoned bytes may have grown since, although no record of the page has changed. */
function isTooLarge<T extends JsonObject>(
  query: Pick<Query<T>, 'reckonedBytes'>,
  { records }: Page<T>,
  maxPageBytes: number,
): boolean {
  if (query.reckonedBytes === undefined || records.length < 2) return false
  const size = records.reduce((sum, stored) => sum + answeredBytes(query, stored), 0)
  return size > maxPageBytes
}

/** `share`: the part of the cache memory that may be used here. */
export function openPageCache(changes: Changes, maxPageBytes: number, share = 1): PageCache {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_SIZE * share,
    maxEntrySize: MAX_PAGE_SIZE,
    sizeCalculation: ({ page, namesBytes }) =>
      page.records.reduce(
        (size, { sizeBytes }) => size + sizeBytes + OVERHEAD,
        OVERHEAD + namesBytes + page.ids.length * ID_BYTES,
      ),
  })

  return {
    read<T extends JsonObject>(
      type: RecordType<T>,
      query: Query<T>,
      find: (trace: Trace) => Page<T> | Promise<Page<T>>,
    ): Made<T> | Promise<Made<T>> {
      // A filter of hidden records depends on more than the query, so such pages are not cached.
      const name = isOwn(query) ? undefined : nameOf(type, query)
      const kept = name === undefined ? undefined : known.get(name)
      if (kept?.type === type && kept.isCurrent()) {
        // Pages of a type hold only records of that type.
        const page = kept.page as Page<T>
        if (!isTooLarge(query, page, maxPageBytes)) return { page, names: kept.names }
      }

      const trace = changes.trace()
      return andThen(find(trace), (page) => {
        const { names } = trace
        const isCurrent = trace.close()
        if (name !== undefined && isCurrent() && admits(known, name))
          known.set(name, { type, page, names, isCurrent, namesBytes: trace.sizeBytes() })
        return { page, names }
      })
    },

    clear: () => known.clear(),
  }
}

function isOwn(query: Query<never>): boolean {
  return query.explain === true || query.asked !== undefined || isFiltered(query)
}

function nameOf({ name }: RecordType, query: Query<never>): string {
  const {
    match,
    orderBy,
    descending,
    thenBy,
    start,
    length,
    cursor,
    count,
    onlyIds,
    reckonedBytes,
  } = query
  const order = orderBy === undefined ? 'any' : [orderBy]
  // Without reckoned bytes a page may hold more records.
  const isStored = reckonedBytes === undefined
  const place = [descending, thenBy, start, length, cursor]
  return JSON.stringify([name, match, order, ...place, count, onlyIds, isStored])
}
