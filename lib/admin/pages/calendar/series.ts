// Changes single events and series. A changed occurrence becomes an event that replaces it, and a deleted occurrence a date
// in exdates. A change of the following events splits the series. New events are created first, so that nothing is lost
// if the second step fails; in that case they are deleted again.

import { parseRule } from '../../../shared/recurrence-rule.ts'
import { occurrenceOf, timeFields, type Times } from './event-times.ts'
import type { EventBody, EventRecord } from './events.ts'
import { endBefore, restOf, shiftRule } from './rule.ts'
import {
  countBefore,
  dayOrTime,
  exceptionsIn,
  placeOf,
  type SeriesWork,
  type Shift,
  shiftOf,
} from './series-dates.ts'

export const SCOPES = ['this', 'following', 'all'] as const

export type Scope = (typeof SCOPES)[number]

export interface Undo {
  /** Undoes the change. */
  readonly run: () => Promise<void>
  /** Whether undoing deletes created events, which needs another permission than changing. */
  readonly removes: boolean
}

/** Fields that the server sets, and those that belong to one series. */
const OWN = new Set([
  'calendar_entry_id',
  'date_added',
  'date_modified',
  'owner',
  'exdates',
  'rdates',
  'recurrence_of',
  'recurrence_id',
  'uid',
])

function bodyOf(record: EventRecord): EventBody {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.has(name)))
}

/** Changes a single event or a whole series with its exceptions. */
async function changeAll(work: SeriesWork, body: EventBody): Promise<Undo> {
  const { fetched, events, clock } = work
  const base = occurrenceOf(fetched.record, clock)
  const shift = shiftOf(work, base.startWall, body)
  const undo = await change(work, { ...body, ...exceptionsIn(fetched.record, shift, body) })
  if (shift === undefined || fetched.record.rrule === null) return undo
  const moves = (await events.replacing(base.entryId)).map((each) => ({
    id: each.calendar_entry_id,
    from: each.recurrence_id,
    to: shift(each.recurrence_id ?? ''),
  }))
  for (const { id, to } of moves) await events.change(id, { recurrence_id: to })
  const run = async (): Promise<void> => {
    await undo.run()
    for (const { id, from } of moves) await events.change(id, { recurrence_id: from })
  }
  return { run, removes: false }
}

async function change(
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
  return { run: () => events.restore(fetched.record, bodyOf(fetched.record)), removes: false }
}

/** Changes one occurrence by an event that replaces it. */
async function changeOne(work: SeriesWork, body: EventBody): Promise<Undo> {
  const { events, fetched, at, clock } = work
  await requireCurrent(work)
  const [id = 0] = await events.create([
    {
      ...bodyOf(fetched.record),
      ...timeFields(at, clock),
      ...body,
      rrule: null,
      recurrence_of: at.entryId,
      recurrence_id: placeOf(work),
    },
  ])
  return { run: () => events.remove(id), removes: true }
}

function removeOne(work: SeriesWork): Promise<Undo> {
  return change(work, { exdates: [...work.fetched.record.exdates, placeOf(work)] })
}

/** Deletes an event that replaces an occurrence, and the occurrence. */
async function removeReplacing(work: SeriesWork, seriesId: number): Promise<Undo> {
  const { events, fetched } = work
  const series = await events.read(seriesId)
  const exdates = [...series.record.exdates, fetched.record.recurrence_id]
  const undo = await change({ events, fetched: series }, { exdates })
  const removed = await removeAll(work)
  const run = async (): Promise<void> => {
    await undo.run()
    await removed.run()
  }
  return { run, removes: false }
}

/** Ends the series before this occurrence; with a body, a new series starts there. */
async function changeFollowing(work: SeriesWork, body: EventBody | undefined): Promise<Undo> {
  const { fetched, at, clock, events } = work
  if (isFirst(work)) return body === undefined ? removeAll(work) : changeAll(work, body)
  const { exdates, rdates } = fetched.record
  const isLater = (time: string): boolean => time >= dayOrTime(work)
  const replacing = (await events.replacing(at.entryId)).filter((each) =>
    isLater(each.recurrence_id ?? ''),
  )
  const ended = {
    rrule: endBefore(ruleIn(work), at),
    ...(rdates.some(isLater) && { rdates: rdates.filter((time) => !isLater(time)) }),
  }
  if (body === undefined) {
    const undo = await change(work, ended)
    for (const each of replacing) await events.remove(each.calendar_entry_id)
    const run = async (): Promise<void> => {
      await undo.run()
      for (const each of replacing) await events.restore(each, bodyOf(each))
    }
    return { run, removes: false }
  }
  const given = typeof body['rrule'] === 'string' ? body['rrule'] : ruleIn(work)
  const isSameCount = parseRule(given).get('COUNT') === parseRule(ruleIn(work)).get('COUNT')
  const rest = isSameCount ? restOf(given, await countBefore(work)) : given
  const rrule = body['rrule'] === null ? null : (rest ?? null)
  const shift = shiftOf(work, at.startWall, body) ?? ((time: string) => time)
  const dates = rrule !== null && {
    exdates: exdates.filter(isLater).map(shift),
    rdates: rdates.filter(isLater).map(shift),
  }
  const next = { ...bodyOf(fetched.record), ...timeFields(at, clock), ...body, ...dates, rrule }
  return replace(work, {
    made: next,
    change: ended,
    relinked: rrule === null ? [] : replacing,
    shift,
  })
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
  const { rrule, recurrence_of: seriesId } = work.fetched.record
  if (seriesId !== null) return removeReplacing(work, seriesId)
  if (rrule === null || scope === 'all') return removeAll(work)
  return scope === 'this' ? removeOne(work) : changeFollowing(work, undefined)
}

/** Throws the refusal of the server if the series has changed meanwhile. */
async function requireCurrent({ events, fetched }: SeriesWork): Promise<void> {
  const { calendar_entry_id: id, date_modified: modified, rrule } = fetched.record
  const now = await events.read(id)
  if (now.record.date_modified !== modified) await events.change(id, { rrule }, fetched.etag)
}

interface Replacement {
  readonly made: EventBody
  readonly change: EventBody
  /** Events that replace occurrences of the new series. */
  readonly relinked: readonly EventRecord[]
  readonly shift: Shift
}

async function replace(
  work: SeriesWork,
  { made, change: body, relinked, shift }: Replacement,
): Promise<Undo> {
  const { events } = work
  await requireCurrent(work)
  const [id = 0] = await events.create([made])
  const linkBack = async (): Promise<void> => {
    for (const { calendar_entry_id: each, recurrence_of, recurrence_id } of relinked)
      await events.change(each, { recurrence_of, recurrence_id })
  }
  try {
    const undo = await change(work, body)
    for (const { calendar_entry_id: each, recurrence_id: place } of relinked)
      await events.change(each, { recurrence_of: id, recurrence_id: shift(place ?? '') })
    const run = async (): Promise<void> => {
      await undo.run()
      await linkBack()
      await events.remove(id)
    }
    return { run, removes: true }
  } catch (error) {
    await linkBack()
    await events.remove(id)
    throw error
  }
}

function isFirst({ fetched, at, clock }: Omit<SeriesWork, 'events'>): boolean {
  return at.startWall <= occurrenceOf(fetched.record, clock).startWall
}

function ruleIn({ fetched }: SeriesWork): string {
  return fetched.record.rrule ?? ''
}
