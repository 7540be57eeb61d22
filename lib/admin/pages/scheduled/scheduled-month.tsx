// A month of scheduled files: the actions of each day with their times.

import { useTexts } from '../../texts/use-texts.ts'
import { type DayContent, LANES, MonthGrid, type MonthGridProps } from '../calendar/month-grid.tsx'
import { dateText, parseWall } from '../calendar/wall.ts'
import { localOf } from '../content/local-time.ts'
import { versionPath } from '../content/version-numbers.tsx'
import type { Planned } from './planned.ts'

interface ScheduledMonthProps extends Omit<MonthGridProps, 'contentOf'> {
  /** The actions of each local day, in the order of their times. */
  readonly days: readonly (readonly [string, readonly Planned[]])[]
}

export function ScheduledMonth({ days, ...grid }: ScheduledMonthProps) {
  const { t } = useTexts()
  const byDay = new Map(days)

  function contentOf(week: readonly number[]): (at: number) => DayContent {
    return (at) => {
      const planned = byDay.get(dateText(week[at] ?? 0)) ?? []
      return {
        shown: planned.slice(0, LANES).map(({ file, at: time, kind }, lane) => (
          <a
            key={`${kind.field} ${file.asset_file_id}`}
            class={`event event-line planned-${kind.kind}`}
            href={versionPath(file.asset_file_id)}
            style={{ '--lane': lane, '--span': 1 }}
            title={`${t.schedule.kinds[kind.kind]}: ${file.path}`}
          >
            <span class="unseen">{t.schedule.kinds[kind.kind]} </span>
            <bdi class="event-title">{file.name}</bdi>
            <span class="event-time">{grid.words.time(wallOf(time))}</span>
          </a>
        )),
        hidden: Math.max(0, planned.length - LANES),
      }
    }
  }

  return <MonthGrid {...grid} contentOf={contentOf} />
}

/** The local time to the minute. */
function wallOf(time: string): number {
  return parseWall(localOf(time).slice(0, 16)) ?? 0
}
