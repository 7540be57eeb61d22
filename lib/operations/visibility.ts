// What the common pattern asks of an object about its records: who sees one, and what is shown of it besides
// what is stored. Each object answers with one value, which stands with its operations.

import { grantsAt, holdsEverywhere, noSuchRecord, requireGrant } from '../auth/grants.ts'
import type { Caller } from '../auth/caller.ts'
import { openSight, type Sight } from '../auth/visible-folders.ts'
import type { ObjectType } from '../schema/object.ts'
import type { JsonObject, OfRecord, Stored } from '../schema/values.ts'
import type { Query, Reader } from '../storage/port.ts'
import type { Context } from './context.ts'
import { requireRecord } from './requirements.ts'

/** Whose eyes, and the state that they see. */
export interface View {
  readonly reader: Reader
  readonly caller: Caller
  /** In front of the addresses that records hold: see http/base-path.ts. */
  readonly basePath: string
  readonly now: Date
}

/** As the caller of the context sees the records, or those of a commit. */
export function viewOf(
  { records, caller, basePath, now }: ViewContext,
  { reader = records, as = caller }: { readonly reader?: Reader; readonly as?: Caller } = {},
): View {
  return { reader, caller: as, basePath, now: now() }
}

type ViewContext = Pick<Context, 'records' | 'caller' | 'basePath' | 'now'>

/** T: its records. */
export interface Showing<T extends JsonObject = JsonObject> {
  readonly object: ObjectType<T>
  readonly seen: Seen<T>
  /** Members that follow from other records. Undefined: none. */
  readonly derive?: (view: View, sight: Sight) => OfRecord<T, JsonObject>
  /** Undefined where the caller sees all of every record. */
  readonly mask?: (view: View, sight: Sight) => Mask<T> | undefined
  /** For a mask that gives other values than null: the fields that it changes, and where the records lie that it changes. */
  readonly masked?: { readonly fields: ReadonlySet<string>; readonly rows: Query['masked'] }
  /** The ETag is the revision, although a mask may hide a part of the record. */
  readonly isTaggedByRevision?: boolean
  /** What a record of an earlier version shows in the place of what it has. */
  readonly renew?: Mask<T>
  /** The field that holds a path of this server. */
  readonly addressField?: string
  /** Bytes of the path that `derive` adds to a record, without making it. */
  readonly pathBytes?: (sight: Sight) => OfRecord<T, number>
  /** Lists in the order of these fields would tell of what is hidden: for who sees all records alone. */
  readonly tellingOrders?: ReadonlySet<string>
  readonly attached?: Attached<T>
  /** `derive` tells what changes as time passes, so that no answer is kept. */
  readonly isTimed?: boolean
}

/** Who sees a record. */
export interface Seen<T extends JsonObject = JsonObject> {
  /** Throws not-found, or grant-missing, for who may not read it. */
  readonly requireRead: (context: Context, id: number) => Stored<T>
  /** For who has made it, and may have no business with it any more: throws not-found then. */
  readonly requireMade: (context: Context, id: number) => Stored<T>
  /** For lists; undefined when the caller sees every record. Throws where it may have none. */
  readonly visibility: (context: Context) => OfRecord<T, boolean> | undefined
}

/** What is shown in the place of what the caller may not see; undefined where it sees all of the record. */
export type Mask<T extends JsonObject = JsonObject> = OfRecord<T, JsonObject | undefined>

/** Asks for room before a text is read, as many that are read at once would be in memory before they count. False, or throws: none. */
export type TakePage = (sizeBytes: number) => boolean

/** A field whose value lies outside of the record; in lists it stands only where it is asked for by name. */
interface Attached<T extends JsonObject> {
  readonly field: string
  /** JSON text of the value; `null` where there is none, or no room for it. */
  read(context: Context, stored: Stored<T>, takePage?: TakePage): Promise<string | Uint8Array>
  /** Of a list, one after the other. Throws too-large where they do not fit into memory together. */
  readAll(
    context: Context,
    records: readonly Stored<T>[],
    takePage?: TakePage,
  ): AsyncIterable<string | Uint8Array>
}

/** Records that lie in a folder, or are one: seen by who may view there. */
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
      const sight = openSight(records, caller)
      return (record) => sight.grantsAt(folderOf(record)).has('view')
    },
  }
}
