// Records as they are answered: the stored JSON text, with what is derived from other records added at the
// end, or only the fields that were asked for. What a record tells of others that the caller may not see
// is left out: folders above and beside, members of groups, roles elsewhere.

import { hash } from 'node:crypto'
import { holdsEverywhere } from '../auth/grants.ts'
import type { Holder } from '../auth/holder.ts'
import { openSight, type Sight } from '../auth/sight.ts'
import { type ApiKeyUse, apiKey, apiKeyUse } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { type AssetFile, assetFile } from '../schema/asset-file.ts'
import { entryTypeName } from '../schema/entry.ts'
import { type FileGroup, fileGroup } from '../schema/file-group.ts'
import type { Column } from '../schema/columns/column.ts'
import { isShown, showColumn } from '../schema/columns/shown-column.ts'
import { asksFor, type Match } from '../schema/match.ts'
import { isModuleKind, type ModuleKind } from '../schema/module.ts'
import type { ObjectType } from '../schema/object.ts'
import { etagOf, valueOf } from '../schema/record.ts'
import { type User, user } from '../schema/user.ts'
import type { JsonObject, JsonValue, Stored } from '../schema/values.ts'
import type { Reader } from '../storage/port.ts'

/** Whose eyes, and the state that they see. */
export interface View {
  readonly reader: Reader
  readonly caller: Holder
  /** In front of the addresses that records hold: see http/base-path.ts. */
  readonly basePath: string
}

/** JSON text of one record. */
export type Presenter = (stored: Stored) => string

/** A presenter for the records of one answer: each folder is looked up once. */
export function presenterOf(
  view: View,
  object: ObjectType,
  fields?: ReadonlySet<string>,
): Presenter {
  const sight = openSight(view.reader, view.caller)
  const derive = deriverOf(view, object, sight)
  const mask = shownOf(view, object, sight)

  return (stored) => {
    const { text, value: record } = stored
    const masked = mask?.(record)
    if (fields === undefined && masked === undefined)
      return derive === undefined ? text : addMembers(text, derive(record))
    const derived = derive?.(record)
    return JSON.stringify(
      fields === undefined
        ? { ...record, ...masked, ...derived }
        : pick([derived, masked, record], fields),
    )
  }
}

/** The record as it is answered, as a value. */
export function presentValue(view: View, object: ObjectType, stored: Stored): JsonObject {
  const sight = openSight(view.reader, view.caller)
  const record = valueOf(stored)
  const masked = shownOf(view, object, sight)?.(record)
  return Object.assign({}, record, masked, deriverOf(view, object, sight)?.(record))
}

/**
 * What a search compares: the stored record without what the caller may not see, and where the match asks for
 * addresses, with those that are answered; undefined: all of it as it is.
 */
export function comparedOf(
  view: View,
  object: ObjectType,
  match: Match | undefined,
): ((record: JsonObject) => JsonObject) | undefined {
  const sight = openSight(view.reader, view.caller)
  const field = ADDRESS_FIELDS[object.name]
  const isOfAddresses = field !== undefined && match !== undefined && asksFor(match, field)
  const mask = (isOfAddresses ? shownOf : maskOf)(view, object, sight)
  return mask && ((record) => ({ ...record, ...mask(record) }))
}

/**
 * The ETag that If-Match is compared with: the revision; or, where there may be something in the record that
 * the caller does not see, a hash of what it sees: no change of the rest changes that, nor that there is any.
 */
export function tagOf(view: View, object: ObjectType, stored: Stored): string {
  // Of most records all is seen, and each read asks.
  if (object.name !== user.name && holdsEverywhere(view.caller, 'view')) return etagOf(stored)
  const mask = maskOf(view, object, openSight(view.reader, view.caller))
  if (mask === undefined) return etagOf(stored)
  const { date_modified: _, ...seen } = { ...stored.value, ...mask(stored.value) }
  return `"p${hash('sha256', JSON.stringify(seen)).slice(0, 16)}"`
}

/** What a presenter adds to the bytes of a record, where that can be much; undefined where it cannot. */
export function reckonerOf(
  view: View,
  object: ObjectType,
  fields?: ReadonlySet<string>,
): ((stored: Stored) => number) | undefined {
  const sight = openSight(view.reader, view.caller)
  const mask = shownOf(view, object, sight)
  const pathBytes = fields?.has('path') === false ? undefined : pathReckoner(object, sight)
  if (mask === undefined) return pathBytes && (({ value }) => pathBytes(value))
  return ({ value }) => maskedBytes(value, mask(value)) + (pathBytes?.(value) ?? 0)
}

const PATH_MEMBER_BYTES = ',"path":""'.length

function pathReckoner(
  object: ObjectType,
  sight: Sight,
): ((record: JsonObject) => number) | undefined {
  if (object.name === assetCategory.name)
    return (record) => sight.pathBytesOf(Number(record['asset_category_id'])) + PATH_MEMBER_BYTES
  if (object.name !== assetFile.name) return undefined
  return (record) => {
    const ownBytes = Buffer.byteLength(JSON.stringify(record['name']))
    return sight.pathBytesOf(Number(record['parent_category_id'])) + ownBytes + PATH_MEMBER_BYTES
  }
}

