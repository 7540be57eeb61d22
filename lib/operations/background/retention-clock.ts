// The time that the server lives through: its clock, held against one that nobody sets.

import { type Jump, jumpsAtStart, livedMs, withJump } from '../../schema/retention-clock.ts'

export interface LivedTime {
  /** Milliseconds that were lived since then; less than none of a time that lies ahead. */
  since(date: string): number
  /** The clock, and its jumps so far. */
  look(): LivedState
}

interface LivedState {
  readonly now: Date
  readonly jumps: readonly Jump[]
}

export interface LivedTimeOptions {
  /** Of the run before. */
  readonly known: {
    readonly lastMs: number | undefined
    readonly jumps: readonly Jump[]
  }
  readonly now: () => Date
  /** Milliseconds since some moment, whatever becomes of the clock. */
  readonly uptimeMs: () => number
  /** The clock has jumped ahead. */
  readonly onJump: (jump: Jump) => void
  /** The clock was set back, while the server runs. */
  readonly onSetBack: (jump: Jump) => void
}

/** By which the two clocks may differ from one look to the next. */
const TOLERANCE_MS = 60_000

export function openLivedTime(options: LivedTimeOptions): LivedTime {
  const { known, now, uptimeMs, onJump, onSetBack } = options
  let wallMs = now().getTime()
  let upMs = uptimeMs()
  let jumps = tell(known.jumps, jumpsAtStart(known.jumps, { lastMs: known.lastMs, nowMs: wallMs }))

  function tell(before: readonly Jump[], after: readonly Jump[]): readonly Jump[] {
    const last = after.at(-1)
    if (last !== undefined && last !== before.at(-1)) onJump(last)
    return after
  }

  function look(): LivedState {
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
      return livedMs(state.jumps, state.now.getTime()) - livedMs(state.jumps, Date.parse(date))
    },
  }
}
