// The bar above the days of a page: the visible days, navigation and the view. Keys: T goes to today, J and K go to later and
// earlier days, M, W, D and L choose the view.

import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import type { View } from './use-place.ts'

const KEYS: Readonly<Record<View, string>> = { month: 'm', week: 'w', day: 'd', list: 'l' }

interface ViewBarProps {
  /** The visible days; undefined: the view shows all days, and has no navigation. */
  readonly title: string | undefined
  /** Describes the time zone of the page. */
  readonly zone: string
  readonly views: readonly View[]
  readonly view: View
  readonly onToday: () => void
  readonly onStep: (count: number) => void
  readonly onView: (view: View) => void
}

export function ViewBar({ title, zone, views, view, onToday, onStep, onView }: ViewBarProps) {
  const { t } = useTexts()
  const later = (): void => onStep(1)
  const earlier = (): void => onStep(-1)
  useActions([
    { id: 'today', text: t.calendar.today, icon: 'calendar', keys: 't', run: onToday },
    { id: 'later', text: t.calendar.later, icon: 'chevronRight', keys: 'j', run: later },
    { id: 'earlier', text: t.calendar.earlier, icon: 'chevronLeft', keys: 'k', run: earlier },
    ...views.map((each) => ({
      id: `view ${each}`,
      text: `${t.calendar.view}: ${t.calendar.views[each]}`,
      icon: 'calendar' as const,
      keys: KEYS[each],
      run: () => onView(each),
    })),
  ])
  return (
    <div class="calendar-bar">
      {title !== undefined && (
        <div class="calendar-steps">
          <Button onPress={onToday}>{t.calendar.today}</Button>
          <Button kind="quiet" icon="chevronLeft" label={t.calendar.earlier} onPress={earlier} />
          <Button kind="quiet" icon="chevronRight" label={t.calendar.later} onPress={later} />
          <h2 aria-live="polite">{title}</h2>
        </div>
      )}
      <p class="calendar-zone quiet">{zone}</p>
      <div class="calendar-views" role="group" aria-label={t.calendar.view}>
        {views.map((each) => (
          <Button key={each} isPressed={each === view} onPress={() => onView(each)}>
            {t.calendar.views[each]}
          </Button>
        ))}
      </div>
    </div>
  )
}
