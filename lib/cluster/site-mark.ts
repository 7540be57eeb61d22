// The mark that names the site of the contents under a prefix. Orphans are found by the records, so a node whose store is
// empty or belongs to another site would lose contents or treat them as orphans. A node of an existing site therefore
// demands the mark and never writes one; only the process that creates the site writes the mark.
//
//   <prefix>instance.json     {"format":1,"uuid":"…"}: the uuid equals the row in the records
//   with "making":true        a site is being created: nothing else lies under the prefix, and the uuid may not be in any
//                             database yet. A process that was killed leaves this mark; the next one may replace it.

import { randomUUID } from 'node:crypto'
import { CmsError } from '../base/errors.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { IDENTITY_NAME, IDENTITY_KEY } from '../storage/records/format.ts'
import type { ObjectStore } from './object-store.ts'
import { StoreFault } from './store-faults.ts'
import type { Kv } from '../storage/records/kv.ts'
import type { ReplicatedKv } from './replicated-kv.ts'

export interface Place {
  readonly store: Pick<ObjectStore, 'read' | 'list' | 'put'>
  readonly prefix: string
}

export interface Mark {
  readonly uuid: string
  readonly isMaking: boolean
}

const FORMAT = 1
const MAX_BYTES = 4 * 1024

const NO_MARK =
  'The bucket does not hold the contents of this site: instance.json is missing. Check S3_BUCKET, S3_PREFIX and S3_ENDPOINT.'
const OTHER_SITE =
  'The bucket holds the contents of another site than the database. Check S3_BUCKET, S3_PREFIX and DATABASE_URL.'

/** The key of the mark. */
export function markOf(prefix: string): string {
  return `${prefix}${IDENTITY_NAME}.json`
}

/** Throws unless the place holds the mark of this site. Call when opening a site that exists. */
export async function requireMarked(place: Place, uuid: string): Promise<void> {
  const mark = await readMark(place)
  if (mark === undefined) throw new RefusedError(NO_MARK)
  if (mark.uuid !== uuid) throw new RefusedError(mark.isMaking ? NO_MARK : OTHER_SITE)
  if (mark.isMaking) await finishMark(place, uuid)
}

/**
 * Marks an empty place for a new site. The uuid goes into the database next, then `finishMark` is called. An
 * interruption at any point can be repeated from the start.
 */
export async function beginMark(place: Place, uuid: string): Promise<void> {
  const found = await readMark(place)
  if (found?.isMaking === false) throw new RefusedError(OTHER_SITE)
  await requireNothingElse(place).catch(told)
  await put(place, { format: FORMAT, uuid, making: true })
}

async function requireNothingElse({ store, prefix }: Place): Promise<void> {
  for await (const page of store.list(prefix)) {
    if (page.every(({ key }) => key === markOf(prefix))) continue
    throw new RefusedError(
      `The prefix "${prefix}" of the bucket holds other objects. Set S3_PREFIX to an unused prefix for this site.`,
    )
  }
}

export async function finishMark(place: Place, uuid: string): Promise<void> {
  // Another database whose site is created in the same place may have replaced the mark.
  if ((await readMark(place))?.uuid !== uuid) throw new RefusedError(OTHER_SITE)
  await put(place, { format: FORMAT, uuid })
}

/** Returns undefined if the place has no mark. */
export async function readMark({ store, prefix }: Place): Promise<Mark | undefined> {
  const memory = Buffer.alloc(MAX_BYTES)
  const found = await store.read(markOf(prefix), 0, memory).catch(told)
  return found === undefined ? undefined : parseMark(memory.subarray(0, found.bytesRead))
}

/** Refuses if a retry cannot help; other errors let a supervisor start the server again. */
function told(error: unknown): never {
  const cause = error instanceof CmsError ? error.facts.cause : undefined
  if (!(cause instanceof StoreFault) || !cause.isLasting) throw error
  throw new RefusedError(`The content bucket cannot be used: ${cause.message}`, { cause })
}

function put({ store, prefix }: Place, mark: object): Promise<void> {
  return store.put(markOf(prefix), Buffer.from(`${JSON.stringify(mark)}\n`)).catch(told)
}

function parseMark(bytes: Buffer): Mark {
  const { format, uuid, making } = parseObject(bytes)
  if (format === FORMAT) return { uuid: String(uuid), isMaking: making === true }
  throw new RefusedError(
    'The contents in the bucket were written by another version of cms-server.',
  )
}

interface Written {
  readonly format?: unknown
  readonly uuid?: unknown
  readonly making?: unknown
}

function parseObject(bytes: Buffer): Written {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // JSON.parse throws only for text that is not JSON.
    return {}
  }
}

// Determines the site that a node serves. If the database has a site, the store must hold the mark of this site. The first
// node of all creates the site; of several nodes that start at once with an empty database one creates it, the others wait.

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
