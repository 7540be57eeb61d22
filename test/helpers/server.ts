// A real server on a free port and a real temporary directory, and a client that exposes all headers.

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../lib/config/config.ts'
import { type Limits, LIMITS } from '../../lib/config/limits.ts'
import { type Log, openLog } from '../../lib/base/log.ts'
import { type StartOptions, startServer } from '../../lib/server/server.ts'
import { askOwner } from '../../lib/storage/embedded/lock.ts'
import { siteBehind } from './engine.ts'
import { closeAtEnd } from './leftovers.ts'
import { forkReader, USUAL_PROCESSES } from './reading-processes.ts'
import { isPair, startNodePair } from './node-pair.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON; undefined if the body is not JSON. */
  readonly body: any
}

export interface Call {
  /** Sent as application/json. */
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Secret of the key for the request; null: no key. Default: the admin key of the server. */
  readonly key?: string | null
}

export interface TestServer {
  readonly url: string
  readonly dataDir: string
  /** Secret of a key of the user admin, with all grants. */
  readonly key: string
  /** Path of the link that the first start prints. */
  readonly welcome: string | undefined
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** Runs a command like the command line: `{command: 'key.create', name: 'x', grants: 'view'}`. */
  command(request: object): Promise<any>
  /** Creates a key and returns its secret. */
  makeKey(args: object): Promise<string>
  /** Sends a multipart form; a part with `bytes` is the file. */
  upload(parts: readonly Part[], call?: Call): Promise<Answer>
  /** Stops the server and keeps the data, so that another server can start on it. */
  stop(): Promise<void>
  /** Stops the server and removes the data. */
  close(): Promise<void>
}

/** Anything that answers calls: one server, or several servers of one site. */
export type Answering = Pick<TestServer, 'call'>

export interface Part {
  readonly name: string
  readonly value?: string
  readonly bytes?: Uint8Array
  readonly fileName?: string
}

export interface TestOptions {
  readonly dataDir?: string
  readonly config?: Partial<Config>
  /** The wall clock of the server. */
  readonly now?: () => Date
  /** A monotonic clock; the system's unless a test makes it jump. */
  readonly uptimeMs?: () => number
  /** Smaller limits, where the server's own would make a test wait. */
  readonly limits?: Partial<Limits>
  /** Destination of the log; discarded unless a test reads it. */
  readonly log?: Log
}

const MIB = 1024 * 1024

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'cms-test-'))
}

const running = new Set<TestServer>()
closeAtEnd(closeTestServers)

/** Closes the servers that failed tests have left. */
export async function closeTestServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.close()))
}

export async function startTestServer(options: TestOptions = {}): Promise<TestServer> {
  return isPair(options) ? startNodePair(options, startOne) : startOne(options)
}

