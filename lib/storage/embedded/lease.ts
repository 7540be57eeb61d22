// The lease: a row in LMDB that names the owner of the data directory. Every commit reads it (the
// fence), so a process that somehow lost the directory commits nothing more. It also covers what the
// socket of lock.ts cannot: two containers that share the directory but not the kernel's view of it.

import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { markKey } from '../records/format.ts'
import type { LeaseWait } from '../engine.ts'
import type { Kv } from '../records/kv.ts'
import type { LmdbKv } from './lmdb-kv.ts'
import { InUseError } from './refusal.ts'

export const LEASE_NAME = 'lease'
const LEASE_KEY = markKey(LEASE_NAME)
const HEARTBEAT_MS = 5_000

interface Lease {
  readonly owner: string
  readonly pid: number
  readonly pidStart: string
  readonly pidNamespace: string
  readonly bootId: string
  readonly beat: number
}

interface LeaseOptions {
  readonly key?: Buffer
  /** Called before the wait for the heartbeat of an owner in another container. */
  readonly onWait?: ((wait: LeaseWait) => void) | undefined
}

/** Refuses while another living process holds the lease; waits for at most two heartbeats. */
export async function requireFreeLease(
  kv: Kv,
  dataDir: string,
  { key = LEASE_KEY, onWait }: LeaseOptions = {},
): Promise<void> {
  const read = () => readLease(kv, key)
  const lease = read()
  if (lease === undefined || !(await isAlive(lease, read, onWait))) return
  throw new InUseError(`Another cms-server (process ${lease.pid}) owns ${dataDir}.`)
}

async function isAlive(
  lease: Lease,
  read: () => Lease | undefined,
  onWait: LeaseOptions['onWait'],
): Promise<boolean> {
  const self = describeProcess()
  if (lease.bootId !== self.bootId) return false
  if (lease.pidNamespace === self.pidNamespace) return processStart(lease.pid) === lease.pidStart

  // Another container: its processes cannot be seen from here, its heartbeat can.
  const waitMs = 2 * HEARTBEAT_MS
  onWait?.({ pid: lease.pid, maxSeconds: waitMs / 1_000 })
  const deadline = performance.now() + waitMs
  while (performance.now() < deadline) {
    await sleep(250)
    if (read()?.beat !== lease.beat) return true
  }
  return false
}

/** Takes the lease and keeps it; the returned function ends it. Every commit fails once it is lost. */
export async function holdLease(kv: LmdbKv, owner: string): Promise<() => Promise<void>> {
  const write = (beat: number) =>
    kv.commit((writer) =>
      writer.put(LEASE_KEY, Buffer.from(JSON.stringify({ owner, ...describeProcess(), beat }))),
    )

  await write(0)
  const mark = Buffer.from(`"owner":"${owner}"`)
  kv.fence = (reader) =>
    reader.get(LEASE_KEY)?.includes(mark) === true ? undefined : new LeaseLostError()

  let beat = 0
  const timer = setInterval(() => {
    beat += 1
    write(beat).catch(() => undefined)
  }, HEARTBEAT_MS).unref()

  return async () => {
    clearInterval(timer)
    await endLease(kv)
  }
}

/** In a copy of the records it names a server that has nothing to do with the copy. */
export async function endLease(kv: Kv): Promise<void> {
  await kv.commit((writer) => writer.remove(LEASE_KEY))
}

/** Another process took the directory: this one must end. */
export class LeaseLostError extends Error {}

function readLease(kv: Pick<Kv, 'get'>, key: Buffer): Lease | undefined {
  const value = kv.get(key)
  return value === undefined ? undefined : (JSON.parse(value.toString()) as Lease)
}

function describeProcess(): Omit<Lease, 'owner' | 'beat'> {
  return {
    pid: process.pid,
    pidStart: processStart(process.pid) ?? '',
    pidNamespace: tryRead(() => readlinkSync('/proc/self/ns/pid')),
    bootId: tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  }
}

/**
 * When a process began, in clock ticks since boot, which tells a reused number; undefined when there
 * is none, or only the entry of a dead one that its parent has not yet collected.
 */
function processStart(pid: number): string | undefined {
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === '' || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

function tryRead(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
