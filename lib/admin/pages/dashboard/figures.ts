// Figures at one time: the growth of counters since an earlier reading, and current gauges.

import {
  type Buckets,
  type Now,
  type Reading,
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
export function figuresOf(
  later: Reading,
  earlier: Reading | undefined,
  startedAgo: number,
): Figures {
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
