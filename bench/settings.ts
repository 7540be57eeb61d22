// Settings from the environment: durations, rounds and sizes. Small values are for trials.

function setting(name: string, usual: number): number {
  const told = process.env[`BENCH_${name}`]
  if (told === undefined) return usual
  const value = Number(told)
  if (!(value > 0)) throw new Error(`BENCH_${name} is ${told}; it must be a number above 0.`)
  return value
}

/** Rounds of each server in a scenario, which take turns; the report has the median. */
export const ROUNDS = setting('ROUNDS', 3)

export const ROUND_SECONDS = setting('SECONDS', 3)

/** Length of the form `cold`, from the start of a server. */
export const COLD_SECONDS = setting('COLD_SECONDS', 5)

export const WARM_UP_SECONDS = setting('WARM_UP_SECONDS', 2)

/** Writes per second in the form `mixed`. */
export const WRITES_PER_SECOND = setting('WRITES', 100)

/** Number of addresses in the forms with many addresses. */
export const ADDRESSES = setting('ADDRESSES', 10_000)

/** Sizes of a table; the larger size repeats all measurements. */
export const TABLE_SIZE = setting('TABLE', 10_000)
export const LARGE_TABLE_SIZE = setting('LARGE_TABLE', 1_000_000)

/** For `sizes`. */
export const FILES = setting('FILES', 100_000)

/** For `mix`. */
export const MINUTES = setting('MINUTES', 60)

/**
 * A folder for PocketBase that outlives the run, so that the next run does not install it again.
 */
export const PEER_DIR = process.env['BENCH_PEER_DIR']
