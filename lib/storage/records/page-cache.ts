// Pages of searches that were asked for lately. A page stands for as long as no commit touches a record
// of its type; while one is under way, pages are read past the cache, as records are (record-cache.ts).

import { LRUCache } from 'lru-cache'
import type { JsonObject, RecordType, Stored } from '../../schema/values.ts'
import type { Page, Query } from '../port.ts'

export interface PageCache {
  /** The page from memory, else as `find` makes it. */
  read<T extends JsonObject>(
    type: RecordType<T>,
    query: Query<T>,
    find: () => Promise<Page<T>>,
  ): Promise<Page<T>>
  /** A commit under construction. */
  begin(): PageChange
  clear(): void
}

export interface PageChange {
  /** To be called before a record of the type is written or removed. */
  touch(type: RecordType): void
  /** To be called when the outcome is known, whatever it is. */
  end(): void
}

/** In bytes of stored records; an answer that is made of them and kept (api/entries.ts) comes on top. */
const MAX_SIZE = 16 * 1024 * 1024
const MAX_PAGE_SIZE = 256 * 1024
/** Counted for each page, and for each record in it, besides its bytes. */
const OVERHEAD = 512

interface Known {
  /** A type that changed its columns is another value. */
  readonly type: RecordType
  readonly page: Page
}

interface OfType {
  /** Grows with every commit that touches a record of the type. */
  changes: number
  underWay: number
  /** Names of its pages. */
  readonly pages: Set<string>
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

export function openPageCache(maxPageBytes: number): PageCache {
  const types = new Map<string, OfType>()
  const known = new LRUCache<string, Known>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_PAGE_SIZE,
    sizeCalculation: ({ page }) =>
      page.records.reduce((size, { bytes }) => size + bytes.length + OVERHEAD, OVERHEAD),
    dispose: ({ type }, name) => ofType(type).pages.delete(name),
  })

  function ofType({ name }: RecordType): OfType {
    const found = types.get(name)
    if (found !== undefined) return found
    const made = { changes: 0, underWay: 0, pages: new Set<string>() }
    types.set(name, made)
    return made
  }

  return {
    async read<T extends JsonObject>(
      type: RecordType<T>,
      query: Query<T>,
      find: () => Promise<Page<T>>,
    ): Promise<Page<T>> {
      const { changes, underWay } = ofType(type)
      // What a caller may not see depends on more than the records of the type.
      if (underWay > 0 || isFiltered(query)) return find()
      const name = nameOf(type, query)
      const cached = known.get(name)
      // Of a type there are pages of its records alone.
      const page = cached?.type === type ? (cached.page as Page<T>) : undefined
      if (page !== undefined && !isTooLarge(query, page, maxPageBytes)) return page

      const found = await find()
      const now = ofType(type)
      if (now.changes === changes) {
        known.set(name, { type, page: found })
        // A page may be too large to be kept.
        if (known.has(name)) now.pages.add(name)
      }
      return found
    },

    begin() {
      const own = new Set<OfType>()
      return {
        touch(type) {
          const touched = ofType(type)
          if (own.has(touched)) return
          own.add(touched)
          touched.changes += 1
          touched.underWay += 1
          // They would never be given again, and take the room of others.
          for (const name of touched.pages) known.delete(name)
        },
        end() {
          for (const touched of own) {
            touched.changes += 1
            touched.underWay -= 1
          }
          own.clear()
        },
      }
    },

    clear: () => known.clear(),
  }
}

function isFiltered({ isVisible, isWanted }: Query<never>): boolean {
  return isVisible !== undefined || isWanted !== undefined
}

function nameOf({ name }: RecordType, query: Query<never>): string {
  const { match, orderBy, descending, thenBy, start, length, cursor, count, reckonedBytes } = query
  const order = orderBy === undefined ? 'any' : [orderBy]
  // Where nothing is reckoned, there may be room for more.
  const isStored = reckonedBytes === undefined
  const place = [descending, thenBy, start, length, cursor]
  return JSON.stringify([name, match, order, ...place, count, isStored])
}
