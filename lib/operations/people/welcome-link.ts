// The first-start link. A single process keeps its token in memory: while nobody can sign in, each start shows
// another link.

import { hashSecret, newToken } from '../../auth/secret.ts'
import { LIMITS } from '../../config/limits.ts'
import { apiKey } from '../../schema/api-key.ts'
import { userPassword } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { ADMIN_NAME } from './first-start.ts'
import { findUserId } from './user-names.ts'

export interface Welcome {
  /** The token of the link; undefined if somebody can sign in already. */
  readonly begin: (reader: Reader) => Promise<string | undefined>
  readonly isGood: (token: string, reader: Pick<Reader, 'get'>) => boolean
  /** Records the use of the link, in the commit that uses it. */
  readonly putUsed: (unit: Unit) => void
  /** Called after that commit. */
  readonly end: () => void
}

/** Uses the monotonic clock. */
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

/** True while there are no keys, and the first user has no password. */
export function isUnclaimed(reader: Reader): boolean {
  if (reader.list(apiKey.recordType, [], 1).length > 0) return false
  const id = findUserId(reader, ADMIN_NAME)
  return id !== undefined && reader.get(userPassword, id) === undefined
}
