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

export interface Rows {
  readonly state: Cell<RowsState>
  /** Sets the visible rows. */
  readonly want: (first: number, last: number) => void
  /** Reloads the visible rows, which stay on display. */
  readonly reload: () => void
  /** Updates a changed entry. */
  readonly put: (entry: Entry) => void
  readonly close: () => void
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

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts share the state of one list
function openRows({ isIndexed, load }: RowsOptions): Rows {
  const state = openCell<RowsState>(NONE)
  const whole = new Set<number>()
  const running = new Map<number, AbortController>()
  /** The cursor of the next block, for each block. Cursors stay valid during concurrent writes. */
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
      // The first block determines the total.
      if (!blocks.includes(block) && (block !== 0 || known > 0)) controller.abort()
    }
    for (const block of blocks) {
      const canBegin = isIndexed || block === 0 || cursors.has(block - 1)
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
      // Blocks that became visible in the meantime may continue from this one.
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
      if (isIndexed && page.total !== null) {
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
    if (isIndexed) return { start: block + 1, ...(isToCount && { count: 'exact' as const }) }
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
  const rows = useMemo(
    () =>
      openRows({
        isIndexed: isQuick(view, fields),
        load: (query, signal) =>
          requests.list({ ...listQueryOf(view), fields: names, ...query }, signal),
      }),
    [requests, search, names],
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
  return { rows, state, search: `${search}${names}` }
}
