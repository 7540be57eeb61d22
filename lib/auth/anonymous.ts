// The caller of requests without a key. It holds `view` in public folders, and reads public modules; everything else is
// answered as without this caller: 401, whether something is there or not.

import type { Party } from '../http/quota.ts'
import type { Caller } from './caller.ts'

/** No record has this identifier. */
const NOBODY = 0

/** One object for all such requests, so that they share cached responses. */
export const ANONYMOUS: Caller = Object.freeze({
  secretHash: '',
  dateEnds: null,
  key: Object.freeze({
    api_key_id: NOBODY,
    name: '',
    user_id: NOBODY,
    grants: ['view'],
    asset_category_id: null,
    status: 'active',
    date_expires: null,
  }),
  user: Object.freeze({ user_id: NOBODY, name: '', role: null, category_roles: null }),
  isAnonymous: true,
}) as unknown as Caller

/** The address of readers whose address is not known, because many clients share it. */
const SHARED_ADDRESS = 'shared'

/**
 * The key and user that a request counts for. Readers without a key count as one key for each address, and all of them
 * together as one user: they cannot use up the shares of people who are signed in.
 */
export function partyOf({ key, isAnonymous }: Caller, source: string | undefined): Party {
  if (isAnonymous !== true) return key
  return { api_key_id: source ?? SHARED_ADDRESS, user_id: NOBODY }
}

/** Whether the party is a reader without a key. */
export function isNobody({ user_id: id }: Party): boolean {
  return id === NOBODY
}
