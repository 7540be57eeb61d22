// The first-start link. A single process keeps its token in memory: while nobody can sign in, each start shows
// another link.

import { hashSecret, newToken } from '../../auth/secret.ts'
import { LIMITS } from '../../config/limits.ts'
import { apiKey } from '../../schema/api-key.ts'
import { userPassword } from '../../schema/user.ts'
import { welcomeLink } from '../../schema/server-records.ts'
import type { Reader, Records, Unit } from '../../storage/port.ts'
import { ADMIN_NAME } from './first-start.ts'
import { findNamed } from './user-names.ts'

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
function isUnclaimed(reader: Reader): boolean {
  if (reader.list(apiKey.recordType, [], 1).length > 0) return false
  const id = findNamed(reader, ADMIN_NAME)
  return id !== undefined && reader.get(userPassword, id) === undefined
}

/**
 * The first-start link in a cluster: each process's link is valid on all processes for an hour by their clocks, until
 * somebody can sign in.
 */
export function openSharedWelcome(records: Records, now: () => Date): Welcome {
  const isOver = (date: string): boolean => date <= now().toISOString()

  function removeOver(unit: Unit): void {
    for (const [hash] of unit.list(welcomeLink, [])) {
      const link = unit.get(welcomeLink, String(hash))?.value
      if (link !== undefined && isOver(link.date_ends)) unit.remove(welcomeLink, String(hash))
    }
  }

  return {
    async begin() {
      if (!isUnclaimed(records)) return undefined
      const token = newToken()
      const date_ends = new Date(now().getTime() + LIMITS.welcomeMs).toISOString()
      await records.commit((unit) => {
        removeOver(unit)
        unit.put(welcomeLink, [hashSecret(token)], { date_ends })
      })
      return token
    },
    isGood(token, reader) {
      const link = reader.get(welcomeLink, hashSecret(token))?.value
      return link !== undefined && !isOver(link.date_ends)
    },
    putUsed(unit) {
      for (const [hash] of unit.list(welcomeLink, [])) unit.remove(welcomeLink, String(hash))
    },
    end: () => undefined,
  }
}
