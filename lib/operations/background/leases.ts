// Ensures that work is done once in a cluster. The owner is stored in the records; the database clock decides whether
// the owner is alive. Two processes may briefly both believe that they own a task, but each commit checks the owner
// and fails for any other process.
//
//   node_lease   owner of a permanent task: webhooks, expiring rows
//   work_owner   owner of one row of pending work: the process that began it, or that resumed it after a crash

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError } from '../../base/errors.ts'
import { nodeLease, workOwner } from '../../schema/server-records.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import type { Reader, Records, Unit } from '../../storage/port.ts'

export interface Held {
  /** Commits fail once another process owns the work. */
  readonly records: Records
  /** Aborts when the work must end, or this process no longer owns it. */
  readonly signal: AbortSignal
  /** Call it before any side effect other than a commit: throws and aborts the signal if the ownership may be lost. */
  readonly require: () => void
}

export interface Leases {
  /** Runs the work while no other process does, until the signal aborts or the work ends. */
  hold(kind: string, signal: AbortSignal, work: (held: Held) => Promise<void>): Promise<void>
  /** Claims the pending work that no living process owns. */
  claim(workIds: readonly string[]): Promise<readonly string[]>
  /** Calls `look` periodically until the signal aborts, because other processes may leave work behind. */
  watch(signal: AbortSignal, look: () => Promise<void>): Promise<void>
}

/** Leases of a single process, which owns all work. */
export function openOwnLeases(records: Records): Leases {
  return {
    hold: (_kind, signal, work) => work({ records, signal, require: () => undefined }),
    claim: async (workIds) => workIds,
    watch: async () => undefined,
  }
}

/** Tracks living processes: NodeLife of storage/engine.ts. */
interface Life {
  readonly own: string
  alive(): ReadonlySet<string>
  isLiving(): boolean
  beat(): Promise<void>
  onSilent(listener: () => void): void
}

interface SharedOptions {
  readonly records: Records
  readonly life: Life
  readonly livesMs: number
}

/** Interval at which a free lease is noticed. */
const LOOK_MS = 250
/** Checks per lifetime of a heartbeat. */
const LOOKS = 5

