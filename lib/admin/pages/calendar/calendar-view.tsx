// Shows a loaded calendar and runs the actions on its events.

import { useMemo } from 'preact/hooks'
import { type Clock, DAY_MS, openClock, startOfDay } from '../../../shared/wall-clock.ts'
import { useApi } from '../../client/client-context.ts'
import { seesComments } from '../../client/comments.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { Breadcrumb } from '../content/breadcrumb.tsx'
import { PublicMark } from '../content/public-mark.tsx'
import { NewEntryDialogs } from '../entries/references/new-entry-dialogs.tsx'
import { CalendarActions } from './calendar-actions.tsx'
import { EventDialog, NewEvent } from './event-dialog.tsx'
import { usualTimes } from './event-values.ts'
import { occurrenceOf, type Times } from './event-times.ts'
import { type Events, keyOf, type Occurrence, openEvents } from './events.ts'
import { ListView } from './list-view.tsx'
import { MonthView } from './month-view.tsx'
import { useChanges, useUndo } from './use-changes.tsx'
import { useMoves } from './use-moves.ts'
import { type Go, type Place, stepFrom, usePlace, VIEWS } from './use-place.ts'
import type { CalendarProps, ViewProps } from './view.ts'
import { parseWall } from './wall.ts'
import { ViewBar } from './view-bar.tsx'
import { WeekView } from './week-view.tsx'
import { useWords } from './words.ts'

// oxlint-disable-next-line eslint/max-lines-per-function -- one page assembled from its parts
export function CalendarView(props: CalendarProps) {
  const { fetched, line, grants } = props
  const { t } = useTexts()
  const api = useApi()
  const calendar = fetched.record
  const words = useWords()
  const clock = useMemo(() => openClock(calendar.time_zone ?? 'UTC'), [calendar.time_zone])
  const events = useMemo(() => openEvents(api, calendar), [api, calendar])
  const { place, go } = usePlace(clock, words.firstDay)
  const found = useOccurrences({ events, clock, days: place.days })
  const changes = useChanges({
    events,
    clock,
    mayDelete: grants.has('delete'),
    onChanged: found.reload,
    onGivenUp: () => moves.clear(),
  })
  const onNew = (times: Times): void => go({ opened: { kind: 'new', times } })
  const moves = useMoves({
    isAllowed: grants.has('modify'),
    events: found.data,
    loaded: found.loaded,
    onMove: changes.move,
    onNew,
  })
  const now = clock.wallOf(Date.now())
  const startNew = (): void => onNew(usualTimes(focusedDay() ?? place.day, now))
  useActions(
    moves.isAllowed
      ? [{ id: 'new-event', text: t.calendar.newEvent, icon: 'plus', keys: 'n', run: startNew }]
      : [],
  )

  const title =
    place.view === 'month'
      ? words.month(place.day)
      : words.range(place.days[0] ?? 0, place.days.at(-1) ?? 0)
  const view: ViewProps = {
    events: withPreview(found.data, moves.preview),
    place,
    clock,
    today: startOfDay(now),
    words,
    title,
    moves,
    go,
    onOpen: ({ entryId: id, start, isRecurring }) =>
      go({ opened: { kind: 'event', id, at: isRecurring ? start : undefined } }),
  }
  return (
    <Page
      title={calendar.name}
      mark={<PublicMark isPublic={calendar.public} />}
      isWide
      actions={
        <>
          {moves.isAllowed && (
            <Button kind="primary" icon="plus" onPress={startNew}>
              {t.calendar.newEvent}
            </Button>
          )}
          <CalendarActions {...props} onImported={found.reload} />
        </>
      }
    >
      <div class="calendar" aria-busy={found.isLoading}>
        <Breadcrumb line={line} leaf={calendar.name} />
        <CalendarBar place={place} title={title} clock={clock} go={go} />
        {found.error !== undefined && <ProblemNotice error={found.error} onRetry={found.reload} />}
        {found.isTooMany && <p class="quiet">{t.calendar.tooMany}</p>}
        {place.view === 'month' && <MonthView {...view} />}
        {(place.view === 'week' || place.view === 'day') && <WeekView {...view} />}
        {place.view === 'list' &&
          (found.loaded === undefined ? (
            <Skeleton lines={8} />
          ) : (
            <ListView {...view} onNew={startNew} />
          ))}
        {moves.isAllowed && place.view !== 'list' && (
          <p class="calendar-help field-hint">{t.calendar.help}</p>
        )}
      </div>
      <NewEntryDialogs>
        <OpenedEvent {...props} {...view} changes={changes} api={events} onChanged={found.reload} />
      </NewEntryDialogs>
      {changes.view}
    </Page>
  )
}

