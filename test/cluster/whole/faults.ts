// What is done to the parts of a cluster, and undone. The database is three machines, the store Ceph with two gateways.

import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../rigs/random.ts'
import type { Nodes } from './nodes.ts'

export interface Scripts {
  readonly database: string
  readonly store: string
}

export interface Fault {
  readonly name: string
  /** Returns what ends it. */
  begin(): Promise<() => Promise<void>>
}

export interface Parts {
  readonly scripts: Scripts
  readonly nodes: Nodes
  readonly random: Random
}

/** Something that can be ended and halted. */
interface Part {
  readonly name: string
  /** One of them, from the beginning of a fault to its end. */
  pick(): string
  kill(one: string): void | Promise<void>
  start(one: string): void | Promise<void>
  pause(one: string): void
  resume(one: string): void
}

const BURST_MS = 150
const BURSTS = 25
const HOUR_S = 3_600

export function faultsOf(parts: Parts): readonly Fault[] {
  const { scripts, nodes, random } = parts
  const database = (...args: readonly string[]) => tell(scripts.database, args)
  const store = (...args: readonly string[]) => tell(scripts.store, args)
  const leader = (): string => database('lead').split('\n')[0] ?? ''
  const standby = (): string => random.pick(['1', '2', '3'].filter((one) => one !== leader()))

  const primary = partOf('the machine of the primary', leader, database)
  const all: readonly Part[] = [
    primary,
    partOf('the machine of a standby', standby, database),
    partOf('a gateway', () => random.pick(['rgw.1', 'rgw.2']), store),
    partOf('an OSD', () => random.pick(['osd.0', 'osd.1', 'osd.2']), store),
    partOfNodes(parts),
  ]
  /** Begun by one word to the database, and ended by another. */
  const told = (name: string, [begin, end]: readonly string[], pick: () => string): Fault => ({
    name,
    async begin() {
      const one = pick()
      database(begin ?? '', one)
      return async () => void database(end ?? '', one)
    },
  })

  return [
    ...all.map(killing),
    ...all.map(pausing),
    ...all.map(slowing),
    told('cut the primary from the other machines', ['cut', 'heal'], leader),
    told('cut a standby from the other machines', ['cut', 'heal'], standby),
    told('fill the disk of the primary', ['fill', 'free'], leader),
    fillingNode(nodes),
    clocking(parts),
    told('kill the postmaster of the primary', ['postmaster', 'lead'], leader),
    {
      name: 'reload the balancer',
      async begin() {
        nodes.reload()
        return async () => undefined
      },
    },
    atOnce(all.filter(({ name }) => !name.includes('standby'))),
  ]
}

function partOf(name: string, pick: () => string, run: (...args: string[]) => string): Part {
  return {
    name,
    pick,
    kill: (one) => void run('kill', one),
    start: (one) => void run('start', one),
    pause: (one) => void run('pause', one),
    resume: (one) => void run('resume', one),
  }
}

function partOfNodes({ nodes, random }: Parts): Part {
  return {
    name: 'a node',
    pick: () => String(random.below(nodes.urls.length)),
    kill: (one) => nodes.kill(Number(one)),
    start: (one) => nodes.start(Number(one)),
    pause: (one) => nodes.signal(Number(one), 'SIGSTOP'),
    resume: (one) => nodes.signal(Number(one), 'SIGCONT'),
  }
}

function killing(part: Part): Fault {
  return {
    name: `kill ${part.name}`,
    async begin() {
      const one = part.pick()
      await part.kill(one)
      return async () => part.start(one)
    },
  }
}

function pausing(part: Part): Fault {
  return {
    name: `pause ${part.name}`,
    async begin() {
      const one = part.pick()
      part.pause(one)
      return async () => part.resume(one)
    },
  }
}

/** Half of the time it stands still. */
function slowing(part: Part): Fault {
  return {
    name: `slow down ${part.name}`,
    async begin() {
      const one = part.pick()
      for (let at = 0; at < BURSTS; at += 1) {
        part.pause(one)
        await sleep(BURST_MS)
        part.resume(one)
        await sleep(BURST_MS)
      }
      return async () => undefined
    },
  }
}

/** A node that can write nothing at all ends, and whatever runs it starts it again. */
function fillingNode(nodes: Nodes): Fault {
  return {
    name: 'fill the disk of a node',
    async begin() {
      const filler = join(nodes.smallDisk, 'filler')
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' })
      return async () => {
        rmSync(filler)
        await nodes.revive(nodes.urls.length - 1)
      }
    },
  }
}

/** A node begins with the right one, is put an hour ahead, then an hour behind; and begins anew with the right one. */
function clocking({ nodes, random }: Parts): Fault {
  return {
    name: 'set the clock of a node',
    async begin() {
      const at = random.below(nodes.urls.length)
      const clock = `${nodes.smallDisk}-clock`
      writeFileSync(clock, '+0')
      await nodes.kill(at)
      await nodes.start(at, clock)
      await sleep(2_000)
      writeFileSync(clock, `+${HOUR_S}`)
      await sleep(4_000)
      writeFileSync(clock, `-${HOUR_S}`)
      return async () => {
        await nodes.kill(at)
        await nodes.start(at)
      }
    },
  }
}

function atOnce(parts: readonly Part[]): Fault {
  return {
    name: 'kill the primary, a gateway, an OSD and a node at once',
    async begin() {
      const picked = parts.map((part) => ({ part, one: part.pick() }))
      for (const { part, one } of picked) await part.kill(one)
      return async () => {
        for (const { part, one } of picked) await part.start(one)
      }
    },
  }
}

function tell(script: string, args: readonly string[]): string {
  return execFileSync('bash', [script, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()
}
