// Hashes passwords as argon2id strings. Loaded by the first task that needs it, together with its native code.

import { hash, verify } from '@node-rs/argon2'

/** OWASP's first choice: argon2id (the default of the package), 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export interface VerifyPassword {
  /** Null if no hash exists; verifying takes equally long then. */
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
