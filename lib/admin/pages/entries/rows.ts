// The entries that a grid shows, read from the server in blocks when they come into sight. There are two ways, and the
// search decides which (isQuick in entry-view.ts):
//
// - The server comes to any place at once, and knows how many there are: a block is read by its number. Measured on a
//   million entries: a tenth of a second for the last ones, as it passes over keys alone.
// - It has to look at one entry after the other: a block is read by the cursor that the one before has left, so nothing
//   is looked at twice; how many there are is not known before the end. An answer may hold a part of a block, as the
//   server looks at no more than 100,000 entries for one: what was found is shown, and it goes on.

import { type Cell, openCell } from '../../client/cell.ts'
import type { Entry, EntryPage, EntryQuery } from '../../client/module-paths.ts'
import { idOf } from './fields.ts'

const BLOCK = 100

/** Rows that are shown as if they were there, where it is not known how many follow. */
const FORESEEN = 20

/** What is farther from sight is forgotten. */
const MOST_BLOCKS = 60

/** While somebody scrolls, nothing is asked for what flies by. */
const PAUSE_MS = 40

export interface RowsState {
  /** By their place in the list, from 0. */
  readonly rows: ReadonlyMap<number, Entry>
  readonly count: number
  /** False: there are more than could be said, and `count` is what is foreseen. */
  readonly isCounted: boolean
  /** Of those that are known. */
  readonly known: number
  readonly isLoading: boolean
  /** Something was answered. */
  readonly isReady: boolean
  readonly error: unknown
}

export interface Rows {
  readonly state: Cell<RowsState>
  /** What is in sight. */
  readonly want: (first: number, last: number) => void
  /** Reads again what is in sight, which is shown meanwhile. */
  readonly reload: () => void
  /** Shows an entry as it is now, wherever it is. */
  readonly put: (entry: Entry) => void
  readonly close: () => void
}

export interface RowsOptions {
  readonly isQuick: boolean
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

// oxlint-disable-next-line eslint/max-lines-per-function -- the state of one list, which its parts share
export function openRows({ isQuick, load }: RowsOptions): Rows {
  const state = openCell<RowsState>(NONE)
  const whole = new Set<number>()
  const running = new Map<number, AbortController>()
  /** Of each block, where the next one begins; they stand while entries come and go. */
  const cursors = new Map<number, string>()
  let rows = new Map<number, Entry>()
  let sight: readonly [number, number] = [0, 0]
  let total: number | undefined
  let known = 0
  let hasMore = true
  let isToCount = true
  let error: unknown
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function show(): void {
    if (isClosed) return
    const isCounted = total !== undefined
    const count = total ?? (hasMore ? known + FORESEEN : known)
    const isLoading = running.size > 0
    const isReady = state.get().isReady || known > 0 || isCounted
    state.set({ rows, count, isCounted, known, isLoading, isReady, error })
  }

  function wanted(): readonly number[] {
    const [first, last] = sight
    const end = total === undefined ? last : Math.min(last, Math.max(total - 1, 0))
    const from = Math.floor(first / BLOCK)
    return Array.from({ length: Math.floor(end / BLOCK) - from + 1 }, (_, at) => from + at)
  }

  function begin(): void {
    if (isClosed || error !== undefined) return
    const blocks = wanted()
    for (const [block, controller] of running) {
      // The first one tells how many there are.
      if (!blocks.includes(block) && (block !== 0 || known > 0)) controller.abort()
    }
    for (const block of blocks) {
      const canBegin = isQuick || block === 0 || cursors.has(block - 1)
      if (canBegin && !whole.has(block) && !running.has(block)) void read(block)
    }
  }

  async function read(block: number): Promise<void> {
    const controller = new AbortController()
    running.set(block, controller)
    show()
    try {
      await fill(block, controller.signal)
      whole.add(block)
    } catch (thrown) {
      if (!controller.signal.aborted) error = thrown
    } finally {
      running.delete(block)
      forget()
      show()
      // What was in sight meanwhile may follow from it.
      if (!controller.signal.aborted) begin()
    }
  }

  async function fill(block: number, signal: AbortSignal): Promise<void> {
    const found: Entry[] = []
    let place: EntryQuery = placeOf(block)
    for (;;) {
      const { datatable_entry: part, page } = await load(
        { ...place, length: BLOCK - found.length },
        signal,
      )
      signal.throwIfAborted()
      found.push(...part)
      const end = block * BLOCK + found.length
      if (isQuick && page.total !== null) {
        total = page.total
        isToCount = false
      }
      if (page.next === null) total = end
      else if (total !== undefined && total <= end) total = undefined
      known = Math.max(known, end)
      hasMore = total === undefined
      rows = withBlock(rows, block, found)
      if (page.next === null || found.length >= BLOCK) {
        if (page.next !== null) cursors.set(block, page.next)
        return
      }
      show()
      place = { cursor: page.next }
    }
  }

  function placeOf(block: number): EntryQuery {
    if (isQuick) return { start: block + 1, ...(isToCount && { count: 'exact' as const }) }
    const cursor = cursors.get(block - 1)
    return cursor === undefined ? {} : { cursor }
  }

  function forget(): void {
    if (whole.size <= MOST_BLOCKS) return
    const middle = (sight[0] + sight[1]) / 2 / BLOCK
    const far = [...whole].toSorted((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
    for (const block of far.slice(0, whole.size - MOST_BLOCKS)) {
      whole.delete(block)
      rows = withBlock(rows, block, [])
    }
  }

  return {
    state,
    want(first, last) {
      sight = [first, last]
      clearTimeout(timer)
      timer = setTimeout(begin, state.get().isReady ? PAUSE_MS : 0)
    },
    reload() {
      for (const controller of running.values()) controller.abort()
      running.clear()
      whole.clear()
      const blocks = new Set(wanted())
      rows = new Map([...rows].filter(([at]) => blocks.has(Math.floor(at / BLOCK))))
      error = undefined
      isToCount = true
      begin()
    },
    put(entry) {
      const id = idOf(entry)
      const at = [...rows].find(([, each]) => idOf(each) === id)?.[0]
      if (at === undefined) return
      rows = new Map(rows).set(at, { ...rows.get(at), ...entry })
      show()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const controller of running.values()) controller.abort()
    },
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
