// A field that rises with the identifier, as a date does that is written when the record is made: its index are the
// records themselves. Where the clock was set back it falls, and a run of records begins in which it rises again; the
// identifiers at which that is so are noted (RecordType.rises). So the records that may lie between two values are found
// by halving each run, and asked for from the first of them to the last.

import type { JsonObject, RecordType, Rising } from '../../schema/values.ts'
import { recordKey, recordIds, recordRange } from './format.ts'
import { type Range, rangeOf } from './keys.ts'
import type { KvReader } from './kv.ts'
import { decodeRecord } from './record-bytes.ts'

/** Of values that are compared as texts; both are included. */
export interface Between {
  readonly low: string
  readonly high: string
}

/** With more, to look at all records is no more work. */
const MAX_RUNS = 1_000

/** Holds all records whose value is between the two, and others; undefined where that is not known. */
export function* risingRange(
  kv: KvReader,
  type: RecordType,
  { low, high }: Between,
): Generator<void, Range | undefined> {
  const { rises } = type
  if (rises === undefined) return undefined
  const runs = runsOf(kv, type, rises)
  if (runs === undefined) return undefined
  const all = recordRange(kv, type)
  let start: number | undefined
  let end: number | undefined
  for (const run of runs) {
    const first = firstWhere(kv, { type, ...run }, (value) => value >= low, rises)
    const behind = firstWhere(kv, { type, ...run, from: first }, (value) => value > high, rises)
    if (first < behind) {
      start ??= first
      end = behind
    }
    yield
  }
  // Ids rise from run to run, so the first and the last that were found are the bounds of all.
  if (start === undefined || end === undefined) return { start: all.start, end: all.start }
  return { start: recordKey(kv, type, [start]), end: recordKey(kv, type, [end]) }
}

/** Identifiers from `from` to `to`, not included. */
export interface Run {
  readonly from: number
  readonly to: number
}

function runsOf(kv: KvReader, type: RecordType, { turns }: Rising): readonly Run[] | undefined {
  const first = idAt(kv, type, { reverse: false })
  const last = idAt(kv, type, { reverse: true })
  if (first === undefined || last === undefined) return []
  const keys = [...kv.keys({ ...recordRange(kv, turns), limit: MAX_RUNS })]
  if (keys.length === MAX_RUNS) return undefined
  const starts = keys
    .map((key) => Number(recordIds(key)[0]))
    .filter((id) => id > first && id <= last)
  const from = [first, ...starts]
  return from.map((id, at) => ({ from: id, to: from[at + 1] ?? last + 1 }))
}

function idAt(
  kv: KvReader,
  type: RecordType,
  { reverse }: { readonly reverse: boolean },
): number | undefined {
  const [key] = kv.keys({ ...recordRange(kv, type), reverse, limit: 1 })
  return key === undefined ? undefined : Number(recordIds(key)[0])
}

interface Place extends Run {
  readonly type: RecordType
}

/** The first identifier of a run from which on it is so, or the end of the run. Identifiers may be missing in it. */
function firstWhere(
  kv: KvReader,
  { type, from, to }: Place,
  isSo: (value: string) => boolean,
  { field }: Rising,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    const { start } = rangeOf(recordKey(kv, type, [middle]))
    const [found] = kv.pairs({ start, end: recordKey(kv, type, [high]), limit: 1 })
    if (found === undefined) high = middle
    else if (isSo(String(decodeRecord<JsonObject>(found.value).value[field]))) high = middle
    else low = Number(recordIds(found.key)[0]) + 1
  }
  return low
}
