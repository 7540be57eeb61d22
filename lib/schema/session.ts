// session: a user signed in with a browser. A session is an API key with all grants of its user, whose secrets
// live for minutes, and a cookie, which can only get the next secret. The cookie therefore authenticates
// nothing that another site could make a browser send.

import type { RecordType } from './values.ts'

/** Key: [SHA-256 of the cookie, hexadecimal]. */
export interface Session {
  readonly api_key_id: number
  readonly user_id: number
  /** The session ends at this time, however much it is used; its key expires earlier if it is unused. */
  readonly date_ends: string
}

export const session: RecordType<Session> = {
  name: 'session',
  indexes: [
    { name: 'api_key_id', rows: (record) => [[Number(record['api_key_id'])]] },
    { name: 'user_id', rows: (record) => [[Number(record['user_id'])]] },
  ],
}
