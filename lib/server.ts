// The composition root: builds everything, passes it on, and gives back where it listens and how to
// stop. A request is followed from serve.ts: → api/request/answer.ts → operations → storage.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { NotReady } from './api/health.ts'
import { FAILED, findTrouble, STARTING, STOPPING } from './readiness.ts'
import { allRoutes } from './api/routes.ts'
import { findWarnings } from './api/warnings.ts'
import { type CursorCipher, openCursorCipher } from './auth/cursor-cipher.ts'
import { openGuard } from './auth/guard.ts'
import { openKeyUse } from './auth/key-use.ts'
import type { Config } from './config.ts'
import { type Limits, LIMITS } from './limits.ts'
import { basePathOf } from './http/base-path.ts'
import { isShared } from './http/client-address.ts'
import { readFileLimit } from './http/file-limit.ts'
import { type ConnectionOptions, limitConnections } from './http/connections.ts'
import { buildServer } from './http/server.ts'
import type { Log } from './log.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { runCommand } from './operations/people/commands.ts'
import { expireAudit } from './operations/trail/audit-retention.ts'
import type { Services } from './operations/context.ts'
import { beginSite } from './operations/start/begin.ts'
import { openBackground } from './operations/background/background.ts'
import { folderContentsOf } from './operations/folder-contents.ts'
import { OBJECT_RULES } from './api/objects.ts'
import { openFolderWatches } from './operations/folders/folder-watch.ts'
import { expireRows as expireIdempotency, openIdempotency } from './operations/trail/idempotency.ts'
import { openModules } from './operations/modules/module-cache.ts'
import { openModuleWatches } from './operations/modules/module-watch.ts'
import type { LivedTime } from './operations/background/lived-time.ts'
import { countRecords } from './operations/background/record-counts.ts'
import { requireSiteKey } from './operations/people/site-key.ts'
import { watchClock } from './watch-clock.ts'
import { buildServe, type Serve } from './serve.ts'
import type { Storage, Watch } from './storage/engine.ts'
import { openStorage } from './storage/open.ts'
import { openPool, type Pool } from './workers/pool.ts'

export interface RunningServer {
  readonly url: string
  /** The data directory was empty, and got its first user. */
  readonly isFirstStart: boolean
  /** The disk has failed to write. */
  isReadOnly(): boolean
  /** Stops taking connections, lets requests finish, closes the storage. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly log: Log
  /** Called once when the storage can no longer be trusted: the process must end. */
  readonly onFailure: (cause: unknown) => void
  /** The clock; that of the machine unless a test has its own. */
  readonly now?: () => Date
  /** A clock that nobody sets: the milliseconds since some moment. */
  readonly uptimeMs?: () => number
  /** Other than those of the interface, so that a test need not wait for seconds. */
  readonly limits?: Limits
}

// oxlint-disable-next-line eslint/max-lines-per-function -- one step after the other
export async function startServer({
  config,
  log,
  onFailure,
  now = () => new Date(),
  uptimeMs = () => performance.now(),
  limits = LIMITS,
}: StartOptions): Promise<RunningServer> {
  const pool = openPool(config.workers)
  const metrics = openMetrics()
  let phase: NotReady | undefined = STARTING
  const fail = (cause: unknown): void => {
    phase = FAILED
    onFailure(cause)
  }
  const opened = await open({ config, log, limits, pool, metrics, fail })
  const { storage, watch } = opened

  const cursors = openCursorCipher(await requireSiteKey(storage.records))
  const lived = watchClock(storage.records, { log, now, uptimeMs })
  const services = buildServices({ config, log, limits, pool, now, lived, cursors, ...opened })
  const { isFirstStart, resumed } = await beginSite(services, config)
  storage.serveCommands((command) => runCommand(services, command))
  log.info({ ...storage.recovered, resumed }, 'storage open')

  const surroundings = {
    connections: config.maxConnections + limits.maxRefusedConnections,
    fileLimit: readFileLimit(),
  }
  const health = {
    warnings: () => findWarnings(config, { ...surroundings, ...(server.address() as AddressInfo) }),
    unready: () => phase ?? findTrouble(storage.status(), watch.status(), config),
    metrics: () => readMetrics(metrics, { ...opened, pool }),
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
  })
  const server = buildServer(limits, serve)
  limitConnections(server, connectionLimits({ config, log, limits }, serve))

  async function close(): Promise<void> {
    phase = STOPPING
    await drain(server, config.drainTimeoutMs)
    await release({ services, pool, storage, watch })
  }

  await listen(server, config).catch(async (error: unknown) => {
    await release({ services, pool, storage, watch })
    throw error
  })
  for (const { code, detail } of health.warnings()) log.warn({ code }, detail)
  phase = undefined
  if (!config.readOnly) expireRows(services, config)

  return {
    url: urlOf(server.address() as AddressInfo, config.host),
    isFirstStart,
    isReadOnly: () => storage.status().isReadOnly,
    close,
  }
}

