// Faults of clocks: a clock runs an hour ahead, then an hour behind, and then right again, while
// its process keeps running. Each fault verifies that the clock is really wrong.

import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Part, Parts } from './faults.ts'

type Run = (...args: string[]) => Promise<string>

const HOUR_S = 3_600
/** libfaketime reads its file once a second. */
const SEEN_MS = 2_000
const AHEAD_MS = 2_000
const BEHIND_MS = 3_000
const NEAR_S = 120
const SEEN_WITHIN_MS = 15_000

/** PostgreSQL runs with the clock of the machine from its start. */
export function clockingServer(part: Part, run: Run): Fault {
  return {
    name: `set the clock of ${part.name}`,
    of: part.of,
    lastsMs: 0,
    async begin() {
      const one = await part.pick()
      await setWrong(one, run)
      return async () => {
        await run('clock', one, '+0')
        await sleep(SEEN_MS)
      }
    },
  }
}

/**
 * The process restarts with a right clock of its own for the fault, and with the clock of the
 * machine afterwards.
 */
export function clockingProcess(part: Part, run: Run): Fault {
  return {
    name: `set the clock of ${part.name}`,
    of: part.of,
    lastsMs: 0,
    async begin() {
      const one = await part.pick()
      await part.kill(one)
      await run('clock', one, '+0')
      await part.start(one)
      await sleep(SEEN_MS)
      await setWrong(one, run)
      return async () => {
        await part.kill(one)
        await run('clock', one)
        await part.start(one)
      }
    },
  }
}

async function setWrong(one: string, run: Run): Promise<void> {
  await run('clock', one, `+${HOUR_S}`)
  await sleep(SEEN_MS)
  await untilAhead(one, run)
  await sleep(AHEAD_MS)
  await run('clock', one, `-${HOUR_S}`)
  await sleep(BEHIND_MS)
}

/** A server that has just been started may not answer at once. */
async function untilAhead(one: string, run: Run): Promise<void> {
  for (const until = Date.now() + SEEN_WITHIN_MS; ; await sleep(500)) {
    const told = Number(await run('now', one).catch(() => Number.NaN))
    const aheadS = told - Date.now() / 1000
    if (Math.abs(aheadS - HOUR_S) < NEAR_S) return
    if (Date.now() > until)
      throw new Error(`The clock of ${one} is ${aheadS} s ahead, and not an hour.`)
  }
}

/** The wall clock of a node, which its answers show, runs ahead and behind. */
export function clockingNode({ nodes, random }: Parts): Fault {
  return {
    name: 'set the clock of a node',
    of: ['nodes'],
    lastsMs: 0,
    async begin() {
      const at = random.below(nodes.urls.length)
      const clock = `${nodes.smallDisk}-clock`
      writeFileSync(clock, '+0')
      await nodes.kill(at)
      await nodes.start(at, clock)
      await sleep(SEEN_MS)
      const run: Run = async (word, _one, offset) => {
        if (word === 'clock') writeFileSync(clock, offset ?? '')
        if (word === 'clock') return ''
        const { headers } = await fetch(`${nodes.urls[at]}/health`)
        return String(Date.parse(headers.get('date') ?? '') / 1000)
      }
      await setWrong(String(at), run)
      return async () => {
        await nodes.kill(at)
        await nodes.start(at)
      }
    },
  }
}
