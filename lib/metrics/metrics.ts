// The metrics at /metrics: durations of requests and commits, observed as they happen, and values that are read at each
// scrape (metrics-page.ts). Names follow the Prometheus conventions: base units, and `_total` for counters. Requests are
// labeled with the pattern of their route, never with their URL.

import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks'
import { type CountedSeries, openHistogram, type Series } from './histogram.ts'
import type { ActiveRoute, MetricsPage, Readings } from './metrics-page.ts'
import type { CommitTimes } from '../storage/status.ts'

export interface Metrics {
  readonly requests: RequestMetrics
  readonly observeCommit: (times: CommitTimes) => void
  /** The metrics of the whole server, including the counts of its other processes. */
  readonly read: (
    readings: Omit<Readings, 'requests' | 'processes'>,
    others?: readonly ProcessMetrics[],
  ) => Promise<{ readonly contentType: string; readonly text: string }>
  /** The counts of this process, to be sent to the writer process. */
  readonly ofProcess: () => ProcessMetrics
  readonly close: () => void
}

/** The metrics of one process, as plain values. */
export interface ProcessMetrics {
  readonly active: readonly ActiveRoute[]
  readonly durations: readonly CountedSeries[]
  readonly residentBytes: number
  readonly cpuSeconds: number
}

interface MeasuredRoute {
  readonly method: string
  readonly path: string
}

export interface RequestMetrics {
  readonly begin: (route: MeasuredRoute) => void
  /** The request is handed over to another process, which counts it. */
  readonly leave: (route: MeasuredRoute) => void
  /** Also called for requests without a route. */
  readonly end: (route: MeasuredRoute | undefined, times: RequestTimes) => void
}

interface RequestTimes {
  readonly method: string
  readonly status: number
  readonly ms: number
}

/** Seconds, from a record that is read from memory to the upload of a video. */
const REQUEST_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
]
const COMMIT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

/** Only the writer process measures garbage collection; all `nodejs_` metrics are about that process. */
export function openMetrics(role: 'writes' | 'reads'): Metrics {
  const requests = openRequests()
  const commits = openCommits()
  const collections = role === 'writes' ? openCollections() : undefined
  let page: Promise<MetricsPage> | undefined

  function ofProcess(): ProcessMetrics {
    const { user, system } = process.cpuUsage()
    return {
      active: requests.active(),
      durations: requests.counted(),
      residentBytes: process.memoryUsage.rss(),
      cpuSeconds: (user + system) / 1_000_000,
    }
  }

  return {
    requests,
    observeCommit: commits.observe,
    async read(readings, others = []) {
      page ??= import('./metrics-page.ts').then(({ openMetricsPage }) => openMetricsPage())
      const { contentType, text } = await page
      const active = sumOf([requests.active(), ...others.map((other) => other.active)].flat())
      const processes = [ofProcess(), ...others]
      const shown = await text({ ...readings, requests: active, processes })
      const durations = requests.text(others.flatMap((other) => other.durations))
      const own = [
        durations,
        commits.text(),
        ...(collections === undefined ? [] : [collections.text()]),
      ]
      return { contentType, text: `${shown}\n${own.join('\n\n')}\n` }
    },
    ofProcess,
    close: () => collections?.close(),
  }
}

/** The same metric as in prom-client, which would count only from its first use. */
function openCollections() {
  const duration = openHistogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
    buckets: [0.001, 0.01, 0.1, 1, 2, 5],
  })
  const kinds = new Map([
    [constants.NODE_PERFORMANCE_GC_MAJOR, duration.series({ kind: 'major' })],
    [constants.NODE_PERFORMANCE_GC_MINOR, duration.series({ kind: 'minor' })],
    [constants.NODE_PERFORMANCE_GC_INCREMENTAL, duration.series({ kind: 'incremental' })],
    [constants.NODE_PERFORMANCE_GC_WEAKCB, duration.series({ kind: 'weakcb' })],
  ])
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // All gc entries have `detail`, but the types of Node do not say so.
      if (!('detail' in entry)) continue
      const { kind } = entry.detail as NodeGCPerformanceDetail
      kinds.get(kind)?.observe(entry.duration / 1_000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })

  return { text: duration.text, close: () => observer.disconnect() }
}

function openCommits() {
  const queue = openHistogram({
    name: 'cms_commit_queue_seconds',
    help: 'Time that a commit waited in the queue.',
    buckets: COMMIT_BUCKETS,
  })
  const duration = openHistogram({
    name: 'cms_commit_duration_seconds',
    help: 'Time from the call of a commit until it was durable, including the time in the queue.',
    buckets: COMMIT_BUCKETS,
  })
  const queued = queue.series({})
  const total = duration.series({})

  return {
    observe({ queuedMs, totalMs }: CommitTimes): void {
      queued.observe(queuedMs / 1_000)
      total.observe(totalMs / 1_000)
    },
    text: () => `${queue.text()}\n\n${duration.text()}`,
  }
}

interface RouteMeter {
  active: number
  /** The key is the method and the status. */
  readonly series: Map<string, Series>
}

const NO_ROUTE: MeasuredRoute = { method: 'none', path: 'none' }

function openRequests() {
  const meters = new Map<MeasuredRoute, RouteMeter>()
  const duration = openHistogram({
    name: 'cms_http_request_duration_seconds',
    help: 'Time from the request headers until the response was handed to the socket.',
    buckets: REQUEST_BUCKETS,
  })

  function meterOf(route: MeasuredRoute): RouteMeter {
    const known = meters.get(route)
    if (known !== undefined) return known
    const meter = { active: 0, series: new Map() }
    meters.set(route, meter)
    return meter
  }

  return {
    begin(route: MeasuredRoute): void {
      meterOf(route).active += 1
    },
    leave(route: MeasuredRoute): void {
      meterOf(route).active -= 1
    },
    end(found: MeasuredRoute | undefined, { method, status, ms }: RequestTimes): void {
      const route = found ?? NO_ROUTE
      const meter = meterOf(route)
      if (found !== undefined) meter.active -= 1

      const key = `${method} ${status}`
      let series = meter.series.get(key)
      if (series === undefined) {
        series = duration.series({ method, route: route.path, status })
        meter.series.set(key, series)
      }
      series.observe(ms / 1_000)
    },
    text: duration.text,
    counted: duration.counted,
    active: (): readonly ActiveRoute[] =>
      Array.from(meters, ([{ method, path }, { active }]) => ({ method, path, active })).filter(
        ({ path }) => path !== NO_ROUTE.path,
      ),
  }
}

/** Adds up the requests in progress by method and route. */
function sumOf(routes: readonly ActiveRoute[]): readonly ActiveRoute[] {
  const sums = new Map<string, ActiveRoute>()
  for (const { method, path, active } of routes) {
    const name = `${method} ${path}`
    sums.set(name, { method, path, active: active + (sums.get(name)?.active ?? 0) })
  }
  return [...sums.values()]
}
