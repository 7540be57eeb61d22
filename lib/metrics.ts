// What Prometheus reads at /metrics: times of requests and commits as they happen, and at each reading
// what the parts of the server tell of themselves. Names follow the conventions of Prometheus: base
// units, `_total` for what only grows. Requests carry the pattern of their route, never an address.

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CommitTimes, StorageStatus, WatchStatus } from './storage/status.ts'
import type { PoolStatus } from './workers/pool.ts'

/** What is asked for when the metrics are read. */
export interface Readings {
  readonly storage: StorageStatus
  readonly watch: WatchStatus
  readonly tasks: PoolStatus
  /** Number of records by type. */
  readonly records: Readonly<Record<string, number>>
}

export interface Metrics {
  readonly requests: RequestMetrics
  readonly observeCommit: (times: CommitTimes) => void
  readonly read: (
    readings: Readings,
  ) => Promise<{ readonly contentType: string; readonly text: string }>
}

interface MeasuredRoute {
  readonly method: string
  readonly path: string
}

export interface RequestMetrics {
  readonly begin: (route: MeasuredRoute) => void
  /** Of a request that found no route, too. */
  readonly end: (route: MeasuredRoute | undefined, times: RequestTimes) => void
}

export interface RequestTimes {
  readonly method: string
  readonly status: number
  readonly ms: number
}

