// Loaded into the server before anything else (NODE_OPTIONS). Reports over a socket the longest
// blocking of the event loop since the last report. A pause of the garbage collector counts too. The
// probe sleeps until a report is requested, because its ticks take 4 % of a core.

import { openSync, readSync } from 'node:fs'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

export interface Stretch {
  /** The time between two iterations of the loop. */
  readonly wallMs: number
  /**
   * The processor time of the thread in this iteration, which excludes other load on the machine.
   */
  readonly cpuMs: number
}

export interface Held {
  readonly wall: Stretch
  readonly cpu: Stretch
  /** The time since the last iteration with much work; it shows that work after an answer has ended. */
  readonly calmMs: number
}

/** Requests to the probe. A chunk can contain both; the probe then sleeps before it reports. */
export const SLEEP = '.'
export const REPORT = '?'

const NONE: Stretch = { wallMs: 0, cpuMs: 0 }
const TICK_MS = 1
const BUSY_MS = 5

const socket = process.env['WORST_PROBE']
if (isMainThread && process.argv[2] === 'start' && socket !== undefined) openProbe(socket)

function openProbe(path: string): void {
  const stat = openSync('/proc/self/schedstat', 'r')
  const buffer = Buffer.alloc(64)
  const cpuMs = (): number => {
    const length = readSync(stat, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
  }

  let last = { at: performance.now(), cpu: cpuMs() }
  let [wall, cpu] = [NONE, NONE]
  let calmSince = last.at
  const tick = (): void => {
    const now = { at: performance.now(), cpu: cpuMs() }
    const stretch = { wallMs: now.at - last.at - TICK_MS, cpuMs: now.cpu - last.cpu }
    if (stretch.wallMs > wall.wallMs) wall = stretch
    if (stretch.cpuMs > cpu.cpuMs) cpu = stretch
    // On a busy machine, most iterations of an idle loop take longer than BUSY_MS.
    if (stretch.cpuMs > BUSY_MS) calmSince = now.at
    last = now
  }

  let timer: NodeJS.Timeout | undefined
  const wake = (): void => {
    last = { at: performance.now(), cpu: cpuMs() }
    calmSince = last.at
    timer = setInterval(tick, TICK_MS).unref()
  }
  const sleep = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  const server = createServer((connection) => {
    connection.on('error', () => undefined)
    connection.on('data', (asked: Buffer) => {
      if (asked.includes(SLEEP)) sleep()
      if (!asked.includes(REPORT)) return
      if (timer === undefined) wake()
      tick()
      const held: Held = { wall, cpu, calmMs: performance.now() - calmSince }
      connection.write(`${JSON.stringify(held)}\n`)
      ;[wall, cpu] = [NONE, NONE]
    })
  })
  server.listen(path).unref()
}
