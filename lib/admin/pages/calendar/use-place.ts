// The view, day and open event of a calendar, stored in the URL so that a reload or a link shows the same.

import { useLocation } from 'preact-iso/router'
import { useMemo } from 'preact/hooks'
import { type Clock, DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'
import type { Times } from './event-times.ts'
import {
  addMonths,
  dateText,
  daysFrom,
  parseWall,
  startOfMonth,
  startOfWeek,
  timeText,
} from './wall.ts'

export const VIEWS = ['month', 'week', 'day', 'list'] as const

export type View = (typeof VIEWS)[number]

export interface Place {
  readonly view: View
  readonly day: number
  /** Visible days. */
  readonly days: readonly number[]
  readonly opened: Opened | undefined
}

export type Opened =
  | { readonly kind: 'event'; readonly id: number; readonly at: string | undefined }
  | { readonly kind: 'new'; readonly times: Times }

export type Go = (changes: {
  readonly view?: View
  readonly day?: number
  readonly opened?: Opened | undefined
}) => void

/** Below this width, the list is the default view. */
const NARROW = '(max-width: 48rem)'

export function usePlace(clock: Clock, firstDay: number) {
  const { path, query, route } = useLocation()
  const place = useMemo(() => readPlace(query, clock, firstDay), [query, clock, firstDay])

  const go: Go = (changes) => {
    const view = changes.view ?? place.view
    const day = changes.day ?? place.day
    const opened = 'opened' in changes ? changes.opened : undefined
    const parameters = new URLSearchParams({ view, date: dateText(day), ...openedText(opened) })
    // Navigation replaces the history entry; opening an event adds one, so that Back closes the event.
    route(`${path}?${parameters}`, opened === undefined)
  }

  return { place, go }
}

type Query = Readonly<Record<string, string>>

function readPlace(query: Query, clock: Clock, firstDay: number): Place {
  const usual = matchMedia(NARROW).matches ? 'list' : 'month'
  const view = VIEWS.find((each) => each === query['view']) ?? usual
  const day = startOfDay(parseWall(query['date']) ?? clock.wallOf(Date.now()))
  return { view, day, days: daysOf(view, day, firstDay), opened: readOpened(query) }
}

function daysOf(view: View, day: number, firstDay: number): readonly number[] {
  if (view === 'week') return daysFrom(startOfWeek(day, firstDay), 7)
  if (view === 'day') return [day]
  if (view === 'list') return daysFrom(day, (addMonths(day, 1) - day) / DAY_MS)
  const first = startOfWeek(startOfMonth(day), firstDay)
  const end = addMonths(startOfMonth(day), 1)
  const weeks = Math.ceil((end - first) / DAY_MS / 7)
  return daysFrom(first, weeks * 7)
}

export function stepFrom({ view, day }: Place, count: number): number {
  const days = { day: 1, week: 7, month: undefined, list: undefined }[view]
  return days === undefined ? addMonths(day, count) : day + count * days * DAY_MS
}

function readOpened(query: Query): Opened | undefined {
  const { event, at, from, to } = query
  if (event === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(event)) return { kind: 'event', id: Number(event), at }
  const [startWall, endWall] = [parseWall(from), parseWall(to)]
  if (event !== 'new' || startWall === undefined || endWall === undefined) return undefined
  return { kind: 'new', times: { startWall, endWall, isAllDay: from?.length === 10 } }
}

function openedText(opened: Opened | undefined): Readonly<Record<string, string>> {
  if (opened === undefined) return {}
  if (opened.kind === 'event')
    return { event: String(opened.id), ...(opened.at !== undefined && { at: opened.at }) }
  const { startWall, endWall, isAllDay } = opened.times
  const text = (wall: number): string =>
    isAllDay ? dateText(wall) : `${dateText(wall)}T${timeText(wall)}`
  return { event: 'new', from: text(startWall), to: text(endWall) }
}