/** Seconds: from a record that is read from memory to the upload of a film. */
const REQUEST_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
]
const COMMIT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = openRequests(registry)
  const queue = new Histogram({
    name: 'cms_commit_queue_seconds',
    help: 'Time that a commit waited for its turn.',
    buckets: COMMIT_BUCKETS,
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'cms_commit_duration_seconds',
    help: 'Time from the call of a commit until it was durable, waiting included.',
    buckets: COMMIT_BUCKETS,
    registers: [registry],
  })
  const show = buildShow(registry)

  return {
    requests,
    observeCommit({ queuedMs, totalMs }) {
      queue.observe(queuedMs / 1_000)
      duration.observe(totalMs / 1_000)
    },
    async read(readings) {
      show(readings)
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

interface RouteMeter {
  active: number
  /** By method and status; made once, because checking labels costs more than counting. */
  readonly observers: Map<string, { observe(value: number): void }>
}

const NO_ROUTE: MeasuredRoute = { method: 'none', path: 'none' }

function openRequests(registry: Registry): RequestMetrics {
  const meters = new Map<MeasuredRoute, RouteMeter>()
  const duration = new Histogram({
    name: 'cms_http_request_duration_seconds',
    help: 'Time from the head of a request until its answer was handed to the socket.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  })
  new Gauge({
    name: 'cms_http_requests_in_progress',
    help: 'Requests that are being answered; those of /upload are the uploads.',
    labelNames: ['method', 'route'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [{ method, path }, { active }] of meters)
        if (path !== NO_ROUTE.path) this.set({ method, route: path }, active)
    },
  })

  function meterOf(route: MeasuredRoute): RouteMeter {
    const known = meters.get(route)
    if (known !== undefined) return known
    const meter = { active: 0, observers: new Map() }
    meters.set(route, meter)
    return meter
  }

  return {
    begin(route) {
      meterOf(route).active += 1
    },
    end(found, { method, status, ms }) {
      const route = found ?? NO_ROUTE
      const meter = meterOf(route)
      if (found !== undefined) meter.active -= 1

      const key = `${method} ${status}`
      let observer = meter.observers.get(key)
      if (observer === undefined) {
        observer = duration.labels({ method, route: route.path, status })
        meter.observers.set(key, observer)
      }
      observer.observe(ms / 1_000)
    },
  }
}

type Show = (readings: Readings) => void

/** Every metric that is asked for at each reading, with where its value comes from. */
function buildShow(registry: Registry): Show {
  const shows: Show[] = []
  const gauge: AddMetric = (name, help, valueOf) => {
    const metric = new Gauge({ name, help, registers: [registry] })
    shows.push((readings) => metric.set(valueOf(readings)))
  }
  const counter: AddMetric = (name, help, valueOf) => {
    const metric = new Counter({ name, help, registers: [registry] })
    shows.push((readings) => {
      metric.reset()
      metric.inc(valueOf(readings))
    })
  }

  showStorage(gauge)
  showContents(gauge, counter)
  gauge('cms_tasks_waiting', 'Tasks that wait for a worker.', ({ tasks }) => tasks.waiting)
  gauge('cms_tasks_running', 'Tasks that run in a worker.', ({ tasks }) => tasks.running)
  shows.push(showRecords(registry), showDisks(registry))
  return (readings) => {
    for (const show of shows) show(readings)
  }
}

type AddMetric = (name: string, help: string, valueOf: (readings: Readings) => number) => void

function showStorage(gauge: AddMetric): void {
  gauge(
    'cms_commits_waiting',
    'Commits that wait or run.',
    ({ storage }) => storage.commits.waiting,
  )
  gauge(
    'cms_commit_oldest_seconds',
    'How long the oldest of them has been waiting or running.',
    ({ storage }) => storage.commits.oldestMs / 1_000,
  )
  gauge(
    'cms_contents_waiting_bytes',
    'Small contents that are durable in the records and not yet files.',
    ({ storage }) => storage.waitingBytes,
  )
  gauge(
    'cms_records_file_bytes',
    'Size of the file of the records.',
    ({ storage }) => storage.recordsFileBytes,
  )
}

function showContents(gauge: AddMetric, counter: AddMetric): void {
  const hourly = 'counted once an hour'
  gauge(
    'cms_contents',
    `Contents of versions, ${hourly}.`,
    ({ watch }) => watch.count?.contents ?? NaN,
  )
  gauge('cms_contents_bytes', `Their bytes, ${hourly}.`, ({ watch }) => watch.count?.bytes ?? NaN)
  gauge(
    'cms_versions_damaged',
    `Versions whose bytes are lost, ${hourly}.`,
    ({ watch }) => watch.count?.damaged ?? NaN,
  )
  counter(
    'cms_contents_damaged_total',
    'Contents that were found to be damaged, and set apart.',
    ({ watch }) => watch.scrub.damaged,
  )
  counter(
    'cms_scrub_contents_total',
    'Contents that were compared with their hashes.',
    ({ watch }) => watch.scrub.contents,
  )
  counter('cms_scrub_bytes_total', 'Their bytes.', ({ watch }) => watch.scrub.bytes)
  counter(
    'cms_scrub_unreadable_total',
    'Contents that the disk could not read.',
    ({ watch }) => watch.scrub.unreadable,
  )
  gauge(
    'cms_scrub_last_end_timestamp_seconds',
    'When all contents had been compared last.',
    ({ watch }) => Date.parse(watch.scrub.lastEnded ?? '') / 1_000,
  )
}

function showRecords(registry: Registry): Show {
  const metric = new Gauge({
    name: 'cms_records',
    help: 'Number of records.',
    labelNames: ['type'],
    registers: [registry],
  })
  return ({ records }) => {
    for (const [type, count] of Object.entries(records)) metric.set({ type }, count)
  }
}

function showDisks(registry: Registry): Show {
  const disk = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['disk'], registers: [registry] })
  const size = disk('cms_disk_size_bytes', 'Size of the file system.')
  const free = disk('cms_disk_free_bytes', 'Room on it for this server.')
  const inodes = disk('cms_disk_free_inodes', 'Files that it can still take.')
  const refused = new Gauge({
    name: 'cms_disk_refused',
    help: '1 where changes of this kind are refused for want of room.',
    labelNames: ['need'],
    registers: [registry],
  })

  return ({ watch }) => {
    for (const { name, sizeBytes, freeBytes, freeInodes } of watch.disks) {
      size.set({ disk: name }, sizeBytes)
      free.set({ disk: name }, freeBytes)
      inodes.set({ disk: name }, freeInodes)
    }
    refused.set({ need: 'content' }, watch.refused === undefined ? 0 : 1)
    refused.set({ need: 'record' }, watch.refused === 'record' ? 1 : 0)
  }
}
