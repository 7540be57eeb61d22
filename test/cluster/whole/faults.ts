// Faults of the parts of a cluster, and how they end. The database has three machines, the store is
// Ceph with two gateways.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../rigs/random.ts'
import { clockingNode, clockingProcess, clockingServer } from './clocks.ts'
import { cutFromClients, cutFromServices } from './cuts.ts'
import type { Nodes } from './nodes.ts'
import { runScript } from './run-script.ts'

export interface Scripts {
  readonly database: string
  readonly store: string
}

/** A service has several parts, and only one part fails at a time. */
export type Service = 'database' | 'store' | 'nodes'

export interface Fault {
  readonly name: string
  /** Services that must be healthy before the fault begins. */
  readonly of: readonly Service[]
  /** The minimum duration of the fault. */
  readonly lastsMs: number
  /** Rare faults occur only in every third round and are not counted among the kinds. */
  readonly isRare?: boolean
  /** Begins the fault and returns a function that ends it. */
  begin(): Promise<() => Promise<unknown>>
}

export interface Parts {
  readonly scripts: Scripts
  readonly nodes: Nodes
  readonly random: Random
}

/** A part that can be killed and paused. */
export interface Part {
  readonly name: string
  readonly of: readonly Service[]
  readonly lastsMs: number
  /** Picks a part for the duration of a fault. */
  pick(): Promise<string>
  kill(one: string): Promise<unknown>
  start(one: string): Promise<unknown>
  pause(one: string): Promise<unknown>
  resume(one: string): Promise<unknown>
}

const DATABASE: readonly Service[] = ['database']
const STORE: readonly Service[] = ['store']
const NODES: readonly Service[] = ['nodes']
const GATEWAYS = ['rgw.1', 'rgw.2']
const OSDS = ['osd.0', 'osd.1', 'osd.2']
const BURST_MS = 150
const BURSTS = 8
/** Longer than Patroni waits for a primary (6 s). */
const FAILOVER_MS = 8_000
/** Longer than the primary waits for a standby (5 s). */
const STANDBY_MS = 6_500
/** Longer than Ceph waits for an OSD (4 s). */
const OSD_MS = 5_500
/** Longer than a silent node counts as alive (6 s). */
const NODE_MS = 6_500
const SHORT_MS = 3_000

export function faultsOf(parts: Parts): readonly Fault[] {
  const { scripts, nodes, random } = parts
  const database = (...args: readonly string[]) => runScript(scripts.database, args)
  const store = (...args: readonly string[]) => runScript(scripts.store, args)
  const leader = async (): Promise<string> => (await database('lead')).split('\n')[0] ?? ''
  const standby = async (): Promise<string> => {
    const leading = await leader()
    return random.pick(['1', '2', '3'].filter((one) => one !== leading))
  }

  const parted = { database: { of: DATABASE, run: database }, store: { of: STORE, run: store } }
  const primary = partOf('the machine of the primary', FAILOVER_MS, leader, parted.database)
  const second = partOf('the machine of a standby', STANDBY_MS, standby, parted.database)
  const gateway = partOf('a gateway', SHORT_MS, pickOf(random, GATEWAYS), parted.store)
  const osd = partOf('an OSD', OSD_MS, pickOf(random, OSDS), parted.store)
  const node = partOfNodes(parts)
  const all: readonly Part[] = [primary, second, gateway, osd, node]
  /** A fault that one command to the script begins and another command ends. */
  const told = (
    name: string,
    { lastsMs, of, pick }: Part,
    [begin, end]: readonly string[],
  ): Fault => ({
    name,
    lastsMs,
    of,
    async begin() {
      const run = of === STORE ? store : database
      const one = await pick()
      await run(begin ?? '', one)
      return () => run(end ?? '', one)
    },
  })

  return [
    ...all.map(killing),
    ...all.map(pausing),
    ...all.map(slowing),
    told('cut the primary from the other machines', primary, ['cut', 'heal']),
    told('cut a standby from the other machines', second, ['cut', 'heal']),
    told('cut a gateway from everything', gateway, ['cut', 'heal']),
    told('cut an OSD from everything', osd, ['cut', 'heal']),
    cutFromServices(parts, NODE_MS),
    cutFromClients(parts, SHORT_MS),
    clockingServer(primary, database),
    clockingServer(second, database),
    clockingProcess(gateway, store),
    clockingProcess(osd, store),
    clockingNode(parts),
    told('fill the disk of the primary', primary, ['fill', 'free']),
    told('fill the disk of a standby', second, ['fill', 'free']),
    told('fill an OSD', osd, ['fill', 'free']),
    fillingNode(nodes),
    {
      ...told('kill the postmaster of the primary', primary, ['postmaster', 'lead']),
      isRare: true,
    },
    {
      name: 'reload the balancer',
      of: NODES,
      lastsMs: SHORT_MS,
      isRare: true,
      async begin() {
        nodes.reload()
        return async () => undefined
      },
    },
    atOnce([primary, gateway, osd, node]),
  ]
}

