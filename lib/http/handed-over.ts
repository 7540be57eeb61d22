// What is told of a request that another process of this server has handed over, beside what its client has sent.

import type { IncomingMessage } from 'node:http'

export interface HandedOver {
  /** Who is at the other end of the connection there. */
  readonly peer: string
  /** It has been counted for --rate-limit. */
  readonly isCounted: boolean
}

const HANDED_OVER = new WeakMap<IncomingMessage, HandedOver>()
const COUNTED = new WeakSet<IncomingMessage>()

/** To be called before anything else is made of the request. */
export function tellHandedOver(message: IncomingMessage, facts: HandedOver): void {
  HANDED_OVER.set(message, facts)
  if (facts.isCounted) COUNTED.add(message)
}

export function handedOver(message: IncomingMessage): HandedOver | undefined {
  return HANDED_OVER.get(message)
}

/** The request counts for --rate-limit, and is not to be counted again. */
export function noteCounted(message: IncomingMessage): void {
  COUNTED.add(message)
}

export function isCounted(message: IncomingMessage): boolean {
  return COUNTED.has(message)
}
