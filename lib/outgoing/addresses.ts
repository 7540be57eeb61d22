// Decides to which addresses the server may send requests on behalf of users: public ones, and those that the
// operator allows. Otherwise users could reach services of this machine or its network (SSRF).

import type { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Addresses {
  /** The operator has named some addresses. */
  readonly hasNames: boolean
  /** The operator has named this address. */
  isNamed(address: string): boolean
  isAllowed(address: string): boolean
}

/** The global unicast range: NAT64, mapped and compatible forms, unique local and link-local addresses lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's metadata service has a public address; other clouds use ranges that are not public. */
const AZURE_SERVICE = '168.63.129.16'

export function openAddresses(named: BlockList | undefined): Addresses {
  function isNamed(address: string): boolean {
    const plain = plainOf(address)
    return plain !== undefined && named?.check(plain.toString(), plain.kind()) === true
  }

  return {
    hasNames: named !== undefined,
    isNamed,
    isAllowed: (address) => isNamed(address) || isPublic(address),
  }
}

/** Treats an IPv4-mapped IPv6 address as IPv4, because the system connects to the IPv4 address. */
function plainOf(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

function isPublic(address: string): boolean {
  const plain = plainOf(address)
  if (plain?.range() !== 'unicast' || plain.toString() === AZURE_SERVICE) return false
  return plain.kind() === 'ipv4' || (plain as ipaddr.IPv6).match(GLOBAL_UNICAST)
}
