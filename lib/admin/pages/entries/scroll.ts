// Scroll position of a list of any length. Browsers limit element heights to 17 to 33 million pixels, so the scrolled
// element is at most MOST_PX high. In longer lists, short scrolls move row by row, and long scrolls (such as dragging
// the scroll bar) jump to the same fraction of the list.

import { useLayoutEffect, useReducer, useRef } from 'preact/hooks'

const MOST_PX = 8_000_000

/** Rows rendered above and below the visible ones. */
const BEYOND = 6

/** Touch targets are larger. */
const ROW_REM = 2.25
const COARSE_ROW_REM = 2.75
/** Share of the height of a comfortable row. */
const COMPACT = 0.75

export interface Extent {
  readonly count: number
  readonly rowPx: number
  /** Height of the visible part. */
  readonly seenPx: number
}

/** Height of all rows, and of the scrolled element. */
function heightsOf({ count, rowPx }: Extent): readonly [number, number] {
  const all = count * rowPx
  return [all, Math.min(all, MOST_PX)]
}

export interface Place {
  /** Within the scrolled element. */
  readonly top: number
  /** Added to get the position among all rows. */
  readonly shift: number
}

function placeAfter(before: Place, top: number, extent: Extent): Place {
  const [all, scrolled] = heightsOf(extent)
  const { seenPx } = extent
  const [mostAll, mostScrolled] = [Math.max(all - seenPx, 0), Math.max(scrolled - seenPx, 0)]
  if (all === scrolled || mostScrolled === 0) return { top, shift: 0 }
  const share = (top / mostScrolled) * mostAll
  const isLong = Math.abs(top - before.top) > 2 * seenPx
  const next = isLong ? share : clamp(top + before.shift, mostAll)
  const isAtEdge = top <= 0 || top >= mostScrolled
  // At the edge of the scrolled element with rows left: continues as a long scroll.
  if (isAtEdge && Math.abs(next - share) > 1) return placeOf(next, extent)
  return { top, shift: next - top }
}

/** Maps a position among all rows. */
function placeOf(all: number, extent: Extent): Place {
  const [height, scrolled] = heightsOf(extent)
  const { seenPx } = extent
  const at = clamp(all, height - seenPx)
  if (height === scrolled) return { top: at, shift: 0 }
  const top = Math.round((at / (height - seenPx)) * (scrolled - seenPx))
  return { top, shift: at - top }
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), Math.max(most, 0))
}

/** Tracks the scroll position, and renders again when it changes. */
// oxlint-disable-next-line eslint/max-lines-per-function -- all values derive from one position
export function useScroll(count: number, rowPx: number) {
  const box = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const place = useRef<Place>({ top: 0, shift: 0 })
  const seen = useRef(0)
  const [, redraw] = useReducer((round: number) => round + 1, 0)
  const extent = (): Extent => ({ count, rowPx, seenPx: seen.current })

  useLayoutEffect(() => {
    const measure = (): void => {
      seen.current = (box.current?.clientHeight ?? 0) - (head.current?.offsetHeight ?? 0)
      redraw(0)
    }
    const observer = new ResizeObserver(measure)
    if (box.current !== null) observer.observe(box.current)
    measure()
    return () => observer.disconnect()
  }, [])

  function move(next: Place): void {
    place.current = next
    if (box.current !== null && box.current.scrollTop !== next.top) {
      box.current.scrollTop = next.top
      // The position may be fractional.
      const { scrollTop } = box.current
      place.current = { top: scrollTop, shift: next.top + next.shift - scrollTop }
    }
    redraw(0)
  }

  const { top, shift } = place.current
  const from = Math.max(top + shift, 0)
  const first = Math.min(Math.floor(from / rowPx), Math.max(count - 1, 0))
  const last = Math.min(Math.ceil((from + seen.current) / rowPx), count - 1)
  return {
    box,
    head,
    /** Visible rows. */
    first,
    last,
    /** Rendered rows. */
    drawn: [Math.max(first - BEYOND, 0), Math.min(last + BEYOND, count - 1)] as const,
    rowsInSight: Math.max(Math.floor(seen.current / rowPx), 1),
    height: heightsOf({ count, rowPx, seenPx: 0 })[1],
    /** Position of a row in the scrolled element; distant rows are placed just outside. */
    topOf: (row: number) =>
      Math.min(Math.max(row * rowPx - shift, -2 * rowPx), heightsOf(extent())[1] - rowPx),
    follow() {
      const now = box.current?.scrollTop ?? 0
      if (now !== place.current.top) move(placeAfter(place.current, now, extent()))
    },
    reveal(row: number) {
      const at = place.current.top + place.current.shift
      const rowTop = row * rowPx
      const isAbove = rowTop < at
      if (!isAbove && rowTop + rowPx <= at + seen.current) return
      const wanted = isAbove ? rowTop : rowTop + rowPx - seen.current
      const isNear = Math.abs(wanted - at) <= seen.current
      const { shift: kept } = place.current
      const near = wanted - kept
      const most = heightsOf(extent())[1] - seen.current
      move(
        isNear && near >= 0 && near <= most
          ? { top: near, shift: kept }
          : placeOf(wanted, extent()),
      )
    },
    toTop: () => move({ top: 0, shift: 0 }),
  }
}

/** In pixels, like scroll positions. */
export function rowHeight(isCompact: boolean): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const isCoarse = matchMedia('(pointer: coarse)').matches
  const height = isCoarse ? COARSE_ROW_REM : ROW_REM
  return Math.round(rem * (isCompact ? height * COMPACT : height))
}
