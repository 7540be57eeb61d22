// What the server has seen of the clock before, what it sees of it now, and what the operator should know of it.

import { findSeen } from './auth/key-use.ts'
import type { Log } from './log.ts'
import { type LivedTime, openLivedTime } from './operations/background/lived-time.ts'
import type { Jump } from './schema/lived-time.ts'
import type { Records } from './storage/port.ts'

interface Clocks {
  readonly log: Log
  readonly now: () => Date
  readonly uptimeMs: () => number
}

/** A server that is stopped for a night, or a machine that sleeps, is nobody's business. */
const TOLD_MS = 24 * 3_600_000

export function watchClock(records: Records, { log, now, uptimeMs }: Clocks): LivedTime {
  const known = findSeen(records)
  if (known !== undefined && known.date_seen > now().toISOString())
    log.warn(
      { seen: known.date_seen },
      'the clock was later before; keys that end by then stay ended',
    )

  const last = known?.date_last ?? known?.date_seen
  const lastMs = last === undefined ? undefined : Date.parse(last)
  const onJump = (jump: Jump): void => tell(log, jump)
  return openLivedTime({ known: { lastMs, jumps: known?.jumps ?? [] }, now, uptimeMs, onJump })
}

function tell(log: Log, { from, to }: Jump): void {
  const days = Math.floor((to - from) / TOLD_MS)
  if (days < 1) return
  const facts = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  log.warn(
    facts,
    `the clock has gone ${days} days ahead of what the server has seen: nothing is removed for it that is kept for a time; if the clock is wrong, put it right`,
  )
}
