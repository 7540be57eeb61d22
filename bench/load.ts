// Puts load on a server and measures the result. wrk sends reads where it is installed, because it uses so
// little of the machine that the server is the limit. autocannon sends everything else.

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
  /** Number of different requests; undefined if every request is unique. */
  readonly addresses: number | undefined
  /** The request with this number. */
  readonly target: (count: number) => Target
}

export interface Figures {
  readonly generator: 'wrk' | 'autocannon' | 'none'
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** CPU time per request, of all processes and threads of the server. */
  readonly cpuUs: number
  readonly errors: number
}

export interface Firing {
  readonly load: Load
  readonly connections: number
  readonly seconds: number
}

/**
 * Sends requests one after another on each connection until the time is up. Throws if more than one
 * request in a thousand fails, because a rate of refusals does not measure the wanted work.
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

/** Figures that a load generator reports. */
export interface Shot {
  readonly count: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  readonly errors: number
}

/** Counts over the whole run, so that unique requests stay unique across rounds and scenarios. */
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
