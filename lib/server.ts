// The composition root: builds everything, passes it on, and gives back where it listens and how to
// stop. A request is followed from here: `serve` → api/route.ts → operations → storage.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LRUCache } from 'lru-cache'
import { buildRequest } from './api/request.ts'
import { problemReply } from './api/problems.ts'
import { answer, type Route } from './api/route.ts'
import { allRoutes } from './api/routes.ts'
import type { Caller } from './auth/caller.ts'
import { openKeyUse } from './auth/key-use.ts'
import { type Config, LIMITS } from './config.ts'
import { CmsError } from './errors.ts'
import type { BodyLimits } from './http/body.ts'
import { corsHeaders, optionsReply } from './http/cors.ts'
import { type Reply, send } from './http/reply.ts'
import { buildRouter } from './http/router.ts'
import { buildServer, checkFrame } from './http/server.ts'
import type { Log } from './log.ts'
import { runCommand } from './operations/commands.ts'
import type { Services } from './operations/context.ts'
import { prepareSite } from './operations/first-start.ts'
import { openBackground } from './operations/background.ts'
import { openModules } from './operations/module-cache.ts'
import { openModuleWatches } from './operations/module-watch.ts'
import { resumeWork } from './operations/resume.ts'
import { openStorage, type Storage } from './storage/open.ts'
import { openPool, type Pool } from './workers/pool.ts'

export interface RunningServer {
  readonly url: string
  /** The data directory was empty, and got its first user. */
  readonly isFirstStart: boolean
  /** Stops taking connections, lets requests finish, closes the storage. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly log: Log
  /** Called once when the storage can no longer be trusted: the process must end. */
  readonly onFailure: (cause: unknown) => void
}

export async function startServer({
  config,
  log,
  onFailure,
}: StartOptions): Promise<RunningServer> {
  const pool = openPool(config.workers)
  let unready: string | undefined = 'The server is starting.'
  const fail = (cause: unknown): void => {
    unready = 'The storage failed; the server is stopping.'
    onFailure(cause)
  }
  const storage = await openStorage({
    config,
    limits: LIMITS,
    pool,
    onFailure: fail,
    onTrouble: (cause) => log.error({ err: cause }, 'contents wait to be written as files'),
  }).catch(async (error: unknown) => {
    await pool.close()
    throw error
  })

  const services = buildServices({ config, log, pool, storage })
  const isFirstStart = await prepareSite(services.records, services.now())
  const resumed = await resumeWork(services)
  storage.serveCommands((command) => runCommand(services, command))
  log.info({ ...storage.recovered, resumed }, 'storage open')

  const serve = buildServe({
    config,
    log,
    services,
    routes: allRoutes({ unready: () => unready, baseUrl: config.baseUrl }),
    parseElsewhere: (bytes, limits) => pool.run('parseBody', { bytes, limits }),
  })
  const isDraining = (): boolean => unready !== undefined
  const server = buildServer(
    { ...LIMITS, maxConnections: config.maxConnections },
    (request, response, continueBody) => {
      if (isDraining()) response.shouldKeepAlive = false
      return serve(request, response, continueBody)
    },
  )

  async function release(): Promise<void> {
    await services.background.close()
    await services.keyUse.close()
    await storage.settle()
    await pool.close()
    await storage.close()
  }

  async function close(): Promise<void> {
    unready = 'The server is stopping.'
    await drain(server, config.drainTimeoutMs)
    await release()
  }

  await listen(server, config).catch(async (error: unknown) => {
    await release()
    throw error
  })
  unready = undefined

  return { url: urlOf(server.address() as AddressInfo, config.host), isFirstStart, close }
}

interface Parts {
  readonly config: Config
  readonly log: Log
  readonly pool: Pool
  readonly storage: Storage
}

