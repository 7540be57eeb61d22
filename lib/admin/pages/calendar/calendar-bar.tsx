// Above a calendar: the days that are shown, the way to others, and how they are shown. T is today, J and K are later and
// earlier, M, W and L the views.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/use-shortcut.ts'
import { type Go, type Place, stepFrom, VIEWS } from './use-place.ts'
import { type Clock, readerZone, startOfDay } from './wall.ts'

export interface CalendarBarProps {
  readonly place: Place
  readonly title: string
  readonly clock: Clock
  readonly go: Go
}

export function CalendarBar({ place, title, clock, go }: CalendarBarProps) {
  const { t } = useTexts()
  const toToday = (): void => go({ day: startOfDay(clock.wallOf(Date.now())) })
  const step = (count: number) => (): void => go({ day: stepFrom(place, count) })
  useShortcut('t', toToday)
  useShortcut('j', step(1))
  useShortcut('k', step(-1))
  useShortcut('m', () => go({ view: 'month' }))
  useShortcut('w', () => go({ view: 'week' }))
  useShortcut('l', () => go({ view: 'list' }))
  const zone = readerZone()
  return (
    <div class="calendar-bar">
      <div class="calendar-steps">
        <Button onPress={toToday}>{t.calendar.today}</Button>
        <Button kind="quiet" icon="chevronLeft" label={t.calendar.earlier} onPress={step(-1)} />
        <Button kind="quiet" icon="chevronRight" label={t.calendar.later} onPress={step(1)} />
        <h2 aria-live="polite">{title}</h2>
      </div>
      <p class="calendar-zone quiet">
        {fill(t.calendar.zone, { zone: clock.timeZone })}
        {zone !== clock.timeZone && ` (${fill(t.calendar.yourZone, { zone })})`}
      </p>
      <div class="calendar-views" role="group" aria-label={t.calendar.view}>
        {VIEWS.map((view) => (
          <Button key={view} isPressed={view === place.view} onPress={() => go({ view })}>
            {t.calendar.views[view]}
          </Button>
        ))}
      </div>
    </div>
  )
}
