// Verifies columns with REFERENCES: every record that an entry refers to must exist, and the records that tell which
// modules refer to an object must follow from the columns. A reference to a missing record is repaired like ON DELETE SET
// NULL; where the column requires a value, only a person can decide.

import { assetCategory, ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import type { References } from '../../schema/columns/column.ts'
import {
  type EntryType,
  entryTypeName,
  entryValue,
  parseEntryTypeName,
  withLayout,
} from '../../schema/entry.ts'
import { MODULE_OBJECTS, type ModuleKind } from '../../schema/module.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import { idsOf, referrer, removalMark, targetKey } from '../../schema/reference.ts'
import type { Id, JsonObject, JsonValue, RecordType, Stored } from '../../schema/values.ts'
import { findRecord, recordIds, recordKey, recordRange } from '../records/format.ts'
import type { KvReader } from '../records/kv.ts'
import { decodeRecord } from '../records/record-bytes.ts'
import type { RecordFault } from './faults.ts'

/** The references of one module to missing records. */
export function* entryReferenceFaults(kv: KvReader, entry: EntryType): Generator<RecordFault> {
  const { recordType } = entry.object
  const place = parseEntryTypeName(recordType.name)
  if (entry.referenceColumns.length === 0 || place === undefined) return
  // A module in a deleted folder is about to be removed.
  if (!isInFolder(kv, place.kind, place.moduleId)) return
  for (const { key, value } of kv.pairs(recordRange(kv, recordType))) {
    const stored = wholeOrNone(value)
    if (stored === undefined) continue
    const found = valueFaults(kv, entry, stored)
    if (found !== undefined) yield toFault(entry, recordIds(key), found)
  }
}

interface Found {
  readonly detail: string
  /** Undefined if a column would lose a value that it requires. */
  readonly record: JsonObject | undefined
}

function valueFaults(kv: KvReader, entry: EntryType, stored: Stored): Found | undefined {
  const values = entryValue(entry, stored)
  const cleared: Record<string, JsonValue> = {}
  const details: string[] = []
  let isRequired = false
  for (const { column } of entry.referenceColumns) {
    const { name, references } = column
    if (references === undefined) continue
    const ids = idsOf(values[name])
    const left = ids.filter((id) => kv.get(recordKey(kv, typeOf(references), [id])) !== undefined)
    if (left.length === ids.length) continue
    const gone = ids.filter((id) => !left.includes(id))
    details.push(`refers in ${name} to ${references.object} ${gone.join(', ')}, which is missing`)
    cleared[name] = references.isMany ? left : null
    isRequired ||= column.isRequired && left.length === 0
  }
  if (details.length === 0) return undefined
  const record = isRequired ? undefined : withLayout({ ...values, ...cleared }, entry)
  return { detail: details.join(', and '), record }
}

function toFault(
  { object }: EntryType,
  ids: readonly Id[],
  { detail, record }: Found,
): RecordFault {
  const { name } = object.recordType
  const fault = { kind: 'reference', detail: `${name}/${ids.join('/')} ${detail}` } as const
  if (record === undefined) return { ...fault, detail: `${fault.detail}. Change or delete it.` }
  return { ...fault, mend: { action: 'put-record', type: name, ids, record } }
}

function typeOf({ object, module_id: id }: References): RecordType {
  return object === 'asset_file'
    ? assetFile.recordType
    : { name: entryTypeName(object, id ?? 0), indexes: [] }
}

function isInFolder(kv: KvReader, kind: ModuleKind, id: number): boolean {
  const module = findWhole<JsonObject>(kv, MODULE_OBJECTS[kind].recordType, [id])
  let folder = module?.['parent_category_id'] ?? null
  while (typeof folder === 'number' && folder !== ROOT_CATEGORY_ID)
    folder =
      findWhole<JsonObject>(kv, assetCategory.recordType, [folder])?.['parent_category_id'] ?? null
  return folder === ROOT_CATEGORY_ID
}

/** Differences between the columns of all modules and the stored lists of the modules that refer to an object. */
export function* referrerFaults(
  kv: KvReader,
  entries: readonly EntryType[],
): Generator<RecordFault> {
  const expected = new Map<string, readonly Id[]>()
  for (const { object, layout } of entries) {
    const place = parseEntryTypeName(object.recordType.name)
    for (const { column } of layout.columns) {
      if (place === undefined || column.references === undefined) continue
      const ids = [...targetKey(column.references), place.kind, place.moduleId]
      expected.set(ids.join('/'), ids)
    }
  }
  for (const key of kv.keys(recordRange(kv, referrer))) {
    const ids = recordIds(key)
    if (!expected.delete(ids.join('/'))) yield strayFault(referrer, ids, 'no column refers to it')
  }
  for (const [name, ids] of expected) {
    const [, , kind, id] = ids
    yield {
      kind: 'reference',
      detail: `${referrer.name}/${name} is missing`,
      mend: { action: 'put-record', type: referrer.name, ids, record: { kind, id } },
    }
  }
  for (const key of kv.keys(recordRange(kv, removalMark))) {
    const work = findWhole<{ readonly work: string }>(kv, removalMark, recordIds(key))?.work
    if (work !== undefined && findWhole(kv, pendingWork, [work]) === undefined)
      yield strayFault(removalMark, recordIds(key), 'no work deletes the record')
  }
}

function strayFault({ name }: RecordType, ids: readonly Id[], why: string): RecordFault {
  const mend = { action: 'remove-record', type: name, ids } as const
  return { kind: 'reference', detail: `${name}/${ids.join('/')} remains, although ${why}`, mend }
}

/** Damaged records are reported elsewhere. */
function wholeOrNone(value: Buffer): Stored | undefined {
  try {
    const stored = decodeRecord<JsonObject>(value)
    void stored.value
    return stored
  } catch {
    return undefined
  }
}

function findWhole<T extends object>(
  kv: KvReader,
  type: RecordType,
  ids: readonly Id[],
): T | undefined {
  try {
    return findRecord<T>(kv, recordKey(kv, type, ids))?.value
  } catch {
    return undefined
  }
}
