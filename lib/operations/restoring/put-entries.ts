// Puts entries back that were in the trash. Every rule of a create holds: the columns, other entries, and the records to which the
// entries refer may have changed meanwhile.

import type { Caller } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { CmsError, type Fault } from '../../base/errors.ts'
import { pointer, refuseFaults } from '../../schema/check.ts'
import { type EntryType, parseEntryTypeName, withLayout } from '../../schema/entry.ts'
import { pickFields } from '../../schema/record.ts'
import { type TrashPart, trashPart } from '../../schema/trash.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { computeValues } from '../modules/computed-values.ts'
import { findBroken } from '../modules/checks.ts'
import { findShared, refuseShared, type WrittenValues } from '../modules/unique.ts'
import { findSharedTogether } from '../modules/unique-together.ts'
import { findMissing, withoutMissing } from './missing-references.ts'

type Module = NonNullable<ReturnType<Services['modules']['find']>>

interface Entry {
  readonly module: Module
  readonly part: TrashPart
  readonly values: JsonObject
}

/**
 * Puts the entries, and returns the check of their rules, which must run in the same commit when everything else is put,
 * because the entries may refer to each other. The check throws not-unique or invalid-content. With `isClearing`, references to
 * missing records become empty.
 */
export function putEntries(
  services: Pick<Services, 'modules' | 'watches'>,
  unit: Unit,
  parts: readonly TrashPart[],
  caller: Caller | undefined,
): (isClearing: boolean) => void {
  const entries = parts.map((part) => readEntry(services, unit, part))
  const folders = new Set(entries.map(({ module }) => module.record.parent_category_id))
  if (caller !== undefined)
    for (const folder of folders) requireGrant(unit, caller, 'create', folder)
  for (const entry of entries) put(services, unit, entry, entry.values)
  return (isClearing) => {
    for (const type of new Set(entries.map(({ module }) => module.entry))) {
      const ofType = entries.filter(({ module }) => module.entry === type)
      checkAll(services, unit, ofType, isClearing)
    }
  }
}

function readEntry({ modules }: Pick<Services, 'modules'>, unit: Unit, part: TrashPart): Entry {
  const place = parseEntryTypeName(part.type)
  const module = place && modules.find(unit, place.kind, place.moduleId)
  if (module === undefined) {
    const what = place === undefined ? 'module' : `${place.kind} ${place.moduleId}`
    throw new CmsError('in-use', `The ${what} of the entry is gone. Restore it first.`)
  }
  const { recordType, fields } = module.entry.object
  const record = recordType.upgrade?.(part.record) ?? part.record
  return { module, part, values: pickFields(record, Object.keys(fields)) }
}

function put(
  { watches }: Pick<Services, 'watches'>,
  unit: Unit,
  { module, part }: Entry,
  values: JsonObject,
): void {
  const { entry } = module
  const record = withLayout(values, entry)
  watches.notice(part.type, record, unit)
  unit.put(entry.object.recordType, part.ids, record, undefined, part.revision)
  unit.remove(trashPart, part.trash_part_id)
}

/** For entries of one module. */
function checkAll(
  services: Pick<Services, 'modules' | 'watches'>,
  unit: Unit,
  entries: readonly Entry[],
  isClearing: boolean,
): void {
  const [first] = entries
  if (first === undefined) return
  const { entry } = first.module
  const faults: Fault[] = []
  const written = entries.map((item): WrittenValues => {
    const missing = findMissing(services, unit, entry, item.values)
    const values = isClearing ? withoutMissing(item.values, missing) : item.values
    if (isClearing && missing.length > 0) put(services, unit, item, values)
    if (!isClearing) faults.push(...missing.map(({ name, ids }) => missingFault(name, ids)))
    faults.push(...emptyFaults(entry, values))
    return { values, place: '', ownId: Number(item.part.ids[0]) }
  })
  const { written: computed, faults: others } = computeValues(entry, written)
  refuseFaults([...faults, ...others, ...findBroken(entry, computed)])
  refuseShared([
    ...findShared(unit, entry, { written: computed, isViewer: true }),
    ...findSharedTogether(unit, entry, { written: computed, isViewer: true }),
  ])
}

function missingFault(name: string, ids: readonly number[]): Fault {
  const detail = `refers to ${ids.join(', ')}, which does not exist; restore that first, or send clear_references`
  return { pointer: pointer(name), detail }
}

/** A column may have become required since. */
function emptyFaults({ layout }: EntryType, values: JsonObject): readonly Fault[] {
  return layout.columns
    .filter(({ column }) => column.isRequired && (values[column.name] ?? null) === null)
    .map(({ column }) => ({
      pointer: pointer(column.name),
      detail: 'is required, and has no value',
    }))
}
