// Load on a server, and what came of it. Reads are sent by wrk where it is installed, because it takes so little of
// the machine that the server is the limit; everything else by autocannon.

import autocannon from 'autocannon'
import { cpuMs, type Running } from './processes.ts'
import { canWrk, fireWrk } from './wrk.ts'

export interface Site {
  readonly url: string
  readonly key: string
}

export interface Target {
  readonly path: string
  readonly body?: Buffer
}

export interface Load {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** Of how many different requests; undefined where none is like another. */
  readonly addresses: number | undefined
  /** The request of this number. */
  readonly target: (count: number) => Target
}

export interface Figures {
  readonly generator: 'wrk' | 'autocannon' | 'none'
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Of all processes and threads of the server, for each request. */
  readonly cpuUs: number
  readonly errors: number
}

export interface Firing {
  readonly load: Load
  readonly connections: number
  readonly seconds: number
}

/**
 * Requests one after another on each connection, as many as are answered. Throws where more than one in a thousand is
 * refused: a rate of refusals is none of the work that was asked for.
 */
export async function fire(server: Running, firing: Firing): Promise<Figures> {
  const cpuBefore = cpuMs(server.pid)
  const isReading = canWrk(firing.load)
  const shot = isReading ? await fireWrk(server.url, firing) : await fireCannon(server.url, firing)
  const { count, seconds, ...rest } = shot
  if (rest.errors > count / 1_000)
    throw new Error(`${firing.load.target(0).path}: ${rest.errors} errors of ${count}`)
  return {
    ...rest,
    generator: isReading ? 'wrk' : 'autocannon',
    perSecond: count / seconds,
    cpuUs: ((cpuMs(server.pid) - cpuBefore) * 1_000) / Math.max(1, count),
  }
}

/** What a generator tells. */
export interface Shot {
  readonly count: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  readonly errors: number
}

/** Of the whole run, so that a request that must be new is new in each round and each scenario. */
let sent = 0

export function nextTarget({ target }: Load): Target {
  return target((sent += 1))
}

async function fireCannon(url: string, { load, connections, seconds }: Firing): Promise<Shot> {
  const { method, headers, addresses } = load
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    requests: [
      {
        method,
        headers: { ...headers },
        ...nextTarget(load),
        ...(addresses !== 1 && {
          setupRequest: (item: autocannon.Request) => ({ ...item, ...nextTarget(load) }),
        }),
      },
    ],
  })
  return {
    count: result.requests.total,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
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
