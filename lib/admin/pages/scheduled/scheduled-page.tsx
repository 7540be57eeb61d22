// The files that will be published, unpublished or staged, as a list by day or as a month, and the files for which this
// failed.

import { useLocation } from 'preact-iso/router'
import { DAY_MS, openClock, startOfDay } from '../../../shared/wall-clock.ts'
import { pathOf } from '../../client/address.ts'
import { useApi } from '../../client/client-context.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingPage, Page, Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { type DayContent, LANES, MonthGrid, type MonthGridProps } from '../calendar/month-grid.tsx'
import { type Go, type Place, stepFrom, usePlace } from '../calendar/use-place.ts'
import { ViewBar } from '../calendar/view-bar.tsx'
import { dateText, parseWall } from '../calendar/wall.ts'
import { useWords } from '../calendar/words.ts'
import { localOf } from '../content/local-time.ts'
import type { FileRecord } from '../content/records.ts'
import { versionPath } from '../content/version-numbers.tsx'
import { MOST, type Planned, readPlanned } from './planned.ts'

const clock = openClock(OWN_ZONE)

type Days = readonly (readonly [string, readonly Planned[]])[]

export function ScheduledPage() {
  const { t, formats } = useTexts()
  const words = useWords()
  const { query } = useLocation()
  const { place, go } = usePlace(clock, words.firstDay)
  const isMonth = query['view'] === 'month'
  const found = usePlanned(place, isMonth, query['date'] !== undefined)
  if (found.data === undefined)
    return <LoadingPage title={t.titles.scheduled} isWide found={found} />
  const { days, failed, hasMore } = found.data
  const title = words.month(place.day)
  const isEmpty = days.length === 0 && failed.length === 0
  const more = isMonth ? t.schedule.moreInMonth : t.schedule.more
  return (
    <Page title={t.titles.scheduled} intro={t.schedule.intro} isWide>
      {failed.length > 0 && <Failures files={failed} />}
      <div class="calendar">
        <ScheduledBar place={place} isMonth={isMonth} title={title} go={go} />
        {isMonth && (
          <ScheduledMonth
            days={days}
            place={place}
            today={startOfDay(clock.wallOf(Date.now()))}
            words={words}
            title={title}
            go={(changes) => go({ view: 'month', ...changes })}
          />
        )}
        {!isMonth && isEmpty && (
          <EmptyState
            icon="clock"
            title={t.schedule.empty}
            action={<ButtonLink href={pathOf('/content')}>{t.schedule.toContent}</ButtonLink>}
          >
            {t.schedule.emptyText}
          </EmptyState>
        )}
      </div>
      {!isMonth && <DayList days={days} />}
      {hasMore && <Notice kind="info">{fill(more, { count: formats.number(MOST) })}</Notice>}
    </Page>
  )
}

/** A list without a date begins with the next action; a month has all days that its grid shows. */
function usePlanned({ day, days }: Place, isMonth: boolean, hasDate: boolean) {
  const api = useApi()
  const [first = 0] = days
  const to = isMonth ? clock.instantOf(first + days.length * DAY_MS) : undefined
  const from = isMonth ? clock.instantOf(first) : hasDate ? clock.instantOf(day) : undefined
  return useRequest((signal) => readPlanned(api, { from, to }, signal), [api, from, to])
}

interface ScheduledBarProps {
  readonly place: Place
  readonly isMonth: boolean
  readonly title: string
  readonly go: Go
}

function ScheduledBar({ place, isMonth, title, go }: ScheduledBarProps) {
  const { t } = useTexts()
  const { path, route } = useLocation()
  const view = 'month'
  return (
    <ViewBar
      title={isMonth ? title : undefined}
      zone={fill(t.schedule.times, { zone: OWN_ZONE })}
      views={['list', 'month']}
      view={isMonth ? 'month' : 'list'}
      onToday={() => go({ view, day: startOfDay(clock.wallOf(Date.now())) })}
      onStep={(count) => go({ view, day: stepFrom({ ...place, view }, count) })}
      onView={(each) => (each === 'list' ? route(path, true) : go({ view }))}
    />
  )
}

function Failures({ files }: { readonly files: readonly FileRecord[] }) {
  const { t } = useTexts()
  return (
    <Section title={t.schedule.failures}>
      <ul class="planned">
        {files.map((file) => (
          <li key={file.asset_file_id}>
            <FileLink file={file} /> <DateTime date={file.schedule_failed_at} />{' '}
            {file.schedule_fault?.detail}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function DayList({ days }: { readonly days: Days }) {
  const { t, formats } = useTexts()
  return (
    <>
      {days.map(([day, planned]) => (
        <Section key={day} title={formats.plainDay(day)}>
          <ul class="planned">
            {planned.map(({ file, at, kind }) => (
              <li key={`${kind.field} ${file.asset_file_id}`}>
                <DateTime date={at} />{' '}
                <Badge kind={kind.badge}>{t.schedule.kinds[kind.kind]}</Badge>{' '}
                <FileLink file={file} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  )
}

function FileLink({ file }: { readonly file: FileRecord }) {
  return (
    <a href={versionPath(file.asset_file_id)}>
      <bdi>{file.path}</bdi>
    </a>
  )
}

interface ScheduledMonthProps extends Omit<MonthGridProps, 'contentOf'> {
  /** The actions of each local day, in the order of their times. */
  readonly days: readonly (readonly [string, readonly Planned[]])[]
}

/** A month of scheduled files: the actions of each day with their times. */
function ScheduledMonth({ days, ...grid }: ScheduledMonthProps) {
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