/** Less than nothing: what is left out counts for nobody. */
function maskedBytes(record: JsonObject, masked: JsonObject | undefined): number {
  if (masked === undefined) return 0
  const before = Object.fromEntries(Object.keys(masked).map((name) => [name, record[name] ?? null]))
  return Buffer.byteLength(JSON.stringify(masked)) - Buffer.byteLength(JSON.stringify(before))
}

/** Of what is no stored record: a version, an occurrence. */
export function selectFields(
  value: JsonObject,
  fields: ReadonlySet<string> | undefined,
): JsonObject {
  if (fields === undefined) return value
  return Object.fromEntries([...fields].map((name) => [name, value[name] ?? null]))
}

/** Adds members at the end of the JSON text of an object. */
export function addMembers(text: string, members: JsonObject): string {
  const added = JSON.stringify(members)
  return added === '{}' ? text : `${text.slice(0, -1)},${added.slice(1)}`
}

/** Of each field the value in the first of the objects that has it. */
function pick(
  objects: readonly (JsonObject | undefined)[],
  fields: ReadonlySet<string>,
): JsonObject {
  const valueIn = (name: string): JsonValue =>
    objects.find((members) => members?.[name] !== undefined)?.[name] ?? null
  return Object.fromEntries([...fields].map((name) => [name, valueIn(name)]))
}

type Members = (record: JsonObject) => JsonObject
/** Undefined where the caller sees all of the record. */
type Mask = (record: JsonObject) => JsonObject | undefined

function deriverOf({ reader }: View, object: ObjectType, sight: Sight): Members | undefined {
  if (object.name === assetCategory.name)
    return (record) => ({ path: sight.pathOf(Number(record['asset_category_id'])) })
  if (object.name === assetFile.name) {
    return (record) => ({
      path: `${sight.pathOf(Number(record['parent_category_id']))}/${String(record['name'])}`,
    })
  }
  if (object.name === apiKey.name) {
    return ({ api_key_id: id, made_by }) => ({
      // Keys of earlier versions are stored without it.
      ...(made_by === undefined && { made_by: null }),
      last_used: lastUse(reader, Number(id)),
    })
  }
  if (isModuleKind(object.name)) {
    const kind = object.name
    return (record) => ({ entry_count: countEntries(reader, kind, Number(record[object.idField])) })
  }
  return undefined
}

/** What a record shows in the place of what the caller may not see; undefined where that cannot be. */
function maskOf({ reader, caller }: View, object: ObjectType, sight: Sight): Mask | undefined {
  const { asset_category_id: scope } = caller.key
  if (object.name === user.name) {
    return scope === null ? undefined : (record) => maskRoles(sight, record)
  }
  if (holdsEverywhere(caller, 'view')) return undefined
  if (object.name === assetCategory.name) return (record) => maskParent(sight, record)
  if (object.name === fileGroup.name) return (record) => maskFiles(reader, sight, record)
  return undefined
}

/** What a record of an earlier version shows in the place of what it has. */
function renewalOf({ name }: ObjectType): Mask | undefined {
  if (!isModuleKind(name)) return undefined
  return (record) => {
    const columns = (record['columns'] ?? []) as readonly Column[]
    return isShown(columns) ? undefined : { columns: columns.map(showColumn) }
  }
}

/** Fields that hold a path of this server. */
const ADDRESS_FIELDS: Readonly<Record<string, string>> = {
  [assetFile.name]: 'url',
  datatable: 'module_url',
  calendar: 'module_url',
}

/** What a record shows in the place of what is stored. */
function shownOf(view: View, object: ObjectType, sight: Sight): Mask | undefined {
  const { basePath } = view
  const mask = maskOf(view, object, sight) ?? renewalOf(object)
  const field = ADDRESS_FIELDS[object.name]
  if (basePath === '' || field === undefined) return mask
  return (record) => ({ ...mask?.(record), [field]: `${basePath}${String(record[field])}` })
}

/** Of the topmost folder that it sees, a caller is not told in which it lies. */
function maskParent(sight: Sight, { parent_category_id: id }: JsonObject): JsonObject | undefined {
  return id === null || sight.sees(Number(id)) ? undefined : { parent_category_id: null }
}

function maskFiles(reader: Reader, sight: Sight, record: JsonObject): JsonObject | undefined {
  const { asset_file_ids: ids } = record as unknown as FileGroup
  const seen = (ids ?? []).filter((id) => seesFile(reader, sight, id))
  return seen.length === ids?.length ? undefined : { asset_file_ids: seen }
}

/** True where the caller has some business in the folder of the file. */
export function seesFile(reader: Pick<Reader, 'get'>, sight: Sight, fileId: number): boolean {
  const stored = reader.get(assetFile.recordType, fileId)
  return stored !== undefined && sight.sees(valueOf<AssetFile>(stored).parent_category_id)
}

/** A key for a folder is told the roles in the folders that it sees. */
function maskRoles(sight: Sight, record: JsonObject): JsonObject | undefined {
  const { category_roles: roles } = record as unknown as User
  const seen = (roles ?? []).filter(({ asset_category_id: id }) => sight.sees(id))
  return seen.length === roles?.length ? undefined : { category_roles: seen as never }
}

function countEntries(reader: Reader, kind: ModuleKind, id: number): number {
  return reader.count({ name: entryTypeName(kind, id), indexes: [] })
}

function lastUse(reader: Reader, id: number): string | null {
  const stored = reader.get(apiKeyUse, id)
  return stored === undefined ? null : valueOf<ApiKeyUse>(stored).last_used
}
