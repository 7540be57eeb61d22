// Moves events and selects empty ranges for new events, with the mouse or with Shift and arrow keys (Alt: the end).
// Touch scrolls the page, so a tap only opens or creates events.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'
import type { Times } from './event-times.ts'
import { keyOf, type Occurrence } from './events.ts'
import { HOUR_MS, MINUTE_MS, parseWall } from './wall.ts'

export interface EventMoves {
  readonly isAllowed: boolean
  /** The event during the move, and after the move until it is loaded. */
  readonly preview: Occurrence | undefined
  readonly drag: (pressed: PointerEvent, event: Occurrence) => void
  readonly press: (pressed: KeyboardEvent, event: Occurrence) => void
  readonly select: (pressed: PointerEvent) => void
  /** Suppresses the click that follows a drag. */
  readonly wasDragged: () => boolean
  readonly clear: () => void
}

interface MoveOptions {
  readonly isAllowed: boolean
  readonly events: readonly Occurrence[]
  /** Changes identity whenever the events are reloaded. */
  readonly loaded: unknown
  readonly onMove: (event: Occurrence, times: Times) => void
  readonly onNew: (times: Times) => void
}

const STEP_MS = 15 * MINUTE_MS
/** Key presses within this interval form one move. */
const PAUSE_MS = 600

// oxlint-disable-next-line eslint/max-lines-per-function -- these functions share the event that is moved
export function useMoves(options: MoveOptions): EventMoves {
  const { isAllowed, events, loaded, onMove, onNew } = options
  const [preview, setPreview] = useState<Occurrence>()
  const dragged = useRef(false)
  const byKeys = useKeys(onMove)
  // The moved event is now loaded.
  useLayoutEffect(() => setPreview(undefined), [loaded])
  useLayoutEffect(() => byKeys.focus(events, preview), [events, preview])

  return {
    isAllowed,
    preview,
    wasDragged() {
      const was = dragged.current
      dragged.current = false
      return was
    },
    clear: () => setPreview(undefined),
    drag(pressed, event) {
      // Prevents the handler of the day below.
      pressed.stopPropagation()
      dragged.current = false
      const from = pointAt(pressed)
      if (!isAllowed || pressed.button !== 0 || pressed.pointerType === 'touch' || !from) return
      const isEnd = pressed.target instanceof Element && pressed.target.matches('[data-end]')
      let moved: Occurrence | undefined
      followPointer(pressed, {
        onMove(to) {
          dragged.current = true
          moved = isEnd ? resized(event, between(from, to)) : shifted(event, between(from, to))
          setPreview(moved)
        },
        onEnd(isCancelled) {
          if (isCancelled || moved === undefined || isSame(moved, event)) setPreview(undefined)
          else onMove(originalOf(events, event), moved)
        },
      })
    },
    press(pressed, event) {
      if (!isAllowed || !pressed.shiftKey) return
      const isTimed = pressed.currentTarget instanceof Element && isInHours(pressed.currentTarget)
      const step = stepOf(pressed.key, isTimed)
      if (step === undefined) return
      pressed.preventDefault()
      pressed.stopPropagation()
      const before = preview !== undefined && keyOf(preview) === keyOf(event) ? preview : event
      const next = pressed.altKey ? resized(before, step) : shifted(before, step)
      setPreview(next)
      byKeys.later(originalOf(events, event), next)
    },
    select(pressed) {
      const from = pointAt(pressed)
      const isEmpty = pressed.target === pressed.currentTarget
      if (!isAllowed || pressed.button !== 0 || !isEmpty || from === undefined) return
      let range = rangeOf(from, undefined)
      followPointer(pressed, {
        onMove(to) {
          if (pressed.pointerType === 'touch' || to.isTimed !== from.isTimed) return
          range = rangeOf(from, to)
          setPreview({ ...NEW, ...range })
        },
        onEnd(isCancelled) {
          setPreview(undefined)
          if (!isCancelled) onNew(range)
        },
      })
    },
  }
}

/** The shown event may be a preview; returns the stored event. */
function originalOf(events: readonly Occurrence[], event: Occurrence): Occurrence {
  return events.find((each) => keyOf(each) === keyOf(event)) ?? event
}

