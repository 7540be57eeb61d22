// The second factor of a user, beside the password: codes by time (TOTP, RFC 6238), and recovery codes for who has lost what
// makes them. What both sides know cannot be kept as a hash. It is not encrypted either: the key would lie in the same
// records, and in every backup of them; one of the disk alone would lock everybody out after a restore. So who reads the
// data directory or a backup can make codes, and still lacks the password.

import type { RecordType } from './values.ts'

/** Key: [user_id]; in force. Kept apart from the user, so that no read can return it. */
export interface SecondFactor {
  /** Base32 of 20 random bytes. */
  readonly secret: string
  /** The step of time of the last code that was taken: that one and those before it are used up. */
  readonly last_step: number
  /** Of those that are not used yet: SHA-256, hexadecimal. */
  readonly recovery_codes: readonly string[]
}

export const secondFactor: RecordType<SecondFactor> = { name: 'second_factor', indexes: [] }

/** Key: [user_id]; shown to its user, and not in force before a code of it was sent. */
interface NextSecondFactor {
  readonly secret: string
  readonly date_ends: string
}

export const nextSecondFactor: RecordType<NextSecondFactor> = {
  name: 'next_second_factor',
  indexes: [],
}
