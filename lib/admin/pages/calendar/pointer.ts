// Maps pointer positions to days and times, and tracks a drag until the pointer is released.

import { DAY_MS, parseWall } from './wall.ts'

export interface Point {
  readonly wall: number
  /** Whether the point is in the hours of a day; otherwise it denotes the day. */
  readonly isTimed: boolean
}

/** Finds the day and hour below the pointer; undefined outside of the calendar. */
export function pointAt({ clientX, clientY }: PointerEvent): Point | undefined {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    const place = element.closest<HTMLElement>('[data-day]')
    const day = parseWall(place?.dataset['day'])
    if (place === null || day === undefined) continue
    if (place.dataset['hours'] === undefined) return { wall: day, isTimed: false }
    const { top, height } = place.getBoundingClientRect()
    const ratio = Math.min(Math.max((clientY - top) / height, 0), 1)
    return { wall: day + ratio * DAY_MS, isTimed: true }
  }
  return undefined
}

export interface Following {
  readonly onMove: (point: Point) => void
  readonly onEnd: (isCancelled: boolean) => void
}

/** Movements below this distance count as a click. */
const STILL_PX = 4

export function followPointer(pressed: PointerEvent, { onMove, onEnd }: Following): void {
  const over = new AbortController()
  const { signal } = over
  let isMoving = false

  const end = (isCancelled: boolean): void => {
    over.abort()
    onEnd(isCancelled)
  }
  document.addEventListener(
    'pointermove',
    (event) => {
      const way = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY)
      isMoving ||= way > STILL_PX
      const point = isMoving ? pointAt(event) : undefined
      if (point !== undefined) onMove(point)
    },
    { signal },
  )
  document.addEventListener('pointerup', () => end(false), { signal })
  document.addEventListener('pointercancel', () => end(true), { signal })
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape') end(true)
    },
    { signal },
  )
}
