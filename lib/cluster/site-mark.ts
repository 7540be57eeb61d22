// The mark that says whose contents lie under a prefix. Orphans are found by the records, so a node whose store is
// empty or belongs to another site would lose contents or take them for orphans. A node of a site therefore demands the
// mark and never writes one; only the process that makes the site writes it.
//
//   <prefix>instance.json     {"format":1,"uuid":"…"}: the uuid is equal to the row in the records
//   with "making":true        a site is being made there: nothing else lies under the prefix, and the uuid may not be in
//                             any database yet. A process that was killed leaves this mark; the next one may replace it.

import { CmsError } from '../base/errors.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { IDENTITY_NAME } from '../storage/records/format.ts'
import type { ObjectStore } from './object-store.ts'
import { StoreFault } from './store-faults.ts'

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
  'The bucket has no contents of this site: instance.json is missing there. Look at S3_BUCKET, S3_PREFIX and S3_ENDPOINT.'
const OTHER_SITE =
  'The contents in the bucket are of another site than the records. Look at S3_BUCKET, S3_PREFIX and DATABASE_URL.'

/** The key of the mark. */
export function markOf(prefix: string): string {
  return `${prefix}${IDENTITY_NAME}.json`
}

/** Throws unless the place holds the mark of this site. Whoever opens a site that exists calls this. */
export async function requireMarked(place: Place, uuid: string): Promise<void> {
  const mark = await readMark(place)
  if (mark === undefined) throw new RefusedError(NO_MARK)
  if (mark.uuid !== uuid) throw new RefusedError(mark.isMaking ? NO_MARK : OTHER_SITE)
  if (mark.isMaking) await finishMark(place, uuid)
}

/**
 * Marks a place where nothing lies as one in which a site is being made. The uuid goes into the database after this, and
 * `finishMark` follows it: whatever is cut off in between can be begun again.
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
      `Under the prefix "${prefix}" of the bucket lie other objects. Give S3_PREFIX a place of its own for this site.`,
    )
  }
}

export async function finishMark(place: Place, uuid: string): Promise<void> {
  // Another database whose site is made in the same place has replaced the mark.
  if ((await readMark(place))?.uuid !== uuid) throw new RefusedError(OTHER_SITE)
  await put(place, { format: FORMAT, uuid })
}

/** Undefined where nobody has marked the place. */
export async function readMark({ store, prefix }: Place): Promise<Mark | undefined> {
  const memory = Buffer.alloc(MAX_BYTES)
  const found = await store.read(markOf(prefix), 0, memory).catch(told)
  return found === undefined ? undefined : parseMark(memory.subarray(0, found.bytesRead))
}

/** Refused where no second try helps; else it stays an error after which a service may start the server again. */
function told(error: unknown): never {
  const cause = error instanceof CmsError ? error.facts.cause : undefined
  if (!(cause instanceof StoreFault) || !cause.isLasting) throw error
  throw new RefusedError(`The bucket of contents cannot be used: ${cause.message}`, { cause })
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
    // JSON.parse throws only where the text is no JSON.
    return {}
  }
}
