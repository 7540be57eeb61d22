// Pages of searches that were asked for lately. A page stands for as long as no commit touches a record
// of its type; while one is under way, pages are read past the cache, as records are (record-cache.ts).

import { LRUCache } from 'lru-cache'
import type { Page, Query, RecordType } from './port.ts'

export interface PageCache {
  /** The page from memory, else as `find` makes it. */
  read(type: RecordType, query: Query, find: () => Promise<Page>): Promise<Page>
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

/** In bytes of stored records; an answer that is made of them and kept (api/modules.ts) comes on top. */
const MAX_SIZE = 16 * 1024 * 1024
const MAX_PAGE_SIZE = 256 * 1024
/** Counted for each page, and for each record in it, besides its bytes. */
const OVERHEAD = 512

interface Known {
  /** A type that changed its columns is another value. */
  readonly type: RecordType
  readonly state: number
  readonly page: Page
}

export function openPageCache(): PageCache {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_PAGE_SIZE,
    sizeCalculation: ({ page }) =>
      page.records.reduce((size, { bytes }) => size + bytes.length + OVERHEAD, OVERHEAD),
  })
  /** By type: a number that every commit changes, and how many are under way. */
  const states = new Map<string, { state: number; underWay: number }>()
  const stateOf = ({ name }: RecordType): number | undefined => {
    const { state, underWay } = states.get(name) ?? { state: 0, underWay: 0 }
    return underWay > 0 ? undefined : state
  }

  return {
    async read(type, query, find) {
      const state = stateOf(type)
      // What a caller may not see depends on more than the records of the type.
      if (state === undefined || query.isVisible !== undefined) return find()
      const name = nameOf(type, query)
      const cached = known.get(name)
      if (cached?.type === type && cached.state === state) return cached.page

      const page = await find()
      if (stateOf(type) === state) known.set(name, { type, state, page })
      return page
    },

    begin() {
      const own = new Set<string>()
      return {
        touch({ name }) {
          if (own.has(name)) return
          own.add(name)
          const { state, underWay } = states.get(name) ?? { state: 0, underWay: 0 }
          states.set(name, { state: state + 1, underWay: underWay + 1 })
        },
        end() {
          for (const name of own) {
            const { state, underWay } = states.get(name) ?? { state: 0, underWay: 1 }
            states.set(name, { state: state + 1, underWay: underWay - 1 })
          }
          own.clear()
        },
      }
    },

    clear: () => known.clear(),
  }
}

function nameOf({ name }: RecordType, query: Query): string {
  const { match, orderBy, descending, start, length, cursor, count } = query
  const order = orderBy === undefined ? 'any' : [orderBy]
  return JSON.stringify([name, match, order, descending, start, length, cursor, count])
}