const NEW: Occurrence = {
  entryId: 0,
  title: '…',
  location: null,
  isAllDay: false,
  isRecurring: false,
  startWall: 0,
  endWall: 0,
  start: '',
  modified: '',
}

/** Collects key presses, and keeps the focus on the moved event. */
function useKeys(onMove: MoveOptions['onMove']) {
  const waiting = useRef<{ readonly send: () => void; readonly timer: number }>()
  const focused = useRef<Occurrence>()
  const latest = useRef(onMove)
  latest.current = onMove

  function flush(): void {
    const { send, timer } = waiting.current ?? {}
    clearTimeout(timer)
    waiting.current = undefined
    send?.()
  }
  useEffect(() => flush, [])

  return {
    later(event: Occurrence, times: Occurrence): void {
      clearTimeout(waiting.current?.timer)
      focused.current = times
      const send = (): void => latest.current(event, times)
      waiting.current = { send, timer: window.setTimeout(flush, PAUSE_MS) }
    },
    focus(events: readonly Occurrence[], preview: Occurrence | undefined): void {
      const { entryId, startWall } = focused.current ?? {}
      const at =
        preview ?? events.find((each) => each.entryId === entryId && each.startWall === startWall)
      const isLost = document.activeElement === document.body || document.activeElement === null
      if (at === undefined || entryId === undefined || !isLost) return
      document.querySelector<HTMLElement>(`[data-event="${keyOf(at)}"]`)?.focus()
    },
  }
}

function isInHours(element: Element): boolean {
  return element.closest('[data-hours]') !== null
}

function stepOf(key: string, isTimed: boolean): number | undefined {
  const down = isTimed ? STEP_MS : 7 * DAY_MS
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -DAY_MS,
    ArrowRight: DAY_MS,
    ArrowUp: -down,
    ArrowDown: down,
  }
  return steps[key]
}

function between(from: Point, to: Point): number {
  if (!from.isTimed || !to.isTimed) return startOfDay(to.wall) - startOfDay(from.wall)
  return Math.round((to.wall - from.wall) / STEP_MS) * STEP_MS
}

function shifted(event: Occurrence, by: number): Occurrence {
  return { ...event, startWall: event.startWall + by, endWall: event.endWall + by }
}

function resized(event: Occurrence, by: number): Occurrence {
  const least = event.startWall + (event.isAllDay ? DAY_MS : STEP_MS)
  return { ...event, endWall: Math.max(least, event.endWall + by) }
}

function isSame(left: Times, right: Times): boolean {
  return left.startWall === right.startWall && left.endWall === right.endWall
}

/** Without an end, the range is one hour or one day. */
function rangeOf(from: Point, to: Point | undefined): Times {
  const { isTimed, wall } = from
  if (!isTimed) {
    const days = [startOfDay(wall), startOfDay(to?.wall ?? wall)]
    return { startWall: Math.min(...days), endWall: Math.max(...days) + DAY_MS, isAllDay: true }
  }
  const grid = to === undefined ? 2 * STEP_MS : STEP_MS
  const start = Math.floor(wall / grid) * grid
  if (to === undefined) return { startWall: start, endWall: start + HOUR_MS, isAllDay: false }
  const end = Math.round(to.wall / grid) * grid
  const [first, last] = [Math.min(start, end), Math.max(start, end)]
  return { startWall: first, endWall: Math.max(last, first + STEP_MS), isAllDay: false }
}

interface Point {
  readonly wall: number
  /** Whether the point is in the hours of a day; otherwise it denotes the day. */
  readonly isTimed: boolean
}

/** Finds the day and hour below the pointer; undefined outside of the calendar. */
function pointAt({ clientX, clientY }: PointerEvent): Point | undefined {
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

interface Following {
  readonly onMove: (point: Point) => void
  readonly onEnd: (isCancelled: boolean) => void
}

/** Movements below this distance count as a click. */
const STILL_PX = 4

function followPointer(pressed: PointerEvent, { onMove, onEnd }: Following): void {
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
