// Negotiates the content coding (RFC 9110, 12.5.3): the coding that the client prefers, and brotli among equals.

import Negotiator from 'negotiator'

export type Coding = 'br' | 'gzip'

const OFFERED = ['br', 'gzip', 'identity'] as const

/** Undefined means no coding. */
export function acceptedCoding(header: string): Coding | undefined {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  // The types of Negotiator lack the second parameter.
  const [found] = Reflect.apply(negotiator.encodings, negotiator, [
    OFFERED,
    { preferred: OFFERED },
  ]) as readonly (typeof OFFERED)[number][]
  return found === 'identity' ? undefined : found
}

/** Whether the client accepts this coding, even if it prefers another. */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  if (header === undefined) return false
  return new Negotiator({ headers: { 'accept-encoding': header } }).encodings([coding]).length > 0
}
