// Keeps the days of all-day entries when their calendar gets another time zone.

import type { TimedEntry } from '../../calendar/entry.ts'
import { withWholeDays } from '../../calendar/span.ts'
import { isSame } from '../../schema/check.ts'
import { type EntryType, entryValue, withLayout } from '../../schema/entry.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { ChangeContext } from '../context.ts'
import { commitAudited, doerOf } from '../trail/audit.ts'
import { everyEntry } from './calendars.ts'
import { mayView, putEntry } from './entries.ts'
import { requireEntryRules } from './entry-rules.ts'
import type { Module } from './module-cache.ts'
import type { WrittenValues } from './unique.ts'

/** Entries per commit. */
const BATCH = 100

/**
 * All-day entries that an earlier version stored with other times become days in the present zone. The meaning does not
 * change, so the work may be interrupted. Each commit has its own row in the audit trail, and leaves the row of the request
 * to the change of the calendar. Throws if the days break a rule of the entries.
 */
export async function keepDays(context: ChangeContext, module: Module): Promise<void> {
  const { entry, kind } = module
  const allDay = entry.object.searchable.get('all_day')
  if (kind !== 'calendar' || allDay === undefined) return
  const ids = await everyEntry(context, module, {
    match: { op: 'eq', field: allDay, value: true },
    maxEntries: Number.POSITIVE_INFINITY,
    map: (stored) => (daysOf(module, stored) === undefined ? 0 : idOf(entry, stored)),
    signal: new AbortController().signal,
  })

  const old = ids.filter((id) => id !== 0)
  const { ownRecords: records, now, limits, origin } = context
  for (let at = 0; at < old.length; at += BATCH)
    await commitAudited(
      { records, now, limits },
      {
        doer: doerOf(origin),
        plan: (unit) => putDays(unit, context, { module, ids: old.slice(at, at + BATCH) }),
      },
    )
}

interface OldEntries {
  readonly module: Module
  readonly ids: readonly number[]
}

function putDays(unit: Unit, context: ChangeContext, { module, ids }: OldEntries): void {
  const present = context.modules.find(unit, module.kind, module.id)
  // The update of the calendar is planned again.
  if (present?.revision !== module.revision) return
  const { entry } = module
  const written = ids.flatMap((id) => {
    const stored = unit.get(entry.object.recordType, id)
    const values = stored && daysOf(module, stored)
    if (stored === undefined || values === undefined) return []
    const before = entryValue(entry, stored)
    const ending = ` (${entry.object.idField} ${id}, whose days are stored in another form first)`
    return [{ values, before, ownId: id, place: '', ending }]
  })
  const { caller } = context
  const isViewer = mayView(unit, caller, module)
  requireEntryRules(context, unit, { caller, entry, written, isViewer })
  const date_modified = context.now().toISOString()
  for (const { values, before, ownId: id } of written) {
    const record = withLayout({ ...before, ...values, date_modified }, entry)
    putEntry(context, unit, { module, id, record, text: undefined })
  }
}

/** The values to change; undefined if the entry has whole days. */
function daysOf({ entry, record }: Module, stored: Stored): WrittenValues['values'] | undefined {
  const value = entryValue(entry, stored) as JsonObject & TimedEntry
  const kept = withWholeDays<JsonObject & TimedEntry>(value, record.time_zone ?? 'UTC')
  if (kept === value) return undefined
  return Object.fromEntries(
    Object.entries(kept).filter(([name, item]) => !isSame(item, value[name])),
  )
}

function idOf({ object }: EntryType, { value }: Stored): number {
  return Number(value[object.idField])
}
