// Pages of searches that were asked for lately. A page stands for as long as nothing has changed that it was made
// of (changes.ts).

import { LRUCache } from 'lru-cache'
import { admits } from '../../base/cache-admission.ts'
import type { JsonObject, RecordType, Stored } from '../../schema/values.ts'
import type { Page, Query } from '../port.ts'
import type { Changes, Name, Trace } from './change-tracker.ts'

export interface PageCache {
  /** The page from memory, else as `find` makes it, which notes what it reads. */
  read<T extends JsonObject>(
    type: RecordType<T>,
    query: Query<T>,
    find: (trace: Trace) => Promise<Page<T>>,
  ): Promise<Made<T>>
  clear(): void
}

export interface Made<T extends JsonObject> {
  readonly page: Page<T>
  /** Of what. */
  readonly names: ReadonlySet<Name>
}

/** In bytes of stored records; an answer that is made of them and kept (api/entries.ts) comes on top. */
const MAX_SIZE = 16 * 1024 * 1024
const MAX_PAGE_SIZE = 256 * 1024
/** Counted for each page, and for each record in it, besides its bytes. */
const OVERHEAD = 512

interface Known extends Made<JsonObject> {
  /** A type that changed its columns is another value. */
  readonly type: RecordType
  readonly isCurrent: () => boolean
  /** A page without records may have been made of many. */
  readonly namesBytes: number
}

/** What a record takes of the bytes of a page. */
export function answeredBytes<T extends JsonObject>(
  { reckonedBytes }: Pick<Query<T>, 'reckonedBytes'>,
  stored: Stored<T>,
): number {
  return stored.bytes.length + (reckonedBytes?.(stored) ?? 0)
}

/** What is reckoned may have grown since, though no record of the page has changed. */
function isTooLarge<T extends JsonObject>(
  query: Pick<Query<T>, 'reckonedBytes'>,
  { records }: Page<T>,
  maxPageBytes: number,
): boolean {
  if (query.reckonedBytes === undefined || records.length < 2) return false
  const size = records.reduce((sum, stored) => sum + answeredBytes(query, stored), 0)
  return size > maxPageBytes
}

/** `share`: the part of the memory that it may take here. */
export function openPageCache(changes: Changes, maxPageBytes: number, share = 1): PageCache {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_SIZE * share,
    maxEntrySize: MAX_PAGE_SIZE,
    sizeCalculation: ({ page, namesBytes }) =>
      page.records.reduce(
        (size, { bytes }) => size + bytes.length + OVERHEAD,
        OVERHEAD + namesBytes,
      ),
  })

  return {
    async read<T extends JsonObject>(
      type: RecordType<T>,
      query: Query<T>,
      find: (trace: Trace) => Promise<Page<T>>,
    ): Promise<Made<T>> {
      // What a caller may not see depends on more than the query.
      const name = isFiltered(query) ? undefined : nameOf(type, query)
      const kept = name === undefined ? undefined : known.get(name)
      if (kept?.type === type && kept.isCurrent()) {
        // Of a type there are pages of its records alone.
        const page = kept.page as Page<T>
        if (!isTooLarge(query, page, maxPageBytes)) return { page, names: kept.names }
      }

      const trace = changes.trace()
      const page = await find(trace)
      const isCurrent = trace.close()
      if (name !== undefined && isCurrent() && admits(known, name))
        known.set(name, {
          type,
          page,
          names: trace.names,
          isCurrent,
          namesBytes: trace.sizeBytes(),
        })
      return { page, names: trace.names }
    },

    clear: () => known.clear(),
  }
}

function isFiltered({ isVisible, isWanted, compared }: Query<never>): boolean {
  return isVisible !== undefined || isWanted !== undefined || compared !== undefined
}

function nameOf({ name }: RecordType, query: Query<never>): string {
  const { match, orderBy, descending, thenBy, start, length, cursor, count, reckonedBytes } = query
  const order = orderBy === undefined ? 'any' : [orderBy]
  // Where nothing is reckoned, there may be room for more.
  const isStored = reckonedBytes === undefined
  const place = [descending, thenBy, start, length, cursor]
  return JSON.stringify([name, match, order, ...place, count, isStored])
}
