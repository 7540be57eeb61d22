// Clients that occupy a slot of a user: a stream, a long poll, and an ordinary request whose body
// is not complete.

import { request as httpRequest } from 'node:http'
import { CHANGES, openStream } from '../../helpers/follow.ts'
import { send } from '../../helpers/server.ts'
import { eventually } from '../../helpers/raw.ts'

export type Kind = 'stream' | 'poll' | 'request'

export interface Client {
  readonly key: string
  readonly address: string
}

export interface Site {
  readonly url: string
  /** The key of an administrator. */
  readonly key: string
}

export interface Held {
  /** The status of a refusal, or 200 if the client occupies a slot. */
  readonly status: number
  /** Lets the request end and returns its status. A poll needs a change to end. */
  finish(): Promise<number>
}

const SEARCH = '/api/v2/asset_category/search'
const ROUTES: Readonly<Record<Kind, string>> = {
  stream: `${CHANGES}/stream`,
  poll: CHANGES,
  request: SEARCH,
}

export function open(site: Site, kind: Kind, client: Client & Since): Promise<Held> {
  if (kind === 'stream') return stream(site, client)
  return kind === 'poll' ? poll(site, client) : request(site, client)
}

export interface Since {
  /** The newest position in the change log. */
  readonly since: string
}

async function stream(site: Site, client: Client): Promise<Held> {
  const { answer, close } = await openStream(site, client)
  const { statusCode: status = 0 } = answer
  async function finish(): Promise<number> {
    close()
    return status
  }
  return { status, finish }
}

/**
 * A waiting poll gets no answer, but the server counts it. The poll waits when the count of polls
 * in progress has increased.
 */
async function poll(site: Site, { key, address, since }: Client & Since): Promise<Held> {
  const before = await inProgress(site, 'poll')
  const path = `${CHANGES}?since=${since}&wait=60`
  const answer = send(site.url, 'GET', path, { key, headers: { 'x-forwarded-for': address } })
  let status: number | undefined
  const ended = answer.then((told) => (status = told.status))
  const isDecided = async (): Promise<boolean> =>
    status !== undefined || (await inProgress(site, 'poll')) > before
  // A refused poll is also counted for a moment.
  if ((await eventually(isDecided)) && status === undefined) await inProgress(site, 'poll')
  return { status: status ?? 200, finish: () => ended }
}

/** The request counts when the server asks for the body. */
function request({ url }: Site, { key, address }: Client): Promise<Held> {
  const body = '{"length":1}'
  const headers = {
    authorization: `Bearer ${key}`,
    'x-forwarded-for': address,
    'content-type': 'application/json',
    'content-length': String(body.length),
    expect: '100-continue',
  }
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`${url}${SEARCH}`, { method: 'POST', headers, agent: false })
    const ended = new Promise<number>((end) => {
      asked.on('response', (answer) => {
        answer.resume()
        const { statusCode: status = 0 } = answer
        resolve({ status, finish: async () => status })
        answer.on('close', () => end(status))
      })
    })
    asked.on('error', reject)
    asked.on('continue', () =>
      resolve({
        status: 200,
        finish() {
          asked.end(body)
          return ended
        },
      }),
    )
    asked.flushHeaders()
  })
}

/** Returns the number of requests of this kind in progress, as the metrics report it. */
export async function inProgress({ url, key }: Site, kind: Kind): Promise<number> {
  const { text } = await send(url, 'GET', '/metrics', { key })
  const lines = text.split('\n').filter((line) => line.startsWith('cms_http_requests_in_progress{'))
  const own = lines.find((line) => line.includes(`"${ROUTES[kind]}"`)) ?? '0'
  return Number(own.split(' ').at(-1))
}
