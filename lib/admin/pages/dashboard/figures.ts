// Figures at one time: the growth of counters since an earlier reading, and current gauges.

import type { Speech } from '../../texts/use-texts.ts'
import {
  type Buckets,
  type Now,
  type Reading,
  readMetrics,
  STATUS_CLASSES,
  type StatusClass,
} from './reading.ts'

export interface Figures {
  /** Seconds on the clock of this page. */
  readonly at: number
  /** Requests per second, by the first digit of the status code. */
  readonly requests: Readonly<Record<StatusClass, number>>
  readonly requestsTotal: number
  /** Share of 5xx responses. */
  readonly failed: number
  /** Seconds; undefined without requests. */
  readonly p50: number | undefined
  readonly p99: number | undefined
  readonly commits: number
  readonly commitP99: number | undefined
  /** Share of all CPUs that the processes could use. */
  readonly cpu: number
  readonly memory: number
  readonly now: Now
}

/** Without an earlier reading, the figures cover the time since the server started. */
function figuresOf(later: Reading, earlier: Reading | undefined, startedAgo: number): Figures {
  const seconds = Math.max(earlier === undefined ? startedAgo : later.at - earlier.at, 0.001)
  const requests = { '2': 0, '3': 0, '4': 0, '5': 0 }
  for (const each of STATUS_CLASSES)
    requests[each] = (later.requests[each] - (earlier?.requests[each] ?? 0)) / seconds
  const total = STATUS_CLASSES.reduce((sum, each) => sum + requests[each], 0)
  const times = grown(later.requestTimes, earlier?.requestTimes)
  return {
    at: later.at,
    requests,
    requestsTotal: total,
    failed: total === 0 ? 0 : requests['5'] / total,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    commits: (later.commits - (earlier?.commits ?? 0)) / seconds,
    commitP99: quantile(grown(later.commitTimes, earlier?.commitTimes), 0.99),
    cpu: (cpuSeconds(later) - (earlier === undefined ? 0 : cpuSeconds(earlier))) / seconds,
    memory: later.now.processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    now: later.now,
  }
}

function cpuSeconds({ now }: Reading): number {
  return now.processes.reduce((sum, each) => sum + each.cpuSeconds, 0)
}

function grown(later: Buckets, earlier: Buckets | undefined): Buckets {
  return new Map([...later].map(([bound, count]) => [bound, count - (earlier?.get(bound) ?? 0)]))
}

/** Like Prometheus' histogram_quantile(): assumes evenly spread values within a bucket. */
function quantile(buckets: Buckets, part: number): number | undefined {
  const bounds = [...buckets.keys()].toSorted((left, right) => left - right)
  const total = buckets.get(Number.POSITIVE_INFINITY) ?? 0
  if (total <= 0) return undefined
  const rank = part * total
  const at = bounds.findIndex((bound) => (buckets.get(bound) ?? 0) >= rank)
  const [below, above] = [at === 0 ? 0 : (bounds[at - 1] ?? 0), bounds[at] ?? 0]
  if (above === Number.POSITIVE_INFINITY) return below
  const before = at === 0 ? 0 : (buckets.get(below) ?? 0)
  const within = (buckets.get(above) ?? 0) - before
  return below + ((above - below) * (rank - before)) / Math.max(within, 1)
}

/** Formats figures with units in the reader's language. */
export interface Units {
  readonly number: (value: number) => string
  readonly perSecond: (value: number) => string
  readonly milliseconds: (seconds: number) => string
  readonly bytes: (bytes: number) => string
  readonly percent: (ratio: number) => string
}

export function openUnits({ language, formats }: Pick<Speech, 'language' | 'formats'>): Units {
  const rough = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const unitOf = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 })
  const [short, long] = [unitOf('millisecond'), unitOf('second')]
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return {
    number: (value) => rough.format(value),
    perSecond: (value) => `${rough.format(value)}/s`,
    milliseconds: (seconds) => (seconds < 1 ? short.format(seconds * 1_000) : long.format(seconds)),
    bytes: formats.bytes,
    percent: (ratio) => percent.format(ratio),
  }
}

/**
 * The figures that this tab has seen in the last 15 minutes. They outlive the page, but not a reload.
 */
export const SPAN_SECONDS = 15 * 60

/** Length of the window that rates are averaged over; shorter windows would jump. */
const WINDOW_SECONDS = 10

/** After this long without a reading, the chart shows a gap. */
const GAP_SECONDS = 15

export interface History {
  /** Undefined before the first reading. */
  readonly latest: Figures | undefined
  /** Oldest first; undefined marks a gap. */
  readonly past: readonly (Figures | undefined)[]
  /** The latest figures cover the time since the server started. */
  readonly isFirst: boolean
}

interface RecordedHistory extends History {
  readonly readings: readonly Reading[]
}

const NOTHING: RecordedHistory = { latest: undefined, past: [], isFirst: true, readings: [] }

// Belongs to the tab, because pages come and go.
let recorded = NOTHING

export function readHistory(): History {
  return recorded
}

interface Sample {
  readonly text: string
  /** Seconds since 1970 on the server's clock, if known. */
  readonly serverTime: number
}

export function addSample({ text, serverTime }: Sample): History {
  const reading = readMetrics(text, Date.now() / 1_000)
  const last = recorded.readings.at(-1)
  // If the clock was set back, the lines would run backwards.
  const isOther = last?.startedAt !== reading.startedAt || reading.at <= last.at
  const before = isOther ? [] : recorded.readings
  const isGap = last !== undefined && (isOther || reading.at - last.at > GAP_SECONDS)
  const latest = figuresOf(reading, before[0], serverTime - reading.startedAt)
  const past = isOther && (last?.at ?? 0) >= reading.at ? [] : recorded.past
  recorded = {
    latest,
    past: inSpan([
      ...past,
      ...(isGap ? [undefined] : []),
      ...(before.length === 0 ? [] : [latest]),
    ]),
    isFirst: before.length === 0,
    readings: [...before, reading].filter(({ at }) => reading.at - at <= WINDOW_SECONDS),
  }
  return recorded
}

function inSpan(past: History['past']): History['past'] {
  const since = (past.at(-1)?.at ?? 0) - SPAN_SECONDS
  const from = past.findIndex((figures) => figures !== undefined && figures.at >= since)
  return from < 0 ? [] : past.slice(from)
}
