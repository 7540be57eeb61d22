// Changes single events and series. The server stores one rule per series and no exceptions: a changed occurrence
// becomes a separate event, and the series is split around it. New events are created first, so that nothing is lost
// if the second step fails; in that case they are deleted again.

import { parseRule } from '../../../shared/recurrence-rule.ts'
import { type Clock, DAY_MS } from '../../../shared/wall-clock.ts'
import type { Fetched } from '../../ui/use-edit.ts'
import {
  type EventBody,
  type EventRecord,
  type Events,
  type Occurrence,
  occurrenceOf,
  timeFields,
  type Times,
} from './events.ts'
import { endBefore, restOf, shiftRule } from './rule.ts'

export const SCOPES = ['this', 'following', 'all'] as const

export type Scope = (typeof SCOPES)[number]

export interface Undo {
  /** Undoes the change. */
  readonly run: () => Promise<void>
  /** Whether undoing deletes created events, which needs another permission than changing. */
  readonly removes: boolean
}

export interface SeriesWork {
  readonly events: Events
  readonly clock: Clock
  readonly fetched: Fetched<EventRecord>
  /** The affected occurrence. */
  readonly at: Occurrence
}

/** Fields that the server sets. */
const OWN = new Set(['calendar_entry_id', 'date_added', 'date_modified', 'owner'])

function bodyOf(record: EventRecord): EventBody {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.has(name)))
}

/** Changes a single event or a whole series. */
async function changeAll(
  { events, fetched }: Pick<SeriesWork, 'events' | 'fetched'>,
  body: EventBody,
): Promise<Undo> {
  const { record, etag } = fetched
  const id = record.calendar_entry_id
  const changed = await events.change(id, body, etag)
  const before = Object.fromEntries(Object.keys(body).map((name) => [name, record[name] ?? null]))
  const run = async (): Promise<void> => void (await events.change(id, before, changed.etag))
  return { run, removes: false }
}

async function removeAll({ events, fetched }: SeriesWork): Promise<Undo> {
  await events.remove(fetched.record.calendar_entry_id, fetched.etag)
  const run = async (): Promise<void> => void (await events.create([bodyOf(fetched.record)]))
  return { run, removes: false }
}

/** Changes one occurrence; without a body, deletes it. */
async function changeOne(work: SeriesWork, body: EventBody | undefined): Promise<Undo> {
  const { fetched, at, clock } = work
  const own = { ...bodyOf(fetched.record), ...timeFields(at, clock), rrule: null }
  const single = body === undefined ? [] : [{ ...own, ...body, rrule: null }]
  const rest = await restAfter(work)
  if (isFirst(work)) {
    // The remaining series keeps its identifier.
    if (rest !== undefined) return replace(work, { made: single, change: rest })
    return body === undefined ? removeAll(work) : changeAll(work, { ...body, rrule: null })
  }
  const made = rest === undefined ? single : [...single, { ...bodyOf(fetched.record), ...rest }]
  return replace(work, { made, change: { rrule: endBefore(ruleIn(work), at) } })
}

/** Ends the series before this occurrence; with a body, a new series starts there. */
async function changeFollowing(work: SeriesWork, body: EventBody | undefined): Promise<Undo> {
  const { fetched, at, clock } = work
  if (isFirst(work)) return body === undefined ? removeAll(work) : changeAll(work, body)
  const made: EventBody[] = []
  if (body !== undefined) {
    const given = typeof body['rrule'] === 'string' ? body['rrule'] : ruleIn(work)
    const isSameCount = parseRule(given).get('COUNT') === parseRule(ruleIn(work)).get('COUNT')
    const rest = isSameCount ? restOf(given, await countBefore(work)) : given
    const rrule = body['rrule'] === null ? null : (rest ?? null)
    made.push({ ...bodyOf(fetched.record), ...timeFields(at, clock), ...body, rrule })
  }
  return replace(work, { made, change: { rrule: endBefore(ruleIn(work), at) } })
}

/**
 * Returns the fields that move this occurrence and, depending on the scope, the others. Returns undefined if the rule
 * names its days explicitly, because the intended days are then ambiguous.
 */
export function fieldsFor(
  work: SeriesWork,
  { times, scope, hasOwnRule }: Wanted,
): EventBody | undefined {
  const { fetched, at, clock } = work
  const rule = fetched.record.rrule
  if (rule === null || scope === 'this') return timeFields(times, clock)
  const base = scope === 'all' ? occurrenceOf(fetched.record, clock) : at
  const startWall = base.startWall + times.startWall - at.startWall
  const endWall = startWall + times.endWall - times.startWall
  const rrule =
    hasOwnRule === true ? rule : shiftRule(rule, { from: base.startWall, to: startWall, clock })
  if (rrule === undefined) return undefined
  return {
    ...timeFields({ ...times, startWall, endWall }, clock),
    ...(rrule !== rule && { rrule }),
  }
}

