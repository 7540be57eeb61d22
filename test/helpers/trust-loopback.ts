// This machine as a trusted proxy: tests send X-Forwarded-For to come from any address they like.

import { BlockList } from 'node:net'

export function trustLoopback(): BlockList {
  const proxies = new BlockList()
  proxies.addSubnet('127.0.0.0', 8, 'ipv4')
  return proxies
}
