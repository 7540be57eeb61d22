// Builds the text of the answer for one record, and for lists and searches.

import { holdsEverywhere } from '../auth/grants.ts'
import { andThen } from '../base/and-then.ts'
import { CmsError } from '../base/errors.ts'
import type { ObjectType } from '../schema/object.ts'
import { mapInSlices, textsInSlices } from '../schema/time-slicing.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import type { Page, Query } from '../storage/port.ts'
import type { Context } from './context.ts'
import { addedBytesOf, addMembers, comparedOf, presenterOf } from './present.ts'
import { type Visibility, type TakePage, viewOf } from './visibility.ts'

interface TextInput {
  readonly visibility: Visibility
  readonly stored: Stored
  readonly fields: ReadonlySet<string> | undefined
  readonly extra: JsonObject | undefined
  /** Shows null instead of the attached value. */
  readonly isBare: boolean | undefined
  readonly takePage?: TakePage
}

/** JSON text of one record, with its attached value. */
export async function recordText(
  context: Context,
  { visibility, stored, fields, extra, isBare, takePage }: TextInput,
): Promise<string | Uint8Array> {
  const view = viewOf(context)
  const text = addMembers(presenterOf(view, visibility, fields)(stored), extra ?? {})
  const { attached } = visibility
  if (attached === undefined || fields?.has(attached.field) === false) return text
  const value = isBare === true ? 'null' : await attached.read(context, stored, takePage)
  return addAttached(text, attached.field, value)
}

const END = Buffer.from('}')

/** Replaces null by the value, which is JSON already. */
function addAttached(text: string, field: string, value: string | Uint8Array): string | Uint8Array {
  const start = startOf(text, field)
  if (typeof value === 'string') return `${start}${value}}`
  // Stays with bytes: a text of 16 MiB would be converted back to bytes for the checksum and the socket.
  return Buffer.concat([Buffer.from(start), value, END])
}

/** The text up to the value, which replaces null. */
function startOf(text: string, field: string): string {
  const base = withoutNull(text, field)
  return `${base === '{}' ? '{' : `${base.slice(0, -1)},`}"${field}":`
}

function asBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value) : value
}

/** Inside a string the quotes would be escaped, so the match is always the member. */
function withoutNull(text: string, field: string): string {
  const member = `"${field}":null`
  const at = text.indexOf(member)
  if (at === -1) return text
  const end = at + member.length
  if (text[at - 1] === ',') return text.slice(0, at - 1) + text.slice(end)
  return text.slice(0, at) + text.slice(text[end] === ',' ? end + 1 : end)
}

interface SearchInput {
  readonly visibility: Visibility
  readonly query: Query
  readonly fields: ReadonlySet<string> | undefined
  readonly takePage?: TakePage
}

/** JSON text of a record, or its pieces. */
type ListText = string | Uint8Array | readonly Uint8Array[]

interface SearchResult {
  readonly texts: readonly ListText[]
  readonly page: Page
}

/** Lists and searches records of every object, restricted to what the caller may view. */
export async function searchRecords(context: Context, input: SearchInput): Promise<SearchResult> {
  const { visibility, fields, query } = input
  const view = viewOf(context)
  const isVisible = visibility.seen.visibility(context)
  if (isVisible !== undefined) requireSilentOrder(context, input)
  const page = await findPage(context, visibility.object, {
    ...query,
    reckonedBytes: addedBytesOf(view, visibility, fields),
    isVisible,
    ...comparedOf(view, visibility, query),
  })
  const present = presenterOf(view, visibility, fields)
  const { attached } = visibility
  if (attached === undefined || fields?.has(attached.field) !== true)
    return { texts: await textsInSlices(page.records, present), page }

  const texts = await mapInSlices(page.records, present)
  const whole: ListText[] = []
  for await (const value of attached.readAll(context, page.records, input.takePage)) {
    const text = texts[whole.length] ?? '{}'
    // Converts each page here, because readAll pauses between pages; converting all at once blocks the event loop.
    whole.push([Buffer.from(startOf(text, attached.field)), asBytes(value), END])
  }
  return { texts: whole, page }
}

/** Refuses orders that would reveal hidden values, unless the caller sees everything. */
function requireSilentOrder({ caller }: Context, { visibility, query }: SearchInput): void {
  const order = [query, ...(query.thenBy ?? [])].map(({ orderBy }) => orderBy)
  const telling = order.find(
    (field) => typeof field === 'string' && visibility.tellingOrders?.has(field),
  )
  if (telling === undefined || holdsEverywhere(caller, 'view')) return
  throw new CmsError(
    'bad-qry',
    `Sorting ${visibility.object.name} by ${telling} requires a key that sees all records.`,
  )
}

/** Replaces the cursors by texts that only the site can read. */
export function findPage(
  { records, cursors }: Context,
  { recordType, searchable }: ObjectType,
  query: Query,
): Page | Promise<Page> {
  const { cursor } = query
  const stored = cursor === undefined ? query : { ...query, cursor: cursors.decrypt(cursor) }
  return andThen(records.search(recordType, searchable, stored), (page) =>
    page.next === undefined ? page : { ...page, next: cursors.encrypt(page.next) },
  )
}
