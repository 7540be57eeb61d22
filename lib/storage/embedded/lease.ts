// The lease: a row in LMDB that names the owner of the data directory. Every commit reads the lease (the fence), so a
// process that has lost the directory can no longer commit. The lease also covers what the socket of lock.ts cannot: two
// containers that share the directory but do not see each other's processes.

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
  /** Called before waiting for the heartbeat of an owner in another container. */
  readonly onWait?: ((wait: LeaseWait) => void) | undefined
}

/** Refuses while another live process holds the lease; waits at most two heartbeats. */
export async function requireFreeLease(
  kv: Kv,
  dataDir: string,
  { key = LEASE_KEY, onWait }: LeaseOptions = {},
): Promise<void> {
  const read = () => readLease(kv, key)
  const lease = read()
  if (lease === undefined || !(await isAlive(lease, read, onWait))) return
  throw new InUseError(
    `Another cms-server (process ${lease.pid}) owns ${dataDir}. Stop the other server first, or name another directory.`,
  )
}

async function isAlive(
  lease: Lease,
  read: () => Lease | undefined,
  onWait: LeaseOptions['onWait'],
): Promise<boolean> {
  const self = describeProcess()
  if (lease.bootId !== self.bootId) return false
  if (lease.pidNamespace === self.pidNamespace) return processStart(lease.pid) === lease.pidStart

  // The owner runs in another container: its processes are invisible here, but its heartbeat is visible.
  const waitMs = 2 * HEARTBEAT_MS
  onWait?.({ pid: lease.pid, maxSeconds: waitMs / 1_000 })
  const deadline = performance.now() + waitMs
  while (performance.now() < deadline) {
    await sleep(250)
    if (read()?.beat !== lease.beat) return true
  }
  return false
}

/** Acquires the lease and renews it; the returned function releases it. Every commit fails after the lease is lost. */
export async function holdLease(kv: LmdbKv, owner: string): Promise<() => Promise<void>> {
  const write = async (beat: number): Promise<unknown> =>
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

/** Removes the lease from a copy of the records, because it names a server that does not own the copy. */
export async function endLease(kv: Kv): Promise<void> {
  await kv.commit((writer) => writer.remove(LEASE_KEY))
}

/** Another process took over the directory: this process must end. */
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
 * Start time of a process in clock ticks since boot, which distinguishes a reused process number. Empty or undefined if
 * no process exists, or only the entry of a dead process that its parent has not collected.
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
