// Restores a datatable or calendar: its columns, entries and history have stayed where they are, so only its record
// returns. References of its entries may lead nowhere by now.

import type { Caller } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { buildEntryType, type EntryType, entryValue, withLayout } from '../../schema/entry.ts'
import {
  MODULE_OBJECTS,
  type ModuleKind,
  moduleLayout,
  type ModuleRecord,
} from '../../schema/module.ts'
import { counted } from '../../schema/message-text.ts'
import { targetKey } from '../../schema/reference.ts'
import { type TrashPart, trashPart } from '../../schema/trash.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { noteTargets } from '../modules/reference-change.ts'
import {
  findMissing,
  isTargetThere,
  type RestoredModules,
  withoutMissing,
} from './missing-references.ts'

export interface ModuleKey {
  readonly kind: ModuleKind
  readonly id: number
}

/** The type of the entries of a module in the trash; undefined if the module has no references. */
function typeWithReferences(reader: Reader, { kind, id }: ModuleKey): EntryType | undefined {
  const layout = reader.get(moduleLayout, kind, id)?.value
  const entry = layout && buildEntryType(kind, id, layout)
  return entry === undefined || entry.referenceColumns.length === 0 ? undefined : entry
}

/** Returns true if no record to which the modules refer was deleted since. */
type StillThere = (reader: Reader) => boolean

const NOTHING_TO_CHECK: StillThere = () => true

/**
 * Reads all entries of the modules in time slices. Throws in-use if a reference leads nowhere; with `isClearing` such
 * references become empty instead. Nobody can write the entries meanwhile, because the modules do not exist.
 */
export async function checkReferences(
  services: Services,
  modules: readonly ModuleKey[],
  isClearing: boolean,
): Promise<StillThere> {
  const { records } = services
  const types = modules.flatMap((key) => {
    const entry = typeWithReferences(records, key)
    return entry === undefined ? [] : [{ key, entry }]
  })
  if (types.length === 0) return NOTHING_TO_CHECK
  const columns = types.flatMap(({ entry }) => entry.referenceColumns)
  const still = noteTargets(
    records,
    columns.flatMap(({ column: { references } }) => (references ? [{ references }] : [])),
  )
  const restored = new Set(
    modules.map(({ kind, id }) => targetKey({ object: kind, module_id: id }).join('/')),
  )
  for (const { key, entry } of types) {
    requireTargets(records, key, entry, restored)
    let found = 0
    for await (const entries of missingIn(services, entry, restored)) {
      found += entries.length
      if (isClearing) await clear(services, entry, entries, restored)
      else if (found > 0) throw leadNowhere(key, entries)
    }
  }
  return still
}

function requireTargets(
  reader: Reader,
  { kind, id }: ModuleKey,
  { referenceColumns }: EntryType,
  restored: RestoredModules,
): void {
  for (const {
    column: { name, references },
  } of referenceColumns) {
    if (references === undefined || isTargetThere(reader, references)) continue
    const { object, module_id: target } = references
    if (restored.has(targetKey(references).join('/'))) continue
    throw new CmsError(
      'in-use',
      `The column ${name} of ${kind} ${id} refers to ${object} ${target}, which is gone. Restore it first.`,
    )
  }
}

/** Entries with references that lead nowhere, page by page. */
async function* missingIn(
  services: Services,
  entry: EntryType,
  restored: RestoredModules,
): AsyncGenerator<readonly Stored[]> {
  const { records } = services
  const { recordType, searchable } = entry.object
  let cursor: string | undefined
  do {
    const isWanted = (record: Stored['value']): boolean =>
      findMissing(services, records, entry, record, restored).length > 0
    const page = await records.search(recordType, searchable, { length: PAGE, isWanted, cursor })
    if (page.records.length > 0) yield page.records
    cursor = page.next
  } while (cursor !== undefined)
}

const PAGE = 50

/** As if the record had been deleted while the entry existed, with ON DELETE SET NULL. */
async function clear(
  services: Services,
  entry: EntryType,
  entries: readonly Stored[],
  restored: RestoredModules,
): Promise<void> {
  const { recordType, idField } = entry.object
  await services.records.commit((unit) => {
    for (const { value } of entries) {
      const id = Number(value[idField])
      const stored = unit.get(recordType, id)
      if (stored === undefined) continue
      const values = entryValue(entry, stored)
      const missing = findMissing(services, unit, entry, values, restored)
      unit.put(recordType, [id], withLayout(withoutMissing(values, missing), entry))
    }
  })
}

function leadNowhere({ kind, id }: ModuleKey, entries: readonly Stored[]): CmsError {
  const ids = entries.map(({ value }) => Number(value[`${kind}_entry_id`]))
  return new CmsError(
    'in-use',
    `At least ${counted(ids.length, 'entry')} of ${kind} ${id} (${ids.slice(0, MOST_NAMED).join(', ')}) refer to records that do not exist. Restore these records first, or send clear_references: true to make the references empty.`,
  )
}

const MOST_NAMED = 10

/** Puts the record of the module. A public module is public again, so this also needs publish. */
export function putModuleBack(
  unit: Unit,
  part: TrashPart,
  {
    caller,
    kind,
    categoryId,
  }: { readonly caller?: Caller; readonly kind: ModuleKind; readonly categoryId: number },
): void {
  const record = { ...(part.record as unknown as ModuleRecord), parent_category_id: categoryId }
  if (caller !== undefined && record.public === true)
    requireGrant(unit, caller, 'publish', categoryId)
  unit.put(MODULE_OBJECTS[kind].recordType, part.ids, record, undefined, part.revision)
  unit.remove(trashPart, part.trash_part_id)
}
