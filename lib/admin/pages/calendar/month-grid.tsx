// The days of a month: one row per week. Arrow keys move between days.

import type { ComponentChildren } from 'preact'
import { DAY_MS } from '../../../shared/wall-clock.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { Place } from './use-place.ts'
import { dateText, parseWall, startOfMonth } from './wall.ts'
import type { Words } from './words.ts'

/** Further items of a day are counted; the list view shows them. */
export const LANES = 3

export interface DayContent {
  readonly shown: ComponentChildren
  /** The number of items that have no lane. */
  readonly hidden: number
}

export interface MonthGridProps {
  readonly place: Pick<Place, 'day' | 'days'>
  readonly today: number
  readonly words: Words
  readonly title: string
  readonly go: (changes: { readonly view?: 'list'; readonly day: number }) => void
  readonly onPress?: (pressed: PointerEvent) => void
  /** Called for each week; the result is called for each of its days by position. */
  readonly contentOf: (days: readonly number[]) => (at: number) => DayContent
}

export function MonthGrid(props: MonthGridProps) {
  const { place, words, title, go } = props
  const weeks = Array.from({ length: place.days.length / 7 }, (_, at) =>
    place.days.slice(at * 7, at * 7 + 7),
  )

  function step(event: KeyboardEvent): void {
    const by = STEPS[event.key]
    const target = event.target instanceof HTMLElement ? event.target : undefined
    const isDay = target?.classList.contains('month-number') === true
    if (by === undefined || !isDay || event.shiftKey || event.altKey) return
    const day = parseWall(target.closest<HTMLElement>('[data-day]')?.dataset['day'])
    if (day === undefined) return
    event.preventDefault()
    go({ day: day + by * DAY_MS })
    // Waits until the days are rendered.
    setTimeout(() => focusDay(day + by * DAY_MS), 0)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the days inside take the focus
    <div class="month" role="grid" aria-label={title} onKeyDown={step}>
      <div class="month-head" role="row">
        {weeks[0]?.map((day) => (
          <div key={day} role="columnheader" aria-label={words.weekday(day, 'long')}>
            {words.weekday(day, 'short')}
          </div>
        ))}
      </div>
      {weeks.map((days) => (
        <Week key={days[0]} days={days} {...props} />
      ))}
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
}

function focusDay(day: number): void {
  document.querySelector<HTMLElement>(`[data-day="${dateText(day)}"] .month-number`)?.focus()
}

function Week(props: MonthGridProps & { readonly days: readonly number[] }) {
  const content = props.contentOf(props.days)
  return (
    <div class="month-week" role="row">
      {props.days.map((day, at) => (
        <Day key={day} day={day} {...content(at)} {...props} />
      ))}
    </div>
  )
}

type DayProps = MonthGridProps & DayContent & { readonly day: number }

function Day({ day, shown, hidden, place, today, words, go, onPress }: DayProps) {
  const { t, formats } = useTexts()
  const isOther = startOfMonth(day) !== startOfMonth(place.day)
  const toList = (): void => go({ view: 'list', day })
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its children take the focus
    <div
      class={`month-day${isOther ? ' month-other' : ''}`}
      role="gridcell"
      data-day={dateText(day)}
      aria-current={day === today ? 'date' : undefined}
      onPointerDown={onPress}
    >
      <button
        type="button"
        class="month-number"
        aria-label={words.day(day)}
        tabIndex={day === place.day ? 0 : -1}
        onClick={toList}
      >
        {new Date(day).getUTCDate()}
      </button>
      {shown}
      {hidden > 0 && (
        <button type="button" class="month-more" onClick={toList}>
          <span aria-hidden="true">+{formats.number(hidden)}</span>
          <span class="unseen">
            {formats.count(t.calendar.more, hidden)} {words.day(day)}
          </span>
        </button>
      )}
    </div>
  )
}
