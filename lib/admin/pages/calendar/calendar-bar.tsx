// The bar above a calendar: visible days, navigation and view. Keys: T goes to today, J and K go to later and earlier
// days, M, W and L choose the view.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { type Go, type Place, stepFrom, VIEWS } from './use-place.ts'
import { type Clock, readerZone, startOfDay } from './wall.ts'

export interface CalendarBarProps {
  readonly place: Place
  readonly title: string
  readonly clock: Clock
  readonly go: Go
}

const VIEW_KEYS = { month: 'm', week: 'w', list: 'l' } as const

export function CalendarBar({ place, title, clock, go }: CalendarBarProps) {
  const { t } = useTexts()
  const toToday = (): void => go({ day: startOfDay(clock.wallOf(Date.now())) })
  const step = (count: number) => (): void => go({ day: stepFrom(place, count) })
  useActions([
    { id: 'today', text: t.calendar.today, icon: 'calendar', keys: 't', run: toToday },
    { id: 'later', text: t.calendar.later, icon: 'chevronRight', keys: 'j', run: step(1) },
    { id: 'earlier', text: t.calendar.earlier, icon: 'chevronLeft', keys: 'k', run: step(-1) },
    ...VIEWS.map((view) => ({
      id: `view ${view}`,
      text: `${t.calendar.view}: ${t.calendar.views[view]}`,
      icon: 'calendar' as const,
      keys: VIEW_KEYS[view],
      run: () => go({ view }),
    })),
  ])
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
