// Where a list of any length stands, of which a box shows a piece. Browsers know no box of a million rows (they end at
// 17 to 33 million pixels), so what is scrolled is never higher than MOST_PX; where the rows together are higher, a
// short way moves row by row as always, and a long one, as with the bar, to the same share of all.

import { useLayoutEffect, useReducer, useRef } from 'preact/hooks'

const MOST_PX = 8_000_000

/** Rows that are drawn above and below what is in sight. */
const BEYOND = 6

/** A finger is broader than a pointer. */
const ROW_REM = 2.25
const COARSE_ROW_REM = 2.75

export interface Extent {
  readonly count: number
  readonly rowPx: number
  /** What of the box rows are seen in. */
  readonly seenPx: number
}

/** Of all rows together; and of what is scrolled. */
function heightsOf({ count, rowPx }: Extent): readonly [number, number] {
  const all = count * rowPx
  return [all, Math.min(all, MOST_PX)]
}

export interface Place {
  /** Of what is scrolled. */
  readonly top: number
  /** To be added for the place among all rows. */
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
  // Nothing is left to scroll, but there are rows: from here on as a long way would have come here.
  if (isAtEdge && Math.abs(next - share) > 1) return placeOf(next, extent)
  return { top, shift: next - top }
}

/** For a place among all rows. */
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

/** The place that a box is scrolled to, so that it is drawn anew when it moves. */
// oxlint-disable-next-line eslint/max-lines-per-function -- all that follows from one place
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
      // It may stand between two pixels of the screen.
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
    /** In sight. */
    first,
    last,
    /** To be drawn. */
    drawn: [Math.max(first - BEYOND, 0), Math.min(last + BEYOND, count - 1)] as const,
    rowsInSight: Math.max(Math.floor(seen.current / rowPx), 1),
    height: heightsOf({ count, rowPx, seenPx: 0 })[1],
    /** Of a row, in what is scrolled; one that is far away lies just outside. */
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

/** In pixels: what is scrolled has no other measure. */
export function rowHeight(): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const isCoarse = matchMedia('(pointer: coarse)').matches
  return Math.round(rem * (isCoarse ? COARSE_ROW_REM : ROW_REM))
}
