// The facts that a reader process adds to a request that it hands over to the writer process.

import type { IncomingMessage } from 'node:http'

export interface HandedOver {
  /** The address of the client's connection to the reader process. */
  readonly peer: string
  /** Whether the request has already been counted for --rate-limit. */
  readonly isCounted: boolean
}

const HANDED_OVER = new WeakMap<IncomingMessage, HandedOver>()
const COUNTED = new WeakSet<IncomingMessage>()

/** Must be called before the request is handled. */
export function tellHandedOver(message: IncomingMessage, facts: HandedOver): void {
  HANDED_OVER.set(message, facts)
  if (facts.isCounted) COUNTED.add(message)
}

export function handedOver(message: IncomingMessage): HandedOver | undefined {
  return HANDED_OVER.get(message)
}

/** Marks the request as counted for --rate-limit, so that it is not counted again. */
export function noteCounted(message: IncomingMessage): void {
  COUNTED.add(message)
}

export function isCounted(message: IncomingMessage): boolean {
  return COUNTED.has(message)
}
