// Reads an iCalendar file (RFC 5545) as bodies of entries for one calendar. What an entry cannot say exactly is refused with
// its line and a reason; one refused event does not concern the others. Properties that an entry does not have are
// counted.

import { CmsError } from '../base/errors.ts'
import { type Clock, openClock } from '../shared/wall-clock.ts'
import { type Component, lineFault, readComponents } from './content-lines.ts'
import { type ExpansionBudget, openExpansionBudget } from './expansion-budget.ts'
import { buildRefusal, type Refusal } from '../shared/import-refusals.ts'
import { eventsOfGroup, type FileEvent, type Group, type GroupWork } from './file-groups.ts'
import { type FileClocks, type ReadEvent, readEvent } from './file-event.ts'
import { EventFault, findProperty } from './file-values.ts'
import { openFileZones } from './file-zones.ts'

export interface CalendarFile {
  readonly events: readonly FileEvent[]
  readonly refused: readonly Refusal[]
  /** Names of properties and components that are not imported, with their numbers. */
  readonly ignored: readonly { readonly name: string; readonly count: number }[]
}

export interface ReadCalendarFile {
  /** UTF-8. */
  readonly bytes: Uint8Array
  /** The time zone of the calendar. */
  readonly timeZone: string
  /** Events of the file. */
  readonly maxEvents: number
  /** Shared memory: a number other than 0 stops the work. */
  readonly stop?: Int32Array | undefined
}

/** Throws invalid-content if the bytes are not an iCalendar file, and too-large. */
export function readCalendarFile(input: ReadCalendarFile): CalendarFile {
  const roots = readComponents(decode(input.bytes))
  const calendars = roots.filter(({ name }) => name === 'VCALENDAR')
  if (calendars.length === 0)
    throw new CmsError(
      'invalid-content',
      'The file is not valid iCalendar: it has no BEGIN:VCALENDAR.',
    )
  for (const calendar of calendars) requireVersion(calendar)
  const reader = new FileReader(input)
  for (const calendar of calendars) reader.read(calendar)
  return reader.finish()
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw lineFault(lineOfFault(bytes), 'is not UTF-8. Save the file in UTF-8', cause)
  }
}

/** The first line that is not UTF-8. */
function lineOfFault(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, from)
    const to = end === -1 ? bytes.length : end + 1
    try {
      decoder.decode(bytes.subarray(from, to))
    } catch {
      return line
    }
    from = to
  }
  return line
}

/** Version 1.0 has other rules and another encoding of texts. */
function requireVersion(calendar: Component): void {
  const version = findProperty(calendar, 'VERSION')
  if (version?.value.trim() === '1.0')
    throw lineFault(
      version.line,
      'has the version 1.0 (vCalendar). Export the calendar as iCalendar, version 2.0',
    )
}

/** Properties that an entry keeps, and those that describe the file alone. */
const TAKEN = new Set(
  'UID DTSTART DTEND DURATION SUMMARY LOCATION DESCRIPTION RRULE EXRULE RDATE EXDATE RECURRENCE-ID STATUS DTSTAMP CREATED LAST-MODIFIED SEQUENCE TRANSP CLASS PRIORITY'.split(
    ' ',
  ),
)

/** Days examined for the rules of one event, and of all events of a file: see expansion-budget.ts. */
const EVENT_STEPS = 400_000
const FILE_STEPS = 10_000_000
/** Reading an event costs as much as this many steps. */
const READING_STEPS = 200

/** Reads the calendars of a file one after the other. Events with the same UID belong together, wherever they are. */
class FileReader {
  readonly #clock: Clock
  readonly #budget: ExpansionBudget
  readonly #maxEvents: number
  readonly #groups = new Map<string, Group>()
  readonly #refused: Refusal[] = []
  readonly #ignored = new Map<string, number>()
  #count = 0

  constructor({ timeZone, maxEvents, stop }: ReadCalendarFile) {
    this.#clock = openClock(timeZone)
    this.#budget = openFileBudget(stop)
    this.#maxEvents = maxEvents
  }

  read(calendar: Component): void {
    const described = calendar.components.filter(({ name }) => name === 'VTIMEZONE')
    const clocks = { zones: openFileZones(described, this.#clock), clock: this.#clock }
    for (const component of calendar.components) {
      if (component.name === 'VEVENT') this.#readEvent(component, clocks)
      else if (component.name !== 'VTIMEZONE') add(this.#ignored, component.name)
    }
  }

  #readEvent(component: Component, clocks: FileClocks): void {
    this.#count += 1
    if (this.#count > this.#maxEvents) throw tooMany(this.#maxEvents)
    this.#budget.begin(this.#count)
    this.#budget.spend(READING_STEPS)
    addIgnored(this.#ignored, component)
    const uid = findProperty(component, 'UID')?.value.trim() ?? ''
    // An event without a UID is alone.
    const key = uid === '' ? `line ${component.line}` : uid
    const group = this.#groups.get(key) ?? { events: [], isLost: false }
    this.#groups.set(key, group)
    try {
      group.events.push(readEvent(component, clocks))
    } catch (error) {
      const title = findProperty(component, 'SUMMARY')?.value.trim() ?? ''
      this.#refuse(error, { line: component.line, uid, title })
      if (findProperty(component, 'RECURRENCE-ID') === undefined) group.isLost = true
    }
  }

  #refuse(error: unknown, { line, uid, title }: Pick<ReadEvent, 'line' | 'uid' | 'title'>): void {
    if (!(error instanceof EventFault)) throw error
    const { code, value, property } = error
    const facts = { line: property?.line ?? line, property: orNull(property?.name), code, value }
    this.#refused.push(buildRefusal({ ...facts, uid: orNull(uid), title: orNull(title) }))
  }

  finish(): CalendarFile {
    const refuse: GroupWork['refuse'] = (error, event) => this.#refuse(error, event)
    const events: FileEvent[] = []
    for (const group of this.#groups.values()) {
      this.#budget.begin(0)
      const work = { clock: this.#clock, budget: this.#budget, refuse }
      events.push(...eventsOfGroup(group, work))
    }
    const ignored = [...this.#ignored].map(([name, count]) => ({ name, count }))
    return { events, refused: this.#refused, ignored }
  }
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

/** Refuses an event whose rules take too many steps, and a file whose events do. */
function openFileBudget(stop: Int32Array | undefined): ExpansionBudget {
  const whole = openExpansionBudget({ maxSteps: Number.POSITIVE_INFINITY, stop })
  let ofEvent = 0
  let ofFile = 0
  return {
    begin() {
      ofEvent = 0
    },
    spend(steps) {
      whole.spend(steps)
      ofFile += steps
      ofEvent += steps
      if (ofFile > FILE_STEPS)
        throw new CmsError(
          'too-large',
          'The rules of the events of this file take more work than one request may cause. Send the events in several files.',
        )
      if (ofEvent > EVENT_STEPS) throw new EventFault('rules')
    },
  }
}

function tooMany(maxEvents: number): CmsError {
  return new CmsError(
    'too-large',
    `The file has more than ${maxEvents.toLocaleString('en')} events. Send them in several files.`,
  )
}

function addIgnored(ignored: Map<string, number>, component: Component): void {
  for (const { name } of component.components) add(ignored, name)
  for (const { name } of component.properties)
    if (!TAKEN.has(name) && !name.startsWith('X-')) add(ignored, name)
}

/** Different names that are counted. */
const MAX_NAMES = 100

function add(counts: Map<string, number>, name: string): void {
  if (counts.size < MAX_NAMES || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
}
