// An index for a field that rises with the identifier, such as a creation date: the records themselves are the index. A
// value may lie before the latest earlier value by some slack (Rising.slackMs), so that a clock which is adjusted
// continuously has no effect. If the clock is set back by more, a new run of records begins in which the field rises again;
// the identifiers at which runs begin are noted with their dates (RecordType.rises). Records between two values are found
// by binary search in each run, and are read from the first run with a match to the last.

import type { JsonObject, RecordType, Rising } from '../../schema/values.ts'
import { recordKey, recordIds, recordRange } from './format.ts'
import { type Range, rangeOf } from './keys.ts'
import type { KvReader } from './kv.ts'
import { decodeRecord } from './record-bytes.ts'
import { pairChunks } from './slices.ts'

/** Values that compare as texts; both bounds are included. */
export interface Between {
  readonly low: string
  readonly high: string
}

/** Each run takes at most two short reads. With more runs, all records are examined, as for a condition without an index. */
const MAX_RUNS = 10_000

/** A range with all records whose value is within the bounds, and possibly others; undefined if there are too many runs. */
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
  // Ids rise from run to run, so the first and the last match are the bounds of all matches.
  const { from = 0, to = 0 } = first && last ? { from: first.from, to: last.to } : {}
  return { start: recordKey(kv, type, [from]), end: recordKey(kv, type, [to]) }
}

/** Identifiers from `from` (included) to `to` (excluded). */
interface Stretch {
  readonly from: number
  readonly to: number
}

interface Run extends Stretch {
  /** The value of its first record, which may have been removed. */
  readonly first: string
}

function* runsOf(
  kv: KvReader,
  type: RecordType,
  { resets, field }: Rising,
): Generator<void, readonly Run[] | undefined> {
  const first = idAt(kv, type, { reverse: false })
  const last = idAt(kv, type, { reverse: true })
  if (first === undefined || last === undefined) return []
  const starts = [{ from: first, first: '' }]
  for (const pairs of pairChunks(kv, recordRange(kv, resets))) {
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

/** Identifiers that may lie within the bounds, in the first run that has any. */
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

/** Within a run, earlier values may be later by the slack, and later values earlier. */
function moved(date: string, byMs: number): string {
  const at = Date.parse(date)
  return Number.isNaN(at) ? date : new Date(at + byMs).toISOString()
}

function lastValue({ kv, type, rises }: Search, { from, to }: Stretch): string | undefined {
  const range = { start: recordKey(kv, type, [from]), end: recordKey(kv, type, [to]) }
  const [found] = kv.pairs({ ...range, reverse: true, limit: 1 })
  return found && valueIn(found.value, rises.field)
}

/** The first identifier of a run for which `isSo` holds, or the end of the run. Identifiers may be missing in the run. */
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
