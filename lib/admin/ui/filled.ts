// A form as it was filled in, towards the server: what it sends has the same Idempotency-Key at every press of its
// button, until the server has decided. So a press after an answer that was lost, also after a reload, makes nothing a
// second time. What was changed in between is another request.

import { Problem } from '../client/problem.ts'
import { newRequestKey } from '../client/request-key.ts'
import type { KeptForm } from './kept-form.ts'

export interface OnceHeader {
  readonly 'Idempotency-Key': string
}

export interface Filled {
  /** The header for this body, which must hold no password: it is written down. */
  readonly once: (body: unknown) => OnceHeader
  /** When it was sent first: what a body has by the clock must be the same at every press. */
  readonly begunMs: number
}

interface Sent {
  readonly key: string
  readonly body: string
  readonly begunMs: number
}

export function openFilled(kept: KeptForm): Filled & { readonly end: () => void } {
  let sent = parse(kept.readSent())
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

/** Still running, or done without an answer: asked again under another key it would be done again. */
const OPEN: ReadonlySet<string> = new Set(['idempotency-key-in-use', 'answer-lost'])

/** Whether the server has refused for good what was sent; what went wrong before that sent nothing. */
export function isDecided(thrown: unknown): boolean {
  if (!(thrown instanceof Problem)) return false
  return thrown.facts.status < 500 && !OPEN.has(thrown.code)
}

function parse(text: string | undefined): Sent | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    return isSent(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isSent(value: unknown): value is Sent {
  if (typeof value !== 'object' || value === null) return false
  const { key, body, begunMs } = value as Partial<Sent>
  return typeof key === 'string' && typeof body === 'string' && typeof begunMs === 'number'
}
