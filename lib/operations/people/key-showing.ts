// Who sees an API key, and when it was last used.

import { holdsAll } from '../../auth/reach.ts'
import { type ApiKey, type ApiKeyUse, apiKey, apiKeyUse } from '../../schema/api-key.ts'
import { valueOf } from '../../schema/record.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Showing } from '../showing.ts'
import { requireVisibleKey, seesKey } from './key-authority.ts'

export const keyShowing: Showing = {
  object: apiKey,
  seen: {
    requireRead: readKey,
    requireMade: readKey,
    visibility: ({ records, caller }) =>
      holdsAll(caller)
        ? undefined
        : (record) => seesKey(records, caller, record as unknown as ApiKey),
  },
  derive:
    ({ reader }) =>
    ({ api_key_id: id, made_by }) => ({
      // Keys of earlier versions are stored without it.
      ...(made_by === undefined && { made_by: null }),
      last_used: lastUse(reader, Number(id)),
    }),
}

function readKey({ records, caller }: Context, id: number): Stored {
  return requireVisibleKey(records, caller, id).stored
}

function lastUse(reader: Reader, id: number): string | null {
  const stored = reader.get(apiKeyUse, id)
  return stored === undefined ? null : valueOf<ApiKeyUse>(stored).last_used
}
