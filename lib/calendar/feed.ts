// A calendar as an iCalendar text (RFC 5545), which other programs subscribe to. The same records give
// the same bytes: DTSTAMP is the time of the last change, as section 3.8.7.2 has it for published
// calendars. Written here and not by ical-generator, which took 10 s to fold 10,000 entries and leaves
// the name of the calendar unescaped.

import { contentLine, textLine } from './content-line.ts'
import type { CalendarEntry, FeedCalendar } from './entry.ts'
import { buildRule, withPart } from './rule.ts'
import { type Span, spanOf, untilText } from './span.ts'
import { buildTimeZone } from './vtimezone.ts'
import { type Clock, compactDate, compactTime, openClock } from './wall-clock.ts'
import { openWork } from './work.ts'

/** As much work as so many steps of a rule. */
const EVENT_STEPS = 200

export interface BuildFeed {
  readonly calendar: FeedCalendar
  readonly entries: readonly CalendarEntry[]
  /** Shared: a number other than 0 ends the work. */
  readonly stop?: Int32Array | undefined
}

export function buildFeed({ calendar, entries, stop }: BuildFeed): string {
  const clock = openClock(calendar.time_zone)
  // A feed is no more work than its entries are; but it ends when nobody waits for it.
  const work = openWork({ maxSteps: Number.POSITIVE_INFINITY, stop })
  return [
    contentLine('BEGIN', 'VCALENDAR'),
    contentLine('VERSION', '2.0'),
    contentLine('PRODID', '-//cms-server//calendar//EN'),
    textLine('NAME', calendar.name),
    textLine('X-WR-CALNAME', calendar.name),
    optionalLine('X-WR-CALDESC', calendar.description),
    contentLine('X-WR-TIMEZONE', calendar.time_zone),
    isUtc(calendar.time_zone) ? '' : buildTimeZone(calendar.time_zone, entries),
    ...entries.map((entry) => {
      work.spend(EVENT_STEPS)
      return buildEvent({ calendar, entry, clock })
    }),
    contentLine('END', 'VCALENDAR'),
  ].join('')
}

interface Event {
  readonly calendar: FeedCalendar
  readonly entry: CalendarEntry
  readonly clock: Clock
}

function buildEvent({ calendar, entry, clock }: Event): string {
  const uid = `calendar-${calendar.calendar_id}-entry-${entry.calendar_entry_id}@cms-server`
  return [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('UID', uid),
    contentLine('DTSTAMP', utc(entry.date_modified)),
    contentLine('CREATED', utc(entry.date_added)),
    contentLine('LAST-MODIFIED', utc(entry.date_modified)),
    buildTimes(entry, clock),
    textLine('SUMMARY', entry.event_title),
    optionalLine('LOCATION', entry.location),
    optionalLine('DESCRIPTION', entry.description),
    contentLine('END', 'VEVENT'),
  ].join('')
}

/** An end must be later than the start, so an event without length has none: section 3.8.2.2. */
function buildTimes(entry: CalendarEntry, clock: Clock): string {
  const span = spanOf(entry, clock)
  const hasEnd = entry.end_time !== null && span.lengthMs > 0

  if (span.isAllDay)
    return [
      contentLine('DTSTART;VALUE=DATE', compactDate(span.startWall)),
      hasEnd ? contentLine('DTEND;VALUE=DATE', compactDate(span.startWall + span.lengthMs)) : '',
      buildRuleLine(span),
    ].join('')

  return [
    timeLine('DTSTART', entry.start_time, clock),
    hasEnd ? timeLine('DTEND', entry.end_time, clock) : '',
    buildRuleLine(span),
  ].join('')
}

function timeLine(name: string, time: string, clock: Clock): string {
  if (isUtc(clock.timeZone)) return contentLine(name, utc(time))
  return contentLine(`${name};TZID=${clock.timeZone}`, compactTime(clock.wallOf(Date.parse(time))))
}

function buildRuleLine(span: Span): string {
  if (span.rule === undefined) return ''
  const until = untilText(span)
  const rule = until === undefined ? span.rule : withPart(span.rule, 'UNTIL', until)
  return contentLine('RRULE', buildRule(rule))
}

function optionalLine(name: string, value: string | null): string {
  return value === null || value === '' ? '' : textLine(name, value)
}

function utc(time: string): string {
  return `${compactTime(Date.parse(time))}Z`
}

/** The only zone whose times are written with a Z and need no definition. */
function isUtc(timeZone: string): boolean {
  return timeZone === 'UTC'
}
