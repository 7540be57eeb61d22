// Reads records of several types from one state. A read without a pause has one state by itself: records.ts. If a read
// pauses, its trace tells whether one of its records has changed meanwhile.

import { withMembers } from '../base/with-members.ts'
import { inLongSlice, nextSlice } from '../schema/time-slicing.ts'
import type { Context } from './context.ts'

/** A read whose records change all the time must end, too. */
const MAX_READS = 3

/**
 * The result of `read`, which must read through the context that it receives. Repeats the read if records have changed
 * during its pauses; a repeated read has a longer slice. The last repetition may show changes made during the read.
 */
export function fromOneState<T>(
  context: Context,
  read: (context: Context) => T | Promise<T>,
): T | Promise<T> {
  const first = readTraced(context, read)
  return first.made instanceof Promise ? repeatUntilCurrent(context, read, first) : first.made
}

interface TracedRead<T> {
  readonly made: T | Promise<T>
  readonly isCurrent: () => boolean
}

function readTraced<T>(
  context: Context,
  read: (context: Context) => T | Promise<T>,
): TracedRead<T> {
  const trace = context.records.trace()
  const made = read(withMembers(context, { records: trace.records }))
  return { made, isCurrent: () => trace.close()() }
}

async function repeatUntilCurrent<T>(
  context: Context,
  read: (context: Context) => T | Promise<T>,
  first: TracedRead<T>,
): Promise<T> {
  let { made, isCurrent } = first
  for (let reads = 1; ; reads += 1) {
    const found = await made
    if (!(made instanceof Promise) || reads === MAX_READS || isCurrent()) return found
    await nextSlice()
    ;({ made, isCurrent } = inLongSlice(() => readTraced(context, read)))
  }
}
