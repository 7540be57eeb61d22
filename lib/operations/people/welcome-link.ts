// The link of the first start. Of a process that is alone, what it holds is in memory alone: while nobody can get in, each
// start shows another one.

import { hashSecret, newToken } from '../../auth/secret.ts'
import { LIMITS } from '../../config/limits.ts'
import { apiKey } from '../../schema/api-key.ts'
import { userPassword } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { ADMIN_NAME } from './first-start.ts'
import { findUserId } from './user-names.ts'

export interface Welcome {
  /** What the link holds; undefined where somebody can get in already. */
  readonly begin: (reader: Reader) => Promise<string | undefined>
  readonly isGood: (token: string, reader: Pick<Reader, 'get'>) => boolean
  /** Puts in the commit that uses it what others have to know of that. */
  readonly putUsed: (unit: Unit) => void
  /** That commit is through. */
  readonly end: () => void
}

/** By a clock that nobody sets. */
export function openWelcome(uptimeMs: () => number): Welcome {
  let good: { readonly hash: string; readonly endMs: number } | undefined
  return {
    async begin(reader) {
      if (!isUnclaimed(reader)) return undefined
      const token = newToken()
      good = { hash: hashSecret(token), endMs: uptimeMs() + LIMITS.welcomeMs }
      return token
    },
    isGood: (token) =>
      good !== undefined && uptimeMs() < good.endMs && hashSecret(token) === good.hash,
    putUsed: () => undefined,
    end() {
      good = undefined
    },
  }
}

/** No key, and no password of the user that was made first. */
export function isUnclaimed(reader: Reader): boolean {
  if (reader.list(apiKey.recordType, [], 1).length > 0) return false
  const id = findUserId(reader, ADMIN_NAME)
  return id !== undefined && reader.get(userPassword, id) === undefined
}
