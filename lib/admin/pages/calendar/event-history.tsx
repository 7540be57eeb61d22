// The history of an event below its form: who changed which values, and a button that restores a state.

import { useMemo, useState } from 'preact/hooks'
import { startOfDay } from '../../../shared/wall-clock.ts'
import type { Api } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { EntryChange, EntryValue, PastChange } from '../../client/module-paths.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import type { Fetched } from '../../ui/use-edit.ts'
import { plainText } from '../entries/cell-text.tsx'
import { EntryHistory, type HistoryWords } from '../entries/entry-history.tsx'
import { type HistoryRequests, openHistory } from '../entries/history-requests.ts'
import { columnLabels, columnText, type FormFacts, formNameOf } from './event-values.ts'
import { dayWallOf } from './event-times.ts'
import type { EventRecord, Occurrence } from './events.ts'
import { dateText, parseWall } from './wall.ts'
import type { Words } from './words.ts'

interface EventHistoryProps extends FormFacts {
  readonly words: Words
  readonly fetched: Fetched<EventRecord>
  readonly at: Occurrence
  readonly mayChange: boolean
  readonly onSaved: (text: string, undo: undefined) => void
}

/** The history is read when it is opened. */
export function EventHistory(props: EventHistoryProps) {
  const { fetched, at, calendar, clock, mayChange, onSaved } = props
  const speech = useTexts()
  const { t } = speech
  const api = useApi()
  const [isOpen, setIsOpen] = useState(false)
  const { all_day: isAllDay, calendar_entry_id: id } = fetched.record
  const requests = useMemo(
    () => requestsOf(api, { calendar, isAllDay, clock }),
    [api, calendar, isAllDay, clock],
  )
  return (
    <details class="event-history" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t.entries.history.title}</summary>
      {isOpen && (
        <EntryHistory
          requests={requests}
          entryId={id}
          etag={fetched.etag}
          words={wordsOf(props, speech)}
          mayRestore={mayChange}
          formName={formNameOf(calendar, at)}
          onRestored={() => onSaved('', undefined)}
        />
      )}
    </details>
  )
}

interface DayFacts extends FormFacts {
  /** Whether the event is an all-day event now. */
  readonly isAllDay: boolean
}

function requestsOf(api: Api, facts: DayFacts): HistoryRequests {
  const { calendar_id: id, module_name } = facts.calendar
  const requests = openHistory(api, { object: 'calendar', path: { id, module_name } })
  return {
    ...requests,
    async history(...asked) {
      const { history, page } = await requests.history(...asked)
      return { history: [...withDays(history, facts)], page }
    },
  }
}

/** The same changes, with dates instead of times where the event was an all-day event. */
function withDays(
  history: readonly PastChange[],
  { isAllDay, clock }: DayFacts,
): readonly PastChange[] {
  let after = isAllDay
  return history.map((past) => {
    const to = after
    const before = past.changes.find(({ name }) => name === 'all_day')?.from ?? to
    const from = before === true
    after = from
    const dated = (value: EntryValue, name: string, isDay: boolean): EntryValue => {
      if (!isDay || typeof value !== 'string') return value
      const wall = dayWallOf(value, clock)
      // The end of an all-day event is the day after its last day.
      return dateText(name === 'end_time' ? startOfDay(wall - 1) : wall)
    }
    const changes = past.changes.map((change): EntryChange => {
      const { name } = change
      if (name !== 'start_time' && name !== 'end_time') return change
      return { ...change, from: dated(change.from, name, from), to: dated(change.to, name, to) }
    })
    return { ...past, changes }
  })
}

/** Times are those of the calendar, as in the form. */
function wordsOf({ calendar, clock, words }: EventHistoryProps, { t }: Speech): HistoryWords {
  const { fields } = t.calendar
  const labels: ReadonlyMap<string, string> = new Map([
    ['event_title', fields.title],
    ['start_time', fields.start],
    ['end_time', fields.end],
    ['all_day', fields.allDay],
    ['location', fields.place],
    ['description', fields.description],
    ['rrule', fields.rule],
  ])
  const ofColumn = columnLabels(calendar, t)
  const timeText = (value: string): string => {
    const day = parseWall(value)
    if (day !== undefined) return words.date(day)
    const startWall = clock.wallOf(Date.parse(value))
    return words.when({ startWall, endWall: startWall, isAllDay: false })
  }
  return {
    nameOf: (name) => labels.get(name) ?? ofColumn(name),
    valueOf(name, value) {
      if (value === null) return t.entries.noValue
      if (typeof value === 'boolean') return value ? t.entries.yes : t.entries.no
      if (name === 'start_time' || name === 'end_time') return timeText(String(value))
      const column = calendar.columns?.find((each) => each.name === name)
      return column === undefined ? plainText(value) : String(columnText(column, value))
    },
    restoreText: t.calendar.restoreText,
  }
}
