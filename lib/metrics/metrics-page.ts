// The page at /metrics: the current values of the process and of the parts of the server. This module is imported with the
// first reading, because prom-client and its dependencies would add more than a tenth to the code that a start loads.

import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { showCluster } from './cluster-metrics.ts'
import { type AddMetric, showContents, showStorage } from './storage-metrics.ts'
import type { StorageStatus, WatchStatus } from '../storage/status.ts'
import { VERSION } from '../base/version.ts'
import type { PoolStatus } from '../workers/pool.ts'
import type { UploadStatus } from '../operations/files/upload-expiry.ts'
import type { ScheduleStatus } from '../operations/files/schedule-runs.ts'
import type { MailStatus } from '../operations/comments/mention-mails.ts'
import type { SenderStatus } from '../operations/webhooks/sender.ts'

/** The values that each reading collects. */
export interface Readings {
  readonly requests: readonly ActiveRoute[]
  /** One item per process; the first is the writer process. */
  readonly processes: readonly ProcessUse[]
  readonly storage: StorageStatus
  readonly watch: WatchStatus
  readonly tasks: PoolStatus
  readonly webhooks: SenderStatus
  readonly schedules: ScheduleStatus
  readonly mails: MailStatus
  readonly uploads: UploadStatus
  /** Number of records by type. */
  readonly records: Readonly<Record<string, number>>
}

export interface ProcessUse {
  readonly residentBytes: number
  readonly cpuSeconds: number
}

export interface ActiveRoute {
  readonly method: string
  readonly path: string
  /** Number of requests of this route in progress. */
  readonly active: number
}

export interface MetricsPage {
  readonly contentType: string
  text(readings: Readings): Promise<string>
}

