// The rules of entries that depend on several values or on other records. Every create, update, upsert and bulk update
// checks them inside its commit, before it writes anything.

import type { Caller } from '../../auth/caller.ts'
import type { Fault } from '../../base/errors.ts'
import { REPLACED_INDEX } from '../../schema/calendar-fields.ts'
import { MAX_FAULTS, refuseFaults } from '../../schema/check.ts'
import { type EntryType, entryValue } from '../../schema/entry.ts'
import { toKeyPart } from '../../schema/field-value.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { findWrongReferences } from '../references/required-references.ts'
import { findBroken } from './checks.ts'
import { computeValues } from './computed-values.ts'
import { requireListElements } from './list-bounds.ts'
import { findSharedTogether } from './unique-together.ts'
import {
  type EntryReader,
  findShared,
  refuseShared,
  type UniqueInput,
  type WrittenValues,
} from './unique.ts'

interface RulesInput extends UniqueInput {
  readonly caller: Caller
  readonly entry: EntryType
}

/**
 * Throws invalid-content with all faults, among them values that are not unique. Throws not-unique if there are no other
 * faults.
 */
export function requireEntryRules(
  context: Pick<Context, 'modules'>,
  unit: Unit,
  { caller, entry, written: given, isViewer }: RulesInput,
): void {
  requireListElements(entry, given)
  const { written, faults } = computeValues(entry, given)
  const others = [
    ...faults,
    ...findBroken(entry, written),
    ...findWrongReferences(context, unit, { caller, entry, written }),
    ...findWrongSeries(unit, entry, written),
  ]
  const shared = [
    ...findShared(unit, entry, { written, isViewer }),
    ...findSharedTogether(unit, entry, { written, isViewer }),
  ]
  if (others.length > 0) refuseFaults([...others, ...shared])
  refuseShared(shared)
}

/**
 * Faults of entries that replace something other than an occurrence of a series, or what another entry replaces. They depend on
 * other entries of the calendar, so they are found inside the commit.
 */
function findWrongSeries(
  reader: EntryReader,
  entry: EntryType,
  written: readonly WrittenValues[],
): readonly Fault[] {
  if (entry.object.name !== 'calendar_entry') return []
  const faults: Fault[] = []
  const taken = new Set<string>()
  for (const { values, before, ownId, place } of written) {
    if (!('recurrence_of' in values) && !('recurrence_id' in values)) continue
    const { recurrence_of: of = null, recurrence_id: start = null } = { ...before, ...values }
    if (typeof of !== 'number' || typeof start !== 'string' || faults.length >= MAX_FAULTS) continue
    const replaced = { of, start, ownId }
    const detail = seriesFault(reader, entry, replaced)
    if (detail !== undefined) faults.push({ pointer: `${place}/recurrence_of`, detail })
    else if (taken.has(`${of} ${start}`) || isReplaced(reader, entry, replaced))
      faults.push({
        pointer: `${place}/recurrence_id`,
        detail: 'names an occurrence that another entry replaces already; change that entry',
      })
    taken.add(`${of} ${start}`)
  }
  return faults
}

interface Replaced {
  readonly of: number
  readonly start: string
  readonly ownId: number | undefined
}

/** A series that does not exist is the fault of its reference. */
function seriesFault(
  reader: EntryReader,
  entry: EntryType,
  { of, ownId }: Replaced,
): string | undefined {
  if (of === ownId) return 'must not be the entry itself'
  const series = valueOf(reader, entry, of)
  if (series === undefined) return undefined
  return series['rrule'] === null ? `must name a series; entry ${of} has no rrule` : undefined
}

function isReplaced(
  reader: EntryReader,
  entry: EntryType,
  { of, start, ownId }: Replaced,
): boolean {
  const { recordType } = entry.object
  return reader
    .lookup(recordType, REPLACED_INDEX.name, [of, toKeyPart('date-time', start)])
    .some(([id]) => Number(id) !== ownId)
}

function valueOf(reader: EntryReader, entry: EntryType, id: number): JsonObject | undefined {
  const stored = reader.get(entry.object.recordType, id)
  return stored && entryValue(entry, stored)
}
