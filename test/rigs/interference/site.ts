// One server of the rig, with a clock that stands still until it is told to go on, and what sends to it.

import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import assert from 'node:assert/strict'
import type { Config } from '../../../lib/config.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Buffer
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

export async function openSite(dataDir: string, config: Partial<Config> = {}): Promise<Site> {
  const clock = { ms: BEGIN_MS }
  const server = await startTestServer({ dataDir, config, now: () => new Date(clock.ms) })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (sent: Sent, key: string): Promise<Received> =>
    exchange(agent, server.url, sent, key)

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
      agent.destroy()
      await server.stop()
    },
  }
}

function exchange(agent: Agent, url: string, sent: Sent, key: string): Promise<Received> {
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
