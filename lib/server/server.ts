// The composition root: builds all parts of the server and returns its URL and how to stop it. The path of a request is
// serve.ts → api/request/answer.ts → operations → storage.

import type { AddressInfo } from 'node:net'
import { findWarnings, type NotReady, PICTURES_UNSUPPORTED } from '../api/health.ts'
import { findTreeWarnings, openLiveTree } from './open-live-tree.ts'
import { FAILED, findSiteWarnings, findTrouble, STARTING, STOPPING } from './readiness.ts'
import { allRoutes } from '../api/routes.ts'
import { openSiteTokens } from '../auth/site-tokens.ts'
import type { Config } from '../config/config.ts'
import { connectionLimits, readersOptions, runningLimits } from './connection-limits.ts'
import { type Limits, LIMITS, partOf } from '../config/limits.ts'
import { readFileLimit } from '../http/file-limit.ts'
import { openRunning } from '../http/concurrency-limits.ts'
import type { Log } from '../base/log.ts'
import { type Metrics, openMetrics, type ProcessMetrics } from '../metrics/metrics.ts'
import {
  type Door,
  type Fork,
  openDoor,
  openSharedDoor,
  requireFreePort,
} from '../processes/door.ts'
import { userLinkPath } from '../operations/people/user-links.ts'
import { runCommand } from '../operations/people/commands.ts'
import { beginSite } from '../operations/start/resume.ts'
import type { Services } from '../operations/context.ts'
import {
  beginWork,
  type LeasedWork,
  openMail,
  openScheduledWork,
  openWebhooks,
} from './leased-work.ts'
import { uploadStatus } from '../operations/files/upload-expiry.ts'
import { countRecords } from '../operations/background/record-counts.ts'
import { requireSiteKey } from '../operations/people/first-start.ts'
import { watchClock } from './clock-check.ts'
import { buildServe } from './serve.ts'
import { buildServices } from './services.ts'
import type { Outage, Storage, Watch } from '../storage/engine.ts'
import { openStorage, startsFirst } from './open-storage.ts'
import { openPool, type Pool } from '../workers/pool.ts'

export interface RunningServer {
  readonly url: string
  /** The path of the link for the first sign-in; undefined once a user can sign in. */
  readonly welcome: string | undefined
  /** Whether a write to the disk has failed. */
  isReadOnly(): boolean
  /** Stops accepting connections, lets requests finish, and closes the storage. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly log: Log
  /** Called once, when the storage can no longer be trusted. The process must end. */
  readonly onFailure: (cause: unknown) => void
  /** The system clock, unless a test replaces it. */
  readonly now?: () => Date
  /** A monotonic clock in milliseconds. */
  readonly uptimeMs?: () => number
  /** Other limits for tests, which should not wait for seconds. */
  readonly limits?: Limits
  /** Starts a reader process; undefined if the server has only one process. */
  readonly fork?: Fork | undefined
}

