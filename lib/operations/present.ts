// Records as they are answered: the stored JSON text, with what is derived from other records added
// at the end, or only the fields that were asked for.

import { pathOf } from '../auth/folders.ts'
import { apiKey, apiKeyUse } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { entryTypeName } from '../schema/entry.ts'
import { isModuleKind, type ModuleKind } from '../schema/module.ts'
import type { ObjectType } from '../schema/object.ts'
import { valueOf } from '../schema/record.ts'
import type { JsonObject, Reader, Stored } from '../storage/port.ts'

/** JSON text of one record. */
export type Presenter = (stored: Stored) => string

/** A presenter for the records of one answer: each folder's path is looked up once. */
export function presenterOf(
  reader: Reader,
  object: ObjectType,
  fields?: ReadonlySet<string>,
): Presenter {
  const derive = deriverOf(reader, object)

  return (stored) => {
    const { text } = stored
    if (fields === undefined && derive === undefined) return text
    const record = stored.value
    const derived = derive?.(record) ?? {}
    return fields === undefined
      ? addMembers(text, derived)
      : JSON.stringify(pick(record, derived, fields))
  }
}

/** The record with its derived fields, as a value. */
export function presentValue(reader: Reader, object: ObjectType, stored: Stored): JsonObject {
  const record = valueOf(stored)
  return Object.assign({}, record, deriverOf(reader, object)?.(record))
}

/** Adds members at the end of the JSON text of an object. */
export function addMembers(text: string, members: JsonObject): string {
  const added = JSON.stringify(members)
  return added === '{}' ? text : `${text.slice(0, -1)},${added.slice(1)}`
}

function pick(record: JsonObject, derived: JsonObject, fields: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    [...fields].map((name) => [name, derived[name] ?? record[name] ?? null]),
  )
}

function deriverOf(
  reader: Reader,
  object: ObjectType,
): ((record: JsonObject) => JsonObject) | undefined {
  const paths = new Map<number, string>()
  const folderPath = (id: number): string => {
    const known = paths.get(id) ?? pathOf(reader, id) ?? ''
    paths.set(id, known)
    return known
  }

  if (object.name === assetCategory.name) {
    return (record) => ({ path: folderPath(Number(record['asset_category_id'])) })
  }
  if (object.name === assetFile.name) {
    return (record) => ({
      path: `${folderPath(Number(record['parent_category_id']))}/${String(record['name'])}`,
    })
  }
  if (object.name === apiKey.name) {
    return (record) => ({ last_used: lastUse(reader, Number(record['api_key_id'])) })
  }
  if (isModuleKind(object.name)) {
    const kind = object.name
    return (record) => ({ entry_count: countEntries(reader, kind, Number(record[object.idField])) })
  }
  return undefined
}

function countEntries(reader: Reader, kind: ModuleKind, id: number): number {
  return reader.count({ name: entryTypeName(kind, id), indexes: [] })
}

function lastUse(reader: Reader, id: number): string | null {
  const stored = reader.get(apiKeyUse, id)
  return stored === undefined ? null : valueOf<{ readonly last_used: string }>(stored).last_used
}
