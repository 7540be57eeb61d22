// The fields that every entry of a calendar has besides its columns.

import { checkRrule } from '../calendar/check-rule.ts'
import { nearestNumber } from '../base/exact-number.ts'
import { MAX_SERIES_DATES } from '../shared/limits.ts'
import type { Column } from './columns/column.ts'
import { dateHint, parseDate } from './date.ts'
import {
  accept,
  boolean,
  type Checked,
  dateTime,
  reference,
  refuse,
  string,
  structure,
  text,
} from './field.ts'
import { toKeyPart } from './field-value.ts'
import type { LayoutColumn } from './layout.ts'
import { EXAMPLE_DATE, type Fields } from './object.ts'
import type { Index } from './values.ts'

export const CALENDAR_FIELDS = {
  event_title: string('required', {
    description: 'Title of the event.',
    example: 'Talk',
    check: (title) => (title === '' ? 'must not be empty' : undefined),
  }),
  start_time: dateTime('required', {
    description: 'Start of the event. A date without a time is midnight UTC; see also all_day.',
    example: EXAMPLE_DATE,
  }),
  end_time: dateTime('optional', {
    description: 'End of the event; not before its start.',
    example: '2026-01-31T13:00:00.000Z',
  }),
  all_day: boolean('optional', {
    description:
      'The event lasts whole days. Send start_time and end_time as dates (2026-03-29); end_time is the day after ' +
      'the last day. For a date-time, the day as written counts, regardless of its offset; an end with a time of day includes ' +
      'that day. Days are stored and returned as midnights in UTC, and changing the time_zone of the calendar does not move ' +
      'them. With expand=true, the times of an occurrence are the instants at which its days begin and end in that zone.',
    initial: false,
    example: false,
  }),
  location: string('optional', { description: 'Place of the event.', example: 'Room 1' }),
  description: text('optional', { description: 'Description of the event.' }),
  rrule: string('optional', {
    description: 'Recurrence, RFC 5545: FREQ=WEEKLY;BYDAY=MO;COUNT=10.',
    example: 'FREQ=WEEKLY;COUNT=3',
    maxLength: 500,
    check: checkRrule,
  }),
  exdates: dateTimes({
    description:
      'Occurrences of the series that do not take place, by the start_time that expand=true returns. Times at which the series has no occurrence have no effect. For an all-day series, send days.',
    example: ['2026-02-07T12:00:00.000Z'],
  }),
  rdates: dateTimes({
    description:
      'Start times of additional occurrences of the series, with the same duration as the others; not before start_time. Requires an rrule. For an all-day series, send days.',
    example: ['2026-02-10T12:00:00.000Z'],
  }),
  recurrence_of: reference('optional', {
    description:
      'The series of which this entry replaces one occurrence. The entry is deleted together with the series.',
  }),
  recurrence_id: dateTime('optional', {
    description:
      'The occurrence that this entry replaces, by the start_time that the occurrence has in the series.',
  }),
  uid: string('optional', {
    description:
      'Identifier of an event from another calendar program, unique in the calendar. The feed shows it as UID; an event ' +
      'without one gets a UID from the server.',
    check: (uid) =>
      /^[^\p{Cc}]+$/u.test(uid) ? undefined : 'must not be empty or have control characters',
  }),
} satisfies Fields

interface DateTimes {
  readonly description: string
  readonly example: readonly string[]
}

/** A list of times, stored in ascending order and without duplicates. */
function dateTimes({ description, example }: DateTimes) {
  const schema = {
    type: 'array',
    items: { type: 'string', format: 'date-time' },
    maxItems: MAX_SERIES_DATES,
  }
  return structure('optional', schema, checkTimes, {
    description,
    example,
    initial: [],
    isNullable: false,
    isClearable: false,
  })
}

function checkTimes(value: unknown): Checked<readonly string[]> {
  if (!Array.isArray(value)) return refuse('must be a list of dates')
  if (value.length > MAX_SERIES_DATES)
    return refuse(`may have at most ${MAX_SERIES_DATES.toLocaleString('en')} dates`)
  const times = value.map((item: unknown) => parseDate(nearestNumber(item)))
  const wrong = times.indexOf(undefined)
  if (wrong !== -1)
    return refuse(
      `must contain only dates: RFC 3339 (2026-01-31T12:00:00Z), YYYY-MM-DD, or seconds since 1970; item ${wrong} is not a date${dateHint(value[wrong])}`,
    )
  const found = times.filter((time) => time !== undefined)
  return accept([...new Set(found)].toSorted())
}

/** `recurrence_of` behaves like a column with REFERENCES SELF ON DELETE CASCADE. */
export function seriesColumn(calendarId: number): LayoutColumn {
  const references = {
    object: 'calendar',
    module_id: calendarId,
    isMany: false,
    accept: null,
    onDelete: 'cascade',
  } as const
  return ownColumn({ name: 'recurrence_of', type: 'I8', references })
}

/** Finds the entry that replaces an occurrence: [series, start]. */
export const REPLACED_INDEX: Index = {
  name: 'replaced',
  width: 2,
  rows: ({ recurrence_of: of = null, recurrence_id: start = null }) =>
    typeof of === 'number' && typeof start === 'string'
      ? [[of, toKeyPart('date-time', start)]]
      : [],
}

/** `uid` behaves like a column with UNIQUE. */
export const UID_COLUMN = ownColumn({ name: 'uid', type: 'C', size: 255, isUnique: true })

type OwnColumn = Pick<Column, 'name' | 'type'> &
  Partial<Pick<Column, 'size' | 'isUnique' | 'references'>>

function ownColumn(column: OwnColumn): LayoutColumn {
  return {
    column: { ...column, isRequired: false, isUnsigned: false },
    key: column.name,
    since: 1,
    names: [[1, column.name]],
    fill: null,
    isIndexed: true,
  }
}
