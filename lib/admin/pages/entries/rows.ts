// Loads the entries of a grid in blocks as they scroll into view. The search decides between two ways (isQuick in
// entry-view.ts):
//
// - The server can jump to any position and knows the total: a block is read by its number. For a million entries,
//   the last block takes a tenth of a second, because the server skips index keys only.
// - The server scans entries one by one: a block is read by the cursor of the previous block, so that nothing is
//   scanned twice; the total is unknown until the end. A response may contain part of a block, because the server
//   scans at most 100,000 entries per request. Found entries are shown, and loading continues.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Cell, openCell, useCell } from '../../client/cell.ts'
import type { Entry, EntryPage, EntryQuery } from '../../client/module-paths.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryView, isQuick, listQueryOf } from './entry-view.ts'
import { type EntryField, ID, idOf } from './fields.ts'
import { expandOf, listWithTitles } from './reference-titles.ts'

const BLOCK = 100

/** Placeholder rows shown after the known ones while the total is unknown. */
const FORESEEN = 20

/** Blocks far from the visible rows are evicted beyond this number. */
const MOST_BLOCKS = 60

/** Delay before loading, so that fast scrolling skips blocks. */
const PAUSE_MS = 40

export interface RowsState {
  /** By list position, starting at 0. */
  readonly rows: ReadonlyMap<number, Entry>
  readonly count: number
  /** False if `count` is an estimate. */
  readonly isCounted: boolean
  /** Number of known entries. */
  readonly known: number
  readonly isLoading: boolean
  /** A response has arrived. */
  readonly isReady: boolean
  readonly error: unknown
}

interface RowsOptions {
  readonly isIndexed: boolean
  readonly load: (query: EntryQuery, signal: AbortSignal) => Promise<EntryPage>
}

const NONE: RowsState = {
  rows: new Map(),
  count: 0,
  isCounted: false,
  known: 0,
  isLoading: true,
  isReady: false,
  error: undefined,
}

function openRows(options: RowsOptions): Rows {
  return new Rows(options)
}

export class Rows {
  readonly state: Cell<RowsState> = openCell(NONE)
  readonly #options: RowsOptions
  readonly #whole = new Set<number>()
  readonly #running = new Map<number, AbortController>()
  /** The cursor of the next block, for each block. Cursors stay valid during concurrent writes. */
  readonly #cursors = new Map<number, string>()
  #rows = new Map<number, Entry>()
  #sight: readonly [number, number] = [0, 0]
  #total: number | undefined
  #known = 0
  #isToCount = true
  #error: unknown
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(options: RowsOptions) {
    this.#options = options
  }

  /** Sets the visible rows. */
  want(first: number, last: number): void {
    this.#sight = [first, last]
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#begin(), this.state.get().isReady ? PAUSE_MS : 0)
  }