async function startOne(options: TestOptions, known?: string): Promise<TestServer> {
  const dataDir = options.dataDir ?? join(temporaryDirectory(), 'data')
  const cluster = await siteBehind(dataDir)
  const isAlone = options.now !== undefined || options.limits !== undefined
  const config: Config = {
    dataDir,
    readOnly: false,
    // Reader processes cannot get another clock or other limits.
    processes: isAlone ? 1 : USUAL_PROCESSES,
    upgrade: false,
    host: '127.0.0.1',
    port: 0,
    baseUrl: undefined,
    corsOrigins: [],
    sites: [],
    liveTree: undefined,
    docs: 'public',
    logLevel: 'silent',
    workers: 2,
    maxUploadBytes: 64 * MIB,
    uploadMs: 24 * 3_600_000,
    maxConnections: 4096,
    maxConnectionsPerAddress: 128,
    rateLimit: 0,
    proxies: undefined,
    webhookAllow: undefined,
    accelPrefix: undefined,
    drainTimeoutMs: 5_000,
    auditDays: 400,
    auditRows: 0,
    trashDays: undefined,
    commitTimeoutMs: 30_000,
    // Tests do not depend on free disk space, and have no files to scrub.
    headroom: { minFreeBytes: 0, minFreeRatio: 0 },
    scrub: { everyMs: 0, bytesPerSecond: 4 * MIB },
    oidc: { issuer: undefined, clientId: undefined, clientSecret: undefined },
    mail: { server: undefined, from: undefined, language: 'en' },
    contentCacheBytes: 256 * MIB,
    pictureCacheBytes: 256 * MIB,
    picturePresets: new Map(),
    cluster,
    ...options.config,
    // A cluster node has a single process.
    ...(cluster !== undefined && { processes: 1 }),
  }
  const server = await startServer({
    config,
    limits: { ...LIMITS, ...options.limits },
    log: options.log ?? openLog('silent'),
    ...clocksOf(options),
    ...(config.processes > 1 && { fork: () => forkReader(config) }),
    onFailure: (cause) => {
      throw cause
    },
  })

  const command = async (request: object): Promise<any> => (await askOwner(dataDir, request))?.value
  const makeKey = async (args: object): Promise<string> =>
    (await command({ command: 'key.create', name: 'test', ...args })).secret
  const key = known ?? (await makeKey({ name: 'admin' }))
  const agent = isAlone || config.processes > 1 ? undefined : openAgent()
  let answeredAtMs = 0
  const call = async (method: string, path: string, options: Call = {}): Promise<Answer> => {
    if (performance.now() - answeredAtMs > IDLE_MS) closeIdle(agent)
    const answer = await send(server.url, method, path, { key, ...options, agent })
    answeredAtMs = performance.now()
    return answer
  }
  if (config.processes > 1) await untilReady(server.url)
  let isStopped = false

  async function stop(): Promise<void> {
    closeIdle(agent)
    if (!isStopped) await server.close()
    isStopped = true
    running.delete(own)
  }

  const own: TestServer = {
    url: server.url,
    dataDir,
    key,
    welcome: server.welcome,
    call,
    command,
    makeKey,
    upload(parts, options = {}) {
      const { contentType, body } = buildForm(parts)
      return call('POST', '/upload', {
        ...options,
        body,
        headers: { 'content-type': contentType, ...options.headers },
      })
    },
    stop,
    async close() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  running.add(own)
  return own
}

/** Waits until all processes accept connections. */
async function untilReady(url: string): Promise<void> {
  for (;;) {
    const { body } = await send(url, 'GET', '/ready', { key: null })
    const warnings: readonly { readonly code: string }[] = body.warnings ?? []
    if (!warnings.some(({ code }) => code === 'few-processes')) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function clocksOf({ now, uptimeMs }: TestOptions): Pick<StartOptions, 'now' | 'uptimeMs'> {
  if (now === undefined) return {}
  return { now, uptimeMs: uptimeMs ?? (() => now().getTime()) }
}

/** Less than the server's own timeout for idle connections, so that no call meets a connection that the server closes. */
const IDLE_MS = LIMITS.keepAliveTimeoutMs / 5

/**
 * Reuses connections: a new one costs 0.37 ms of processor time. Each call has a new connection if the test changes
 * limits or clocks, which may close idle connections, or if connections select the process.
 */
function openAgent(): Agent {
  return new Agent({ keepAlive: true, timeout: IDLE_MS })
}

/** Running calls still get their answers. Timers are late while a test computes, so `call` checks the time, too. */
function closeIdle(agent: Agent | undefined): void {
  for (const idle of Object.values(agent?.freeSockets ?? {}))
    for (const socket of idle ?? []) socket.destroy()
}

/** Sends one request with the path exactly as given. Without an agent, the connection is new. */
export function send(
  url: string,
  method: string,
  path: string,
  { json, body, headers = {}, key, agent }: Call & { readonly agent?: Agent | undefined },
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const bytes = json === undefined ? body : JSON.stringify(json)
  const all = {
    ...(key !== null && key !== undefined && { authorization: `Bearer ${key}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
    ...headers,
  }

  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname: withoutBrackets(hostname),
        port,
        method,
        path,
        headers: all,
        agent: agent ?? false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const whole = Buffer.concat(chunks)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: whole,
            text: whole.toString(),
            body: parse(whole),
          })
        })
      },
    )
    request.on('error', reject)
    request.end(bytes)
  })
}

/** Sockets take IPv6 addresses without brackets. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

export function buildForm(parts: readonly Part[]): {
  readonly contentType: string
  readonly body: Buffer
} {
  const boundary = '----cms-test-boundary'
  const chunks = parts.flatMap(({ name, value, bytes, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(bytes ?? value ?? ''), Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}

function parse(bytes: Buffer): any {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
