// The month view of a calendar: bars across the days of each week.

import { EventButton } from './event-button.tsx'
import { isBar, layBars } from './layout.ts'
import { type DayContent, LANES, MonthGrid } from './month-grid.tsx'
import type { ViewProps } from './view.ts'

export function MonthView(props: ViewProps) {
  const { events, words, moves, onOpen } = props

  function contentOf(days: readonly number[]): (at: number) => DayContent {
    const bars = layBars(events, days)
    return (at) => ({
      shown: bars
        .filter(({ first, lane }) => first === at && lane < LANES)
        .map((bar) => (
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
        )),
      hidden: bars.filter(
        ({ first, span, lane }) => lane >= LANES && first <= at && at < first + span,
      ).length,
    })
  }

  return <MonthGrid {...props} contentOf={contentOf} onPress={moves.select} />
}
