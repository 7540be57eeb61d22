// Records that an earlier request created, in their present state: answers a retry whose first answer was not kept. A
// caller who may no longer see the record learns nothing.

import { noSuchRecord } from '../auth/grants.ts'
import type { Made } from '../schema/idempotency-key.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import type { Context } from './context.ts'
import type { Showing } from './visibility.ts'

/** The created record of the object. */
export function replayMade<T extends JsonObject>(
  context: Context,
  showing: Showing<T>,
  made: Made,
): Stored<T> {
  const [id] = made[showing.object.recordType.name] ?? []
  if (id === undefined) throw noSuchRecord()
  return showing.seen.requireMade(context, id)
}

/** All created records of the object, if a list was sent. */
export function replayAllMade(context: Context, showing: Showing, made: Made): readonly Stored[] {
  const ids = made[showing.object.recordType.name] ?? []
  return ids.map((id) => showing.seen.requireMade(context, id))
}
