// The composition root of a reader process (--processes): it answers reads from the records and contents, and hands all
// other requests over to the writer process. A reader process ends with the writer process.

import type { HealthSources } from '../api/health.ts'
import { allRoutes } from '../api/routes.ts'
import { openReadingGuard, ratesOf } from '../auth/guard.ts'
import type { Config } from '../config/config.ts'
import { HandOver } from '../base/errors.ts'
import { type Adopted, adoptConnections } from '../processes/adopted.ts'
import { compressApart } from '../http/compress.ts'
import { openRunning } from '../http/concurrency-limits.ts'
import { buildServer } from '../http/server.ts'
import { LIMITS, partOf } from '../config/limits.ts'
import type { Log } from '../base/log.ts'
import { openMetrics } from '../metrics/metrics.ts'
import { openChannel } from '../processes/channel.ts'
import { openHandingOver } from '../processes/hand-over.ts'
import { runningLimits } from './connection-limits.ts'
import { buildServe } from './serve.ts'
import { buildReadingServices } from './reader-services.ts'
import { openStorageBeside } from './open-storage.ts'

/**
 * The part of the cache memory that a reader process may use for responses and for records, because there may be many
 * reader processes. Records get less, because decoded records take several times their size.
 */
const ANSWER_SHARE = 1 / 4
const RECORD_SHARE = 1 / 8

export interface ReaderOptions {
  readonly config: Config
  readonly log: Log
  /** Called when the process can no longer serve requests. */
  readonly onFailure: (cause: unknown) => void
  /** Called when the process was told to stop and has finished its requests. */
  readonly onStopped: () => void
  /** Called when the writer process has ended. */
  readonly onAlone: () => void
}

/** Resolves when the process accepts connections. */
export async function startReader(options: ReaderOptions): Promise<void> {
  const { config, log, onFailure, onStopped, onAlone } = options
  const { dataDir, processes } = config
  const limits = partOf(LIMITS, { role: 'reads', processes })
  const metrics = openMetrics('reads')
  let isDraining = false
  /** Built last, but used by callbacks of earlier parts. */
  const late: { own?: Adopted; endWaiting?: () => void } = {}
  const storage = await openStorageBeside({ dataDir, limits, cacheShare: RECORD_SHARE, onFailure })
  const channel = openChannel({
    onConnection: (socket, onClose) => late.own?.take(socket, onClose),
    onGuessing: (source, seconds) => guard.noteGuessing(source, seconds),
    measure: metrics.ofProcess,
    onAlone,
    onStop(timeoutMs) {
      isDraining = true
      late.endWaiting?.()
      void Promise.resolve(late.own?.drain(timeoutMs)).then(() => {
        channel.flush()
        onStopped()
      })
    },
  })
  const { records } = storage
  const guard = openReadingGuard({
    records,
    tableSize: limits.addressTable,
    rates: ratesOf(config.rateLimit, limits),
    takeRate: async ({ api_key_id, user_id }) =>
      (await channel.ask({ of: 'rate', party: { api_key_id, user_id } })) ?? undefined,
    takeFailure: async (hash, source) =>
      (await channel.ask({ of: 'failure', hash, source: source ?? null })) ?? undefined,
  })
  const handing = openHandingOver(await channel.address, limits.stallTimeoutMs)
  const running = openRunning({ ...runningLimits(config, limits), lender: channel })
  const { counts } = running
  const services = buildReadingServices({ config, limits, storage, guard, channel, counts })
  late.endWaiting = services.changeWatch.close
  const serve = buildServe({
    config,
    log,
    limits,
    services,
    metrics: metrics.requests,
    routes: allRoutes({ ...NOT_HERE, ...config }),
    isDraining: () => isDraining,
    parseElsewhere: () => Promise.reject(new HandOver()),
    compressElsewhere: compressApart,
    running,
    elsewhere: {
      // Open routes are requested rarely and concern the whole server or all modules.
      answers: ({ method, action, access }) =>
        method !== 'GET' || action !== undefined || access === 'open',
      handOver: handing.to,
      cacheShare: ANSWER_SHARE,
    },
  })
  late.own = adoptConnections(
    buildServer(limits, { ...serve, acceptFairness: channel.acceptFairness }),
  )
  channel.ready()
}

/** Health and metrics concern the whole server, so the writer process answers them. */
const NOT_HERE: HealthSources = {
  unready: notHere,
  warnings: notHere,
  metrics: notHere,
}

function notHere(): never {
  throw new HandOver()
}
