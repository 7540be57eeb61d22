// What a run can be told by the environment: how long, how often, how much. Small figures are for trying out.

function setting(name: string, usual: number): number {
  const told = process.env[`BENCH_${name}`]
  if (told === undefined) return usual
  const value = Number(told)
  if (!(value > 0)) throw new Error(`BENCH_${name} is ${told}; it must be a number above 0.`)
  return value
}

/** Of each server in a scenario, in turns; the median is told. */
export const ROUNDS = setting('ROUNDS', 3)

export const ROUND_SECONDS = setting('SECONDS', 3)

/** The form `cold` is this long, from the start of a server on. */
export const COLD_SECONDS = setting('COLD_SECONDS', 5)

export const WARM_UP_SECONDS = setting('WARM_UP_SECONDS', 2)

/** Of the form `mixed`. */
export const WRITES_PER_SECOND = setting('WRITES', 100)

/** Where each request asks for another one. */
export const ADDRESSES = setting('ADDRESSES', 10_000)

/** Entries of a table: a size, and the one at which all is measured once more. */
export const TABLE_SIZE = setting('TABLE', 10_000)
export const LARGE_TABLE_SIZE = setting('LARGE_TABLE', 1_000_000)

/** Of `sizes`. */
export const FILES = setting('FILES', 100_000)

/** Of `mix`. */
export const MINUTES = setting('MINUTES', 60)

/** A folder for PocketBase that outlives the run, so that the next one does not fetch it again. */
export const PEER_DIR = process.env['BENCH_PEER_DIR']
