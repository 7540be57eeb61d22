// A calendar as iCalendar text (RFC 5545), which other programs subscribe to. The same records give the same bytes:
// DTSTAMP is the time of the last change, as required of published calendars (section 3.8.7.2).
// The package ical-generator took 10 s to fold 10,000 entries and leaves the calendar's name unescaped.

import { buildTimeZone, contentLine, textLine } from './vtimezone.ts'
import {
  type CalendarEntry,
  END_TIME,
  type EntryTimes,
  type FeedCalendar,
  FIRST_TIME,
} from './entry.ts'
import { buildRule, withPart } from '../shared/recurrence-rule.ts'
import { type Span, spanOf, untilText } from './span.ts'
import { startsOf } from './starts.ts'
import { type Clock, compactDate, compactTime, DAY_MS, openClock } from '../shared/wall-clock.ts'
import { openExpansionBudget } from './expansion-budget.ts'

/** An event costs as much as this many steps of a rule. */
const EVENT_STEPS = 200

export interface BuildFeed {
  readonly calendar: FeedCalendar
  readonly entries: readonly CalendarEntry[]
  /** Shared memory: a number other than 0 stops the work. */
  readonly stop?: Int32Array | undefined
}

export function buildFeed({ calendar, entries: stored, stop }: BuildFeed): string {
  const entries = stored.filter(beginsInRange).map(withEndInRange)
  const clock = openClock(calendar.time_zone)
  // The number of entries bounds the work of a feed; the work still stops when nobody waits for it.
  const budget = openExpansionBudget({ maxSteps: Number.POSITIVE_INFINITY, stop })
  return [
    contentLine('BEGIN', 'VCALENDAR'),
    contentLine('VERSION', '2.0'),
    contentLine('PRODID', '-//cms-server//calendar//EN'),
    textLine('NAME', calendar.name),
    textLine('X-WR-CALNAME', calendar.name),
    optionalLine('X-WR-CALDESC', calendar.description),
    contentLine('X-WR-TIMEZONE', calendar.time_zone),
    isUtc(calendar.time_zone) ? '' : buildTimeZone(calendar.time_zone, entries),
    ...withSeries(entries).map((item) => {
      budget.spend(EVENT_STEPS + item.entry.exdates.length + item.entry.rdates.length)
      return buildEvents({ calendar, ...item, clock })
    }),
    contentLine('END', 'VCALENDAR'),
  ].join('')
}

/** Leaves out entries of earlier versions that begin in a year that readers do not know. */
function beginsInRange({ start_time }: CalendarEntry): boolean {
  return start_time >= FIRST_TIME && start_time < END_TIME
}

/** Limits ends in such a year to the last end that readers know. */
function withEndInRange(entry: CalendarEntry): CalendarEntry {
  return (entry.end_time ?? '') > END_TIME ? { ...entry, end_time: END_TIME } : entry
}

interface EntryOfSeries {
  /** A series has the starts of its occurrences that other entries replace. */
  readonly entry: CalendarEntry & Pick<EntryTimes, 'replaced'>
  /** The series of which the entry replaces one occurrence. */
  readonly series: CalendarEntry | undefined
}

/** Connects each series with the entries that replace its occurrences. */
function withSeries(entries: readonly CalendarEntry[]): readonly EntryOfSeries[] {
  const seriesById = new Map(
    entries.filter(({ rrule }) => rrule !== null).map((entry) => [entry.calendar_entry_id, entry]),
  )
  const replaced = new Map<number, string[]>()
  for (const { recurrence_of: of, recurrence_id: start } of entries)
    if (of !== null && start !== null) replaced.set(of, [...(replaced.get(of) ?? []), start])
  return entries.map((entry) => {
    const own = replaced.get(entry.calendar_entry_id)
    return {
      entry: own === undefined ? entry : { ...entry, replaced: own },
      series: seriesById.get(entry.recurrence_of ?? 0),
    }
  })
}

interface Event extends EntryOfSeries {
  readonly calendar: FeedCalendar
  readonly clock: Clock
}

/** The times of an event as written in its lines. */
interface Times {
  readonly startMs: number
  readonly endMs: number | undefined
  /** RRULE and related properties. */
  readonly more: string
}

