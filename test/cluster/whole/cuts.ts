// Network partitions of a running node: packets to some ports, or from its own port, are dropped.
// All nodes are on one machine, so the firewall recognizes a node by its group.

import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Fault, Parts } from './faults.ts'
import { groupOf, type Nodes } from './nodes.ts'

const run = promisify(execFile)
const TABLE = 'inet cms_cut_node'
/** The ports of PostgreSQL and of the gateways. */
const SERVICES = '{ 5432, 26781, 26782 }'

/** No partition remains after a run has ended. */
process.once('exit', () => {
  try {
    execFileSync('nft', ['delete', 'table', ...TABLE.split(' ')], { stdio: 'ignore' })
  } catch {
    // The table does not exist, so nothing was cut.
  }
})

export function cutFromServices({ nodes, random }: Parts, lastsMs: number): Fault {
  return {
    name: 'cut a node from the database and the store',
    of: ['nodes'],
    lastsMs,
    begin: () => cut(random.below(nodes.urls.length), `tcp dport ${SERVICES}`),
  }
}

export function cutFromClients({ nodes, random }: Parts, lastsMs: number): Fault {
  return {
    name: 'cut a node from its clients',
    of: ['nodes'],
    lastsMs,
    begin: () => {
      const at = random.below(nodes.urls.length)
      return cut(at, `tcp sport ${portOf(nodes, at)}`)
    },
  }
}

function portOf({ urls }: Nodes, at: number): string {
  return new URL(urls[at] ?? '').port
}

async function cut(at: number, what: string): Promise<() => Promise<unknown>> {
  await run('nft', [
    `add table ${TABLE}; add chain ${TABLE} out { type filter hook output priority 0; };
     add rule ${TABLE} out meta skgid ${groupOf(at)} ${what} drop`,
  ])
  return () => run('nft', [`delete table ${TABLE}`])
}
