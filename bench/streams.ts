// Change streams: 10,000 open streams of a hundred keys on one process. Measures the cost of each stream, and
// how long a change takes to reach the last stream. The clients run in this process on the same cores. Runs
// only by name (`npm run bench -- streams`).

import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { median } from './load.ts'
import { cpuMs, makeKey, memoryOf, startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { jsonHeaders } from './requests.ts'
import { scratchDir } from './scratch.ts'

const STREAMS = 10_000
const OF_KEY = 100
/** Streams that are being opened at the same time. */
const AT_ONCE = 200
const ROUNDS = 5
const REST_MS = 5_000

type Create = (path: string, body: object) => Promise<{ readonly secret: string }>

export async function measureStreams(): Promise<readonly Fact[]> {
  const data = join(scratchDir(), 'data')
  const most = ['--max-connections', String(STREAMS + 100), '--max-connections-per-address', '0']
  const cms = await startCms(data, ['--processes', '1', ...most])
  const pool = new Pool(cms.url, { connections: 1 })
  try {
    const headers = jsonHeaders({ key: makeKey(data) })
    const create: Create = async (path, body) => {
      const sent = { method: 'POST', path, headers, body: JSON.stringify(body) } as const
      const answer = await pool.request(sent)
      return (await answer.body.json()) as { readonly secret: string }
    }
    const keys: string[] = []
    for (let at = 0; at < STREAMS / OF_KEY; at += 1)
      keys.push((await create('/api/v2/api_key', { name: `k${at}`, grants: ['view'] })).secret)
    const clients = openClients(cms.url, keys)
    const before = memoryOf(cms.pid)
    await clients.openAll()
    await sleep(REST_MS)
    const after = memoryOf(cms.pid)
    const perStream = (mib: number): number => (mib * 1024) / STREAMS
    const idle = cpuMs(cms.pid)
    await sleep(REST_MS)
    const idleMs = cpuMs(cms.pid) - idle
    const found = await tellAll(create, clients, () => cpuMs(cms.pid))
    clients.close()
    return [
      { name: 'open streams', value: STREAMS, unit: '' },
      { name: 'memory of each, RssAnon', value: perStream(after.anon - before.anon), unit: 'KiB' },
      { name: 'memory of each, RSS', value: perStream(after.rss - before.rss), unit: 'KiB' },
      { name: 'processor while nothing happens', value: (100 * idleMs) / REST_MS, unit: '%' },
      ...found,
    ]
  } finally {
    await pool.close()
    await cms.stop()
  }
}

async function tellAll(
  create: Create,
  clients: Clients,
  cpu: () => number,
): Promise<readonly Fact[]> {
  const lasts: number[] = []
  const cpus: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const cpuBefore = cpu()
    await create('/api/v2/file_group', { name: `g${round}` })
    const committed = performance.now()
    await clients.untilEvents(STREAMS * round)
    lasts.push(performance.now() - committed)
    await sleep(1_000)
    cpus.push(cpu() - cpuBefore)
  }
  return [
    { name: 'from an answered change to the last stream', value: median(lasts), unit: 'ms' },
    { name: 'processor for a change, a second of rest included', value: median(cpus), unit: 'ms' },
  ]
}

interface Clients {
  readonly openAll: () => Promise<void>
  readonly untilEvents: (count: number) => Promise<void>
  readonly close: () => void
}

function openClients(url: string, keys: readonly string[]): Clients {
  const { hostname, port, host } = new URL(url)
  const sockets: Socket[] = []
  let begun = 0
  let events = 0
  let fault: Error | undefined

  function open(key: string): void {
    const socket = connect(Number(port), hostname)
    let isBegun = false
    socket.write(
      `GET /api/v2/change/stream?object=file_group HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
    socket.setEncoding('latin1').on('data', (chunk) => {
      const text = String(chunk)
      if (!isBegun && text.includes('retry: ')) {
        isBegun = true
        begun += 1
      }
      events += text.split('event: change').length - 1
    })
    socket.on('error', (error) => {
      fault = error
    })
    sockets.push(socket)
  }

  async function until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      if (fault !== undefined) throw fault
      await sleep(1)
    }
  }

  return {
    async openAll() {
      for (let at = 0; at < STREAMS; at += 1) {
        open(keys[at % keys.length] ?? '')
        await until(() => begun > at - AT_ONCE)
      }
      await until(() => begun === STREAMS)
    },
    untilEvents: (count) => until(() => events >= count),
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
