// What an earlier request has made, as it is now: for the answer to a retry, where the first answer was
// not kept. Whoever may see nothing at the place any more is told nothing of it.

import { noSuchRecord } from '../auth/grants.ts'
import type { Made } from '../schema/idempotency-key.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import type { Context } from './context.ts'
import type { Showing } from './visibility.ts'

/** The one record of the object that was made. */
export function recallMade<T extends JsonObject>(
  context: Context,
  showing: Showing<T>,
  made: Made,
): Stored<T> {
  const [id] = made[showing.object.recordType.name] ?? []
  if (id === undefined) throw noSuchRecord()
  return showing.seen.requireMade(context, id)
}

/** All records of the object that were made, where a list was sent. */
export function recallAllMade(context: Context, showing: Showing, made: Made): readonly Stored[] {
  const ids = made[showing.object.recordType.name] ?? []
  return ids.map((id) => showing.seen.requireMade(context, id))
}
