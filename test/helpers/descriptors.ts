// Counts open files and connections of this process, which runs the servers and clients of a test.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { siteBehind } from './engine.ts'

/**
 * Connections to the database and the store of this directory do not count, because they open and
 * close at any time.
 */
export async function openDescriptorCount(dataDir: string): Promise<() => number> {
  const ports = await portsBehind(dataDir)
  return () => {
    const behind = socketsTo(ports)
    return readdirSync('/proc/self/fd').filter((fd) => !behind.has(targetOf(fd))).length
  }
}

async function portsBehind(dataDir: string): Promise<ReadonlySet<number>> {
  const site = await siteBehind(dataDir)
  const urls = site === undefined ? [] : [site.databaseUrl, site.store.endpoint ?? '']
  return new Set(urls.map((url) => Number(new URL(url).port)))
}

/** Names of the sockets, in the form of the links in /proc/self/fd. */
function socketsTo(ports: ReadonlySet<number>): ReadonlySet<string> {
  const rows = ports.size === 0 ? [] : readFileSync('/proc/self/net/tcp', 'utf8').split('\n')
  // Column 3 is the remote address in hexadecimal; column 10 is the inode.
  const columns = rows.map((row) => row.trim().split(/\s+/))
  const behind = columns.filter(([, , there = '']) =>
    ports.has(Number.parseInt(there.split(':')[1] ?? '', 16)),
  )
  return new Set(behind.map((column) => `socket:[${column[9]}]`))
}

/** A descriptor closed in the meantime has no link. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
