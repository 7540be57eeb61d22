// The wall clock of a time zone. A wall time is a number of milliseconds as if the clock stood in UTC: days have 24
// hours, and adding a day keeps the time of day.
//
// The changes of a zone are read from Intl, one year at a time: temporal-polyfill took 0.5 ms per change, and 20 ms
// to find none. No library is loaded.

export const DAY_MS = 86_400_000
const SECOND_MS = 1_000

export interface Clock {
  readonly timeZone: string
  wallOf(ms: number): number
  /** The first instant that shows this time; if the clock skips the time, the instant of the skip. */
  instantOf(wallMs: number): number
  /** The first instant that shows this time, or undefined if the clock skips it. */
  findInstant(wallMs: number): number | undefined
  /** Whether two instants show this time. */
  isAmbiguous(wallMs: number): boolean
  /** True if the offset is constant on this day and around it; false proves nothing. */
  isStable(dayWall: number): boolean
  /** The offset at an instant, and a period around the instant in which the offset is constant. */
  periodAt(ms: number): StablePeriod
}

/** A period with a constant offset, excluding its end. */
export interface StablePeriod {
  readonly fromMs: number
  readonly toMs: number
  readonly offsetMs: number
}

/** Upper bound of the distance between a wall time and its instants, doubled for a clock change in between. */
const AROUND_MS = 2 * DAY_MS

/** The clock of a zone in the IANA database. Caches the years that were requested. */
export function openClock(timeZone: string): Clock {
  return clockOf(timeZone, openYears(timeZone).periodAt)
}

/** The clock of a zone whose periods are known. Keeps the period that was requested last. */
export function clockOf(timeZone: string, findPeriod: Clock['periodAt']): Clock {
  let period: StablePeriod = { fromMs: 0, toMs: 0, offsetMs: 0 }

  function periodAt(ms: number): StablePeriod {
    if (ms < period.fromMs || ms >= period.toMs) period = findPeriod(ms)
    return period
  }

  /** Searches the surrounding periods for the first instant that shows this time or a later one. */
  function searchInstant(wallMs: number): number {
    let { fromMs, toMs, offsetMs } = periodAt(wallMs - AROUND_MS)
    while (Math.max(wallMs - offsetMs, fromMs) >= toMs)
      ({ fromMs, toMs, offsetMs } = periodAt(toMs))
    return Math.max(wallMs - offsetMs, fromMs)
  }

  function instantOf(wallMs: number): number {
    // From two days after a clock change, no earlier instant shows the same time.
    const { fromMs, toMs, offsetMs } = periodAt(wallMs)
    const ms = wallMs - offsetMs
    return ms >= fromMs + AROUND_MS && ms < toMs ? ms : searchInstant(wallMs)
  }

  return {
    timeZone,
    wallOf: (ms) => ms + periodAt(ms).offsetMs,
    instantOf,
    findInstant(wallMs) {
      const ms = instantOf(wallMs)
      return ms + periodAt(ms).offsetMs === wallMs ? ms : undefined
    },
    isAmbiguous(wallMs) {
      let shown = 0
      let current = periodAt(wallMs - AROUND_MS)
      for (; current.fromMs <= wallMs + AROUND_MS; current = periodAt(current.toMs)) {
        const ms = wallMs - current.offsetMs
        if (ms >= current.fromMs && ms < current.toMs) shown += 1
      }
      return shown > 1
    },
    isStable(dayWall) {
      const { fromMs, toMs } = periodAt(dayWall)
      return dayWall - DAY_MS >= fromMs && dayWall + AROUND_MS <= toMs
    },
    periodAt,
  }
}

interface Years {
  periodAt(ms: number): StablePeriod
}

function openYears(timeZone: string): Years {
  const offsetAt = openOffsets(timeZone)
  const known = new Map<number, readonly StablePeriod[]>()
  return {
    periodAt(ms) {
      const year = new Date(ms).getUTCFullYear()
      const periods = known.get(year) ?? findPeriods(offsetAt, { ...yearOf(year) })
      known.set(year, periods)
      return periods.find(({ toMs }) => ms < toMs) ?? { ...yearOf(year), offsetMs: 0 }
    },
  }
}

function yearOf(year: number): { readonly fromMs: number; readonly toMs: number } {
  const newYear = (of: number): number => new Date(0).setUTCFullYear(of, 0, 1)
  return { fromMs: newYear(year), toMs: newYear(year + 1) }
}

type Offsets = (ms: number) => number

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** The offset from UTC at an instant, in milliseconds. */
function openOffsets(timeZone: string): Offsets {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (ms) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(format.format(ms)) ?? []
    const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
    return (sign === '-' ? -size : size) * SECOND_MS
  }
}

export interface Change {
  readonly ms: number
  /** Offsets from UTC before and after the change. */
  readonly fromMs: number
  readonly toMs: number
}

/** All clock changes from the first to the last year, inclusive. */
export function findChanges(
  timeZone: string,
  { first, last }: { readonly first: number; readonly last: number },
): readonly Change[] {
  const range = { fromMs: yearOf(first).fromMs, toMs: yearOf(last).toMs }
  const periods = findPeriods(openOffsets(timeZone), range)
  return periods.slice(1).map(({ fromMs: ms, offsetMs: toMs }, index) => {
    return { ms, fromMs: periods[index]?.offsetMs ?? toMs, toMs }
  })
}

/** No zone has ever changed its clock back within so short a time. */
const STRIDE_MS = 4 * DAY_MS

/** Consecutive periods of constant offset. */
function findPeriods(
  offsetAt: Offsets,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly StablePeriod[] {
  const periods: StablePeriod[] = []
  let begin = fromMs
  let offsetMs = offsetAt(fromMs)
  for (let ms = fromMs; ms < toMs; ms += STRIDE_MS) {
    const end = Math.min(ms + STRIDE_MS, toMs - SECOND_MS)
    if (offsetAt(end) === offsetMs) continue
    const change = findChange(offsetAt, { fromMs: ms, toMs: end })
    periods.push({ fromMs: begin, toMs: change, offsetMs })
    begin = change
    offsetMs = offsetAt(change)
  }
  return [...periods, { fromMs: begin, toMs, offsetMs }]
}

/** The first second whose offset differs from the offset at fromMs. */
function findChange(
  offsetAt: Offsets,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  const before = offsetAt(fromMs)
  let [low, high] = [fromMs, toMs]
  while (high - low > SECOND_MS) {
    const middle = low + Math.floor((high - low) / 2 / SECOND_MS) * SECOND_MS
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}

export function startOfDay(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS) * DAY_MS
}

/** `20260330T090000`, the form of RFC 5545 for wall times; with a Z appended, for UTC. */
export function compactTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15)
}

/** `20260330` */
export function compactDate(ms: number): string {
  return compactTime(ms).slice(0, 8)
}

// Newer versions of Node also accept offsets like +02:00, which have no daylight saving time.
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/
const MAX_LENGTH = 64

/**
 * Returns the reason why a time zone name is refused, with advice, or undefined. Accepted names are those of the IANA
 * database, as known to the running Node.
 */
export function checkTimeZone(name: string): string | undefined {
  const known = name.length <= MAX_LENGTH && NAME.test(name) ? findTimeZone(name) : undefined
  if (known === undefined) return 'must be a name in the IANA database, like Europe/Berlin or UTC'

  // Readers of feeds look the name up with case.
  const differsInCase = known !== name && known.toLowerCase() === name.toLowerCase()
  return differsInCase ? `must be written ${known}` : undefined
}

function findTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
