// Decides who sees an API key, and adds when it was last used.

import { holdsAll } from '../../auth/delegation.ts'
import { type ApiKey, apiKey, apiKeyUse } from '../../schema/api-key.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Showing } from '../visibility.ts'
import { keyStateOf } from './key-state.ts'
import { requireVisibleKey, seesKey } from './key-authority.ts'

export const keyShowing: Showing<ApiKey> = {
  object: apiKey,
  seen: {
    requireRead: readKey,
    requireMade: readKey,
    visibility: ({ records, caller }) =>
      holdsAll(caller) ? undefined : (record) => seesKey(records, caller, record),
  },
  isTimed: true,
  derive:
    ({ reader, now }) =>
    (key) => ({
      // Keys of earlier versions lack these fields.
      ...(key.made_by === undefined && { made_by: null }),
      ...(key.date_signed_in === undefined && { date_signed_in: null }),
      ...keyStateOf(reader, key, now),
      last_used: lastUse(reader, key.api_key_id),
    }),
}

function readKey({ records, caller }: Context, id: number): Stored<ApiKey> {
  return requireVisibleKey(records, caller, id).stored
}

function lastUse(reader: Reader, id: number): string | null {
  return reader.get(apiKeyUse, id)?.value.last_used ?? null
}
