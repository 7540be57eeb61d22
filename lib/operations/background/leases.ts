// Work that happens once, however many processes write the records. Who does it stands in the records; whether that one
// lives is told by the clock of the database. So two may believe for a moment that they have a work, but what is committed
// for it is committed by the one that the records name: each commit looks, and fails where it is another.
//
//   node_lease   of a kind of work that is always to be done: webhooks, rows that expire
//   work_owner   of one row of pending work: whoever has begun it, and goes on with it after that is no more

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError } from '../../base/errors.ts'
import { nodeLease, workOwner } from '../../schema/node-lease.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import type { Reader, Records, Unit } from '../../storage/port.ts'

export interface Held {
  /** Whose commits fail once another process has the work. */
  readonly records: Records
  /** Given when the work is to end, or is this process's no more. */
  readonly signal: AbortSignal
  /** To be called before anything is done that is no commit: throws, and gives the signal, where the work may be another's. */
  readonly require: () => void
}

export interface Leases {
  /** Does the work while no other process does it, until the signal, or until it ends by itself. */
  hold(kind: string, signal: AbortSignal, work: (held: Held) => Promise<void>): Promise<void>
  /** Of pending work that which nobody does; it is this process's from then on. */
  claim(workIds: readonly string[]): Promise<readonly string[]>
  /** Calls `look` now and then, until the signal: others may leave work behind. */
  watch(signal: AbortSignal, look: () => Promise<void>): Promise<void>
}

/** Of a process that is alone: all work is its own. */
export function openOwnLeases(records: Records): Leases {
  return {
    hold: (_kind, signal, work) => work({ records, signal, require: () => undefined }),
    claim: async (workIds) => workIds,
    watch: async () => undefined,
  }
}

/** Which processes live: NodeLife of storage/engine.ts. */
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

/** A lease that is given back is seen by then. */
const LOOK_MS = 250
/** In the time of one life so often it is asked who lives. */
const LOOKS = 5

export function openSharedLeases({ records, life, livesMs }: SharedOptions): Leases {
  const holding = new Set<AbortController>()
  life.onSilent(() => {
    for (const held of holding) held.abort()
  })

  const isLive = (node: string | undefined): boolean =>
    node !== undefined && (node === life.own || life.alive().has(node))

  /** What this process has not given back is of before: it does a work once at a time. */
  function isFree(reader: Pick<Reader, 'get'>, kind: string): boolean {
    const node = holderOf(reader, kind)?.node
    return node === life.own || !isLive(node)
  }

  /** Gives the term; undefined while another has it. */
  async function take(kind: string): Promise<string | undefined> {
    if (!life.isLiving() || !isFree(records, kind)) return undefined
    // One that began since the last beat is not known to live yet.
    await life.beat()
    return records.commit((unit) => {
      if (!isFree(unit, kind)) return undefined
      const term = randomUUID()
      unit.put(nodeLease, [kind], { node: life.own, term })
      return term
    })
  }

  /** True where it has ended by itself, or by the signal. */
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
      // It was ended, or is another's by now: that is no failure.
      if (!signal.aborted && !own.signal.aborted) throw error
    } finally {
      holding.delete(own)
      // Where that fails the others wait until this one counts as living no more.
      await giveBack(records, kind, term).catch(() => undefined)
    }
    return !own.signal.aborted
  }

  return {
    async hold(kind, signal, work) {
      while (!signal.aborted) {
        const isDone = await doWork(kind, signal, work).catch(passing)
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
  /** Given when it is over. */
  readonly own: AbortController
}

function heldBy({ records, life, kind, term, own }: Holding): Omit<Held, 'signal'> {
  // Who has fallen silent and is heard again does not go on where it was.
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

async function giveBack(records: Records, kind: string, term: string): Promise<void> {
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
  // Who began since the last beat lives, too.
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

/** While the database does not answer, or has no room, the work is nobody's; it is asked again. */
function passing(error: unknown): boolean {
  if (error instanceof CmsError && PASSING.has(error.code)) return false
  throw error
}

function lost(): CmsError {
  return new CmsError('unavailable', 'Another process has this work now.')
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
 * The same records; pending work that is put is that of this process, which is doing it. What it does for it may be done
 * twice, with one outcome; that it is done is said by whose it is.
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
