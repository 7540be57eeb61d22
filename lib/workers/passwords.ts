// Passwords as argon2id strings. Loaded by the first task that has one, as its native code is.

import { hash, verify } from '@node-rs/argon2'

/** OWASP's first choice: argon2id, the usual one of the package, with 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export interface VerifyPassword {
  /** Null: there is none, and to find that out takes as long. */
  readonly hashed: string | null
  readonly password: string
}

export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS)
}

export async function verifyPassword({ hashed, password }: VerifyPassword): Promise<boolean> {
  if (hashed !== null) return verify(hashed, password)
  await hashPassword(password)
  return false
}
