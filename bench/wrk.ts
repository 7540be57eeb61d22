// wrk as a second generator, where it is installed. It takes so little of the processor that the server
// is the limit, where autocannon would be it; but it can only send one request over and over.

import { spawnSync } from 'node:child_process'
import type { Load } from './scenarios.ts'

const isInstalled = spawnSync('wrk', ['--version']).error === undefined

export interface WrkInput {
  readonly url: string
  readonly connections: number
  readonly load: Load
  readonly seconds: number
}

/** Whether wrk is here and can send this. */
export function canWrk({ method, next }: Load): boolean {
  return isInstalled && method === 'GET' && next === undefined
}

/** Requests per second; throws where an answer is no success. */
export function fireWrk({ url, connections, load, seconds }: WrkInput): number {
  const headers = Object.entries(load.headers).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ])
  const sizes = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`]
  const { stdout } = spawnSync('wrk', [...sizes, ...headers, `${url}${load.path}`])
  const told = stdout.toString()
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(told)?.[1])
  if (Number.isNaN(perSecond) || /Non-2xx|Socket errors/.test(told))
    throw new Error(`wrk on ${load.path}: ${told}`)
  return perSecond
}
