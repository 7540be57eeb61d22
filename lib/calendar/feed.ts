// A calendar as an iCalendar text (RFC 5545), which other programs subscribe to. The same records give
// the same bytes: DTSTAMP is the time of the last change, as section 3.8.7.2 has it for published
// calendars. Written here and not by ical-generator, which took 10 s to fold 10,000 entries and leaves
// the name of the calendar unescaped.

import { contentLine, textLine } from './content-line.ts'
import { type CalendarEntry, END_TIME, type FeedCalendar, FIRST_TIME } from './entry.ts'
import { buildRule, withPart } from './rule.ts'
import { type Span, spanOf, untilText } from './span.ts'
import { startsOf } from './starts.ts'
import { buildTimeZone } from './vtimezone.ts'
import { type Clock, compactDate, compactTime, DAY_MS, openClock } from './wall-clock.ts'
import { openWork } from './expansion-budget.ts'

/** As much work as so many steps of a rule. */
const EVENT_STEPS = 200

export interface BuildFeed {
  readonly calendar: FeedCalendar
  readonly entries: readonly CalendarEntry[]
  /** Shared: a number other than 0 ends the work. */
  readonly stop?: Int32Array | undefined
}

export function buildFeed({ calendar, entries: stored, stop }: BuildFeed): string {
  const entries = stored.filter(beginsInRange).map(withEndInRange)
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
      return buildEvents({ calendar, entry, clock })
    }),
    contentLine('END', 'VCALENDAR'),
  ].join('')
}

/** An entry of an earlier version may begin in a year that no reader knows: the feed leaves the entry out. */
function beginsInRange({ start_time }: CalendarEntry): boolean {
  return start_time >= FIRST_TIME && start_time < END_TIME
}

/** An end in such a year is the last one that every reader knows. */
function withEndInRange(entry: CalendarEntry): CalendarEntry {
  return (entry.end_time ?? '') > END_TIME ? { ...entry, end_time: END_TIME } : entry
}

interface Event {
  readonly calendar: FeedCalendar
  readonly entry: CalendarEntry
  readonly clock: Clock
}

/** The times of an event as its lines have them. */
interface Times {
  readonly startMs: number
  readonly endMs: number | undefined
  /** RRULE, and what belongs to it. */
  readonly more: string
}

function buildEvents(event: Event): string {
  const { entry, clock } = event
  const span = spanOf(entry, clock)
  // An end must be later than the start, so an event without length has none: section 3.8.2.2.
  const hasEnd = entry.end_time !== null && span.lengthMs > 0
  if (span.isAllDay) return buildEvent(event, buildDates(span, hasEnd))

  const endOf = (ms: number): number | undefined => (hasEnd ? ms + span.lengthMs : undefined)
  if (span.rule === undefined || !clock.isTwice(span.startWall)) {
    const times = { startMs: span.startMs, endMs: endOf(span.startMs), more: ruleLine(span) }
    return buildEvent(event, buildTimes(times, clock))
  }

  // Repeated from a time that comes twice. A rule goes with a local time, of which not all readers take the
  // first as section 3.3.5 has it; so the first occurrence is told apart, and of the others how long they are.
  const length = hasEnd ? contentLine('DURATION', `PT${Math.round(span.lengthMs / 1_000)}S`) : ''
  const start = localLine('DTSTART', span.startWall, clock)
  const own = {
    startMs: span.startMs,
    endMs: endOf(span.startMs),
    more: localLine('RECURRENCE-ID', span.startWall, clock),
  }
  const series = [start, length, seriesLines(span, clock)].join('')
  return buildEvent(event, series) + buildEvent(event, buildTimes(own, clock))
}

function buildEvent({ calendar, entry }: Event, times: string): string {
  const { site_id: site, calendar_id: id } = calendar
  const uid = `calendar-${id}-entry-${entry.calendar_entry_id}@${site}`
  return [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('UID', uid),
    contentLine('DTSTAMP', utc(entry.date_modified)),
    contentLine('CREATED', utc(entry.date_added)),
    contentLine('LAST-MODIFIED', utc(entry.date_modified)),
    times,
    textLine('SUMMARY', entry.event_title),
    optionalLine('LOCATION', entry.location),
    optionalLine('DESCRIPTION', entry.description),
    contentLine('END', 'VEVENT'),
  ].join('')
}

function buildDates(span: Span, hasEnd: boolean): string {
  return [
    contentLine('DTSTART;VALUE=DATE', compactDate(span.startWall)),
    hasEnd ? contentLine('DTEND;VALUE=DATE', compactDate(span.startWall + span.lengthMs)) : '',
    ruleLine(span),
  ].join('')
}

function buildTimes({ startMs, endMs, more }: Times, clock: Clock): string {
  return [
    timeLine('DTSTART', startMs, clock),
    endMs === undefined ? '' : timeLine('DTEND', endMs, clock),
    more,
  ].join('')
}

/** Of a local time that comes twice not all readers take the first (section 3.3.5): it is written in UTC. */
function timeLine(name: string, ms: number, clock: Clock): string {
  const seconds = Math.floor(ms / 1_000) * 1_000
  const wall = clock.wallOf(seconds)
  if (isUtc(clock.timeZone) || clock.isTwice(wall)) return contentLine(name, `${compactTime(ms)}Z`)
  return localLine(name, wall, clock)
}

function localLine(name: string, wall: number, { timeZone }: Clock): string {
  return contentLine(`${name};TZID=${timeZone}`, compactTime(wall))
}

function ruleLine(span: Span): string {
  if (span.rule === undefined) return ''
  const until = untilText(span)
  const rule = until === undefined ? span.rule : withPart(span.rule, 'UNTIL', until)
  return contentLine('RRULE', buildRule(rule))
}

/** What a rule gives between the first instant that shows its start and the second, which is the start, is left out. */
function seriesLines(span: Span, clock: Clock): string {
  const endless = new Map(span.rule)
  endless.delete('COUNT')
  const early = { ...span, rule: endless, startMs: clock.instantOf(span.startWall) }
  const work = openWork({ maxSteps: Number.POSITIVE_INFINITY })
  const range = { first: span.startWall, last: span.startWall + 2 * DAY_MS }
  const excluded = [...startsOf({ span: early, clock, work }, range)].filter(
    ({ ms }) => ms <= span.startMs,
  )
  const count = span.rule?.get('COUNT')
  // Readers count what is left out.
  const rule =
    count === undefined
      ? span.rule
      : withPart(endless, 'COUNT', String(Number(count) + excluded.length))
  const lines = excluded.map(({ wall }) => localLine('EXDATE', wall, clock))
  return [ruleLine({ ...span, rule }), ...lines].join('')
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
