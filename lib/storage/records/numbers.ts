// Assigns numbers to new records. The highest stored number of a type is read from the store; numbers reserved since are
// kept in memory.

import type { RecordType } from '../../schema/values.ts'
import type { Reader, Records } from '../port.ts'
import type { Kv } from './kv.ts'

/** Reserved numbers that are remembered for each type: more than the possible number of unfinished requests. */
const MAX_GIVEN = 10_000

export interface NumbersOptions {
  readonly kv: Kv
  readonly reader: Pick<Reader, 'get' | 'highestId'>
  /** The highest number of each type that was reserved or stored here. */
  readonly issued: Map<string, number>
  readonly isOneOfMany: boolean
}

export function buildNumbers({
  kv,
  reader,
  issued,
  isOneOfMany,
}: NumbersOptions): Pick<Records, 'nextId' | 'newIds' | 'newIdApart' | 'returnIds'> {
  const givenApart = new Map<string, Set<number>>()
  return { nextId: (type) => nextIds(type, 1), newIds, newIdApart, returnIds }

  function newIds(type: RecordType, count: number): readonly number[] | Promise<readonly number[]> {
    const listed = (last: number): readonly number[] =>
      // Most callers need one number, and Array.from takes several microseconds.
      count === 1 ? [last] : Array.from({ length: count }, (_, at) => last - count + 1 + at)
    if (kv.takeNumbers === undefined) return listed(nextIds(type, count))
    return kv.takeNumbers({ name: type.name, count, above: highestId(type) }).then(listed)
  }

  async function newIdApart(type: RecordType, other: RecordType): Promise<number> {
    for (;;) {
      const [id = 0] = await newIds(type, 1)
      if (givenApart.get(other.name)?.has(id) || reader.get(other, id) !== undefined) continue
      noteGiven(type, id)
      return id
    }
  }

  function returnIds({ name }: RecordType, ids: readonly number[]): void {
    // Other callers may have reserved the following numbers, or have stored some.
    if (isOneOfMany || issued.get(name) !== ids.at(-1)) return
    issued.set(name, (ids[0] ?? 1) - 1)
  }

  function noteGiven({ name }: RecordType, id: number): void {
    const given = givenApart.get(name) ?? new Set<number>()
    givenApart.set(name, given.add(id))
    const [oldest = id] = given
    if (given.size > MAX_GIVEN) given.delete(oldest)
  }

  function highestId(type: RecordType): number {
    const known = issued.get(type.name)
    // A single writer needs to read the stored number only once.
    if (known !== undefined && !isOneOfMany) return known
    return Math.max(known ?? 0, reader.highestId(type))
  }

  /** Reserves `count` numbers and returns the last one. */
  function nextIds(type: RecordType, count: number): number {
    const last = highestId(type) + count
    issued.set(type.name, last)
    return last
  }
}
