// The list view: events from a day on.

import { DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyOf, type Occurrence } from './events.ts'
import { lastDayOf } from './layout.ts'
import type { ViewProps } from './view.ts'
import { dateText } from './wall.ts'

export function ListView(props: ViewProps & { readonly onNew: () => void }) {
  const { events, place, words, today, moves, onNew } = props
  const { t } = useTexts()
  const [from = 0] = place.days
  const to = from + place.days.length * DAY_MS
  const shown = events
    .filter((event) => event.startWall < to && lastDayOf(event) >= from)
    .toSorted(
      (left, right) =>
        startOfDay(left.startWall) - startOfDay(right.startWall) ||
        Number(right.isAllDay) - Number(left.isAllDay) ||
        left.startWall - right.startWall,
    )
  const days = new Map<number, Occurrence[]>()
  for (const event of shown) {
    const day = Math.max(from, startOfDay(event.startWall))
    days.set(day, [...(days.get(day) ?? []), event])
  }
  if (shown.length === 0) {
    return (
      <EmptyState
        icon="calendar"
        title={t.calendar.noEvents}
        action={
          moves.isAllowed && (
            <Button icon="plus" onPress={onNew}>
              {t.calendar.newEvent}
            </Button>
          )
        }
      >
        {moves.isAllowed ? t.calendar.noEventsText : t.calendar.noEventsLook}
      </EmptyState>
    )
  }

  return (
    <div class="agenda card">
      {[...days].map(([day, rows]) => (
        <section key={day} class="agenda-day" aria-current={day === today ? 'date' : undefined}>
          <h3>
            <time dateTime={dateText(day)}>{words.day(day)}</time>
          </h3>
          <ul>
            {rows.map((event) => (
              <li key={keyOf(event)}>
                <Row event={event} {...props} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Row({ event, words, onOpen }: ViewProps & { readonly event: Occurrence }) {
  const { t } = useTexts()
  const { title, location, isRecurring } = event
  return (
    <button
      type="button"
      class="agenda-row"
      data-event={keyOf(event)}
      onClick={() => onOpen(event)}
    >
      <span class="agenda-time">{timeOf(event, words, t.calendar.wholeDay)}</span>
      <span class="agenda-what">
        <bdi class="agenda-title">{title || t.calendar.untitled}</bdi>
        {location !== null && <bdi class="quiet">{location}</bdi>}
      </span>
      {isRecurring && (
        <span class="agenda-repeats">
          <Icon name="repeat" />
          <span class="unseen">{t.calendar.repeats}</span>
        </span>
      )}
    </button>
  )
}

function timeOf(event: Occurrence, words: ViewProps['words'], wholeDay: string): string {
  const { startWall, endWall, isAllDay } = event
  const isOneDay = lastDayOf(event) === startOfDay(startWall)
  if (isAllDay) return isOneDay ? wholeDay : words.range(startWall, endWall - DAY_MS)
  // An event that ends shortly after midnight belongs to the same evening.
  if (!isOneDay && endWall - startWall >= DAY_MS) return words.when(event)
  return endWall > startWall
    ? `${words.time(startWall)} – ${words.time(endWall)}`
    : words.time(startWall)
}
