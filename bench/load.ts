// Load on a server, and the limit that it is compared with.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { request } from 'undici'
import { cpuMs, type Running, startBare } from './processes.ts'
import type { Load, Measured } from './scenarios.ts'

export interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
  /** CPU of the generator for each request: what it could send alone, it cannot get beyond. */
  readonly generatorUs: number
  readonly errors: number
}

export interface LimitInput {
  readonly dir: string
  readonly url: string
  readonly load: Load
}

export interface LimitServer {
  /** Undefined where the limit is no server. */
  readonly url: string | undefined
  measure(seconds: number): Promise<Figures>
  stop(): Promise<void>
}

/** Asks the real server once, lets the limit answer the same, and warms it up. */
export async function startLimit(
  scenario: Measured,
  { dir, url, load }: LimitInput,
): Promise<LimitServer | undefined> {
  const { limit, connections } = scenario
  if (limit === 'none') return undefined
  if (limit === 'raw-files') {
    const measure = async (seconds: number): Promise<Figures> => rawFiles(dir, connections, seconds)
    return { url: undefined, measure, stop: async () => undefined }
  }

  const target = { ...load, ...load.next?.() }
  const answer = await request(`${url}${target.path}`, {
    method: target.method,
    headers: load.headers,
    ...(target.body && { body: target.body }),
  })
  const body = Buffer.from(await answer.body.arrayBuffer())
  const { statusCode: status } = answer
  if (status >= 300) throw new Error(`${target.path} answered ${status}: ${body.toString()}`)

  const {
    connection,
    date,
    'keep-alive': alive,
    'content-length': length,
    ...headers
  } = answer.headers
  const path = join(dir, 'body')
  const replayFile = join(dir, 'replay.json')
  writeFileSync(path, body)
  writeFileSync(replayFile, JSON.stringify({ kind: limit, status, headers, path, dir }))
  const bare = await startBare(replayFile)
  await fire(bare, scenario, load, 2)
  const measure = (seconds: number): Promise<Figures> => fire(bare, scenario, load, seconds)
  return { url: bare.url, measure, stop: () => bare.stop() }
}

function rawFiles(dir: string, inFlight: number, seconds: number): Figures {
  return raw('raw-files', [join(dir, 'raw'), inFlight, seconds])
}

/** The rows of one scenario that writes entries, in LMDB alone. */
export interface Rows {
  readonly kind: 'create' | 'update'
  readonly entries: number
}

export function rawRows(
  { kind, entries }: Rows,
  { dir, inFlight, seconds }: { dir: string; inFlight: number; seconds: number },
): Figures {
  return raw('raw-rows', [join(dir, `rows-${entries}`), entries, kind, inFlight, seconds])
}

/** A process of its own that needs no server and prints what it reached. */
function raw(name: string, args: readonly (string | number)[]): Figures {
  const script = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const env = { ...process.env, UV_THREADPOOL_SIZE: '16' }
  const printed = execFileSync(process.execPath, [script, ...args.map(String)], { env }).toString()
  const { perSecond, cpuUs } = JSON.parse(printed) as Pick<Figures, 'perSecond' | 'cpuUs'>
  return { perSecond, cpuUs, p50: 0, p99: 0, generatorUs: 0, errors: 0 }
}

export async function fire(
  server: Running,
  scenario: Measured,
  load: Load,
  seconds: number,
): Promise<Figures> {
  const cpuBefore = cpuMs(server.pid)
  const ownBefore = process.cpuUsage()
  const { next } = load
  const result = await autocannon({
    url: server.url,
    connections: scenario.connections,
    duration: seconds,
    requests: [
      {
        method: load.method,
        path: load.path,
        headers: { ...load.headers },
        ...(load.body && { body: load.body }),
        ...(next && { setupRequest: (item: autocannon.Request) => ({ ...item, ...next() }) }),
      },
    ],
  })

  const cpu = cpuMs(server.pid) - cpuBefore
  const own = process.cpuUsage(ownBefore)
  const requests = Math.max(1, result.requests.total)
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuUs: (cpu * 1_000) / requests,
    generatorUs: (own.user + own.system) / requests,
    errors: result.errors + result.non2xx,
  }
}

export function middle(figures: readonly Figures[]): Figures {
  const sorted = figures.toSorted((left, right) => left.perSecond - right.perSecond)
  const found = sorted[Math.floor(sorted.length / 2)]
  if (found === undefined) throw new Error('nothing was measured')
  return found
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
