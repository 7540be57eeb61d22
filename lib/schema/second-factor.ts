// The second factor of a user: time-based codes (TOTP, RFC 6238), and recovery codes for users who have lost
// their authenticator. A TOTP secret is shared and cannot be stored as a hash. It is not encrypted either: the
// key would be in the same records and in every backup, and a key on only one disk would lock out everybody
// after a restore. Anybody who reads the data directory or a backup can compute codes, but still lacks the
// password.
// data directory or a backup can make codes, and still lacks the password.

import type { RecordType } from './values.ts'

/** Key: [user_id]; active. Stored separately from the user, so that no read can return it. */
export interface SecondFactor {
  /** Base32 of 20 random bytes. */
  readonly secret: string
  /** Time step of the last accepted code: this code and earlier codes are used up. */
  readonly last_step: number
  /** SHA-256 of the unused recovery codes, hexadecimal. */
  readonly recovery_codes: readonly string[]
}

export const secondFactor: RecordType<SecondFactor> = { name: 'second_factor', indexes: [] }

/** Key: [user_id]; shown to its user, but not active until the user sends a code. */
interface NextSecondFactor {
  readonly secret: string
  readonly date_ends: string
}

export const nextSecondFactor: RecordType<NextSecondFactor> = {
  name: 'next_second_factor',
  indexes: [],
}