function buildServices({ config, log, pool, storage }: Parts): Services {
  return {
    records: storage.records,
    contents: storage.contents,
    keyUse: openKeyUse(storage.records),
    modules: openModules(),
    watches: openModuleWatches(),
    calendarWork: {
      expand: (input) => pool.run('expandEntries', input),
      feed: (input) => pool.run('buildFeed', input),
    },
    background: openBackground((name, error) =>
      log.error({ work: name, err: error }, 'background work failed'),
    ),
    purging: new Set(),
    verified: new LRUCache({ max: 10_000, ttl: LIMITS.verifyEveryMs }),
    limits: { ...LIMITS, maxUploadBytes: config.maxUploadBytes },
    now: () => new Date(),
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

interface ServeOptions {
  readonly config: Config
  readonly log: Log
  readonly services: Services
  readonly routes: readonly Route[]
  readonly parseElsewhere: (
    bytes: Uint8Array,
    limits: { maxDepth: number; maxKeys: number },
  ) => Promise<unknown>
}

type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  continueBody: () => void,
) => Promise<void>

/** Nobody changes the query of a request. */
const NO_QUERY = new URLSearchParams()

/** One request: find the route, run it, send the reply or the problem, log one line. */
function buildServe({ config, log, services, routes, parseElsewhere }: ServeOptions): Serve {
  const router = buildRouter(routes)
  const json: BodyLimits = {
    maxBytes: LIMITS.jsonBytes,
    inlineBytes: LIMITS.inlineJsonBytes,
    maxDepth: LIMITS.jsonDepth,
    maxKeys: LIMITS.jsonKeys,
    timeoutMs: LIMITS.bodyTimeoutMs,
  }
  const page = { ...json, maxBytes: LIMITS.pageBytes + LIMITS.jsonBytes }
  const bodyLimits = { json, page, bulk: { ...page, maxKeys: LIMITS.bulkKeys } }
  const nextId = requestIds()

  return async (message, response, continueBody) => {
    const started = performance.now()
    const id = nextId()
    let route: Route | undefined
    let caller: Caller | undefined
    let failure: unknown

    async function run(): Promise<Reply> {
      const url = message.url ?? '/'
      const method = message.method ?? 'GET'
      checkFrame(message, LIMITS)
      if (method === 'OPTIONS') return optionsReply(url === '*' ? [] : router.methods(url))
      const found = router.find(method, url)
      route = found.route
      const mark = url.indexOf('?')
      const query = mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1))
      const parts = {
        message,
        limits: LIMITS,
        id,
        params: found.params,
        query,
        continueBody,
        bodyLimits,
        parseElsewhere,
      }
      return answer(route, buildRequest(parts), services, (who) => {
        caller = who
      })
    }

    const reply = await run().catch((error: unknown) => {
      failure = error
      return problemReply(error, id)
    })
    const extraHeaders = corsHeaders(message, config.corsOrigins)
    extraHeaders['x-request-id'] = id
    let isAborted = false
    await send(message, response, reply, {
      stallTimeoutMs: LIMITS.stallTimeoutMs,
      extraHeaders,
    }).catch((error: unknown) => {
      // Where the source failed, the socket is closed only after this.
      isAborted = message.socket.closed
      if (!isAborted) failure ??= error
      response.destroy()
    })
    const { status } = reply
    logRequest(log, { id, message, route, caller, status, started, failure, isAborted })
  }
}

interface LogLine {
  readonly id: string
  readonly message: IncomingMessage
  readonly route: Route | undefined
  readonly caller: Caller | undefined
  readonly status: number
  readonly started: number
  readonly failure: unknown
  /** The client went away before it had the whole answer, which is its right. */
  readonly isAborted: boolean
}

/** The address is not logged, but for the pattern of its route: it may hold what only the caller should know. */
function logRequest(
  log: Log,
  { id, message, route, caller, status, started, failure, isAborted }: LogLine,
): void {
  const code = failure instanceof CmsError ? failure.code : undefined
  const line = {
    request_id: id,
    method: message.method,
    route: route?.path,
    status,
    ms: Math.round((performance.now() - started) * 100) / 100,
    api_key_id: caller?.key.api_key_id,
    address: message.socket.remoteAddress,
    code,
  }
  if (status >= 500 || (failure !== undefined && code === undefined)) {
    log.error(
      {
        ...line,
        err: failure instanceof CmsError ? (failure.facts.cause ?? failure) : failure,
      },
      'request failed',
    )
  } else {
    log.info(line, isAborted ? 'request aborted' : 'request')
  }
}

/** Unique over restarts: a random part for the process, then a counter. */
function requestIds(): () => string {
  const prefix = Math.random().toString(36).slice(2, 8).padEnd(6, '0')
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
