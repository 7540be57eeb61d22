// Imports an iCalendar file into a calendar: creates each event, or updates the entry with the same uid. The file is read in a
// worker. The events are written in several commits, because a file may have more events than one commit may write. An
// import that ends early is repeated: events that are stored already stay the same.

import type { CalendarFile } from '../../calendar/calendar-file.ts'
import type { FileEvent } from '../../calendar/file-groups.ts'
import { buildRefusal, type Refusal, type RefusalCode } from '../../shared/import-refusals.ts'
import { CmsError, type Fault, requestEnded } from '../../base/errors.ts'
import { sizeOf } from '../../schema/entry.ts'
import { UID_COLUMN } from '../../schema/calendar-fields.ts'
import type { JsonObject } from '../../schema/values.ts'
import { MAX_SHOWN_FAILURES } from '../../shared/limits.ts'
import { type ListLimits, maxListEntries } from '../../shared/list-size.ts'
import type { Context } from '../context.ts'
import { type ModuleAddress, requireModule } from './find-module.ts'
import type { Module } from './module-cache.ts'
import { findHolder } from './unique.ts'
import { upsertEntries } from './upsert.ts'

export interface ImportInput {
  readonly address: ModuleAddress
  readonly bytes: Buffer
  readonly isDryRun: boolean
  readonly limits: ListLimits & { readonly maxCalendarEntries: number }
  /** Aborted when no client waits for the result. */
  readonly signal: AbortSignal
}

export interface ImportOutcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refusedCount: number
  /** The first refused events. */
  readonly refused: readonly Refusal[]
  readonly ignored: CalendarFile['ignored']
  readonly isDryRun: boolean
}

export async function importCalendarFile(
  context: Context,
  { address, bytes, isDryRun, limits, signal }: ImportInput,
): Promise<ImportOutcome> {
  const module = requireAll(context, address)
  const timeZone = module.record.time_zone ?? 'UTC'
  const file = { bytes, timeZone, maxEvents: limits.maxCalendarEntries }
  const read = await context.calendarWork.readFile(file, signal)
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const refused = [...read.refused]
  /** Series that the calendar refused. */
  const lost = new Set<string>()

  async function write(events: readonly FileEvent[]): Promise<void> {
    if (events.length === 0) return
    if (signal.aborted) throw requestEnded()
    const bodies = events.map((event) => bodyOf(context, module, event))
    const input = { address, bodies, isList: true, onConflict: UID_COLUMN.column.name, isDryRun }
    try {
      const { created, changed } = await upsertEntries(context, input)
      for (const [at, isNew] of created.entries())
        counts[isNew ? 'created' : changed[at] === true ? 'updated' : 'unchanged'] += 1
    } catch (error) {
      const { rest, refusals } = afterError(error, events)
      for (const refusal of refusals) {
        refused.push(refusal)
        if (refusal.uid !== null) lost.add(refusal.uid)
      }
      for (const part of rest) await write(part)
    }
  }

  const size = maxListEntries(sizeOf(module.entry), limits)
  async function writeAll(
    lists: readonly string[],
    isWritten: (event: FileEvent) => boolean,
  ): Promise<void> {
    for (const list of lists) {
      const events = (JSON.parse(list) as readonly FileEvent[]).filter(isWritten)
      for (let at = 0; at < events.length; at += size) await write(events.slice(at, at + size))
    }
  }

  // Series come first, so that the events that replace their occurrences can name them.
  await writeAll(read.series, () => true)
  const lostSeries = new Set(lost)
  const isSeriesWritten = (event: FileEvent): boolean => {
    const isLost = lostSeries.has(event.seriesUid ?? '')
    if (isLost) refused.push(refusalOf(event, 'series'))
    return !isLost
  }
  await writeAll(read.replacing, isSeriesWritten)
  refused.sort((left, right) => left.line - right.line)
  const shown = refused.slice(0, MAX_SHOWN_FAILURES)
  return {
    ...counts,
    refusedCount: refused.length,
    refused: shown,
    ignored: read.ignored,
    isDryRun,
  }
}

/** The outcome shows which events are stored, so it needs the grant view, too. */
function requireAll(context: Context, address: ModuleAddress): Module {
  requireModule(context, address, 'modify')
  return requireModule(context, address, 'view')
}

/** An event that replaces an occurrence stands alone if its series is not stored, as in a dry run. */
function bodyOf(context: Context, module: Module, event: FileEvent): JsonObject {
  const { body, seriesUid, recurrenceId } = event
  const id =
    seriesUid === null
      ? undefined
      : findHolder(context.records, module.entry, { column: UID_COLUMN, value: seriesUid })
  const place =
    id === undefined
      ? { recurrence_of: null, recurrence_id: null }
      : { recurrence_of: id, recurrence_id: recurrenceId }
  return { ...body, ...place }
}

interface AfterError {
  /** Lists that are still to be written. */
  readonly rest: readonly (readonly FileEvent[])[]
  readonly refusals: readonly Refusal[]
}

/** The list without the refused events, or two halves of a list that is too large. Throws every other error. */
function afterError(error: unknown, events: readonly FileEvent[]): AfterError {
  if (!(error instanceof CmsError)) throw error
  const faults = faultsByPlace(error.facts.errors ?? [])
  if (faults.size > 0) {
    const refusals = events.flatMap((event, at) => {
      const fault = faults.get(at)
      return fault === undefined ? [] : [refusalOf(event, 'entry', fault)]
    })
    if (refusals.length === 0) throw error
    return { rest: [events.filter((_, at) => !faults.has(at))], refusals }
  }
  if (error.code !== 'too-large') throw error
  const [only, ...others] = events
  if (only !== undefined && others.length === 0)
    return {
      rest: [],
      refusals: [refusalOf(only, 'entry', { pointer: '', detail: error.message })],
    }
  const half = Math.ceil(events.length / 2)
  return { rest: [events.slice(0, half), events.slice(half)], refusals: [] }
}

/** The first fault of each event of a list. */
function faultsByPlace(errors: readonly Fault[]): ReadonlyMap<number, Fault> {
  const faults = new Map<number, Fault>()
  for (const { pointer, detail } of errors) {
    const [, at, rest = ''] = /^\/(\d+)(.*)$/.exec(pointer) ?? []
    if (at !== undefined && !faults.has(Number(at)))
      faults.set(Number(at), { pointer: rest, detail })
  }
  return faults
}

/** The properties of a file that fields of entries come from. */
const PROPERTIES: Readonly<Record<string, string>> = {
  event_title: 'SUMMARY',
  start_time: 'DTSTART',
  end_time: 'DTEND',
  location: 'LOCATION',
  description: 'DESCRIPTION',
  rrule: 'RRULE',
  exdates: 'EXDATE',
  rdates: 'RDATE',
  uid: 'UID',
  recurrence_of: 'RECURRENCE-ID',
  recurrence_id: 'RECURRENCE-ID',
}

function refusalOf(
  { line, title, body }: FileEvent,
  code: RefusalCode,
  { pointer, detail }: Fault = { pointer: '', detail: '' },
): Refusal {
  const field = pointer.slice(1)
  const value = field === '' ? detail : `${field} ${detail}`
  return buildRefusal({
    line,
    property: PROPERTIES[field] ?? (code === 'series' ? 'RECURRENCE-ID' : null),
    uid: body.uid,
    title,
    code,
    value,
  })
}
