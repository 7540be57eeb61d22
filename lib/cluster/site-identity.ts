// Determines the site that a node serves. If the database has a site, the store must hold the mark of this site. The first
// node of all creates the site; of several nodes that start at once with an empty database one creates it, the others wait.

import { randomUUID } from 'node:crypto'
import { IDENTITY_KEY } from '../storage/records/format.ts'
import type { Kv } from '../storage/records/kv.ts'
import type { ReplicatedKv } from './replicated-kv.ts'
import { beginMark, finishMark, type Place, requireMarked } from './site-mark.ts'

export async function settleSite(
  kv: Kv & Pick<ReplicatedKv, 'alone'>,
  place: Place,
): Promise<void> {
  const known = siteIn(kv) ?? (await kv.alone(() => makeSite(kv, place)))
  if (known !== undefined) await requireMarked(place, known)
}

/** Marks the store first: a wrong bucket must leave no site in the database. Returns a site that exists already. */
async function makeSite(kv: Kv, place: Place): Promise<string | undefined> {
  await kv.renew()
  const known = siteIn(kv)
  if (known !== undefined) return known
  const uuid = randomUUID()
  await beginMark(place, uuid)
  const kept = await kv.commit((writer) => {
    const given = writer.get(IDENTITY_KEY)?.toString()
    if (given === undefined) writer.put(IDENTITY_KEY, Buffer.from(uuid))
    return given ?? uuid
  })
  if (kept !== uuid) return kept
  await finishMark(place, uuid)
  return undefined
}

function siteIn(kv: Pick<Kv, 'get'>): string | undefined {
  return kv.get(IDENTITY_KEY)?.toString()
}
