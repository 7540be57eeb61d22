// Ends many keys: those that descend from one, or those of a user who is gone. That takes many commits, between
// which others are served; but from the first one on, which notes the work, none of them is let in any more
// (`Services.revoking`), and a crash forgets none.

import { apiKey } from '../../schema/api-key.ts'
import { NOBODY } from '../../schema/audit.ts'
import { putRowOfKey } from '../trail/audit.ts'
import type { Services } from '../context.ts'
import { childrenOf, removeKeyRecords } from './key-records.ts'
import { finishWork } from '../pending-work.ts'
import type { RevokeWork } from '../../schema/pending-work.ts'

/** Keys that one commit removes: each has some fifteen rows, about a millisecond. */
export const KEYS_AT_ONCE = 10

export async function runRevoke(
  services: Pick<Services, 'records' | 'revoking' | 'now'>,
  workId: string,
  { api_key_ids: ids, spared, doer }: RevokeWork,
): Promise<void> {
  const { records, revoking } = services
  const all = [...ids]
  const known = new Set([...ids, ...(spared ?? [])])
  for (const id of all) revoking.add(id)
  let done = 0
  while (done < all.length) {
    const batch = all.slice(done, done + KEYS_AT_ONCE)
    const late = await records.commit((unit) => {
      // Made by a request that was let in before.
      const made = spared === null ? [] : batch.flatMap((id) => childrenOf(unit, id))
      const gone = batch.flatMap((id) => unit.get(apiKey.recordType, id)?.value ?? [])
      removeKeyRecords(unit, batch)
      for (const key of gone) putRowOfKey(unit, services, doer ?? NOBODY, key)
      return made.filter((id) => !known.has(id) && unit.get(apiKey.recordType, id) !== undefined)
    })
    for (const id of late) revoking.add(id)
    all.push(...late)
    // Not by a whole batch: behind a short one stands what came late.
    done += batch.length
  }
  await finishWork(records, workId)
  for (const id of all) revoking.delete(id)
}

/** All that runRevoke would end are let in no more, and stay where they are. */
export function noteRevoked(
  { records, revoking }: Pick<Services, 'records' | 'revoking'>,
  { api_key_ids: ids, spared }: RevokeWork,
): void {
  const all = new Set(ids)
  const kept = new Set(spared)
  for (const id of all) {
    revoking.add(id)
    const made = spared === null ? [] : childrenOf(records, id)
    for (const child of made) if (!kept.has(child)) all.add(child)
  }
}
