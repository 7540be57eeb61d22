// Who sees an API key, and when it was last used.

import { holdsAll } from '../../auth/reach.ts'
import { type ApiKey, apiKey, apiKeyUse } from '../../schema/api-key.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Showing } from '../showing.ts'
import { requireVisibleKey, seesKey } from './key-authority.ts'

export const keyShowing: Showing<ApiKey> = {
  object: apiKey,
  seen: {
    requireRead: readKey,
    requireMade: readKey,
    visibility: ({ records, caller }) =>
      holdsAll(caller) ? undefined : (record) => seesKey(records, caller, record),
  },
  derive:
    ({ reader }) =>
    ({ api_key_id: id, made_by, date_signed_in }) => ({
      // Keys of earlier versions are stored without them.
      ...(made_by === undefined && { made_by: null }),
      ...(date_signed_in === undefined && { date_signed_in: null }),
      last_used: lastUse(reader, id),
    }),
}

function readKey({ records, caller }: Context, id: number): Stored<ApiKey> {
  return requireVisibleKey(records, caller, id).stored
}

function lastUse(reader: Reader, id: number): string | null {
  return reader.get(apiKeyUse, id)?.value.last_used ?? null
}