interface Kept {
  readonly of: readonly Service[]
  /** Runs a command of the script that controls the part. */
  readonly run: (...args: string[]) => Promise<string>
}

function pickOf(random: Random, names: readonly string[]) {
  return async () => random.pick(names)
}

function partOf(
  name: string,
  lastsMs: number,
  pick: () => Promise<string>,
  { of, run }: Kept,
): Part {
  return {
    name,
    of,
    lastsMs,
    pick,
    kill: (one) => run('kill', one),
    start: (one) => run('start', one),
    pause: (one) => run('pause', one),
    resume: (one) => run('resume', one),
  }
}

function partOfNodes({ nodes, random }: Parts): Part {
  return {
    name: 'a node',
    of: NODES,
    lastsMs: NODE_MS,
    pick: async () => String(random.below(nodes.urls.length)),
    kill: (one) => nodes.kill(Number(one)),
    start: (one) => nodes.start(Number(one)),
    pause: async (one) => nodes.signal(Number(one), 'SIGSTOP'),
    resume: async (one) => nodes.signal(Number(one), 'SIGCONT'),
  }
}

function killing(part: Part): Fault {
  return {
    ...part,
    name: `kill ${part.name}`,
    async begin() {
      const one = await part.pick()
      await part.kill(one)
      return () => part.start(one)
    },
  }
}

function pausing(part: Part): Fault {
  return {
    ...part,
    name: `pause ${part.name}`,
    async begin() {
      const one = await part.pick()
      await part.pause(one)
      return () => part.resume(one)
    },
  }
}

/** Pauses the part for half of the time. */
function slowing(part: Part): Fault {
  return {
    ...part,
    name: `slow down ${part.name}`,
    lastsMs: SHORT_MS,
    async begin() {
      const one = await part.pick()
      for (let at = 0; at < BURSTS; at += 1) {
        await part.pause(one)
        await sleep(BURST_MS)
        await part.resume(one)
        await sleep(BURST_MS)
      }
      return async () => undefined
    },
  }
}

/** A node that cannot write at all ends, and its supervisor starts it again. */
function fillingNode(nodes: Nodes): Fault {
  return {
    name: 'fill the disk of a node',
    of: NODES,
    lastsMs: NODE_MS,
    async begin() {
      const filler = join(nodes.smallDisk, 'filler')
      const filling = spawn('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' })
      await once(filling, 'exit')
      return async () => rmSync(filler)
    },
  }
}

function atOnce(parts: readonly Part[]): Fault {
  return {
    name: 'kill the primary, a gateway, an OSD and a node at once',
    lastsMs: FAILOVER_MS,
    of: [...DATABASE, ...STORE, ...NODES],
    isRare: true,
    async begin() {
      const picked: { readonly part: Part; readonly one: string }[] = []
      for (const part of parts) picked.push({ part, one: await part.pick() })
      for (const { part, one } of picked) await part.kill(one)
      return async () => {
        for (const { part, one } of picked) await part.start(one)
      }
    },
  }
}
