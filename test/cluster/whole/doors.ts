// How clients of the rig send requests: to the balancer or to one node, with a timeout. A request
// without an answer, or with an answer that allows a retry, is sent again under the same
// Idempotency-Key until it is settled.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../rigs/random.ts'

export interface Reply {
  readonly status: number
  readonly body: any
  readonly etag: string | null
}

export interface Ask {
  readonly method: string
  readonly path: string
  readonly json?: object
  readonly headers?: Readonly<Record<string, string>>
}

export interface Doors {
  /** The address of the balancer first, then the nodes. */
  readonly urls: readonly string[]
  readonly key: string
  readonly random: Random
  /** The time of each settled write, in ms since the epoch. */
  readonly settledAt: number[]
  /** The number of writes that were sent more than once. */
  again: number
}

const PATIENCE_MS = 20_000
const PAUSE_MS = 150
const SETTLE_MS = 180_000
/**
 * Statuses for which nothing was changed, or the outcome is unknown. A retry of the same request
 * resolves both cases.
 */
const AGAIN = new Set([408, 429, 500, 502, 503, 504, 507])

/** Returns undefined if no complete answer arrived. */
export async function ask(
  base: string,
  key: string,
  { method, path, json, headers = {} }: Ask,
): Promise<Reply | undefined> {
  try {
    const answer = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return {
      status: answer.status,
      body: isJson && text !== '' ? JSON.parse(text) : text,
      etag: answer.headers.get('etag'),
    }
  } catch {
    return undefined
  }
}

/**
 * Sends a request until it is settled. The request is carried out once, and its answer is final.
 */
export async function settle(doors: Doors, wanted: Ask): Promise<Reply> {
  const headers = { ...wanted.headers, 'idempotency-key': randomUUID() }
  const until = Date.now() + SETTLE_MS
  for (let tries = 1; Date.now() < until; tries += 1) {
    const reply = await ask(doors.random.pick(doors.urls), doors.key, { ...wanted, headers })
    if (reply !== undefined && !AGAIN.has(reply.status) && !isUnderWay(reply)) {
      if (reply.status < 300) doors.settledAt.push(Date.now())
      if (tries > 1) doors.again += 1
      return reply
    }
    await sleep(PAUSE_MS)
  }
  throw new Error(`${wanted.method} ${wanted.path} is not settled after ${SETTLE_MS / 1000} s`)
}

function isUnderWay({ status, body }: Reply): boolean {
  return status === 409 && body?.code === 'idempotency-key-in-use'
}

/** Reads from one node; undefined if the node does not answer or is unavailable. */
export async function readAt(url: string, key: string, path: string): Promise<Reply | undefined> {
  const reply = await ask(url, key, { method: 'GET', path })
  return reply === undefined || AGAIN.has(reply.status) ? undefined : reply
}
