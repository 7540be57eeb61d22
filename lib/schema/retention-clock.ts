// Time that a server has lived through, by which it reckons how long something is kept. The clock may jump ahead
// (a battery that died, a wrong time server), and what is dated by it would look old enough to be removed. So each
// jump is noted, and does not count: neither does time in which no server ran, which cannot be told from one. What
// is a bound of security, as the end of a key, goes by the clock all the same.

export interface Jump {
  /** The time before it and the time after it, in milliseconds. */
  readonly from: number
  readonly to: number
}

/** From then on the two are one jump: what lies between them counts for less, and is kept for longer. */
const MOST_JUMPS = 64

/** The distance of two times that it gives is how much was lived between them. */
export function livedMs(jumps: readonly Jump[], timeMs: number): number {
  const passed = jumps.filter(({ to }) => to <= timeMs)
  return timeMs - passed.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** What is known when the clock went from one time to the other at once. */
export function withJump(jumps: readonly Jump[], { from, to }: Jump): readonly Jump[] {
  // A jump that was taken back is none, or a smaller one; what is dated in it lies ahead, and is kept until then.
  const end = Math.min(from, to)
  const before = jumps
    .filter((jump) => jump.from < end)
    .map((jump) => (jump.to <= end ? jump : { from: jump.from, to: end }))
  const all = from < to ? [...before, { from, to }] : before
  const [first, second, ...others] = all
  if (all.length <= MOST_JUMPS || first === undefined || second === undefined) return all
  return [{ from: first.from, to: second.to }, ...others]
}

/** Of a stop and the next start: a shorter one counts as lived. */
const LONGEST_STOP_MS = 3_600_000

/** What is known at a start; `lastMs` is the latest time of the run before. */
export function jumpsAtStart(
  jumps: readonly Jump[],
  { lastMs, nowMs }: { readonly lastMs: number | undefined; readonly nowMs: number },
): readonly Jump[] {
  const gapMs = lastMs === undefined ? 0 : nowMs - lastMs
  if (lastMs === undefined || (gapMs >= 0 && gapMs <= LONGEST_STOP_MS)) return jumps
  return withJump(jumps, { from: lastMs, to: nowMs })
}
