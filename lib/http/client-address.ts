// Who sends a request, as an address: that of the connection, or the one that a trusted proxy tells of.
// The log and the limits all take it from here.

import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { handedOver } from './handed-over.ts'

/** Addresses of proxies; undefined: none is trusted. */
export type Proxies = BlockList | undefined

/**
 * The address that the nearest proxy of the operator saw: of X-Forwarded-For, to which each proxy adds
 * at the end, the last one that is no proxy of the operator. What stands before it is hearsay, and from
 * anybody else the whole header is.
 */
export function clientAddress(message: IncomingMessage, proxies: Proxies): string {
  return wayOf(message, proxies).address
}

/** How many proxies of the operator the request has come through, as far as is told. */
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

/** IPv4 as such, although it reached a socket for IPv6; empty when the connection is gone. */
export function plainAddress(address: string | undefined): string {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
}

/** This very machine; false for a name. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address)
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** True where many clients may be behind an address: a proxy, known as such or on this very machine. */
export function isShared(address: string, proxies: Proxies): boolean {
  return /^(127\.|::1$|$)/.test(address) || (proxies !== undefined && isIn(proxies, address))
}

/** What a client has for its own: an address of IPv4, and of IPv6 the network of 64 bits. */
export function ownNetwork(address: string): string {
  if (!address.includes(':')) return address
  const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))
  const [before = '', after = ''] = address.split('::', 2)
  const [first, last] = [groupsOf(before), groupsOf(after)]
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

/** What an address is counted as where clients are told apart; undefined when many may be behind it. */
export function sourceOf(address: string, proxies: Proxies): string | undefined {
  return isShared(address, proxies) ? undefined : ownNetwork(address)
}

/** Some proxies tell the port too: 192.0.2.1:4711, [2001:db8::1]:4711. */
function withoutPort(text: string): string {
  return text.replace(/^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/, '$1$2')
}

function isIn(proxies: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
