// Open files and connections of this process: of the servers of a test, and of its clients.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { siteBehind } from './engine.ts'

/** Counts them, without those to what is behind the servers on this directory: they come and go by themselves. */
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

/** As the links of descriptors name them. */
function socketsTo(ports: ReadonlySet<number>): ReadonlySet<string> {
  const rows = ports.size === 0 ? [] : readFileSync('/proc/self/net/tcp', 'utf8').split('\n')
  // The address at the other end is the third column, in hexadecimal digits; the inode is the tenth.
  const columns = rows.map((row) => row.trim().split(/\s+/))
  const behind = columns.filter(([, , there = '']) =>
    ports.has(Number.parseInt(there.split(':')[1] ?? '', 16)),
  )
  return new Set(behind.map((column) => `socket:[${column[9]}]`))
}

/** One that was closed meanwhile has none. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
