// Why an event of an iCalendar file is not imported.

/** The reason of each code as a sentence; the value is what the file says. */
const REASONS = {
  line: () =>
    'The line is not a property: it has no colon, or its name or a parameter is malformed.',
  characters: () => 'The text has control characters, which an event cannot have.',
  cancelled: () => 'The event was canceled.',
  noStart: () => 'The event has no start (DTSTART).',
  time: (value) => `"${value}" is not a date or time.`,
  end: () =>
    'The end does not fit the start. Both are dates, both are times with a zone, or both are times without a zone, and the end is not before the start.',
  zone: (value) => `The time zone "${value}" is not known, and the file does not describe it.`,
  seriesZone: (value) =>
    `The series repeats in the time zone ${value}, whose clock differs from the clock of the calendar, and it has no end or more than 1,000 occurrences. Import it into a calendar with that time zone.`,
  rule: (value) => `The rule ${value}.`,
  rules: () =>
    'The series has several rules (RRULE, EXRULE) without an end, or more than 1,000 occurrences, so that no single rule gives the same dates. Make an event for each rule.',
  dates: () =>
    'The series has more than 1,000 exceptions or further dates, or a further date before its start.',
  never: () => 'The series has no occurrence.',
  range: () =>
    'The event changes this and all following events of a series without an end, and moves them to other days or hours of its rule.',
  uid: () => 'The identifier (UID) may have at most 255 characters.',
  series: () => 'The event changes one occurrence of a series that is not imported.',
  duplicate: (value) => `A newer version of the same event is in line ${value}.`,
  entry: (value) => value,
} satisfies Readonly<Record<string, (value: string) => string>>

export type RefusalCode = keyof typeof REASONS

export const REFUSAL_CODES = Object.keys(REASONS) as readonly RefusalCode[]

export interface Refusal {
  /** Line of the property, or of the event. */
  readonly line: number
  readonly property: string | null
  readonly uid: string | null
  readonly title: string | null
  readonly code: RefusalCode
  readonly value: string
  readonly detail: string
}

const MAX_VALUE = 100

export function buildRefusal(facts: Omit<Refusal, 'detail'>): Refusal {
  const value = facts.code === 'entry' ? facts.value : facts.value.slice(0, MAX_VALUE)
  return { ...facts, value, detail: REASONS[facts.code](value) }
}
