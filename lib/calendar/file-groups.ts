// The events of an iCalendar file with the same UID: a single event, or a series and the events that change its
// occurrences. Each becomes the body of an entry with a uid of its own.

import {
  ONCE,
  fieldsOfSeries,
  type FileRecurrence,
  type SeriesFields,
  type SeriesWork,
} from './file-series.ts'
import { type ReadEvent, requireUid, startOn } from './file-event.ts'
import { EventFault, timeText } from './file-values.ts'
import { type SeriesPart, splitSeries } from './split-series.ts'

export interface FileEvent {
  readonly line: number
  readonly title: string | null
  readonly body: SeriesFields & {
    readonly event_title: string
    readonly end_time: string | null
    readonly all_day: boolean
    readonly location: string | null
    readonly description: string | null
    readonly uid: string
  }
  /** The uid of the series of which the event replaces an occurrence, and the start of the occurrence. */
  readonly seriesUid: string | null
  readonly recurrenceId: string | null
}

export interface Group {
  readonly events: ReadEvent[]
  /** The series was refused. */
  isLost: boolean
}

export interface GroupWork extends SeriesWork {
  readonly refuse: (error: unknown, event: Pick<ReadEvent, 'line' | 'uid' | 'title'>) => void
}

export function eventsOfGroup(group: Group, work: GroupWork): readonly FileEvent[] {
  const events = newest(group.events, work)
  const master = events.find(({ replaced }) => replaced === undefined)
  const others = events.filter((event) => event !== master)
  if (master?.isCancelled === true) work.refuse(new EventFault('cancelled'), master)
  if (group.isLost || master?.isCancelled === true) return without(others, work)
  if (master === undefined) return others.flatMap((event) => alone(event, work))
  try {
    return series(master, others, work)
  } catch (error) {
    work.refuse(error, master)
    return without(others, work)
  }
}

/** Events that change occurrences of a series that is not imported. */
function without(others: readonly ReadEvent[], { refuse }: GroupWork): readonly FileEvent[] {
  for (const event of others) refuse(new EventFault('series', event.replaced?.property), event)
  return []
}

/** The newest version of each event. */
function newest(events: readonly ReadEvent[], { refuse }: GroupWork): readonly ReadEvent[] {
  const found = new Map<string, ReadEvent>()
  for (const event of events) {
    const { replaced, isRange } = event
    const key = replaced === undefined ? '' : `${replaced.ms} ${String(isRange)}`
    const before = found.get(key)
    const isNewer = before === undefined || isLater(event, before)
    if (isNewer) found.set(key, event)
    const [kept, older] = isNewer ? [event, before] : [before, event]
    if (older !== undefined)
      refuse(new EventFault('duplicate', undefined, String(kept.line)), older)
  }
  return [...found.values()]
}

/** The last one of equal versions counts. */
function isLater({ version: [sequence, changed] }: ReadEvent, { version }: ReadEvent): boolean {
  return sequence === version[0] ? changed >= version[1] : sequence > version[0]
}

/** A file may hold a changed occurrence alone, whose series is in the calendar already. */
function alone(event: ReadEvent, work: GroupWork): readonly FileEvent[] {
  const { replaced } = event
  try {
    if (event.isCancelled || event.isRange || replaced === undefined)
      throw new EventFault('series', replaced?.property)
    return [
      replacing(
        event,
        { seriesUid: event.uid, place: replaced.ms, isAllDay: replaced.isAllDay },
        work,
      ),
    ]
  } catch (error) {
    work.refuse(error, event)
    return []
  }
}

interface Change {
  readonly event: ReadEvent
  readonly from: number
  readonly start: ReadEvent['recurrence']['start']
}