  /** Reloads the visible rows, which stay on display. */
  reload(): void {
    this.#abortAll()
    this.#running.clear()
    this.#whole.clear()
    const blocks = new Set(this.#wanted())
    this.#rows = new Map([...this.#rows].filter(([at]) => blocks.has(Math.floor(at / BLOCK))))
    this.#error = undefined
    this.#isToCount = true
    this.#begin()
  }

  /** Updates a changed entry. */
  put(entry: Entry): void {
    const id = idOf(entry)
    const [at, before] = [...this.#rows].find(([, each]) => idOf(each) === id) ?? []
    if (at === undefined) return
    this.#rows = new Map(this.#rows).set(at, { ...before, ...entry })
    this.#show()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#abortAll()
  }

  #abortAll(): void {
    for (const controller of this.#running.values()) controller.abort()
  }

  #show(): void {
    if (this.#isClosed) return
    const known = this.#known
    const isCounted = this.#total !== undefined
    this.state.set({
      rows: this.#rows,
      count: this.#total ?? known + FORESEEN,
      isCounted,
      known,
      isLoading: this.#running.size > 0,
      isReady: this.state.get().isReady || known > 0 || isCounted,
      error: this.#error,
    })
  }

  #wanted(): readonly number[] {
    const [first, last] = this.#sight
    const end = this.#total === undefined ? last : Math.min(last, Math.max(this.#total - 1, 0))
    const from = Math.floor(first / BLOCK)
    return Array.from({ length: Math.floor(end / BLOCK) - from + 1 }, (_, at) => from + at)
  }

  #begin(): void {
    if (this.#isClosed || this.#error !== undefined) return
    const blocks = this.#wanted()
    for (const [block, controller] of this.#running) {
      // The first block determines the total.
      if (!blocks.includes(block) && (block !== 0 || this.#known > 0)) controller.abort()
    }
    for (const block of blocks) {
      const canBegin = this.#options.isIndexed || block === 0 || this.#cursors.has(block - 1)
      if (canBegin && !this.#whole.has(block) && !this.#running.has(block)) void this.#read(block)
    }
  }

  async #read(block: number): Promise<void> {
    const controller = new AbortController()
    this.#running.set(block, controller)
    this.#show()
    try {
      await this.#fill(block, controller.signal)
      this.#whole.add(block)
    } catch (thrown) {
      if (!controller.signal.aborted) this.#error = thrown
    } finally {
      this.#running.delete(block)
      this.#forget()
      this.#show()
      // Blocks that became visible in the meantime may continue from this one.
      if (!controller.signal.aborted) this.#begin()
    }
  }

  async #fill(block: number, signal: AbortSignal): Promise<void> {
    const found: Entry[] = []
    let place = this.#placeOf(block)
    for (;;) {
      const query = { ...place, length: BLOCK - found.length }
      const { datatable_entry: part, page } = await this.#options.load(query, signal)
      signal.throwIfAborted()
      found.push(...part)
      this.#count(block * BLOCK + found.length, page)
      this.#rows = withBlock(this.#rows, block, found)
      if (page.next === null) return
      if (found.length >= BLOCK) return void this.#cursors.set(block, page.next)
      this.#show()
      place = { cursor: page.next }
    }
  }

  /** Updates the number of entries; `end` is the position after the last entry of the page. */
  #count(end: number, { total, next }: EntryPage['page']): void {
    if (this.#options.isIndexed && total !== null) {
      this.#total = total
      this.#isToCount = false
    }
    if (next === null) this.#total = end
    else if (this.#total !== undefined && this.#total <= end) this.#total = undefined
    this.#known = Math.max(this.#known, end)
  }

  #placeOf(block: number): EntryQuery {
    if (this.#options.isIndexed)
      return { start: block + 1, ...(this.#isToCount && { count: 'exact' as const }) }
    const cursor = this.#cursors.get(block - 1)
    return cursor === undefined ? {} : { cursor }
  }

  #forget(): void {
    const whole = this.#whole
    if (whole.size <= MOST_BLOCKS) return
    const middle = (this.#sight[0] + this.#sight[1]) / 2 / BLOCK
    const far = [...whole].toSorted((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
    for (const block of far.slice(0, whole.size - MOST_BLOCKS)) {
      whole.delete(block)
      this.#rows = withBlock(this.#rows, block, [])
    }
  }
}

function withBlock(
  rows: ReadonlyMap<number, Entry>,
  block: number,
  found: readonly Entry[],
): Map<number, Entry> {
  const others = [...rows].filter(([at]) => Math.floor(at / BLOCK) !== block)
  return new Map([...others, ...found.map((entry, at) => [block * BLOCK + at, entry] as const)])
}

/**
 * The entries of a search in a component. The previous entries stay until new ones arrive, and visible rows are
 * reloaded when the window gets the focus.
 */
interface RowsInput {
  readonly requests: EntryRequests
  readonly view: EntryView
  readonly fields: readonly EntryField[]
  /** Only the visible fields are requested. */
  readonly seen: readonly EntryField[]
}

export function useRows({ requests, view, fields, seen }: RowsInput) {
  const search = JSON.stringify(view)
  const names = [...new Set([ID, ...seen.map(({ name }) => name)])].join()
  const expand = expandOf(seen)
  const rows = useMemo(
    () =>
      openRows({
        isIndexed: isQuick(view, fields),
        load: (query, signal) =>
          listWithTitles(
            { requests, query: { ...listQueryOf(view), fields: names, ...query }, expand },
            signal,
          ),
      }),
    [requests, search, names, expand],
  )
  const now = useCell(rows.state)
  const before = useRef<RowsState>(now)
  if (now.isReady) before.current = now
  useEffect(() => () => rows.close(), [rows])
  useEffect(() => {
    const back = (): void => {
      if (document.visibilityState === 'visible') rows.reload()
    }
    document.addEventListener('visibilitychange', back)
    return () => document.removeEventListener('visibilitychange', back)
  }, [rows])
  const isStale = !now.isReady && before.current.isReady
  const { isLoading, error } = now
  const state = isStale ? { ...before.current, isLoading, error } : now
  return { rows, state, search: `${search}${names}${expand}` }
}
