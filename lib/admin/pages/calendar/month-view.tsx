// The month view: one row per week with bars across the days. Arrow keys move between days.

import { DAY_MS } from '../../../shared/wall-clock.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { EventButton } from './event-button.tsx'
import { type Bar, isBar, layBars } from './layout.ts'
import type { ViewProps } from './view.ts'
import { dateText, parseWall, startOfMonth } from './wall.ts'

/** Further events of a day are counted; the list view shows them. */
const LANES = 3

export function MonthView(props: ViewProps) {
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

function Week(props: ViewProps & { readonly days: readonly number[] }) {
  const bars = layBars(props.events, props.days)
  return (
    <div class="month-week" role="row">
      {props.days.map((day, at) => (
        <Day key={day} day={day} at={at} bars={bars} {...props} />
      ))}
    </div>
  )
}

interface DayProps extends ViewProps {
  readonly day: number
  readonly at: number
  readonly bars: readonly Bar[]
}

function Day(props: DayProps) {
  const { day, at, bars, place, today, words, moves, go, onOpen } = props
  const { t, formats } = useTexts()
  const own = bars.filter(({ first, lane }) => first === at && lane < LANES)
  const hidden = bars.filter(
    ({ first, span, lane }) => lane >= LANES && first <= at && at < first + span,
  ).length
  const isOther = startOfMonth(day) !== startOfMonth(place.day)
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its children take the focus
    <div
      class={`month-day${isOther ? ' month-other' : ''}`}
      role="gridcell"
      data-day={dateText(day)}
      aria-current={day === today ? 'date' : undefined}
      onPointerDown={(pressed) => moves.select(pressed)}
    >
      <button
        type="button"
        class="month-number"
        aria-label={words.day(day)}
        tabIndex={day === place.day ? 0 : -1}
        onClick={() => go({ view: 'list', day })}
      >
        {new Date(day).getUTCDate()}
      </button>
      {own.map((bar) => (
        <EventButton
          key={bar.event.entryId + bar.event.start}
          event={bar.event}
          words={words}
          moves={moves}
          onOpen={onOpen}
          kind={isBar(bar.event) || bar.span > 1 ? 'bar' : 'line'}
          isCut={bar.goesOn}
          style={{ '--lane': bar.lane, '--span': bar.span }}
        />
      ))}
      {hidden > 0 && (
        <button type="button" class="month-more" onClick={() => go({ view: 'list', day })}>
          <span aria-hidden="true">+{formats.number(hidden)}</span>
          <span class="unseen">
            {formats.count(t.calendar.more, hidden)} {words.day(day)}
          </span>
        </button>
      )}
    </div>
  )
}
