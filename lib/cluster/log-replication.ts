// How the copy of this process follows the log. What it shows is never taken back: where the log does not go on from
// there, because it was cut off, or is that of another database, the process has to end and begin with a new copy.

import { tryAgain } from './database-retry.ts'
import type { LocalCopy, Place } from './local-copy.ts'
import type { OthersPuts } from './foreign-writes.ts'
import type { Lane, Primary } from './primary.ts'
import { openSharedAsks } from './request-coalescing.ts'
import type { Soundness } from './copy-health.ts'
import { type Fetched, fetchAfter, readState } from './postgres-tables.ts'
import type { Vitals } from './database-status.ts'

export interface Following {
  /** Shows all that was committed by now, by whatever process. Throws unavailable. */
  toNewest(): Promise<void>
  /** Shows what was fetched after this place. */
  take(fetched: Fetched, from: Place): void
  place(): Place
  /** Fills the copy where it does not fit the log. To be called once, before all others. */
  begin(): Promise<void>
}

interface FollowingOptions {
  readonly copy: LocalCopy
  readonly primary: Primary
  readonly soundness: Soundness
  readonly others: Pick<OthersPuts, 'tell'>
  readonly vitals: Vitals
  /** Throws where the copy must not follow these. */
  readonly check: (commits: Fetched['commits']) => void
}

/** So long a request waits for a database that does not answer. */
export const ANSWER_WITHIN_MS = 3_000

export function openFollowing(options: FollowingOptions): Following {
  const { copy, primary, soundness, others, vitals, check } = options
  const lane = primary.openLane()
  const requireAhead = openRequireAhead(primary, soundness)
  /** What comes while it begins is looked at when that is done. */
  let hasBegun = false

  function place(): Place {
    const now = copy.place()
    if (now === undefined) throw new Error('There is no copy yet.')
    return now
  }

  function take({ head, commits, isGap }: Fetched, from: Place): void {
    soundness.require()
    if (isGap) soundness.fail(new Error(`The log does not go on from commit ${from.seq}.`))
    requireAhead(head, from)
    try {
      if (hasBegun) check(commits)
      copy.apply(commits)
      others.tell(commits)
    } catch (cause) {
      soundness.fail(cause)
    }
  }

  async function follow(): Promise<void> {
    let isBehind = true
    while (isBehind) {
      const from = place()
      const fetched = await fetchAfter(lane, from)
      take(fetched, from)
      isBehind = place().seq < fetched.head.seq
    }
  }

  async function followHeard(): Promise<void> {
    try {
      await follow()
      vitals.heard(place().seq)
    } catch (error) {
      vitals.failed()
      throw error
    }
  }

  const before = soundness.require
  const asked = { work: followHeard, withinMs: ANSWER_WITHIN_MS, before }
  const toNewest = openSharedAsks(() => tryAgain(asked).catch(losing(vitals, before)))
  return {
    toNewest,
    take,
    place,
    async begin() {
      const isFit = await tryAgain({ ...asked, work: () => fits(copy, lane) })
      if (!isFit) await fill(copy, lane)
      await toNewest()
      hasBegun = true
    },
  }
}

function losing(vitals: Vitals, requireOpen: () => void) {
  return (error: unknown): never => {
    // A process that ends has left the database by itself.
    requireOpen()
    vitals.lost(error)
    throw error
  }
}

/** A server that has less than was shown leads for a moment only, before it knows that it was replaced. */
const BEHIND_FOR_MS = 30_000

function openRequireAhead(primary: Primary, soundness: Soundness) {
  let behindSince: number | undefined
  return (head: Place, from: Place): void => {
    if (head.seq >= from.seq) {
      behindSince = undefined
      return
    }
    const now = performance.now()
    behindSince ??= now
    primary.leave()
    const cause = new Error(`The database has commit ${head.seq}, and ${from.seq} was shown.`)
    if (now - behindSince >= BEHIND_FOR_MS) soundness.fail(cause)
    throw cause
  }
}

/** Whether the log goes on from where the copy is. */
async function fits(copy: LocalCopy, lane: Lane): Promise<boolean> {
  const from = copy.place()
  if (from === undefined) return false
  const { head, isGap } = await fetchAfter(lane, from)
  return !isGap && head.seq >= from.seq
}

async function fill(copy: LocalCopy, lane: Lane): Promise<void> {
  const filling = copy.refill()
  filling.end(await readState(lane, filling.add))
}
