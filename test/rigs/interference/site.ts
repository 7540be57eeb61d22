// A site of the rig: a server or several nodes, with a clock that the rig advances, and a client.

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
  /** The node that receives the request; undefined means the next node. */
  readonly node?: number
  /** The request uses a ticket for the address instead of a key. */
  readonly byTicket?: true
  /**
   * Opens a stream of changes. The stream may report only the second of these changes of folders.
   */
  readonly hears?: {
    readonly hidden: FolderChange
    readonly seen: FolderChange
    /** The hidden folder on the second site. */
    readonly instead: number
  }
}

interface FolderChange {
  readonly id: number
  readonly title: string
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface Site {
  readonly server: TestServer
  readonly clock: { ms: number }
  /** Sends a request as the first administrator and fails unless it succeeds. */
  admin(method: string, path: string, sent?: Partial<Sent>): Promise<any>
  /** `key`: undefined for a request without a key. */
  send(sent: Sent, key: string | undefined): Promise<Received>
  close(): Promise<void>
}

export const BEGIN_MS = Date.parse('2026-03-01T08:00:00Z')

/** The documents contain the address of the request, which has another port on each server. */
const HOST = 'cms.test'

export interface SiteOptions {
  readonly dataDir: string
  readonly config?: Partial<Config> | undefined
  /** The content of the directory is moved to this place. */
  readonly place?: Place | undefined
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the returned functions share the servers
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

  function send(sent: Sent, key: string | undefined): Promise<Received> {
    turn += 1
    const at = (sent.node ?? turn) % servers.length
    const asked = { agent: agents[at], url: servers[at]?.url ?? '' }
    if (key === undefined) return exchange(asked, sent, undefined)
    if (sent.byTicket === true) return exchangeByTicket(asked, sent, key)
    if (sent.hears === undefined) return exchange(asked, sent, key)
    const { hidden, seen } = sent.hears
    const change = async ({ id, title }: FolderChange): Promise<unknown> =>
      send({ method: 'POST', path: `/api/v2/asset_category/${id}`, json: { title } }, server.key)
    const told = listen(asked, sent, {
      key,
      seen,
      at: now().toISOString(),
      change: async () => [await change(hidden), await change(seen)],
    })
    // The server may have closed connections that were idle while the stream was open, so they are
    // discarded.
    return told.finally(() => {
      for (const agent of agents) agent.destroy()
    })
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

/**
 * Requests a ticket and returns the answer to the address with the ticket, or the refusal of the
 * ticket.
 */
async function exchangeByTicket(asked: Asked, sent: Sent, key: string): Promise<Received> {
  const { method, path } = sent
  const wish = { method: 'POST', path: '/api/v2/ticket', json: { path } }
  const made = await exchange(asked, wish, key)
  if (made.status !== 201) return made
  const signed: string = JSON.parse(made.bytes.toString()).path
  return exchange(asked, { method, path: signed }, undefined)
}

interface Listening {
  readonly key: string
  readonly seen: FolderChange
  /** The time of the changes. Earlier changes of the same folder are not waited for. */
  readonly at: string
  readonly change: () => Promise<unknown>
}

/** Even a busy machine reports the change within this time. */
const MAX_SILENCE_MS = 60_000

/**
 * Collects the events of a stream up to the visible change; its positions are random. Both changes are answered before the
 * promise resolves, so that the next request does not race them.
 */
function listen(
  { url }: Asked,
  { path }: Sent,
  { key, seen, at, change }: Listening,
): Promise<Received> {
  const headers = { host: HOST, authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: given } = response
      let text = ''
      let changed: Promise<unknown> | undefined
      const end = async (): Promise<void> => {
        clearTimeout(timer)
        await changed
        const told = text
          .replaceAll(/^id: .*\n/gm, '')
          .split('\n\n')
          .filter((frame) => frame !== ': ')
        resolve({ status, headers: given, bytes: Buffer.from(told.join('\n\n')) })
        request.destroy()
      }
      const finish = (): void => void end().catch(reject)
      const timer = setTimeout(finish, MAX_SILENCE_MS)
      const awaited = `"date_added":"${at}","object":"asset_category","object_id":${seen.id},`
      if (status === 200)
        response.once('data', () => {
          changed = change()
          changed.catch(reject)
        })
      response.on('data', (piece: Buffer) => {
        text += piece.toString()
        if (text.includes(awaited)) finish()
      })
      response.on('end', finish)
      response.on('error', () => undefined)
    })
    request.on('error', reject)
    request.end()
  })
}

function exchange({ agent, url }: Asked, sent: Sent, key: string | undefined): Promise<Received> {
  const { hostname, port } = new URL(url)
  const { method, path, json } = sent
  const body = json === undefined ? sent.body : JSON.stringify(json)
  const headers = {
    host: HOST,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
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
