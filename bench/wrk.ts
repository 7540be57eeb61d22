// wrk as the generator of reads, where it is installed. wrk reads all requests of a load from a file and
// sends them in order; each connection takes the next request.

import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Firing, Load, Shot } from './load.ts'
import { scratchDir } from './scratch.ts'

const isInstalled = spawnSync('wrk', ['--version']).error === undefined

/**
 * Whether wrk is installed and can send this load: reads that repeat after a number of addresses.
 */
export function canWrk({ method, addresses }: Load): boolean {
  return isInstalled && method === 'GET' && addresses !== undefined
}

const scripts = new WeakMap<Load, string>()

export async function fireWrk(url: string, { load, connections, seconds }: Firing): Promise<Shot> {
  const script = scripts.get(load) ?? writeScript(load)
  scripts.set(load, script)
  const sizes = ['-t', '1', '-c', String(connections), '-d', `${Math.ceil(seconds)}s`]
  const child = spawn('wrk', [...sizes, '--timeout', '30s', '--latency', '-s', script, url])
  const [told, faults] = await Promise.all([text(child.stdout), text(child.stderr)])
  // wrk requests only `/` if it cannot read its script.
  if (faults !== '') throw new Error(`wrk: ${faults}`)
  return readReport(told)
}

/** The paths are in a file, because LuaJIT permits at most 65,536 constants in a program. */
function writeScript({ method, headers, addresses = 1, target }: Load): string {
  const dir = scratchDir()
  const paths = join(dir, 'paths')
  const script = join(dir, 'requests.lua')
  writeFileSync(
    paths,
    Array.from({ length: addresses }, (_, at) => `${target(at).path}\n`).join(''),
  )
  const pairs = Object.entries(headers).map(([name, value]) => `[ ${quote(name)} ]=${quote(value)}`)
  const each = `for line in io.lines(${quote(paths)}) do all[#all+1] = wrk.format(${quote(method)}, line, {${pairs.join(',')}}) end`
  const lines = [
    'local all = {}',
    'local at = 0',
    `init = function() ${each} end`,
    'request = function() at = at % #all + 1; return all[at] end',
  ]
  writeFileSync(script, `${lines.join('\n')}\n`)
  return script
}

function quote(value: string): string {
  return `[==[${value}]==]`
}

/** Throws if the text is not a report. */
export function readReport(told: string): Shot {
  const requests = /([\d.]+) requests in ([\d.]+)(ms|s|m)/.exec(told)
  if (requests === null) throw new Error(`wrk: ${told}`)
  const [, count = '', time = '', unit = ''] = requests
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(told)?.[1] ?? 0)
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(told)
  return {
    count: Number(count),
    seconds: inMs(time, unit) / 1_000,
    p50: percentileMs(told, 50),
    p99: percentileMs(told, 99),
    errors: (broken?.slice(1) ?? []).reduce((sum, value) => sum + Number(value), refused),
  }
}

function percentileMs(told: string, percent: number): number {
  const [, value = '', unit = ''] =
    new RegExp(`\\b${percent}%\\s+([\\d.]+)(us|ms|s|m)`).exec(told) ?? []
  return inMs(value, unit)
}

const MS_OF: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 }

function inMs(value: string, unit: string): number {
  return Number(value) * (MS_OF[unit] ?? Number.NaN)
}
