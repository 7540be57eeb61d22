// Passwords of users, as argon2id strings.

import { hash } from '@node-rs/argon2'

/** OWASP's first choice: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const MIN_PASSWORD_LENGTH = 12

export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS)
}
