// A hundred webhooks that receive every change; the receiver runs in the process that measures. Measures
// deliveries per second, the delay at a steady rate, and the slowdown of concurrent creates. Runs only by
// name (`npm run bench -- hooks`).

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { cpuMs, makeKey, startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { jsonHeaders } from './requests.ts'
import { scratchDir } from './scratch.ts'

const HOOKS = 100
/** As fast as possible, AT_ONCE requests in parallel. */
const CREATES = 200
const AT_ONCE = 10
/** The steady rate. */
const PER_SECOND = 4
const SECONDS = 20

type Post = (path: string, body: object) => Promise<void>

export async function measureHooks(): Promise<readonly Fact[]> {
  const data = join(scratchDir(), 'data')
  const cms = await startCms(data, ['--processes', '1', '--webhook-allow', 'loopback'])
  const receiver = await openReceiver()
  const pool = new Pool(cms.url, { connections: AT_ONCE })
  try {
    const headers = jsonHeaders({ key: makeKey(data) })
    const post: Post = async (path, body) => {
      const sent = { method: 'POST', path, headers, body: JSON.stringify(body) } as const
      const answer = await pool.request(sent)
      if (answer.statusCode >= 300) throw new Error(await answer.body.text())
      await answer.body.dump()
    }
    await createMany(post)
    const alone = await createMany(post)
    for (let at = 0; at < HOOKS; at += 1)
      await post('/api/v2/webhook', {
        name: `h${at}`,
        url: `${receiver.url}/${at}`,
        objects: ['file_group'],
      })
    const steady = await measureSteady(post, receiver)
    return [...steady, ...(await measureBurst(post, receiver, { alone, pid: cms.pid }))]
  } finally {
    await pool.close()
    await cms.stop()
    receiver.close()
  }
}

async function measureSteady(post: Post, receiver: Receiver): Promise<readonly Fact[]> {
  const made = PER_SECOND * SECONDS
  for (let count = 0; count < made; count += 1) {
    await post('/api/v2/file_group', { name: `s${count}` })
    await sleep(1_000 / PER_SECOND)
  }
  await receiver.until(HOOKS * made)
  const { p50, p99 } = receiver.delays()
  const what = `${HOOKS} webhooks, ${PER_SECOND} changes a second`
  return [
    { name: `${what}: p50 from change to receiver`, value: p50, unit: 'ms' },
    { name: `${what}: p99`, value: p99, unit: 'ms' },
  ]
}

async function measureBurst(
  post: Post,
  receiver: Receiver,
  { alone, pid }: { readonly alone: number; readonly pid: number },
): Promise<readonly Fact[]> {
  const cpuBefore = cpuMs(pid)
  const before = receiver.count()
  const began = performance.now()
  const beside = await createMany(post)
  await receiver.until(before + HOOKS * CREATES)
  const seconds = (performance.now() - began) / 1_000
  const deliveries = HOOKS * CREATES
  const cpu = (1_000 * (cpuMs(pid) - cpuBefore)) / deliveries
  return [
    { name: 'deliveries, as fast as they go', value: deliveries / seconds, unit: 'per second' },
    { name: 'processor of the server for each', value: cpu, unit: 'µs' },
    { name: 'creates without webhooks', value: alone, unit: 'per second' },
    { name: 'creates beside those deliveries', value: beside, unit: 'per second' },
  ]
}

/** Creates per second. */
async function createMany(post: Post): Promise<number> {
  const began = performance.now()
  for (let count = 0; count < CREATES; count += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        post('/api/v2/file_group', { name: `g${count + at}` }),
      ),
    )
  return (1_000 * CREATES) / (performance.now() - began)
}

interface Receiver {
  readonly url: string
  readonly count: () => number
  readonly until: (count: number) => Promise<void>
  /** Delays of all deliveries so far, in milliseconds. */
  readonly delays: () => { readonly p50: number; readonly p99: number }
  readonly close: () => void
}

async function openReceiver(): Promise<Receiver> {
  const delays = createHistogram()
  let count = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
      delays.record(Math.max(1, Date.now() - Date.parse(timestamp)))
      count += 1
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    async until(wanted) {
      while (count < wanted) await sleep(5)
    },
    delays: () => ({ p50: delays.percentile(50), p99: delays.percentile(99) }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
