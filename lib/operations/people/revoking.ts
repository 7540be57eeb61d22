// Revokes many keys: the descendants of a key, or the keys of a deleted user. This takes many commits, between which
// other requests run. From the first commit on, which stores the work, none of the keys is accepted
// (`Services.revoking`), and the work survives a crash.

import { apiKey } from '../../schema/api-key.ts'
import { NOBODY } from '../../schema/audit.ts'
import { putRowOfKey } from '../trail/audit.ts'
import type { Services } from '../context.ts'
import { childrenOf, removeKeyRecords } from './key-records.ts'
import { finishWork } from '../pending-work.ts'
import type { RevokeWork } from '../../schema/pending-work.ts'

/** Keys per commit: each has some fifteen rows, about a millisecond. */
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
      // Keys created by a request that was authenticated before.
      const made = spared === null ? [] : batch.flatMap((id) => childrenOf(unit, id))
      const gone = batch.flatMap((id) => unit.get(apiKey.recordType, id)?.value ?? [])
      removeKeyRecords(unit, batch)
      for (const key of gone) putRowOfKey(unit, services, doer ?? NOBODY, key)
      return made.filter((id) => !known.has(id) && unit.get(apiKey.recordType, id) !== undefined)
    })
    for (const id of late) revoking.add(id)
    all.push(...late)
    // The batch may be short, and late keys were appended after it.
    done += batch.length
  }
  await finishWork(records, workId)
  for (const id of all) revoking.delete(id)
}

/** Marks all keys that runRevoke would remove as refused, without removing them. */
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
