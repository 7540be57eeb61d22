// Deletes a key, and revokes many keys: the descendants of a key, or the keys of a deleted user. This takes many commits, between which
// other requests run. From the first commit on, which stores the work, none of the keys is accepted
// (`Services.revoking`), and the work survives a crash.

import { recheck } from '../../auth/caller.ts'
import {
  type ApiKey,
  apiKey,
  type ApiKeySecret,
  apiKeySecret,
  apiKeyUse,
  type KeyTombstone,
  keyTombstone,
  session,
} from '../../schema/api-key.ts'
import { NOBODY } from '../../schema/audit.ts'
import { fileLink } from '../../schema/file-link.ts'
import type { RevokeWork } from '../../schema/pending-work.ts'
import { inSlices } from '../../schema/time-slicing.ts'
import { userLink } from '../../schema/user.ts'
import type { RecordType, Stored } from '../../schema/values.ts'
import type { Reader, Records, Unit } from '../../storage/port.ts'
import type { ChangeContext, RecordInput, Services } from '../context.ts'
import { finishWork, newWorkId, type PendingTask, putWork, runWork } from '../pending-work.ts'
import { requireMatch } from '../requirements.ts'
import { doerOf, putRowOfKey } from '../trail/audit.ts'
import { requireVisibleKey, seesKey } from './key-authority.ts'

interface RemoveKeyInput extends RecordInput {
  /** Also removes all keys that descend from it. */
  readonly isCascade: boolean
}

/**
 * A cascade removes only descendants that the caller could remove directly: a stronger one has been changed by
 * somebody else since.
 */
export async function removeKey(
  context: ChangeContext,
  { id, isCascade, precondition }: RemoveKeyInput,
): Promise<void> {
  const workId = newWorkId()
  const planned = isCascade ? await planRevoke(context, id) : undefined
  const work = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    requireMatch(precondition, requireVisibleKey(unit, caller, id).stored)
    const all = planned && withLate(unit, id, planned)
    if (all !== undefined) putWork(unit, workId, all)
    removeKeyRecords(unit, [id])
    return all
  })
  if (work !== undefined) await runWork(context, revokeTask(context, workId, work))
}

/** Adds keys that the key has created since the plan; undefined if the key has no descendants to remove. */
function withLate(unit: Unit, id: number, planned: RevokeWork): RevokeWork | undefined {
  const known = new Set([...planned.api_key_ids, ...(planned.spared ?? [])])
  const late = childrenOf(unit, id).filter(
    (child) => !known.has(child) && unit.get(apiKey.recordType, child) !== undefined,
  )
  const api_key_ids = [...planned.api_key_ids, ...late]
  return api_key_ids.length === 0 ? undefined : { ...planned, api_key_ids }
}

async function planRevoke(context: ChangeContext, id: number): Promise<RevokeWork> {
  const { records, caller, origin } = context
  const api_key_ids: number[] = []
  const spared: number[] = []
  const sort = (record: ApiKey): void => {
    const ids = seesKey(records, caller, record) ? api_key_ids : spared
    ids.push(record.api_key_id)
  }
  await inSlices(walkDescendants(records, id, sort))
  return { kind: 'revoke', api_key_ids, spared, doer: doerOf(origin) }
}

/** Keys per commit: each has some fifteen rows, about a millisecond. */
export const KEYS_AT_ONCE = 10

type Revoking = Pick<Services, 'records' | 'revoking' | 'now'>

export function revokeTask(services: Revoking, workId: string, work: RevokeWork): PendingTask {
  return { name: 'revoke', workId, run: () => runRevoke(services, workId, work) }
}

async function runRevoke(
  services: Revoking,
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

/** Removes keys, their secrets and their use notes. The maker of a key stays stored while keys descend from it. */
export function removeKeyRecords(unit: Unit, keyIds: readonly number[]): void {
  for (const keyId of keyIds) {
    const stored = unit.get(apiKey.recordType, keyId)
    if (stored === undefined) continue
    removeSecrets(unit, keyId)
    unit.remove(apiKeyUse, keyId)
    unit.remove(apiKey.recordType, keyId)
    unit.put(keyTombstone, [keyId], { made_by: stored.value.made_by })
  }
  for (const keyId of keyIds) forgetMaker(unit, keyId)
}

/** From a deleted key upwards, removes makers without descendants. */
function forgetMaker(unit: Unit, keyId: number): void {
  let id: number | null = keyId
  while (id !== null) {
    const stored: Stored<KeyTombstone> | undefined = unit.get(keyTombstone, id)
    if (stored === undefined || childrenOf(unit, id, 1).length > 0) return
    unit.remove(keyTombstone, id)
    id = stored.value.made_by
  }
}

/** Also removes the key's session, whose cookie would issue new secrets. */
export function removeSecrets(unit: Unit, keyId: number): readonly ApiKeySecret[] {
  for (const [cookie] of unit.lookup(session, 'api_key_id', [keyId]))
    unit.remove(session, String(cookie))
  return unit.lookup(apiKeySecret, 'api_key_id', [keyId]).flatMap(([hash]) => {
    const stored = unit.get(apiKeySecret, String(hash))
    unit.remove(apiKeySecret, String(hash))
    return stored === undefined ? [] : [stored.value]
  })
}

/**
 * Visits all existing descendants of a key, makers before the keys that they made. Yields at each, because there may
 * be many.
 */
export function* walkDescendants(
  reader: Reader,
  keyId: number,
  visit: (record: ApiKey) => void,
): Generator<void, void> {
  const makers = [keyId]
  // The list grows during the loop.
  for (const maker of makers) {
    for (const id of childrenOf(reader, maker)) {
      yield
      makers.push(id)
      const stored = reader.get(apiKey.recordType, id)
      if (stored !== undefined) visit(stored.value)
    }
  }
}

function childrenOf(reader: Reader, keyId: number, limit?: number): readonly number[] {
  return [apiKey.recordType, keyTombstone].flatMap((type) =>
    reader.lookup(type, 'made_by', [keyId], limit).map(([id]) => Number(id)),
  )
}

/** Links per commit. */
const LINKS_AT_ONCE = 100

/** Removes all links to files and all links of users; `next` returns the records for each commit. */
export async function removeAllLinks(next: () => Pick<Records, 'list' | 'commit'>): Promise<void> {
  for (const type of [fileLink.recordType, userLink]) await removeAll(type, next)
}

async function removeAll(
  type: RecordType,
  next: () => Pick<Records, 'list' | 'commit'>,
): Promise<void> {
  for (;;) {
    const records = next()
    const found = records.list(type, [], LINKS_AT_ONCE)
    if (found.length === 0) return
    await records.commit((unit) => {
      for (const ids of found) unit.remove(type, ...ids)
    })
  }
}
