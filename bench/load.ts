// Load on a server, and the limit that it is compared with.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { request } from 'undici'
import { cpuMs, type Running, startBare } from './processes.ts'
import type { Load, Scenario } from './scenarios.ts'

export interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
  readonly errors: number
}

export interface LimitInput {
  readonly dir: string
  readonly url: string
  readonly load: Load
}

/** Asks the real server once and lets the bare one answer the same. */
export async function startLimit(
  { limit }: Scenario,
  { dir, url, load }: LimitInput,
): Promise<Running | undefined> {
  if (limit === 'none') return undefined
  const answer = await request(`${url}${load.path}`, { headers: load.headers })
  const body = Buffer.from(await answer.body.arrayBuffer())
  if (answer.statusCode !== 200)
    throw new Error(`${load.path} answered ${answer.statusCode}: ${body.toString()}`)

  const {
    connection,
    date,
    'keep-alive': keepAlive,
    'content-length': length,
    ...headers
  } = answer.headers
  const bodyFile = join(dir, 'body')
  const replayFile = join(dir, 'replay.json')
  writeFileSync(bodyFile, body)
  writeFileSync(
    replayFile,
    JSON.stringify(
      limit === 'stream' ? { headers, path: bodyFile } : { headers, body: body.toString('base64') },
    ),
  )
  return startBare(replayFile)
}

export async function fire(
  server: Running,
  scenario: Scenario,
  load: Load,
  seconds: number,
): Promise<Figures> {
  const cpuBefore = cpuMs(server.pid)
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
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuUs: (cpu * 1_000) / Math.max(1, result.requests.total),
    errors: result.errors + result.non2xx,
  }
}

export function middle(figures: readonly Figures[]): Figures {
  const sorted = figures.toSorted((left, right) => left.perSecond - right.perSecond)
  const found = sorted[Math.floor(sorted.length / 2)]
  if (found === undefined) throw new Error('nothing was measured')
  return found
}

export function number(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}
