// An event in words, for users who may only view it.

import { WEEKDAYS } from '../../../shared/recurrence-rule.ts'
import { type Clock, DAY_MS } from '../../../shared/wall-clock.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Facts } from '../../ui/facts.tsx'
import { columnLabels, columnText, type FormFacts } from './event-values.ts'
import type { EventRecord, Occurrence } from './events.ts'
import { SUNDAY } from './repeat-fields.tsx'
import { parseRepeat } from './rule.ts'
import { parseWall } from './wall.ts'
import type { Words } from './words.ts'

export interface EventFactsProps extends FormFacts {
  readonly words: Words
  readonly fetched: { readonly record: EventRecord }
  readonly at: Occurrence
}

export function EventFacts({ fetched, at, calendar, clock, words }: EventFactsProps) {
  const speech = useTexts()
  const { t } = speech
  const { record } = fetched
  const labels = columnLabels(calendar, t)
  return (
    <Facts
      look="event-facts"
      facts={[
        [
          t.calendar.fields.when,
          <>
            {words.when(at)}
            {!at.isAllDay && <span class="quiet"> ({clock.timeZone})</span>}
          </>,
        ],
        [t.calendar.fields.repeat, repeatText(record, { at, clock, words, speech })],
        [t.calendar.fields.place, record.location !== null && <bdi>{record.location}</bdi>],
        [
          t.calendar.fields.description,
          record.description !== null && <span class="event-text">{record.description}</span>,
        ],
        ...(calendar.columns ?? []).map(
          (column) =>
            [
              labels(column.name),
              <bdi>{String(columnText(column, record[column.name])) || t.general.none}</bdi>,
            ] as const,
        ),
      ]}
    />
  )
}

interface InWords {
  readonly at: Occurrence
  readonly clock: Clock
  readonly words: Words
  readonly speech: Speech
}

function repeatText({ rrule }: EventRecord, { at, clock, words, speech }: InWords) {
  if (rrule === null) return undefined
  const { t, formats } = speech
  const { kind, interval, days, ends, until, count } = parseRepeat(rrule, at.startWall, clock)
  if (kind === 'none') return undefined
  if (kind === 'custom') return <code>{rrule}</code>
  const names = WEEKDAYS.flatMap((code, weekday) =>
    days.split(',').includes(code) ? [words.weekday(SUNDAY + weekday * DAY_MS, 'long')] : [],
  )
  return [
    formats.count(t.calendar.every[kind], Number(interval)),
    ...(kind === 'weekly' && names.length > 0 ? [words.list(names)] : []),
    ...(ends === 'on' ? [fill(t.calendar.until, { date: words.date(parseWall(until) ?? 0) })] : []),
    ...(ends === 'after' ? [formats.count(t.calendar.times, Number(count))] : []),
  ].join(', ')
}