function readMetrics(metrics: Metrics, { storage, watch, pool }: Omit<Held, 'services'>) {
  return metrics.read({
    storage: storage.status(),
    watch: watch.status(),
    tasks: pool.status(),
    records: countRecords(storage.records),
  })
}

/** Rows that are kept for a time go in the background. */
function expireRows(services: Services, { auditDays }: Config): void {
  const { background } = services
  void background.run('expire-audit', (signal) => expireAudit(services, auditDays, signal))
  void background.run('expire-idempotency', (signal) => expireIdempotency(services, signal))
}

interface OpenOptions {
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly pool: Pool
  readonly metrics: Metrics
  readonly fail: (cause: unknown) => void
}

interface Opened {
  readonly storage: Storage
  readonly watch: Watch
}

async function open({ config, log, limits, pool, metrics, fail }: OpenOptions): Promise<Opened> {
  let storage: Storage | undefined
  try {
    storage = await openStorage({
      config,
      limits,
      pool,
      onFailure: fail,
      onTrouble: (message, cause) => log.error({ err: cause }, message),
      onCommit: metrics.observeCommit,
    })
    return { storage, watch: await storage.keepWatch({ ...config, log }) }
  } catch (error) {
    await storage?.close()
    await pool.close()
    throw error
  }
}

interface Held extends Opened {
  readonly services: Services
  readonly pool: Pool
}

async function release({ services, pool, storage, watch }: Held): Promise<void> {
  await services.background.close()
  await services.keyUse.close()
  await watch.close()
  await storage.settle()
  await pool.close()
  await storage.close()
}

interface Parts extends Opened {
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly pool: Pool
  readonly now: () => Date
  readonly lived: LivedTime
  readonly cursors: CursorCipher
}

function buildServices({
  config,
  log,
  limits: own,
  pool,
  storage,
  watch,
  now,
  lived,
  cursors,
}: Parts): Services {
  const { records } = storage
  const limits = { ...own, maxUploadBytes: config.maxUploadBytes }
  const keyUse = openKeyUse(records, lived.look)
  return {
    records,
    contents: storage.contents,
    room: watch.room,
    guard: openGuard({
      records,
      limits: {
        most: limits.invalidKeys,
        windowMs: limits.invalidKeysWindowMs,
        tableSize: limits.addressTable,
      },
      ratePerSecond: config.rateLimit,
      isFamiliar: keyUse.isFamiliar,
    }),
    keyUse,
    cursors,
    idempotency: openIdempotency({ records, limits, now, lived }),
    modules: openModules(),
    watches: openModuleWatches(),
    folderWatches: openFolderWatches(),
    calendarWork: {
      expand: (input, signal) => pool.run('expandEntries', input, { signal }),
      feed: (input, signal) => pool.run('buildFeed', input, { signal }),
    },
    openArchive: storage.openArchive,
    background: openBackground((name, error) =>
      log.error({ work: name, err: error }, 'background work failed'),
    ),
    folderContents: folderContentsOf(OBJECT_RULES),
    purging: new Set(),
    revoking: new Set(),
    verified: new LRUCache({ max: 10_000, ttl: limits.verifyEveryMs }),
    limits,
    basePath: basePathOf(config.baseUrl),
    now,
    lived,
  }
}

function connectionLimits(
  { config, log, limits }: Pick<StartOptions, 'config' | 'log'> & { readonly limits: Limits },
  { refuse }: Pick<Serve, 'refuse'>,
): ConnectionOptions {
  return {
    all: config.maxConnections,
    perAddress: config.maxConnectionsPerAddress,
    refused: limits.maxRefusedConnections,
    refusalTimeoutMs: limits.refusalTimeoutMs,
    isShared: (address) => isShared(address, config.proxies),
    refuse,
    onDrop: (address) => log.warn({ address }, 'connection closed: there are too many'),
  }
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

/** Takes no more connections; those that are open get the time to finish their requests. */
async function drain(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection that answers later is idle only then.
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs)

  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}

function urlOf({ port }: AddressInfo, host: string): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
