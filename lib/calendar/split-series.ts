// Splits a series of an iCalendar file at events that change this and all following occurrences (RANGE=THISANDFUTURE,
// RFC 5545 section 3.2.13). Each part is a series of its own: the times of the changed part move on the clock of the
// series as its first occurrence does.

import {
  buildRule,
  parseRule,
  parseUntil,
  TIME_PARTS,
  withPart,
} from '../shared/recurrence-rule.ts'
import { compactDate, compactTime, DAY_MS, startOfDay } from '../shared/wall-clock.ts'
import {
  allStarts,
  type FileRecurrence,
  hasEnd,
  ruleStarts,
  type SeriesWork,
} from './file-series.ts'
import { EventFault, type FileTime } from './file-values.ts'

export interface RangeChange {
  /** The first occurrence that is changed, by its start in the series. */
  readonly from: number
  /** The new start of this occurrence. */
  readonly start: FileTime
}

export interface SeriesPart<T> {
  /** Undefined for the part before the first change. */
  readonly change: T | undefined
  readonly recurrence: FileRecurrence
  /** The new start of an occurrence of the whole series. */
  readonly shift: (ms: number) => number
  readonly fromMs: number
}

/** Expects changes in the order of their occurrences, each of another one. */
export function splitSeries<T extends RangeChange>(
  whole: FileRecurrence,
  changes: readonly T[],
  work: SeriesWork,
): readonly SeriesPart<T>[] {
  const bounds = [undefined, ...changes]
  return bounds.flatMap((change, at) => {
    const fromMs = change?.from ?? Number.NEGATIVE_INFINITY
    const toMs = changes[at]?.from ?? Number.POSITIVE_INFINITY
    const shift = shiftOf(whole.start, change)
    const recurrence = partOf({ whole, change, shift, fromMs, toMs }, work)
    return recurrence === undefined ? [] : [{ change, shift, fromMs, recurrence }]
  })
}

interface Part {
  readonly whole: FileRecurrence
  readonly change: RangeChange | undefined
  readonly shift: (ms: number) => number
  readonly fromMs: number
  readonly toMs: number
}

/** Undefined if the part has no occurrence. */
function partOf(part: Part, work: SeriesWork): FileRecurrence | undefined {
  const { whole, change, shift, fromMs, toMs } = part
  if (toMs <= whole.start.ms) return undefined
  if (change !== undefined && change.start.isAllDay !== whole.start.isAllDay)
    throw new EventFault('range', change.start.property)
  const start =
    change === undefined ? whole.start : { ...whole.start, ...movedStart(whole, change) }
  const isInside = (ms: number): boolean => ms >= fromMs && ms < toMs
  const rule = ruleOf(part, work)
  if (rule !== undefined)
    return {
      start,
      rules: [rule],
      excludingRules: [],
      excluded: whole.excluded.filter(isInside).map(shift),
      added: whole.added.filter(isInside).map(shift),
    }
  if (!whole.rules.every(hasEnd)) throw new EventFault('range', change?.start.property)
  const starts = allStarts(whole, work).filter(isInside).map(shift)
  if (starts.length === 0) return undefined
  const excluded = starts.includes(start.ms) ? [] : [start.ms]
  return { start, rules: [], excludingRules: [], excluded, added: starts }
}

function movedStart({ start }: FileRecurrence, { start: { ms, property } }: RangeChange) {
  return { ms, property, wall: start.isAllDay ? ms : start.clock.wallOf(ms) }
}

function shiftOf(start: FileTime, change: RangeChange | undefined): (ms: number) => number {
  if (change === undefined) return (ms) => ms
  const { isAllDay, clock } = start
  const wallOf = (ms: number): number => (isAllDay ? ms : clock.wallOf(ms))
  const delta = wallOf(change.start.ms) - wallOf(change.from)
  return (ms) => (isAllDay ? ms + delta : clock.instantOf(clock.wallOf(ms) + delta))
}

/** The rule of a part; undefined if the part is no rule, or if another day of the rule would be meant. */
function ruleOf({ whole, change, shift, toMs }: Part, { budget }: SeriesWork): string | undefined {
  const { start, rules, excludingRules } = whole
  const [rule = '', ...others] = rules
  if (rule === '' || others.length > 0 || excludingRules.length > 0) return undefined
  const parts = parseRule(rule)
  const isMoved = change !== undefined && shift(change.from) !== change.from
  if (isMoved && (start.isAllDay || TIME_PARTS.some((name) => parts.has(name)))) return undefined
  if (change !== undefined && isMoved) {
    const day = (ms: number): number => startOfDay(start.clock.wallOf(ms))
    if (day(shift(change.from)) !== day(change.from)) return undefined
  }
  const done = change === undefined ? 0 : startsBefore(whole, change.from, budget)
  if (done === undefined) return undefined
  if (toMs !== Number.POSITIVE_INFINITY) {
    const endless = new Map(parts)
    endless.delete('COUNT')
    return buildRule(withPart(endless, 'UNTIL', lastBefore(toMs, whole, shift)))
  }
  const count = parts.get('COUNT')
  if (count !== undefined) return buildRule(withPart(parts, 'COUNT', String(Number(count) - done)))
  const until = parts.get('UNTIL') ?? ''
  const untilMs = until.includes('T') ? parseUntil(until) : undefined
  if (untilMs === undefined) return rule
  return buildRule(withPart(parts, 'UNTIL', `${compactTime(shift(untilMs))}Z`))
}

function lastBefore(
  toMs: number,
  { start }: FileRecurrence,
  shift: (ms: number) => number,
): string {
  return start.isAllDay ? compactDate(toMs - DAY_MS) : `${compactTime(shift(toMs) - 1_000)}Z`
}

/** The number of starts of the rule before this one; undefined if the rule does not give this start. */
function startsBefore(
  { start, rules }: FileRecurrence,
  fromMs: number,
  budget: SeriesWork['budget'],
): number | undefined {
  if (start.ms === fromMs) return 0
  let before = 1
  for (const ms of ruleStarts(rules[0] ?? '', start, budget)) {
    if (ms >= fromMs) return ms === fromMs ? before : undefined
    before += 1
  }
  return undefined
}
