// Defines which callers see a record of an object, and which values are shown in addition to the stored ones. Each object
// provides one definition, next to its operations.

import type { Caller } from '../auth/caller.ts'
import { grantsAt, holdsEverywhere, noSuchRecord, requireGrant } from '../auth/grants.ts'
import { openVisibleFolders, type VisibleFolders } from '../auth/visible-folders.ts'
import type { Made } from '../schema/server-records.ts'
import type { ObjectType } from '../schema/object.ts'
import type { JsonObject, OfRecord, Stored } from '../schema/values.ts'
import type { Query, Reader } from '../storage/port.ts'
import type { Context } from './context.ts'
import { requireRecord } from './requirements.ts'

/** The caller and the state of the records that it sees. */
export interface View {
  readonly reader: Reader
  readonly caller: Caller
  /** Prefix of addresses in records: see http/base-path.ts. */
  readonly basePath: string
  readonly now: Date
}

/** The view of the context's caller, or of another caller or commit. */
export function viewOf(
  { records, caller, basePath, now }: ViewContext,
  { reader = records, as = caller }: { readonly reader?: Reader; readonly as?: Caller } = {},
): View {
  return { reader, caller: as, basePath, now: now() }
}

type ViewContext = Pick<Context, 'records' | 'caller' | 'basePath' | 'now'>

/** T is the type of the records. */
export interface Visibility<T extends JsonObject = JsonObject> {
  readonly object: ObjectType<T>
  readonly seen: Seen<T>
  /** Members derived from other records. */
  readonly derive?: (view: View, visible: VisibleFolders) => OfRecord<T, JsonObject>
  /** Undefined if the caller sees all of every record. */
  readonly mask?: (view: View, visible: VisibleFolders) => Mask<T> | undefined
  /** For a mask whose values searches must not mix with stored ones: the fields that it changes, and where to find the changed records. */
  readonly masked?: readonly MaskedFields[]
  /** Whether the ETag of the record is its revision, although a mask may hide a part of the record. */
  readonly isTaggedByRevision?: (view: View) => OfRecord<T, boolean>
  /** The field that holds a path of this server. */
  readonly addressField?: string
  /** Bytes of the path that `derive` adds, computed without building the path. */
  readonly pathBytes?: (visible: VisibleFolders) => OfRecord<T, number>
  /** Sorting by these fields would reveal hidden values, so it requires a caller who sees all records. */
  readonly tellingOrders?: ReadonlySet<string>
  readonly attached?: Attached<T>
  /** `derive` depends on the time, so answers are not cached. */
  readonly isTimed?: boolean
}

interface MaskedFields {
  readonly fields: ReadonlySet<string>
  /** The index row of all records in which a mask may change one of these fields. */
  readonly row: NonNullable<Query['masked']>[number]
}

/** Decides who sees a record. */
interface Seen<T extends JsonObject = JsonObject> {
  /** Throws not-found or grant-missing if the caller may not read the record. */
  readonly requireRead: (context: Context, id: number) => Stored<T>
  /** For the creator of a record; throws not-found if the creator no longer holds a grant on it. */
  readonly requireMade: (context: Context, id: number) => Stored<T>
  /** For lists; undefined if the caller sees every record. Throws if the caller may read none. */
  readonly visibility: (context: Context) => OfRecord<T, boolean> | undefined
}

/** Values shown instead of hidden ones; undefined if the caller sees the whole record. */
export type Mask<T extends JsonObject = JsonObject> = OfRecord<T, JsonObject | undefined>

/**
 * Reserves memory before a text is read, because many parallel reads would otherwise exceed it. Returns false or
 * throws if there is none.
 */
export type TakePage = (sizeBytes: number) => boolean

/** A field whose value lies outside of the record; lists include it only if it is requested by name. */
interface Attached<T extends JsonObject> {
  readonly field: string
  /** JSON text of the value; `null` if there is none, or no memory for it. */
  read(context: Context, stored: Stored<T>, takePage?: TakePage): Promise<string | Uint8Array>
  /** For lists, one after the other. Throws too-large if the values together exceed the memory. */
  readAll(
    context: Context,
    records: readonly Stored<T>[],
    takePage?: TakePage,
  ): AsyncIterable<string | Uint8Array>
}

/** For folders, and records in folders: visible to callers who may view the folder. */
export function seenInFolder<T extends JsonObject>(
  object: ObjectType<T>,
  folderField: 'parent_category_id' | 'asset_category_id' = 'parent_category_id',
): Seen<T> {
  const folderOf = (record: JsonObject): number => Number(record[folderField])
  return {
    requireRead({ records, caller }, id) {
      const { stored, record } = requireRecord(records, object, id)
      requireGrant(records, caller, 'view', folderOf(record))
      return stored
    },
    requireMade({ records, caller }, id) {
      const { stored, record } = requireRecord(records, object, id)
      if (grantsAt(records, caller, folderOf(record)).size === 0) throw noSuchRecord()
      return stored
    },
    visibility({ records, caller, purging }) {
      if (holdsEverywhere(caller, 'view') && purging.size === 0) return undefined
      const visible = openVisibleFolders(records, caller)
      return (record) => visible.grantsAt(folderOf(record)).has('view')
    },
  }
}

/**
 * Returns the record of the object that an earlier request created, in its present state, for a retry whose first response
 * was not stored. Throws not-found if the caller may no longer see the record.
 */
export function replayMade<T extends JsonObject>(
  context: Context,
  visibility: Visibility<T>,
  made: Made,
): Stored<T> {
  const [id] = made[visibility.object.recordType.name] ?? []
  if (id === undefined) throw noSuchRecord()
  return visibility.seen.requireMade(context, id)
}

/** All created records of the object, if a list was sent. */
export function replayAllMade(
  context: Context,
  visibility: Visibility,
  made: Made,
): readonly Stored[] {
  const ids = made[visibility.object.recordType.name] ?? []
  return ids.map((id) => visibility.seen.requireMade(context, id))
}
