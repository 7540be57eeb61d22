// Measures retention time: compares the wall clock with the monotonic clock.

import { type Jump, jumpsAtStart, retentionMs, withJump } from '../../schema/retention-clock.ts'

export interface RetentionClock {
  /** Milliseconds of retention time since the date; negative for a date in the future. */
  since(date: string): number
  /** The clock, and its jumps so far. */
  look(): ClockState
}

interface ClockState {
  readonly now: Date
  readonly jumps: readonly Jump[]
}

export interface RetentionClockOptions {
  /** State of the previous run. */
  readonly known: {
    readonly lastMs: number | undefined
    readonly jumps: readonly Jump[]
  }
  readonly now: () => Date
  /** Milliseconds on a monotonic clock. */
  readonly uptimeMs: () => number
  /** The clock has jumped ahead. */
  readonly onJump: (jump: Jump) => void
  /** The clock was set back while the server was running. */
  readonly onSetBack: (jump: Jump) => void
}

/** Difference between the two clocks that is not a jump. */
const TOLERANCE_MS = 60_000

export function openRetentionClock(options: RetentionClockOptions): RetentionClock {
  const { known, now, uptimeMs, onJump, onSetBack } = options
  let wallMs = now().getTime()
  let upMs = uptimeMs()
  let jumps = tell(known.jumps, jumpsAtStart(known.jumps, { lastMs: known.lastMs, nowMs: wallMs }))

  function tell(before: readonly Jump[], after: readonly Jump[]): readonly Jump[] {
    const last = after.at(-1)
    if (last !== undefined && last !== before.at(-1)) onJump(last)
    return after
  }

  function look(): ClockState {
    const date = now()
    const nextWallMs = date.getTime()
    const nextUpMs = uptimeMs()
    const expectedMs = wallMs + nextUpMs - upMs
    const jump = { from: expectedMs, to: nextWallMs }
    if (Math.abs(nextWallMs - expectedMs) > TOLERANCE_MS) jumps = tell(jumps, withJump(jumps, jump))
    if (expectedMs - nextWallMs > TOLERANCE_MS) onSetBack(jump)
    wallMs = nextWallMs
    upMs = nextUpMs
    return { now: date, jumps }
  }

  return {
    look,
    since(date) {
      const state = look()
      return (
        retentionMs(state.jumps, state.now.getTime()) - retentionMs(state.jumps, Date.parse(date))
      )
    },
  }
}
