// Retention is measured in time during which a server ran. The system clock may jump ahead (a dead battery, a
// wrong time server), and records dated by it would look old enough to be removed. Each jump is therefore
// recorded and does not count. Time without a running server does not count either, because it cannot be
// distinguished from a jump. Security limits, such as the expiry of a key, still follow the clock.

export interface Jump {
  /** Time before and after the jump, in milliseconds. */
  readonly from: number
  readonly to: number
}

/**
 * Beyond this number the two oldest jumps are merged: time between them no longer counts, so records are kept
 * longer.
 */
const MOST_JUMPS = 64

/** Maps a time to the retention clock: differences of results are retention time. */
export function retentionMs(jumps: readonly Jump[], timeMs: number): number {
  const passed = jumps.filter(({ to }) => to <= timeMs)
  return timeMs - passed.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** The recorded jumps after the clock went from one time to another at once. */
export function withJump(jumps: readonly Jump[], { from, to }: Jump): readonly Jump[] {
  // A jump that is taken back disappears or shrinks; records dated inside it are in the future and kept until
  // then.
  const end = Math.min(from, to)
  const before = jumps
    .filter((jump) => jump.from < end)
    .map((jump) => (jump.to <= end ? jump : { from: jump.from, to: end }))
  const all = from < to ? [...before, { from, to }] : before
  const [first, second, ...others] = all
  if (all.length <= MOST_JUMPS || first === undefined || second === undefined) return all
  return [{ from: first.from, to: second.to }, ...others]
}

/** Longest time between a stop and the next start that still counts. */
const LONGEST_STOP_MS = 3_600_000

/** The recorded jumps at a start; `lastMs` is the latest time of the previous run. */
export function jumpsAtStart(
  jumps: readonly Jump[],
  { lastMs, nowMs }: { readonly lastMs: number | undefined; readonly nowMs: number },
): readonly Jump[] {
  const gapMs = lastMs === undefined ? 0 : nowMs - lastMs
  if (lastMs === undefined || (gapMs >= 0 && gapMs <= LONGEST_STOP_MS)) return jumps
  return withJump(jumps, { from: lastMs, to: nowMs })
}