export function openMetricsPage(): MetricsPage {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // These gauges are named like counters. The metrics without "_total" have the same values by kind.
  for (const kind of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  // metrics.ts counts garbage collections from the start of the server.
  registry.removeSingleMetric('nodejs_gc_duration_seconds')
  const show = buildShow(registry)

  return {
    contentType: registry.contentType,
    text(readings) {
      show(readings)
      return registry.metrics()
    },
  }
}

type Show = (readings: Readings) => void

/** Registers every metric that is set at each reading. */
function buildShow(registry: Registry): Show {
  const shows: Show[] = []
  const cluster = showCluster(registry)
  const gauge: AddMetric<Readings> = (name, help, valueOf) => {
    const metric = new Gauge({ name, help, registers: [registry] })
    shows.push((readings) => metric.set(valueOf(readings)))
  }
  const counter: AddMetric<Readings> = (name, help, valueOf) => {
    const metric = new Counter({ name, help, registers: [registry] })
    shows.push((readings) => {
      metric.reset()
      metric.inc(valueOf(readings))
    })
  }

  showBuild(registry)
  showStorage(gauge)
  showContents(gauge, counter)
  gauge('cms_tasks_waiting', 'Tasks waiting for a worker thread.', ({ tasks }) => tasks.waiting)
  gauge('cms_tasks_running', 'Tasks running in a worker thread.', ({ tasks }) => tasks.running)
  showWebhooks(gauge, counter)
  showSchedules(gauge, counter)
  showUploads(gauge, counter)
  counter('cms_mails_total', 'Mails that the mail server has accepted.', ({ mails }) => mails.sent)
  counter('cms_mail_failures_total', 'Failed attempts to send a mail.', ({ mails }) => mails.failed)
  shows.push(showWebhookStates(registry))
  shows.push(showRequests(registry), showRecords(registry), showDisks(registry))
  shows.push(showProcesses(registry), showCpuTime(registry))
  shows.push(({ storage }) => cluster(storage.cluster))
  return (readings) => {
    for (const show of shows) show(readings)
  }
}

function showBuild(registry: Registry): void {
  const metric = new Gauge({
    name: 'cms_build_info',
    help: 'Always 1. The label is the version of the server.',
    labelNames: ['version'],
    registers: [registry],
  })
  metric.set({ version: VERSION }, 1)
}

function showWebhooks(gauge: AddMetric<Readings>, counter: AddMetric<Readings>): void {
  counter(
    'cms_webhook_deliveries_total',
    'Changes delivered to webhooks.',
    ({ webhooks }) => webhooks.delivered,
  )
  counter(
    'cms_webhook_failures_total',
    'Failed attempts to deliver a change to a webhook.',
    ({ webhooks }) => webhooks.failed,
  )
  gauge(
    'cms_webhook_lag_changes',
    'Number of undelivered changes of the webhook that is farthest behind. Paused and given-up webhooks do not count.',
    ({ webhooks }) => webhooks.lag,
  )
}

function showSchedules(gauge: AddMetric<Readings>, counter: AddMetric<Readings>): void {
  counter(
    'cms_scheduled_actions_total',
    'Scheduled publish, unpublish and stage actions that this server carried out.',
    ({ schedules }) => schedules.done,
  )
  counter(
    'cms_scheduled_action_failures_total',
    'Scheduled actions that could not be carried out.',
    ({ schedules }) => schedules.failed,
  )
  gauge(
    'cms_scheduled_action_delay_seconds',
    'Delay of the latest scheduled action, from its scheduled time until its end.',
    ({ schedules }) => schedules.lateSeconds,
  )
}

function showUploads(gauge: AddMetric<Readings>, counter: AddMetric<Readings>): void {
  gauge(
    'cms_resumable_uploads_unfinished',
    'Number of resumable uploads that have begun and are not complete.',
    ({ uploads }) => uploads.unfinished,
  )
  gauge(
    'cms_resumable_uploads_unfinished_bytes',
    'Bytes that unfinished resumable uploads have stored.',
    ({ uploads }) => uploads.bytes,
  )
  counter(
    'cms_resumable_uploads_expired_total',
    'Unfinished resumable uploads that were removed because they expired or because their key, user, file or folder was gone.',
    ({ uploads }) => uploads.expired,
  )
}

function showWebhookStates(registry: Registry): Show {
  const metric = new Gauge({
    name: 'cms_webhooks',
    help: 'Number of webhooks by state: delivering, waiting for a retry, given up.',
    labelNames: ['state'],
    registers: [registry],
  })
  return ({ webhooks }) => {
    for (const [state, count] of Object.entries(webhooks.states)) metric.set({ state }, count)
  }
}

function showRequests(registry: Registry): Show {
  const metric = new Gauge({
    name: 'cms_http_requests_in_progress',
    help: 'Requests in progress. The route /upload counts the uploads.',
    labelNames: ['method', 'route'],
    registers: [registry],
  })
  return ({ requests }) => {
    for (const { method, path, active } of requests) metric.set({ method, route: path }, active)
  }
}

/** Replaces the CPU counters of prom-client, which start with the first reading and miss the start of the server. */
function showCpuTime(registry: Registry): Show {
  const counter = (kind: string, help: string): ((micros: number) => void) => {
    const name = `process_cpu_${kind}seconds_total`
    registry.removeSingleMetric(name)
    const metric = new Counter({ name, help, registers: [registry] })
    return (micros) => {
      metric.reset()
      metric.inc(micros / 1_000_000)
    }
  }
  const setUser = counter('user_', 'Total user CPU time spent in seconds.')
  const setSystem = counter('system_', 'Total system CPU time spent in seconds.')
  const setAll = counter('', 'Total user and system CPU time spent in seconds.')
  return () => {
    const { user, system } = process.cpuUsage()
    setUser(user)
    setSystem(system)
    setAll(user + system)
  }
}

function showProcesses(registry: Registry): Show {
  const common = { labelNames: ['process'], registers: [registry] }
  const memory = new Gauge({
    name: 'cms_process_resident_memory_bytes',
    help: 'Resident memory of each process of the server. Process 0 is the first process, which makes all changes.',
    ...common,
  })
  const cpu = new Gauge({
    name: 'cms_process_cpu_seconds',
    help: 'CPU time of each process of the server since its start.',
    ...common,
  })
  return ({ processes }) => {
    memory.reset()
    cpu.reset()
    for (const [at, { residentBytes, cpuSeconds }] of processes.entries()) {
      memory.set({ process: String(at) }, residentBytes)
      cpu.set({ process: String(at) }, cpuSeconds)
    }
  }
}

function showRecords(registry: Registry): Show {
  const metric = new Gauge({
    name: 'cms_records',
    help: 'Number of records by type.',
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
  const size = disk('cms_disk_size_bytes', 'Size of the file system of the data.')
  const free = disk(
    'cms_disk_free_bytes',
    'Free space that this server may use on the file system of the data.',
  )
  const inodes = disk('cms_disk_free_inodes', 'Free inodes on the file system of the data.')
  const refused = new Gauge({
    name: 'cms_disk_refused',
    help: '1 if changes of this kind are rejected because the disk is nearly full.',
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
