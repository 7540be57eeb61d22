// Servers that may have only a part of a core each, by a group of the system (cgroup v1 or v2): so several of them, their
// database and who asks them have room on one machine, and what is measured is they. Wants root.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './processes.ts'

const V1 = '/sys/fs/cgroup/cpu'
const V2 = '/sys/fs/cgroup'
/** Short, so that nobody waits long for the next one. */
const PERIOD_US = 10_000

/** From now on, with all its threads; its `stop` takes the group away, too. */
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

/** The system takes a process out of it a moment after its end. */
async function emptied(group: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (readFileSync(join(group, 'cgroup.procs'), 'utf8') === '') return
    await sleep(50)
  }
}

/** The part of all cores of this machine that nobody used while this was done. */
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
