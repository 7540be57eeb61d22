// A field that rises with the identifier, as a date does that is written when the record is made: its index are the
// records themselves. It may be before the latest in front of it by some slack (Rising.slackMs), so that a clock which is put
// right all the time changes nothing. Where the clock was set back by more, a run of records begins in which it
// rises again; the identifiers at which that is so are noted (RecordType.rises), with its date. So the records that may
// lie between two values are found by halving runs, and asked for from the first of them to the last.

import type { JsonObject, RecordType, Rising } from '../../schema/values.ts'
import { recordKey, recordIds, recordRange } from './format.ts'
import { type Range, rangeOf } from './keys.ts'
import type { KvReader } from './kv.ts'
import { decodeRecord } from './record-bytes.ts'
import { pairChunks } from './slices.ts'

/** Of values that are compared as texts; both are included. */
export interface Between {
  readonly low: string
  readonly high: string
}

/** Two short reads each, at most. With more, all records are looked at, as with a condition that has no index. */
const MAX_RUNS = 10_000

/** Holds all records whose value is between the two, and others; undefined where that is not known. */
export function* risingRange(
  kv: KvReader,
  type: RecordType,
  between: Between,
): Generator<void, Range | undefined> {
  const { rises } = type
  if (rises === undefined) return undefined
  const runs = yield* runsOf(kv, type, rises)
  if (runs === undefined) return undefined
  const search = { kv, type, rises, ...between }
  const first = yield* findStretch(search, runs)
  const last = first && (yield* findStretch(search, runs.toReversed()))
  // Ids rise from run to run, so the first and the last that were found are the bounds of all.
  const { from = 0, to = 0 } = first && last ? { from: first.from, to: last.to } : {}
  return { start: recordKey(kv, type, [from]), end: recordKey(kv, type, [to]) }
}

/** Identifiers from `from` to `to`, not included. */
interface Stretch {
  readonly from: number
  readonly to: number
}

interface Run extends Stretch {
  /** The value of its first record; its first ones may be gone. */
  readonly first: string
}

function* runsOf(
  kv: KvReader,
  type: RecordType,
  { turns, field }: Rising,
): Generator<void, readonly Run[] | undefined> {
  const first = idAt(kv, type, { reverse: false })
  const last = idAt(kv, type, { reverse: true })
  if (first === undefined || last === undefined) return []
  const starts = [{ from: first, first: '' }]
  for (const pairs of pairChunks(kv, recordRange(kv, turns))) {
    for (const { key, value } of pairs) {
      const from = Number(recordIds(key)[0])
      if (from > first && from <= last) starts.push({ from, first: valueIn(value, field) })
    }
    if (starts.length > MAX_RUNS) return undefined
    yield
  }
  return starts.map((run, at) => ({ ...run, to: starts[at + 1]?.from ?? last + 1 }))
}

function valueIn(bytes: Buffer, field: string): string {
  return String(decodeRecord<JsonObject>(bytes).value[field])
}

function idAt(
  kv: KvReader,
  type: RecordType,
  { reverse }: { readonly reverse: boolean },
): number | undefined {
  const [key] = kv.keys({ ...recordRange(kv, type), reverse, limit: 1 })
  return key === undefined ? undefined : Number(recordIds(key)[0])
}

interface Search extends Between {
  readonly kv: KvReader
  readonly type: RecordType
  readonly rises: Rising
}

/** Of the first of the runs that has any: where those are that may lie between the two. */
function* findStretch(search: Search, runs: readonly Run[]): Generator<void, Stretch | undefined> {
  const { low, high, rises } = search
  const isLate = (value: string): boolean => moved(value, -rises.slackMs) > high
  const isEarly = (value: string): boolean => moved(value, rises.slackMs) < low
  for (const run of runs) {
    yield
    if (run.first !== '' && isLate(run.first)) continue
    const last = lastValue(search, run)
    if (last === undefined || isEarly(last)) continue
    const from = firstWhere(search, run, (value) => !isEarly(value))
    const to = firstWhere(search, { from, to: run.to }, isLate)
    if (from < to) return { from, to }
  }
  return undefined
}

/** Within a run those before may be later by the slack, and those behind earlier. */
function moved(date: string, byMs: number): string {
  const at = Date.parse(date)
  return Number.isNaN(at) ? date : new Date(at + byMs).toISOString()
}

function lastValue({ kv, type, rises }: Search, { from, to }: Stretch): string | undefined {
  const range = { start: recordKey(kv, type, [from]), end: recordKey(kv, type, [to]) }
  const [found] = kv.pairs({ ...range, reverse: true, limit: 1 })
  return found && valueIn(found.value, rises.field)
}

/** The first identifier of a run from which on it is so, or the end of the run. Identifiers may be missing in it. */
function firstWhere(
  { kv, type, rises }: Search,
  { from, to }: Stretch,
  isSo: (value: string) => boolean,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    const { start } = rangeOf(recordKey(kv, type, [middle]))
    const [found] = kv.pairs({ start, end: recordKey(kv, type, [high]), limit: 1 })
    if (found === undefined) high = middle
    else if (isSo(valueIn(found.value, rises.field))) high = middle
    else low = Number(recordIds(found.key)[0]) + 1
  }
  return low
}
