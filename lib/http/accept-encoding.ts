// Which coding a client takes (RFC 9110, 12.5.3): the one that it prefers, and of equal ones brotli.

import Negotiator from 'negotiator'

export type Coding = 'br' | 'gzip'

const OFFERED = ['br', 'gzip', 'identity'] as const

/** Undefined: none, as without the header. */
export function acceptedCoding(header: string): Coding | undefined {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  // Its types know nothing of the second parameter.
  const [found] = Reflect.apply(negotiator.encodings, negotiator, [
    OFFERED,
    { preferred: OFFERED },
  ]) as readonly (typeof OFFERED)[number][]
  return found === 'identity' ? undefined : found
}

/** Whether the client takes this one, be it that it prefers another. */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  if (header === undefined) return false
  return new Negotiator({ headers: { 'accept-encoding': header } }).encodings([coding]).length > 0
}
