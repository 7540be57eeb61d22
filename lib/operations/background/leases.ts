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

export interface HeldLease {
  /** Commits fail once another process owns the work. */
  readonly records: Records
  /** Aborts when the work must end, or this process no longer owns it. */
  readonly signal: AbortSignal
  /** Call it before any side effect other than a commit: throws and aborts the signal if the ownership may be lost. */
  readonly require: () => void
}

export interface Leases {
  /** Runs the work while no other process does, until the signal aborts or the work ends. */
  hold(kind: string, signal: AbortSignal, work: (lease: HeldLease) => Promise<void>): Promise<void>
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

export function openSharedLeases(options: SharedOptions): Leases {
  return new SharedLeases(options)
}

class SharedLeases implements Leases {
  readonly #records: Records
  readonly #life: Life
  readonly #livesMs: number
  readonly #holding = new Set<AbortController>()

  constructor({ records, life, livesMs }: SharedOptions) {
    this.#records = records
    this.#life = life
    this.#livesMs = livesMs
    life.onSilent(() => {
      for (const controller of this.#holding) controller.abort()
    })
  }

  async hold(
    kind: string,
    signal: AbortSignal,
    work: (lease: HeldLease) => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      const isDone = await this.#doWork(kind, signal, work).catch(falseIfTransient)
      if (isDone) return
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async claim(workIds: readonly string[]): Promise<readonly string[]> {
    const left = workIds.filter((id) => !this.#isLive(ownerOf(this.#records, id)))
    if (left.length === 0) return []
    // A process that started since the last heartbeat is alive, too.
    await this.#life.beat()
    const isLeft = (unit: Unit, id: string): boolean =>
      unit.get(pendingWork, id) !== undefined && !this.#isLive(ownerOf(unit, id))
    return this.#records.commit((unit) => {
      const free = left.filter((id) => isLeft(unit, id))
      for (const id of free) unit.put(workOwner, [id], { node: this.#life.own })
      return free
    })
  }

  async watch(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = this.#livesMs / LOOKS
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted && this.#life.isLiving()) await look()
    }
  }

  #isLive(node: string | undefined): boolean {
    return node !== undefined && (node === this.#life.own || this.#life.alive().has(node))
  }

  /**
   * A lease of this process that was not released is from an earlier run, because a process takes each lease once at
   * a time.
   */
  #isFree(reader: Pick<Reader, 'get'>, kind: string): boolean {
    const node = holderOf(reader, kind)?.node
    return node === this.#life.own || !this.#isLive(node)
  }

  /** Returns the term; undefined while another process holds the lease. */
  async #take(kind: string): Promise<string | undefined> {
    if (!this.#life.isLiving() || !this.#isFree(this.#records, kind)) return undefined
    // A process that started since the last heartbeat is not known yet.
    await this.#life.beat()
    return this.#records.commit((unit) => {
      if (!this.#isFree(unit, kind)) return undefined
      const term = randomUUID()
      unit.put(nodeLease, [kind], { node: this.#life.own, term })
      return term
    })
  }

  /** True if the work ended by itself, or because the signal aborted. */
  async #doWork(
    kind: string,
    signal: AbortSignal,
    work: (lease: HeldLease) => Promise<void>,
  ): Promise<boolean> {
    const term = await this.#take(kind)
    if (term === undefined) return false
    const own = new AbortController()
    this.#holding.add(own)
    try {
      const both = AbortSignal.any([signal, own.signal])
      await work({ ...this.#heldBy(kind, term, own), signal: both })
    } catch (error) {
      // The work was stopped, or another process owns it: not a failure.
      if (!signal.aborted && !own.signal.aborted) throw error
    } finally {
      this.#holding.delete(own)
      // If this fails, the other processes wait until this one counts as dead.
      await this.#release(kind, term).catch(() => undefined)
    }
    return !own.signal.aborted
  }

  /** `own` aborts when the lease ends. */
  #heldBy(kind: string, term: string, own: AbortController): Omit<HeldLease, 'signal'> {
    // A process that was silent for too long does not continue with an old lease.
    const isCurrent = (): boolean => !own.signal.aborted && this.#life.isLiving()
    const lose = (): never => {
      own.abort()
      throw lost()
    }
    return {
      records: fenced(this.#records, (reader) => {
        if (!isCurrent() || holderOf(reader, kind)?.term !== term) lose()
      }),
      require: () => {
        if (!isCurrent()) lose()
      },
    }
  }

  async #release(kind: string, term: string): Promise<void> {
    await this.#records.commit((unit) => {
      if (holderOf(unit, kind)?.term === term) unit.remove(nodeLease, kind)
    })
  }
}

function holderOf(reader: Pick<Reader, 'get'>, kind: string) {
  return reader.get(nodeLease, kind)?.value
}

function ownerOf(reader: Pick<Reader, 'get'>, workId: string): string | undefined {
  return reader.get(workOwner, workId)?.value.node
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
