// Compares the system clock with the last time that the server saw, and warns the operator about jumps.

import { findSeen } from '../auth/key-use.ts'
import type { Log } from '../base/log.ts'
import {
  type RetentionClock,
  openRetentionClock,
} from '../operations/background/retention-clock.ts'
import type { Jump } from '../schema/retention-clock.ts'
import type { Records } from '../storage/port.ts'

interface Clocks {
  readonly log: Log
  readonly now: () => Date
  readonly uptimeMs: () => number
}

/** Shorter jumps are not logged, because a server may be stopped overnight and a machine may sleep. */
const TOLD_MS = 24 * 3_600_000

export function watchClock(records: Records, { log, now, uptimeMs }: Clocks): RetentionClock {
  const known = findSeen(records)
  if (known !== undefined && known.date_seen > now().toISOString())
    reportSetBack(log, { from: Date.parse(known.date_seen), to: now().getTime() })

  const lastMs = known && Date.parse(known.date_last)
  const onJump = (jump: Jump): void => tell(log, jump)
  const onSetBack = (jump: Jump): void => reportSetBack(log, jump)
  const before = { lastMs, jumps: known?.jumps ?? [] }
  return openRetentionClock({ known: before, now, uptimeMs, onJump, onSetBack })
}

function reportSetBack(log: Log, { from, to }: Jump): void {
  log.warn(
    { ...datesOf({ from, to }), seconds: Math.round((from - to) / 1_000) },
    'system clock moved backwards; keys that expired stay expired',
  )
}

function datesOf({ from, to }: Jump): { readonly from: string; readonly to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

function tell(log: Log, { from, to }: Jump): void {
  const days = Math.floor((to - from) / TOLD_MS)
  if (days < 1) return
  log.warn(
    { ...datesOf({ from, to }), days },
    'system clock jumped ahead; retention periods do not count the jump; if the clock is wrong, correct it',
  )
}
