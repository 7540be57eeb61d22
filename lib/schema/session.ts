// session: somebody who has signed in with a browser. It is an API key with all that its user holds, whose secrets live
// for minutes, and a cookie, which is good for one thing: to get the next secret. So a cookie authenticates nothing
// that another site could make a browser send.

import type { RecordType } from './values.ts'

/** Key: [SHA-256 of the cookie, hexadecimal]. */
export interface Session {
  readonly api_key_id: number
  readonly user_id: number
  /** However much it is used, it is over then; its key ends before that where it is not used. */
  readonly date_ends: string
}

export const session: RecordType<Session> = {
  name: 'session',
  indexes: [
    { name: 'api_key_id', rows: (record) => [[Number(record['api_key_id'])]] },
    { name: 'user_id', rows: (record) => [[Number(record['user_id'])]] },
  ],
}
