// One site of the rig: a server, or nodes, with a clock that stands still until it is told to go on, and what sends to
// them.

import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import assert from 'node:assert/strict'
import type { Config } from '../../../lib/config/config.ts'
import type { TestServer } from '../../helpers/server.ts'
import { type Place, startServers } from '../nodes.ts'
import { placeSite } from '../placed-site.ts'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Buffer
  /** Which node is asked; undefined: the next one. */
  readonly node?: number
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface Site {
  readonly server: TestServer
  readonly clock: { ms: number }
  /** With the key of the first administrator; fails where the answer is no success. */
  admin(method: string, path: string, sent?: Partial<Sent>): Promise<any>
  send(sent: Sent, key: string): Promise<Received>
  close(): Promise<void>
}

export const BEGIN_MS = Date.parse('2026-03-01T08:00:00Z')

/** The documents tell the address that they were asked at, which has another port on each server. */
const HOST = 'cms.test'

export interface SiteOptions {
  readonly dataDir: string
  readonly config?: Partial<Config> | undefined
  /** What is in the directory is moved there. */
  readonly place?: Place | undefined
}

export async function openSite({ dataDir, config = {}, place }: SiteOptions): Promise<Site> {
  const clock = { ms: BEGIN_MS }
  const now = (): Date => new Date(clock.ms)
  const servers = await (place === undefined
    ? startServers(1, { dataDir, config, now })
    : startServers(place.nodes, {
        config: { ...config, cluster: await placeSite(place, dataDir) },
        now,
      }))
  const [server] = servers
  const agents = servers.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  let turn = 0

  function send(sent: Sent, key: string): Promise<Received> {
    turn += 1
    const at = (sent.node ?? turn) % servers.length
    return exchange({ agent: agents[at], url: servers[at]?.url ?? '' }, sent, key)
  }

  return {
    server,
    clock,
    send,
    async admin(method, path, sent = {}) {
      const { status, bytes } = await send({ method, path, ...sent }, server.key)
      assert.ok(status < 300, `${method} ${path}: ${status} ${bytes}`)
      return bytes.length === 0 ? undefined : JSON.parse(bytes.toString())
    },
    async close() {
      for (const agent of agents) agent.destroy()
      await Promise.all(servers.map((item) => item.stop()))
    },
  }
}

interface Asked {
  readonly agent: Agent | undefined
  readonly url: string
}

function exchange({ agent, url }: Asked, sent: Sent, key: string): Promise<Received> {
  const { hostname, port } = new URL(url)
  const { method, path, json } = sent
  const body = json === undefined ? sent.body : JSON.stringify(json)
  const headers = {
    host: HOST,
    authorization: `Bearer ${key}`,
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...sent.headers,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: given } = response
        resolve({ status, headers: given, bytes: Buffer.concat(chunks) })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}
