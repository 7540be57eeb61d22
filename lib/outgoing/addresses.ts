// To which addresses the server itself may send requests that somebody has asked for: to public ones, and to what the
// operator names. Else whoever may give it an address could make it speak with what only this machine, or its network, can reach.

import type { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Addresses {
  /** The operator has named some. */
  readonly hasNames: boolean
  /** The operator has named it. */
  isNamed(address: string): boolean
  isAllowed(address: string): boolean
}

/** All that was given out as global unicast: NAT64, mapped and compatible forms, unique local and link-local lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Where a machine of Azure asks for what it is: those of other clouds lie in ranges that are not public. */
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

/** An address of IPv4 that is mapped into IPv6 is that of IPv4: the system connects to it. */
function plainOf(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

function isPublic(address: string): boolean {
  const plain = plainOf(address)
  if (plain?.range() !== 'unicast' || plain.toString() === AZURE_SERVICE) return false
  return plain.kind() === 'ipv4' || (plain as ipaddr.IPv6).match(GLOBAL_UNICAST)
}
