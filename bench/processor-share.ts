// Limits servers to a share of a core each with a cgroup (v1 or v2). Several servers, their database and the
// load generator then fit on one machine, and the servers are the bottleneck. Needs root.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './processes.ts'

const V1 = '/sys/fs/cgroup/cpu'
const V2 = '/sys/fs/cgroup'
/** A short period, so that a throttled server waits only briefly for its next share. */
const PERIOD_US = 10_000

/** Limits all threads of the server from now on; `stop` also removes the cgroup. */
export function limited(server: Running, cores: number): Running {
  const group = join(existsSync(V1) ? V1 : V2, `cms-bench-${server.pid}`)
  const quota = Math.round(cores * PERIOD_US)
  mkdirSync(group)
  if (existsSync(V1)) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US))
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
  } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`)
  writeFileSync(join(group, 'cgroup.procs'), String(server.pid))
  return {
    ...server,
    async stop(signal) {
      await server.stop(signal)
      await emptied(group)
      rmdirSync(group)
    },
  }
}

/** The system removes a process from its cgroup shortly after the process ends. */
async function emptied(group: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (readFileSync(join(group, 'cgroup.procs'), 'utf8') === '') return
    await sleep(50)
  }
}

/** The share of all cores of this machine that was idle during the work. */
export async function idleDuring<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const before = readTicks()
  const done = await work()
  const after = readTicks()
  return [done, (after.idle - before.idle) / (after.all - before.all)]
}

function readTicks(): { readonly idle: number; readonly all: number } {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/).slice(1).map(Number)
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] =
    ticks ?? []
  return { idle: idle + wait, all: user + nice + system + idle + wait + irq + soft + stolen }
}
