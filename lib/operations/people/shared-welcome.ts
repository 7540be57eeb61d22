// The first-start link in a cluster: each process's link is valid on all processes for an hour by their clocks, until
// somebody can sign in.

import { hashSecret, newToken } from '../../auth/secret.ts'
import { LIMITS } from '../../config/limits.ts'
import { welcomeLink } from '../../schema/welcome-link.ts'
import type { Records, Unit } from '../../storage/port.ts'
import { isUnclaimed, type Welcome } from './welcome-link.ts'

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
