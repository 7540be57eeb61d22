// What an earlier request has made, as it is now: for the answer to a retry, where the first answer was
// not kept. Whoever may see nothing at the place any more is told nothing of it.

import { grantsAt, noSuchRecord } from '../../auth/grants.ts'
import { apiKey } from '../../schema/api-key.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import type { Made } from '../../schema/idempotency-key.ts'
import type { ObjectType } from '../../schema/object.ts'
import { user } from '../../schema/user.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { readKey } from '../people/api-keys.ts'
import { type EntryInput, requireEntry, type Saved } from '../modules/entries.ts'
import { type ModuleAddress, recallModule } from '../modules/find-module.ts'
import { requireRecord } from '../require.ts'
import { requireVisibleUser } from '../people/users.ts'

/** The one record of the object that was made. */
export function recallMade(context: Context, object: ObjectType, made: Made): Stored {
  const [id] = made[object.recordType.name] ?? []
  if (id === undefined) throw noSuchRecord()
  return recallRecord(context, object, id)
}

/** All records of the object that were made, where a list was sent. */
export function recallAllMade(context: Context, object: ObjectType, made: Made): readonly Stored[] {
  const ids = made[object.recordType.name] ?? []
  return ids.map((id) => recallRecord(context, object, id))
}

export function recallRecord(context: Context, object: ObjectType, id: number): Stored {
  if (object.name === user.name) return requireVisibleUser(context, id)
  if (object.name === apiKey.name) return readKey(context, id)

  const { stored, record } = requireRecord<JsonObject>(context.records, object, id)
  const categoryId = object.name === assetCategory.name ? id : Number(record['parent_category_id'])
  if (grantsAt(context.records, context.caller, categoryId).size === 0) throw noSuchRecord()
  return stored
}

/** Throws not-found where one of the keys that were made may not be seen any more. */
export function recallKeys(context: Context, made: Made): void {
  for (const id of made[apiKey.recordType.name] ?? []) readKey(context, id)
}

/** The entries that an earlier request has made, as they are now. */
export function recallEntries(
  context: Context,
  address: ModuleAddress,
  made: Made,
): readonly Saved[] {
  const module = recallModule(context, address, 'create')
  const ids = made[module.entry.object.recordType.name] ?? []
  return ids.map((id) => ({ module, stored: requireEntry(context.records, module, id) }))
}

export function recallEntry(context: Context, { address, entryId }: EntryInput): Saved {
  const module = recallModule(context, address, 'modify')
  return { module, stored: requireEntry(context.records, module, entryId) }
}