export function openSharedLeases({ records, life, livesMs }: SharedOptions): Leases {
  const holding = new Set<AbortController>()
  life.onSilent(() => {
    for (const held of holding) held.abort()
  })

  const isLive = (node: string | undefined): boolean =>
    node !== undefined && (node === life.own || life.alive().has(node))

  /**
   * A lease of this process that was not released is from an earlier run, because a process takes each lease once at
   * a time.
   */
  function isFree(reader: Pick<Reader, 'get'>, kind: string): boolean {
    const node = holderOf(reader, kind)?.node
    return node === life.own || !isLive(node)
  }

  /** Returns the term; undefined while another process holds the lease. */
  async function take(kind: string): Promise<string | undefined> {
    if (!life.isLiving() || !isFree(records, kind)) return undefined
    // A process that started since the last heartbeat is not known yet.
    await life.beat()
    return records.commit((unit) => {
      if (!isFree(unit, kind)) return undefined
      const term = randomUUID()
      unit.put(nodeLease, [kind], { node: life.own, term })
      return term
    })
  }

  /** True if the work ended by itself, or because the signal aborted. */
  async function doWork(
    kind: string,
    signal: AbortSignal,
    work: (held: Held) => Promise<void>,
  ): Promise<boolean> {
    const term = await take(kind)
    if (term === undefined) return false
    const own = new AbortController()
    holding.add(own)
    try {
      const both = AbortSignal.any([signal, own.signal])
      await work({ ...heldBy({ records, life, kind, term, own }), signal: both })
    } catch (error) {
      // The work was stopped, or another process owns it: not a failure.
      if (!signal.aborted && !own.signal.aborted) throw error
    } finally {
      holding.delete(own)
      // If this fails, the other processes wait until this one counts as dead.
      await release(records, kind, term).catch(() => undefined)
    }
    return !own.signal.aborted
  }

  return {
    async hold(kind, signal, work) {
      while (!signal.aborted) {
        const isDone = await doWork(kind, signal, work).catch(falseIfTransient)
        if (isDone) return
        await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
    },
    claim: (workIds) => claim({ records, life, isLive }, workIds),
    async watch(signal, look) {
      while (!signal.aborted) {
        await sleep(livesMs / LOOKS, undefined, { signal, ref: false }).catch(() => undefined)
        if (!signal.aborted && life.isLiving()) await look()
      }
    },
  }
}

function holderOf(reader: Pick<Reader, 'get'>, kind: string) {
  return reader.get(nodeLease, kind)?.value
}

function ownerOf(reader: Pick<Reader, 'get'>, workId: string): string | undefined {
  return reader.get(workOwner, workId)?.value.node
}

interface Holding extends Pick<SharedOptions, 'records' | 'life'> {
  readonly kind: string
  readonly term: string
  /** Aborted when the lease ends. */
  readonly own: AbortController
}

function heldBy({ records, life, kind, term, own }: Holding): Omit<Held, 'signal'> {
  // A process that was silent for too long does not continue with an old lease.
  const isCurrent = (): boolean => !own.signal.aborted && life.isLiving()
  const lose = (): never => {
    own.abort()
    throw lost()
  }
  return {
    records: fenced(records, (reader) => {
      if (!isCurrent() || holderOf(reader, kind)?.term !== term) lose()
    }),
    require: () => {
      if (!isCurrent()) lose()
    },
  }
}

async function release(records: Records, kind: string, term: string): Promise<void> {
  await records.commit((unit) => {
    if (holderOf(unit, kind)?.term === term) unit.remove(nodeLease, kind)
  })
}

interface Claiming extends Pick<SharedOptions, 'records' | 'life'> {
  readonly isLive: (node: string | undefined) => boolean
}

async function claim(
  { records, life, isLive }: Claiming,
  workIds: readonly string[],
): Promise<readonly string[]> {
  const left = workIds.filter((id) => !isLive(ownerOf(records, id)))
  if (left.length === 0) return []
  // A process that started since the last heartbeat is alive, too.
  await life.beat()
  const isLeft = (unit: Unit, id: string): boolean =>
    unit.get(pendingWork, id) !== undefined && !isLive(ownerOf(unit, id))
  return records.commit((unit) => {
    const free = left.filter((id) => isLeft(unit, id))
    for (const id of free) unit.put(workOwner, [id], { node: life.own })
    return free
  })
}

const PASSING: ReadonlySet<string> = new Set(['unavailable', 'outcome-unknown', 'disk-full'])

/** If the database is unavailable or full, the lease stays free; the caller retries. */
function falseIfTransient(error: unknown): boolean {
  if (error instanceof CmsError && PASSING.has(error.code)) return false
  throw error
}

function lost(): CmsError {
  return new CmsError('unavailable', 'Another process owns this work now.')
}

function fenced(records: Records, require: (reader: Pick<Reader, 'get'>) => void): Records {
  return {
    ...records,
    commit: (plan) =>
      records.commit((unit) => {
        require(unit)
        return plan(unit)
      }),
  }
}

/**
 * The same records, but pending work that is put belongs to this process. The work itself may run twice with the same
 * result; only its owner may finish it.
 */
export function withOwner(records: Records, node: string): Records {
  return {
    ...records,
    commit: (plan) =>
      records.commit((unit) => {
        const result = plan(unit)
        const works = unit.changes.filter(({ type }) => type.name === pendingWork.name)
        for (const { ids, before, stored } of works) {
          const [id = ''] = ids
          const owner = unit.get(workOwner, id)?.value.node ?? node
          if (before !== undefined && owner !== node) throw lost()
          if (stored === undefined) unit.remove(workOwner, id)
          else unit.put(workOwner, [id], { node })
        }
        return result
      }),
  }
}
