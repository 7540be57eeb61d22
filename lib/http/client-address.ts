// The address of the client: the peer of the connection, or the address that a trusted proxy reports. The log and all limits
// use this address.

import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'

/** The trusted proxies; undefined if no proxy is trusted. */
export type Proxies = BlockList | undefined

/**
 * The last address in X-Forwarded-For that is not a trusted proxy. Each proxy appends the address of its peer, so earlier
 * items are not trustworthy. Without a trusted proxy, the header is ignored.
 */
export function clientAddress(message: IncomingMessage, proxies: Proxies): string {
  return wayOf(message, proxies).address
}

/** The number of trusted proxies that the request has passed. */
export function trustedHops(message: IncomingMessage, proxies: Proxies): number {
  return wayOf(message, proxies).hops
}

interface Way {
  readonly address: string
  readonly hops: number
}

function wayOf(message: IncomingMessage, proxies: Proxies): Way {
  const { socket, headers } = message
  let address = plainAddress(socket.remoteAddress ?? handedOver(message)?.peer)
  if (proxies === undefined || !isIn(proxies, address)) return { address, hops: 0 }

  const told = String(headers['x-forwarded-for'] ?? '').split(',')
  let hops = 1
  for (const item of told.toReversed()) {
    const next = plainAddress(withoutPort(item.trim()))
    if (isIP(next) === 0) return { address, hops }
    address = next
    if (!isIn(proxies, address)) return { address, hops }
    hops += 1
  }
  return { address, hops }
}

/** Converts an IPv4-mapped IPv6 address to IPv4; empty if the connection is closed. */
export function plainAddress(address: string | undefined): string {
  // Every request asks, and most addresses need no change.
  return address?.startsWith('::') === true
    ? address.replace(/^::ffff:(?=\d+\.)/i, '')
    : (address ?? '')
}

/** Whether the address is a loopback address; false for a host name. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address)
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** Whether many clients may share the address: a trusted proxy, or a proxy on this machine. */
export function isShared(address: string, proxies: Proxies): boolean {
  return /^(127\.|::1$|$)/.test(address) || (proxies !== undefined && isIn(proxies, address))
}

/** The network that belongs to one client: an IPv4 address, or the /64 of an IPv6 address. */
export function ownNetwork(address: string): string {
  if (!address.includes(':')) return address
  const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))
  const [before = '', after = ''] = address.split('::', 2)
  const [first, last] = [groupsOf(before), groupsOf(after)]
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

/** The quota key of an address; undefined if many clients may share the address. */
export function sourceOf(address: string, proxies: Proxies): string | undefined {
  return isShared(address, proxies) ? undefined : ownNetwork(address)
}

/** Some proxies include the port: 192.0.2.1:4711, [2001:db8::1]:4711. */
function withoutPort(text: string): string {
  return text.replace(/^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/, '$1$2')
}

function isIn(proxies: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

// The facts that a reader process adds to a request that it hands over to the writer process.

interface HandedOver {
  /** The address of the client's connection to the reader process. */
  readonly peer: string
  /** Whether the request has already been counted for --rate-limit. */
  readonly isCounted: boolean
}

const HANDED_OVER = new WeakMap<IncomingMessage, HandedOver>()
const COUNTED = new WeakSet<IncomingMessage>()

/** Must be called before the request is handled. */
export function setHandedOver(message: IncomingMessage, facts: HandedOver): void {
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