interface Wanted {
  readonly times: Times
  readonly scope: Scope
  /** The change includes a rule of its own, which is not shifted. */
  readonly hasOwnRule?: boolean
}

/** Changes the occurrences in the given scope. */
export function changeIn(work: SeriesWork, scope: Scope, body: EventBody): Promise<Undo> {
  if (work.fetched.record.rrule === null || scope === 'all') return changeAll(work, body)
  return scope === 'this' ? changeOne(work, body) : changeFollowing(work, body)
}

export function removeIn(work: SeriesWork, scope: Scope): Promise<Undo> {
  if (work.fetched.record.rrule === null || scope === 'all') return removeAll(work)
  return scope === 'this' ? changeOne(work, undefined) : changeFollowing(work, undefined)
}

interface Replacement {
  readonly made: readonly EventBody[]
  readonly change: EventBody
}

async function replace(work: SeriesWork, { made, change }: Replacement): Promise<Undo> {
  const { events, fetched } = work
  const { calendar_entry_id: entryId, date_modified: modified } = fetched.record
  const now = await events.read(entryId)
  // The entry has changed: this request fails before anything is created.
  if (now.record.date_modified !== modified) await events.change(entryId, change, fetched.etag)

  const ids = made.length === 0 ? [] : await events.create(made)
  const removeMade = async (): Promise<void> => {
    for (const id of ids) await events.remove(id)
  }
  try {
    const undo = await changeAll(work, change)
    const run = async (): Promise<void> => {
      await undo.run()
      await removeMade()
    }
    return { run, removes: ids.length > 0 }
  } catch (error) {
    await removeMade()
    throw error
  }
}

function isFirst({ fetched, at, clock }: Omit<SeriesWork, 'events'>): boolean {
  return at.startWall <= occurrenceOf(fetched.record, clock).startWall
}

function ruleIn({ fetched }: SeriesWork): string {
  return fetched.record.rrule ?? ''
}

const YEAR_MS = 366 * DAY_MS
/** Longest window that the server searches. */
const WINDOW_MS = 5 * YEAR_MS
/** A rule may pause for years; at most this many windows are searched. */
const WINDOWS = 20

/** Returns times and rule of the occurrences after this one; undefined for the last occurrence. */
async function restAfter(work: SeriesWork): Promise<EventBody | undefined> {
  const { fetched, at, clock } = work
  const next = await findNext(work)
  if (next === undefined) return undefined
  const hasCount = parseRule(ruleIn(work)).has('COUNT')
  const rrule = hasCount
    ? restOf(ruleIn(work), (await countBefore(work)) + 1)
    : fetched.record.rrule
  const times = timeFields(occurrenceOf(next, clock), clock)
  return rrule === undefined ? undefined : { ...times, rrule, all_day: at.isAllDay }
}

async function findNext({ events, at }: SeriesWork): Promise<EventRecord | undefined> {
  const { entryId, start } = at
  let fromMs = Date.parse(start)
  for (let round = 0; round < WINDOWS; round += 1) {
    const toMs = fromMs + WINDOW_MS
    const found = await events.occurrences({ fromMs, toMs, entryId, most: 50 })
    const next = found.find((each) => each.start_time > start)
    if (next !== undefined) return next
    fromMs = toMs
  }
  return undefined
}

/** Number of occurrences before this one. */
async function countBefore({ events, fetched, at }: SeriesWork): Promise<number> {
  const { entryId, start } = at
  if (!parseRule(fetched.record.rrule ?? '').has('COUNT')) return 0
  let count = 0
  const endMs = Date.parse(start)
  // Starts one day earlier, because all-day events may be stored as midnight UTC.
  for (
    let fromMs = Date.parse(fetched.record.start_time) - DAY_MS;
    fromMs < endMs;
    fromMs += WINDOW_MS
  ) {
    const toMs = Math.min(fromMs + WINDOW_MS, endMs)
    const found = await events.occurrences({ fromMs, toMs, entryId, most: 20_000 })
    const inWindow = found.filter(({ start_time: each }) => Date.parse(each) >= fromMs)
    count += inWindow.filter((each) => each.start_time < start).length
  }
  return count
}
