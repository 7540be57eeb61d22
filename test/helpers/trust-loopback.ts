// Trusts this machine as a proxy, so that tests can simulate any client address with X-Forwarded-For.

import { BlockList } from 'node:net'

export function trustLoopback(): BlockList {
  const proxies = new BlockList()
  proxies.addSubnet('127.0.0.0', 8, 'ipv4')
  return proxies
}