/** A new event starts on the focused day. */
function focusedDay(): number | undefined {
  const day = document.activeElement?.closest<HTMLElement>('[data-day]')?.dataset['day']
  return parseWall(day)
}

function withPreview(
  events: readonly Occurrence[],
  preview: Occurrence | undefined,
): readonly Occurrence[] {
  if (preview === undefined) return events
  if (preview.entryId === 0) return [...events, preview]
  return events.map((event) => (keyOf(event) === keyOf(preview) ? preview : event))
}

interface OpenedProps extends Pick<CalendarProps, 'fetched' | 'grants'> {
  readonly api: ReturnType<typeof openEvents>
  readonly place: Place
  readonly clock: ViewProps['clock']
  readonly words: ViewProps['words']
  readonly go: Go
  readonly changes: ReturnType<typeof useChanges>
  readonly onChanged: () => void
}

function OpenedEvent(props: OpenedProps) {
  const { fetched, grants, api: events, place, clock, words, go, changes, onChanged } = props
  const { t } = useTexts()
  const offerUndo = useUndo({ mayDelete: grants.has('delete'), onChanged })
  const { opened } = place
  const onClose = (): void => go({ opened: undefined })
  const shared = { calendar: fetched.record, events, clock, words, onClose }
  if (opened === undefined || (opened.kind === 'new' && !grants.has('modify'))) return null
  if (opened.kind === 'new') {
    return (
      <NewEvent
        {...shared}
        times={opened.times}
        onMade={(title, undo) => {
          onClose()
          onChanged()
          offerUndo(fill(t.calendar.made, { title }), undo)
        }}
      />
    )
  }
  return (
    <EventDialog
      {...shared}
      entryId={opened.id}
      start={opened.at}
      mayChange={grants.has('modify')}
      mayDelete={grants.has('delete')}
      comments={seesComments(grants) ? { isAdmin: grants.has('admin') } : undefined}
      onSaved={(text, undo) => {
        onClose()
        onChanged()
        if (undo !== undefined) offerUndo(text, undo)
      }}
      onDelete={(event) => {
        onClose()
        changes.remove(event)
      }}
    />
  )
}

interface CalendarBarProps {
  readonly place: Place
  readonly title: string
  readonly clock: Clock
  readonly go: Go
}

function CalendarBar({ place, title, clock, go }: CalendarBarProps) {
  const { t } = useTexts()
  const { timeZone } = clock
  const own = timeZone === OWN_ZONE ? '' : ` (${fill(t.calendar.yourZone, { zone: OWN_ZONE })})`
  return (
    <ViewBar
      title={title}
      zone={`${fill(t.calendar.zone, { zone: timeZone })}${own}`}
      views={VIEWS}
      view={place.view}
      onToday={() => go({ day: startOfDay(clock.wallOf(Date.now())) })}
      onStep={(count) => go({ day: stepFrom(place, count) })}
      onView={(view) => go({ view })}
    />
  )
}

/** More occurrences than anybody would read. */
const MOST = 5_000

interface Wanted {
  readonly events: Events
  readonly clock: Clock
  readonly days: readonly number[]
}

/** Loads the occurrences of the visible days, plus a margin for other time zones. */
function useOccurrences({ events, clock, days }: Wanted) {
  const [from = 0] = days
  const to = from + days.length * DAY_MS
  const window = { fromMs: clock.instantOf(from), toMs: clock.instantOf(to), most: MOST }
  const found = useRequest((signal) => events.occurrences(window, signal), [events, from, to])
  const data = useMemo(
    () => (found.data ?? []).map((record) => occurrenceOf(record, clock)),
    [found.data, clock],
  )
  return {
    data: data satisfies readonly Occurrence[],
    /** Changes identity with every load. */
    loaded: found.data,
    error: found.error,
    isLoading: found.isLoading,
    isTooMany: data.length >= MOST,
    reload: found.reload,
  }
}
