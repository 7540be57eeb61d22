// Whose contents lie under a prefix. Orphans are told by the records, so a server with the records of another site, or
// with none, would take all contents for orphans: it is refused before it can look.
//
//   <prefix>instance.json     {"format":1,"uuid":"…"}: equal to the row in the records

import { CmsError } from '../../errors.ts'
import { IDENTITY_NAME } from '../embedded/data-paths.ts'
import { RefusedError } from '../embedded/refused.ts'
import type { ObjectStore } from './object-store.ts'

export interface SiteMark {
  readonly prefix: string
  readonly uuid: string
}

const FORMAT = 1
const MAX_BYTES = 4 * 1024

/** Under which it lies. */
export function markOf(prefix: string): string {
  return `${prefix}${IDENTITY_NAME}.json`
}

/** Marks a place where nothing lies yet; several nodes of one site may do so at once. */
export async function requireSite(store: ObjectStore, { prefix, uuid }: SiteMark): Promise<void> {
  if (await isOfSite(store, { prefix, uuid })) return

  for await (const page of store.list(prefix)) {
    if (page.length === 0) continue
    // Another node may have marked it since.
    if (await isOfSite(store, { prefix, uuid })) return
    throw new RefusedError(
      `Under the prefix "${prefix}" of the bucket lie other objects. Give S3_PREFIX a place of its own for this site.`,
    )
  }
  await store.put(markOf(prefix), Buffer.from(`${JSON.stringify({ format: FORMAT, uuid })}\n`))
}

/** False where nobody has marked the place. Throws where it is that of another site. */
export async function isOfSite(store: ObjectStore, { prefix, uuid }: SiteMark): Promise<boolean> {
  const memory = Buffer.alloc(MAX_BYTES)
  const found = await store.read(markOf(prefix), 0, memory).catch((error: unknown) => {
    const cause = error instanceof CmsError ? error.facts.cause : error
    throw new RefusedError(`The bucket of contents cannot be read: ${String(cause)}`)
  })
  if (found === undefined) return false
  requireSame(memory.subarray(0, found.bytesRead), uuid)
  return true
}

function requireSame(bytes: Buffer, uuid: string): void {
  const mark = parseMark(bytes)
  if (mark['format'] !== FORMAT)
    throw new RefusedError(
      'The contents in the bucket were written by another version of cms-server.',
    )
  if (mark['uuid'] !== uuid)
    throw new RefusedError(
      'The contents in the bucket are of another site than the records. Look at S3_BUCKET, S3_PREFIX and DATABASE_URL.',
    )
}

function parseMark(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // What JSON.parse throws is always that it is none.
    return {}
  }
}
