// Records in the form of answers: the stored JSON text plus derived members, or only the requested fields. Values
// that the caller may not see are left out: see visibility.ts.

import { hash } from 'node:crypto'
import { openVisibleFolders, type VisibleFolders } from '../auth/visible-folders.ts'
import { asksFor } from '../schema/match.ts'
import { etagOf, pickFields, storedNames } from '../schema/record.ts'
import type { JsonObject, JsonValue, Stored } from '../schema/values.ts'
import type { Query } from '../storage/port.ts'
import type { Mask, Visibility, View } from './visibility.ts'

/** Returns the JSON text of one record. */
export type Presenter = (stored: Stored) => string

/** A presenter for the records of one answer: each folder is looked up once. */
export function presenterOf(
  view: View,
  visibility: Visibility,
  fields?: ReadonlySet<string>,
): Presenter {
  const visible = openVisibleFolders(view.reader, view.caller)
  const derive = visibility.derive?.(view, visible)
  const mask = shownOf(view, visibility, visible)

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

/** The record in the form of an answer, as a value. */
export function presentValue(view: View, visibility: Visibility, stored: Stored): JsonObject {
  const visible = openVisibleFolders(view.reader, view.caller)
  const record = stored.value
  const masked = shownOf(view, visibility, visible)?.(record)
  return Object.assign({}, record, masked, visibility.derive?.(view, visible)(record))
}

/**
 * The values that a search compares: the stored record without hidden values, and with addresses in the form of
 * answers if the match asks for them. Empty if the search compares stored records unchanged.
 */
export function comparedOf(
  view: View,
  visibility: Visibility,
  { match, orderBy, thenBy = [] }: Query,
): Pick<Query, 'compared' | 'masked'> {
  const visible = openVisibleFolders(view.reader, view.caller)
  const { addressField, masked } = visibility
  const isOfAddresses =
    addressField !== undefined && match !== undefined && asksFor(match, addressField)
  const orders = [orderBy, ...thenBy.map((further) => further.orderBy)]
  const isTouched = (field: string): boolean =>
    orders.includes(field) || (match !== undefined && asksFor(match, field))
  const touched = masked?.filter(({ fields }) => [...fields].some(isTouched))
  const isMasked = touched === undefined || touched.length > 0

  const hiding = isMasked ? visibility.mask?.(view, visible) : undefined
  const mask = isOfAddresses ? shownOf(view, visibility, visible) : hiding
  if (mask === undefined) return {}
  const compared = (record: JsonObject): JsonObject => ({ ...record, ...mask(record) })
  return { compared, ...(hiding && touched && { masked: touched.map(({ row }) => row) }) }
}

/**
 * The ETag that If-Match is compared with: the revision. If the record may have hidden values, it is a hash of the
 * visible ones, so that it reveals neither changes nor the existence of hidden values.
 */
export function tagOf(view: View, visibility: Visibility, stored: Stored): string {
  if (visibility.isTaggedByRevision?.(view)(stored.value) === true) return etagOf(stored)
  const mask = visibility.mask?.(view, openVisibleFolders(view.reader, view.caller))
  if (mask === undefined) return etagOf(stored)
  const shown = { ...stored.value, ...mask(stored.value) }
  // A record of an earlier build lacks fields, and a change of a hidden field adds them.
  const { date_modified: _, ...seen } = pickFields(shown, storedNames(visibility.object))
  return `"p${hash('sha256', JSON.stringify(seen)).slice(0, 16)}"`
}

/** The bytes that a presenter adds to a record, if they can be many; otherwise undefined. */
export function addedBytesOf(
  view: View,
  visibility: Visibility,
  fields?: ReadonlySet<string>,
): ((stored: Stored) => number) | undefined {
  const visible = openVisibleFolders(view.reader, view.caller)
  const mask = shownOf(view, visibility, visible)
  const pathBytes = fields?.has('path') === false ? undefined : visibility.pathBytes?.(visible)
  if (mask === undefined) return pathBytes && (({ value }) => pathBytes(value))
  return ({ value }) => maskedBytes(value, mask(value)) + (pathBytes?.(value) ?? 0)
}

/** Usually negative: hidden values do not count. */
function maskedBytes(record: JsonObject, masked: JsonObject | undefined): number {
  if (masked === undefined) return 0
  const before = Object.fromEntries(Object.keys(masked).map((name) => [name, record[name] ?? null]))
  return Buffer.byteLength(JSON.stringify(masked)) - Buffer.byteLength(JSON.stringify(before))
}

/** For values that are no stored records: a version, an occurrence. */
export function selectFields(
  value: JsonObject,
  fields: ReadonlySet<string> | undefined,
): JsonObject {
  return fields === undefined ? value : pickFields(value, fields)
}

/** Adds members at the end of the JSON text of an object. */
export function addMembers(text: string, members: JsonObject): string {
  const added = JSON.stringify(members)
  return added === '{}' ? text : `${text.slice(0, -1)},${added.slice(1)}`
}

/** For each field, the value of the first object that has it. */
function pick(
  objects: readonly (JsonObject | undefined)[],
  fields: ReadonlySet<string>,
): JsonObject {
  const valueIn = (name: string): JsonValue =>
    objects.find((members) => members?.[name] !== undefined)?.[name] ?? null
  return Object.fromEntries([...fields].map((name) => [name, valueIn(name)]))
}

/** Values shown instead of the stored ones. */
function shownOf(view: View, visibility: Visibility, visible: VisibleFolders): Mask | undefined {
  const { basePath } = view
  const { addressField: field } = visibility
  const mask = visibility.mask?.(view, visible)
  if (basePath === '' || field === undefined) return mask
  return (record) => ({ ...mask?.(record), [field]: `${basePath}${String(record[field])}` })
}

/** Bytes of `,"path":""`, without the path. */
export const PATH_MEMBER_BYTES = ',"path":""'.length