function series(
  master: ReadEvent,
  others: readonly ReadEvent[],
  work: GroupWork,
): readonly FileEvent[] {
  const { start } = master.recurrence
  const changes = others
    .map((event): Change => {
      const from = startOn(start, event.replaced ?? start)
      return { event, from, start: event.recurrence.start }
    })
    .toSorted((left, right) => left.from - right.from)
  const gone = changes.filter(({ event }) => event.isCancelled && !event.isRange)
  const ranges = changes.filter(({ event }) => event.isRange)
  const single = changes.filter(({ event }) => !event.isRange && !event.isCancelled)
  const excluded = [...master.recurrence.excluded, ...gone.map(({ from }) => from)]
  const whole: FileRecurrence = { ...master.recurrence, excluded }
  const parts = ranges.length === 0 ? [wholeOf(whole)] : splitSeries(whole, ranges, work)
  const made = parts
    .filter(({ change }) => change?.event.isCancelled !== true)
    .map((part) => entryOf(master, part, { isSeries: single.length > 0, work }))
  const partAt = (ms: number): SeriesPart<Change> | undefined =>
    parts.findLast(({ fromMs }) => fromMs <= ms)
  return [
    ...made,
    ...single.flatMap(({ event, from }) =>
      tried(event, work, () => {
        const part = partAt(from)
        if (part === undefined || part.change?.event.isCancelled === true)
          throw new EventFault('series', event.replaced?.property)
        const place = part.shift(from)
        const seriesUid = uidOf(master, part)
        return replacing(event, { seriesUid, place, isAllDay: start.isAllDay }, work)
      }),
    ),
    ...master.periods.flatMap(({ ms, lengthMs }) =>
      tried(master, work, () => {
        const part = partAt(ms) ?? wholeOf(whole)
        const own = { ...(part.change?.event ?? master), lengthMs }
        const recurrence = { ...whole, start: { ...start, ms: part.shift(ms) }, rules: [] }
        const place = {
          seriesUid: uidOf(master, part),
          place: part.shift(ms),
          isAllDay: start.isAllDay,
        }
        return replacing({ ...own, recurrence }, place, work)
      }),
    ),
  ]
}

function wholeOf(recurrence: FileRecurrence): SeriesPart<Change> {
  return { change: undefined, recurrence, shift: (ms) => ms, fromMs: Number.NEGATIVE_INFINITY }
}

function tried(event: ReadEvent, work: GroupWork, make: () => FileEvent): readonly FileEvent[] {
  try {
    return [make()]
  } catch (error) {
    work.refuse(error, event)
    return []
  }
}

/** The identifier of a part of a series; the part before the first change has that of the series. */
function uidOf({ uid, recurrence: { start } }: ReadEvent, { change }: SeriesPart<Change>): string {
  return change === undefined
    ? requireUid(uid)
    : placeUid(uid, timeText(change.from, start.isAllDay))
}

function placeUid(uid: string, place: string): string {
  return requireUid(`${uid}#${place}`)
}

interface EntryOptions {
  /** Events replace occurrences, so the entry must be a series. */
  readonly isSeries: boolean
  readonly work: GroupWork
}

function entryOf(
  master: ReadEvent,
  part: SeriesPart<Change>,
  { isSeries, work }: EntryOptions,
): FileEvent {
  const fields = fieldsOfSeries(part.recurrence, work)
  const rrule = fields.rrule ?? (isSeries ? ONCE : null)
  const event = part.change?.event ?? master
  return {
    line: event.line,
    title: event.title || null,
    body: { ...fields, ...textsOf(event, fields.start_time), rrule, uid: uidOf(master, part) },
    seriesUid: null,
    recurrenceId: null,
  }
}

interface Place {
  readonly seriesUid: string
  readonly place: number
  /** Whether the series has days. */
  readonly isAllDay: boolean
}

function replacing(
  event: ReadEvent,
  { seriesUid, place, isAllDay }: Place,
  work: GroupWork,
): FileEvent {
  const { start } = event.recurrence
  const recurrence = { ...event.recurrence, rules: [], excludingRules: [], added: [], excluded: [] }
  const recurrenceId = timeText(place, isAllDay)
  const fields = fieldsOfSeries(recurrence, work)
  return {
    line: event.line,
    title: event.title || null,
    body: {
      ...fields,
      ...textsOf(event, timeText(start.ms, start.isAllDay)),
      uid: placeUid(seriesUid, recurrenceId),
    },
    seriesUid,
    recurrenceId,
  }
}

function textsOf(
  { title, location, description, lengthMs, recurrence }: ReadEvent,
  startTime: string,
) {
  const { isAllDay } = recurrence.start
  const end = lengthMs === undefined ? null : timeText(Date.parse(startTime) + lengthMs, isAllDay)
  return { event_title: title || '–', end_time: end, all_day: isAllDay, location, description }
}
