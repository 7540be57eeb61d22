// What the clock on the wall of a time zone shows. A wall time is a number of milliseconds, as if the
// clock stood in UTC: so days are 24 hours long, and adding a day keeps the time of day.
//
// The changes of a zone are read from Intl, a year at a time: temporal-polyfill took 0.5 ms for each of
// them, and 20 ms to find that there is none. Nothing is loaded for it.

export const DAY_MS = 86_400_000
const SECOND_MS = 1_000

export interface Clock {
  readonly timeZone: string
  wallOf(ms: number): number
  /** The first instant that shows this time; where the clock skips it, the moment at which it does. */
  instantOf(wallMs: number): number
  /** The first of the instants that show this time, or undefined where the clock skips it. */
  findInstant(wallMs: number): number | undefined
  /** Two instants show this time. */
  isTwice(wallMs: number): boolean
  /** The zone keeps its offset on this day and around it; false says nothing. */
  isCalm(dayWall: number): boolean
}

/** A time without changes of the clock: from its beginning up to its end. */
interface Calm {
  readonly fromMs: number
  readonly toMs: number
  readonly offsetMs: number
}

/** Wall times are less than so far from the instants that show them, twice if the clock is changed between. */
const AROUND_MS = 2 * DAY_MS

/** Remembers the years that it was asked about. */
export function openClock(timeZone: string): Clock {
  const years = openYears(timeZone)
  let calm: Calm = { fromMs: 0, toMs: 0, offsetMs: 0 }

  function calmAt(ms: number): Calm {
    if (ms < calm.fromMs || ms >= calm.toMs) calm = years.calmAt(ms)
    return calm
  }

  /** The first instant that shows this time or a later one, of the calms around it. */
  function searchInstant(wallMs: number): number {
    let { fromMs, toMs, offsetMs } = calmAt(wallMs - AROUND_MS)
    while (Math.max(wallMs - offsetMs, fromMs) >= toMs) ({ fromMs, toMs, offsetMs } = calmAt(toMs))
    return Math.max(wallMs - offsetMs, fromMs)
  }

  function instantOf(wallMs: number): number {
    // Two days after a change of the clock, no earlier instant shows the same time.
    const { fromMs, toMs, offsetMs } = calmAt(wallMs)
    const ms = wallMs - offsetMs
    return ms >= fromMs + AROUND_MS && ms < toMs ? ms : searchInstant(wallMs)
  }

  return {
    timeZone,
    wallOf: (ms) => ms + calmAt(ms).offsetMs,
    instantOf,
    findInstant(wallMs) {
      const ms = instantOf(wallMs)
      return ms + calmAt(ms).offsetMs === wallMs ? ms : undefined
    },
    isTwice(wallMs) {
      let shown = 0
      let calmHere = calmAt(wallMs - AROUND_MS)
      for (; calmHere.fromMs <= wallMs + AROUND_MS; calmHere = calmAt(calmHere.toMs)) {
        const ms = wallMs - calmHere.offsetMs
        if (ms >= calmHere.fromMs && ms < calmHere.toMs) shown += 1
      }
      return shown > 1
    },
    isCalm(dayWall) {
      const { fromMs, toMs } = calmAt(dayWall)
      return dayWall - DAY_MS >= fromMs && dayWall + AROUND_MS <= toMs
    },
  }
}

interface Years {
  calmAt(ms: number): Calm
}

function openYears(timeZone: string): Years {
  const offsetAt = openOffsets(timeZone)
  const known = new Map<number, readonly Calm[]>()
  return {
    calmAt(ms) {
      const year = new Date(ms).getUTCFullYear()
      const calms = known.get(year) ?? findCalms(offsetAt, { ...yearOf(year) })
      known.set(year, calms)
      return calms.find(({ toMs }) => ms < toMs) ?? { ...yearOf(year), offsetMs: 0 }
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
  /** From UTC, before it and from then on. */
  readonly fromMs: number
  readonly toMs: number
}

/** All changes of the clock in these years, the first and the last one included. */
export function findChanges(
  timeZone: string,
  { first, last }: { readonly first: number; readonly last: number },
): readonly Change[] {
  const range = { fromMs: yearOf(first).fromMs, toMs: yearOf(last).toMs }
  const calms = findCalms(openOffsets(timeZone), range)
  return calms.slice(1).map(({ fromMs: ms, offsetMs: toMs }, index) => {
    return { ms, fromMs: calms[index]?.offsetMs ?? toMs, toMs }
  })
}

/** No zone has changed its clock and changed it back within so short a time. */
const STRIDE_MS = 4 * DAY_MS

/** All calms of a time, each up to the next change. */
function findCalms(
  offsetAt: Offsets,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly Calm[] {
  const calms: Calm[] = []
  let begin = fromMs
  let offsetMs = offsetAt(fromMs)
  for (let ms = fromMs; ms < toMs; ms += STRIDE_MS) {
    const end = Math.min(ms + STRIDE_MS, toMs - SECOND_MS)
    if (offsetAt(end) === offsetMs) continue
    const change = findChange(offsetAt, { fromMs: ms, toMs: end })
    calms.push({ fromMs: begin, toMs: change, offsetMs })
    begin = change
    offsetMs = offsetAt(change)
  }
  return [...calms, { fromMs: begin, toMs, offsetMs }]
}

/** The first second with another offset than the first. */
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

/** `20260330T090000`, the form of RFC 5545 for wall times; with a Z behind it, for UTC. */
export function compactTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15)
}

/** `20260330` */
export function compactDate(ms: number): string {
  return compactTime(ms).slice(0, 8)
}
