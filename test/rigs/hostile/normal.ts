// Normal clients: each client reads and writes its own page in sequence, and records latencies and
// acknowledged writes. Each request has its own connection: on a kept-alive connection, a slow
// client could send a request while the server closes the connection.

import { type IncomingMessage, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../../helpers/data-directory.ts'
import { buildForm } from '../../helpers/server.ts'
import type { Random } from '../random.ts'
import { SITE_HOST } from './attacks.ts'

export interface Page {
  readonly id: number
  readonly name: string
  /** The hash of the last acknowledged content, and its version. */
  latest: string
  version: number
  /** The hash of the content that visitors see; undefined before the first publish. */
  live: string | undefined
}

export interface Times {
  readonly reads: number[]
  readonly writes: number[]
}

export interface Visit {
  readonly url: string
  readonly key: string
  readonly page: Page
  readonly random: Random
  readonly times: Times
  /** Called with a description of any answer that is no success. */
  readonly onFault: (fault: string) => void
  /** Called when the server is busy; the request is sent again. */
  readonly onBusy: () => void
}

/** Limits the rate of a client, because the rig measures latency and not throughput. */
const PAUSE_MS = 20

export async function visit(client: Visit, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const choice = client.random.next()
    if (choice < 0.4) await read(client, `/api/v2/asset_file/${client.page.id}`)
    else if (choice < 0.6) await read(client, '/api/v2/asset_file?length=20')
    else if (choice < 0.75) await readContent(client)
    else if (choice < 0.85) await save(client)
    else if (choice < 0.9) await upload(client)
    else if (choice < 0.95) await publish(client)
    else await look(client)
    await sleep(PAUSE_MS)
  }
}

async function read(client: Visit, path: string): Promise<Buffer> {
  return timed(client, client.times.reads, { method: 'GET', path })
}

async function readContent(client: Visit): Promise<void> {
  const { id, version, latest } = client.page
  const bytes = await read(client, `/api/v2/asset_file/${id}/versions/${version}/content`)
  if (sha256(bytes) !== latest)
    client.onFault(`asset_file ${id}: version ${version} has other bytes`)
}

async function save(client: Visit): Promise<void> {
  const { page, random } = client
  const pageContent = String(random.next()).repeat(1 + random.below(3_000))
  const body = Buffer.from(JSON.stringify({ pageContent }))
  const path = `/api/v2/asset_file/${page.id}`
  await timed(client, client.times.writes, { method: 'POST', path, body })
  page.version += 1
  page.latest = sha256(Buffer.from(pageContent))
}

async function upload(client: Visit): Promise<void> {
  const { page, random } = client
  const bytes = Buffer.alloc(1 + random.below(100_000), String(random.next()))
  const { contentType: type, body } = buildForm([
    { name: 'asset_file_id', value: String(page.id) },
    { name: 'Filedata', fileName: 'page.bin', bytes },
  ])
  await timed(client, client.times.writes, { method: 'POST', path: '/upload', body, type })
  page.version += 1
  page.latest = sha256(bytes)
}

async function publish(client: Visit): Promise<void> {
  const { page, times } = client
  await timed(client, times.writes, {
    method: 'POST',
    path: `/api/v2/asset_file/${page.id}/publish`,
  })
  page.live = page.latest
}

/** Reads the page as a visitor of the site. */
async function look(client: Visit): Promise<void> {
  const { page, times } = client
  if (page.live === undefined) return
  const bytes = await timed(client, times.reads, {
    method: 'GET',
    path: `/${page.name}`,
    headers: { host: SITE_HOST },
  })
  if (sha256(bytes) !== page.live) client.onFault(`${page.name}: visitors see other bytes`)
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: Buffer
  readonly type?: string
  /** The key of the client by default. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Returns the answer. Requests are retried while the server is busy; any other refusal is a fault.
 */
async function timed(client: Visit, times: number[], sent: Sent): Promise<Buffer> {
  for (;;) {
    const startedMs = performance.now()
    const { status, bytes } = await send(client, sent)
    times.push(performance.now() - startedMs)
    if (status === 200 || status === 201) return bytes
    if (status !== 503 && status !== 429) {
      const fault = `${sent.method} ${sent.path}: ${status} ${bytes}`
      client.onFault(fault)
      throw new Error(fault)
    }
    client.onBusy()
    await sleep(100)
  }
}

function send(
  { url, key }: Visit,
  {
    method,
    path,
    body,
    type = 'application/json',
    headers: own = { authorization: `Bearer ${key}` },
  }: Sent,
): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  const { hostname, port } = new URL(url)
  const headers = {
    ...own,
    ...(body && { 'content-type': type, 'content-length': body.length }),
  }
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers, agent: false }
    const request = httpRequest(options, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** The latency that the given percentage of requests did not exceed. */
export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
}