// oxlint-disable-next-line eslint/max-lines-per-function -- one step after the other
export async function startServer({
  config,
  log,
  onFailure,
  now = () => new Date(),
  uptimeMs = () => performance.now(),
  limits: ofServer = LIMITS,
  fork,
}: StartOptions): Promise<RunningServer> {
  // A server that cannot listen must not create a data directory.
  if (startsFirst(config.dataDir)) await requireFreePort(config.port, config.host)
  const processes = fork === undefined ? 1 : config.processes
  const limits = partOf(ofServer, { role: 'writes', processes })
  const pool = openPool(config.workers)
  const metrics = openMetrics('writes')
  let phase: NotReady | undefined = STARTING
  const fail = (cause: unknown): void => {
    phase = FAILED
    onFailure(cause)
  }
  const opened = await open({
    config,
    log,
    limits,
    pool,
    metrics,
    fail,
    hasReaders: fork !== undefined,
  })
  const { storage, watch } = opened
  /** Built last, but used by callbacks of earlier parts. */
  const late: { door?: Door; address?: AddressInfo } = {}

  const siteKey = await requireSiteKey(storage.records)
  const tokens = openSiteTokens(siteKey)
  const retentionClock = watchClock(storage.records, { log, now, uptimeMs })
  const onGuessing = (source: string, seconds: number): void =>
    late.door?.noteGuessing(source, seconds)
  const webhooks = openWebhooks({ config, log, limits, siteKey })
  const work = { webhooks, schedules: openScheduledWork(log), mails: openMail(config, log) }
  const parts = {
    config,
    log,
    limits,
    pool,
    now,
    uptimeMs,
    retentionClock,
    tokens,
    siteKey,
    webhooks,
    onGuessing,
  }
  const running = openRunning(runningLimits({ ...config, processes }, limits))
  const services = buildServices({ ...parts, ...opened, counts: running.counts })
  const liveTree = openLiveTree({ config, services, log })
  const { welcome, resumed } = await beginSite(services, config)
  storage.serveCommands((command) => runCommand(services, command))
  log.info({ ...storage.recovered, resumed }, 'storage open')

  const surroundings = {
    connections: config.maxConnections + limits.maxRefusedConnections,
    fileLimit: readFileLimit(),
  }
  const warningsOf = (missing: number) => [
    ...findWarnings(config, { ...surroundings, address: late.address?.address ?? '', missing }),
    ...findTreeWarnings(liveTree?.status()),
    ...findSiteWarnings(services, config),
    ...(services.pictures.isSupported() ? [] : [PICTURES_UNSUPPORTED]),
  ]
  const health = {
    warnings: () => warningsOf(late.door?.missing() ?? 0),
    unready: () => phase ?? findTrouble(storage.status(), watch.status(), config),
    metrics: async () =>
      readMetrics(metrics, { ...opened, ...work, pool, services }, await late.door?.measure()),
  }
  const serve = buildServe({
    config,
    log,
    limits,
    services,
    metrics: metrics.requests,
    routes: allRoutes({ ...health, ...config }),
    isDraining: () => phase !== undefined,
    parseElsewhere: (bytes, ofBody) => pool.run('parseBody', { bytes, limits: ofBody }),
    compressElsewhere: (input) => pool.run('compress', input),
    running,
  })
  const connections = connectionLimits({ config, log, limits }, serve)
  const readers = fork && readersOptions({ config, log, limits, services, running, fork })
  const door =
    readers === undefined
      ? openDoor({ limits, connections, serve })
      : await openSharedDoor({ limits, connections, serve, readers, directory: storage.tmpDir })
  late.door = door

  async function close(): Promise<void> {
    phase = STOPPING
    // Closing the change watch below ends the long polls and streams, so that the requests can finish.
    const closing = [webhooks.close(config.drainTimeoutMs), door.close(config.drainTimeoutMs)]
    services.changeWatch.close()
    await Promise.all(closing)
    await release({ services, pool, metrics, storage, watch })
  }

  const address = await door.listen(config.port, config.host).catch(async (error: unknown) => {
    await Promise.all([door.close(0), webhooks.close(0)])
    await release({ services, pool, metrics, storage, watch })
    throw error
  })
  late.address = address
  // Reader processes that are still starting do not count as missing here.
  for (const { code, detail } of warningsOf(0)) log.warn({ code }, detail)
  phase = undefined
  void services.background.run('live-tree', async (signal) => liveTree?.run(signal))
  if (!config.readOnly)
    beginWork({ services, ...work, nodes: storage.nodes, watch, log, kept: config })

  return {
    url: urlOf(address, config.host),
    welcome: welcome && userLinkPath(welcome),
    isReadOnly: () => storage.status().isReadOnly,
    close,
  }
}

function readMetrics(
  metrics: Metrics,
  {
    storage,
    watch,
    pool,
    webhooks,
    schedules,
    mails,
    services,
  }: Omit<RunningParts, 'metrics'> & LeasedWork,
  others: readonly ProcessMetrics[] = [],
) {
  const readings = {
    storage: storage.status(),
    watch: watch.status(),
    tasks: pool.status(),
    webhooks: webhooks.status(),
    schedules: schedules.status(),
    mails: mails?.status() ?? { sent: 0, failed: 0 },
    uploads: uploadStatus(services),
    records: countRecords(storage.records),
  }
  return metrics.read(readings, others)
}

interface OpenOptions {
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly pool: Pool
  readonly metrics: Metrics
  readonly fail: (cause: unknown) => void
  readonly hasReaders: boolean
}

interface Opened {
  readonly storage: Storage
  readonly watch: Watch
}

async function open({
  config,
  log,
  limits,
  pool,
  metrics,
  fail,
  hasReaders,
}: OpenOptions): Promise<Opened> {
  let storage: Storage | undefined
  try {
    storage = await openStorage({
      config,
      limits,
      pool,
      isShared: hasReaders,
      onFailure: fail,
      onTrouble: (message, cause) => log.error({ err: cause }, message),
      onCommit: metrics.observeCommit,
      onOutage: (outage) => reportOutage(log, outage),
      onWait: (wait) => log.info(wait, 'waiting for the server that last owned the data directory'),
      onUpgrade: (progress) => log.info(progress, 'upgrading the records'),
    })
    return { storage, watch: await storage.keepWatch({ ...config, log }) }
  } catch (error) {
    await storage?.close()
    await pool.close()
    metrics.close()
    throw error
  }
}

function reportOutage(log: Log, { part, ...facts }: Outage): void {
  if ('reason' in facts) log.warn(facts, `${part} does not respond`)
  else log.info(facts, `${part} responds again`)
}

interface RunningParts extends Opened {
  readonly services: Services
  readonly pool: Pool
  readonly metrics: Metrics
}

async function release({ services, pool, metrics, storage, watch }: RunningParts): Promise<void> {
  await services.background.close()
  await services.keyUse.close()
  await services.pictures.close()
  await watch.close()
  await storage.settle()
  await pool.close()
  await storage.close()
  metrics.close()
}

function urlOf({ port }: AddressInfo, host: string): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
