// Gives the request of a filled form one Idempotency-Key until the server has decided, so that sending it again after
// a lost response, even after a reload, creates nothing twice. Changed values are a new request.

import { Problem } from '../client/problem.ts'
import { newRequestKey } from '../client/api.ts'
import { isObject, parseJson } from '../client/stored.ts'
import type { KeptForm } from './kept-form.ts'

export interface OnceHeader {
  readonly 'Idempotency-Key': string
}

export interface Filled {
  /** The header for this body. The body is stored, so it must not contain a password. */
  readonly once: (body: unknown) => OnceHeader
  /** Time of the first attempt: times in the body must be the same in every attempt. */
  readonly begunMs: number
}

interface Sent {
  readonly key: string
  readonly body: string
  readonly begunMs: number
}

export function openFilled(kept: KeptForm): Filled & { readonly end: () => void } {
  const stored = parseJson(kept.readSent())
  let sent = isSent(stored) ? stored : undefined
  let begunMs: number | undefined
  const begin = (): number => {
    begunMs ??= sent?.begunMs ?? Date.now()
    return begunMs
  }
  return {
    get begunMs() {
      return begin()
    },
    once(body) {
      const text = JSON.stringify(body)
      if (sent?.body !== text) {
        sent = { key: newRequestKey(), body: text, begunMs: begin() }
        kept.writeSent(JSON.stringify(sent))
      }
      return { 'Idempotency-Key': sent.key }
    },
    end() {
      sent = undefined
      begunMs = undefined
      kept.writeSent(undefined)
    },
  }
}

/** The request is running or its result is lost; another key would repeat the action. */
const OPEN: ReadonlySet<string> = new Set(['idempotency-key-in-use', 'answer-lost'])

/** Whether the server has finally rejected the request. Errors before sending are not final. */
export function isDecided(thrown: unknown): boolean {
  if (!(thrown instanceof Problem)) return false
  return thrown.facts.status < 500 && !OPEN.has(thrown.code)
}

function isSent(value: unknown): value is Sent {
  if (!isObject(value)) return false
  const { key, body, begunMs } = value
  return typeof key === 'string' && typeof body === 'string' && typeof begunMs === 'number'
}
