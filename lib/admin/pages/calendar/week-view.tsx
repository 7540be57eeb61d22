// The week and the day view: all-day events above, overlapping events side by side, and a line at the current time.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Clock, startOfDay } from '../../../shared/wall-clock.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { EventButton } from './event-button.tsx'
import { isBar, layBars, layBlocks } from './layout.ts'
import type { ViewProps } from './view.ts'
import { dateText, HOUR_MS, MINUTE_MS } from './wall.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** First visible hour if no timed event begins on these days. */
const MORNING = 8
/** Hours above the first event. */
const MARGIN = 0.25

export function WeekView(props: ViewProps) {
  const { place, words, title, events } = props
  const frame = useRef<HTMLDivElement>(null)
  const [firstDay] = place.days
  const first = firstHour(props)
  useLayoutEffect(() => {
    const box = frame.current
    const hour = box?.querySelector<HTMLElement>('.week-hour')
    const own = box?.querySelector<HTMLElement>(`.week-column[data-day="${dateText(place.day)}"]`)
    if (!box || !hour || !own) return
    box.scrollTop = hour.offsetHeight * ((first ?? MORNING) - MARGIN)
    // On narrow screens, scrolls to the current day.
    box.scrollLeft = own.offsetLeft - hour.offsetWidth
    // Once for each week, and again when its events are loaded.
  }, [firstDay, events.length > 0])

  return (
    <div
      ref={frame}
      class="week"
      role="region"
      aria-label={title}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region
      tabIndex={0}
      style={{ '--days': place.days.length }}
    >
      <div class="week-top">
        <div class="week-head">
          <span />
          {place.days.map((day) => (
            <DayName key={day} day={day} {...props} />
          ))}
        </div>
        <WholeDays {...props} />
      </div>
      <div class="week-body">
        <div class="week-hours" aria-hidden="true">
          {HOURS.map((hour) => (
            <div key={hour} class="week-hour">
              {hour > 0 && <span>{words.time(hour * HOUR_MS)}</span>}
            </div>
          ))}
        </div>
        {place.days.map((day) => (
          <Hours key={day} day={day} {...props} />
        ))}
      </div>
    </div>
  )
}

/** The name of a day leads from the week to the day, and back. The button stays, and keeps the focus. */
function DayName({ day, place, words, today, go }: ViewProps & { readonly day: number }) {
  return (
    <button
      type="button"
      class="week-name"
      aria-current={day === today ? 'date' : undefined}
      onClick={() => go({ view: place.view === 'day' ? 'week' : 'day', day })}
    >
      <span>{words.weekday(day, 'short')}</span> <b>{new Date(day).getUTCDate()}</b>
    </button>
  )
}

/** The hour at which the earliest event of these days begins; undefined without timed events. */
function firstHour({ events, place }: ViewProps): number | undefined {
  const hours = place.days
    .flatMap((day) =>
      layBlocks(
        events.filter((event) => !isBar(event) && event.startWall >= day),
        day,
      ),
    )
    .map(({ from }) => Math.floor((from * MINUTE_MS) / HOUR_MS))
  return hours.length === 0 ? undefined : Math.min(...hours)
}

function WholeDays(props: ViewProps) {
  const { events, place, words, moves, onOpen } = props
  const { t } = useTexts()
  const bars = layBars(events.filter(isBar), place.days)
  const lanes = Math.max(1, ...bars.map(({ lane }) => lane + 1))
  return (
    <div class="week-days" style={{ '--lanes': lanes }}>
      <span class="week-label">{t.calendar.wholeDays}</span>
      {place.days.map((day, at) => (
        <div
          key={day}
          class="week-cell"
          role="group"
          aria-label={`${words.day(day)}, ${t.calendar.wholeDay}`}
          data-day={dateText(day)}
          onPointerDown={(pressed) => moves.select(pressed)}
        >
          {bars
            .filter(({ first }) => first === at)
            .map((bar) => (
              <EventButton
                key={bar.event.entryId + bar.event.start}
                event={bar.event}
                words={words}
                moves={moves}
                onOpen={onOpen}
                kind="bar"
                isCut={bar.goesOn}
                style={{ '--lane': bar.lane, '--span': bar.span }}
              />
            ))}
        </div>
      ))}
    </div>
  )
}

function Hours({ day, ...props }: ViewProps & { readonly day: number }) {
  const { events, clock, today, words, moves, onOpen } = props
  const blocks = layBlocks(
    events.filter((event) => !isBar(event)),
    day,
  )
  return (
    <div
      class="week-column"
      role="group"
      aria-label={words.day(day)}
      data-day={dateText(day)}
      data-hours
      onPointerDown={(pressed) => moves.select(pressed)}
    >
      {blocks.map(({ event, from, to, column, columns }) => (
        <EventButton
          key={event.entryId + event.start}
          event={event}
          words={words}
          moves={moves}
          onOpen={onOpen}
          kind="block"
          style={{ '--from': from, '--to': to, '--column': column, '--columns': columns }}
        />
      ))}
      {day === today && <NowLine clock={clock} />}
    </div>
  )
}

function NowLine({ clock }: { readonly clock: Clock }) {
  const [now, setNow] = useState(() => clock.wallOf(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.wallOf(Date.now())), MINUTE_MS)
    return () => clearInterval(timer)
  }, [clock])
  return <div class="week-now" style={{ '--from': (now - startOfDay(now)) / MINUTE_MS }} />
}