function buildEvents(event: Event): string {
  const { entry, clock } = event
  const span = spanOf(entry, clock)
  // Section 3.8.2.2 requires an end later than the start, so an event without length has no end.
  const hasEnd = entry.end_time !== null && span.lengthMs > 0
  if (span.isAllDay) return buildEvent(event, buildDates(event, span, hasEnd))

  const endOf = (ms: number): number | undefined => (hasEnd ? ms + span.lengthMs : undefined)
  if (span.rule === undefined || !clock.isAmbiguous(span.startWall)) {
    const more = ruleLine(span) + exceptionLines(event, span) + replacedLine(event)
    return buildEvent(
      event,
      buildTimes({ startMs: span.startMs, endMs: endOf(span.startMs), more }, clock),
    )
  }

  // The series starts at an ambiguous local time. A rule requires a local start, but not all readers choose its first
  // instant as section 3.3.5 requires. So the first occurrence is written separately, and the others have a duration.
  const length = hasEnd ? contentLine('DURATION', `PT${Math.round(span.lengthMs / 1_000)}S`) : ''
  const start = localLine('DTSTART', span.startWall, clock)
  const lines = seriesLines(span, clock) + exceptionLines(event, span)
  const series = buildEvent(event, [start, length, lines].join(''))
  if (span.excluded.has(span.startMs)) return series
  const own = {
    startMs: span.startMs,
    endMs: endOf(span.startMs),
    more: localLine('RECURRENCE-ID', span.startWall, clock),
  }
  return series + buildEvent(event, buildTimes(own, clock))
}

/** Replaced occurrences are not excluded: their events name them by RECURRENCE-ID. */
function exceptionLines({ entry, clock }: Event, span: Span): string {
  const { excluded } = spanOf({ ...entry, replaced: [] }, clock)
  return [
    ...[...excluded].map((time) => startLine('EXDATE', time, { span, clock })),
    ...span.added.map((time) => startLine('RDATE', time, { span, clock })),
  ].join('')
}

/** The line that names the replaced occurrence. */
function replacedLine({ entry, series, clock }: Event): string {
  if (series === undefined || entry.recurrence_id === null) return ''
  const span = spanOf({ ...series, exdates: [], rdates: [entry.recurrence_id] }, clock)
  return startLine('RECURRENCE-ID', span.added[0] ?? 0, { span, clock })
}

/** The start of an occurrence in the form of the DTSTART of its series (sections 3.8.4.4, 3.8.5.1 and 3.8.5.2). */
function startLine(
  name: string,
  time: number,
  { span, clock }: { readonly span: Span; readonly clock: Clock },
): string {
  if (span.isAllDay) return contentLine(`${name};VALUE=DATE`, compactDate(time))
  if (isUtc(clock.timeZone)) return contentLine(name, `${compactTime(time)}Z`)
  return localLine(name, clock.wallOf(time), clock)
}

function buildEvent({ calendar, entry, series }: Event, times: string): string {
  return [
    contentLine('BEGIN', 'VEVENT'),
    textLine('UID', uidOf(calendar, series ?? entry)),
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

function uidOf({ site_id: site, calendar_id: id }: FeedCalendar, entry: CalendarEntry): string {
  return entry.uid ?? `calendar-${id}-entry-${entry.calendar_entry_id}@${site}`
}

function buildDates(event: Event, span: Span, hasEnd: boolean): string {
  return [
    contentLine('DTSTART;VALUE=DATE', compactDate(span.startWall)),
    hasEnd ? contentLine('DTEND;VALUE=DATE', compactDate(span.startWall + span.lengthMs)) : '',
    ruleLine(span),
    exceptionLines(event, span),
    replacedLine(event),
  ].join('')
}

function buildTimes({ startMs, endMs, more }: Times, clock: Clock): string {
  return [
    timeLine('DTSTART', startMs, clock),
    endMs === undefined ? '' : timeLine('DTEND', endMs, clock),
    more,
  ].join('')
}

/** Ambiguous local times are written in UTC, because not all readers choose the first instant (section 3.3.5). */
function timeLine(name: string, ms: number, clock: Clock): string {
  const seconds = Math.floor(ms / 1_000) * 1_000
  const wall = clock.wallOf(seconds)
  if (isUtc(clock.timeZone) || clock.isAmbiguous(wall))
    return contentLine(name, `${compactTime(ms)}Z`)
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

/**
 * Excludes occurrences from the first instant of the ambiguous start time up to the second instant, which is the
 * start.
 */
function seriesLines(span: Span, clock: Clock): string {
  const endless = new Map(span.rule)
  endless.delete('COUNT')
  const early = { ...span, rule: endless, startMs: clock.instantOf(span.startWall) }
  const budget = openExpansionBudget({ maxSteps: Number.POSITIVE_INFINITY })
  const range = { first: span.startWall, last: span.startWall + 2 * DAY_MS }
  const excluded = [...startsOf({ span: early, clock, budget }, range)].filter(
    ({ ms }) => ms <= span.startMs,
  )
  const count = span.rule?.get('COUNT')
  // Readers count excluded occurrences too.
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

/** The only zone whose times are written with a Z and without VTIMEZONE. */
function isUtc(timeZone: string): boolean {
  return timeZone === 'UTC'
}
