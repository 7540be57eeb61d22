// The text of a page as bytes: sealed before the commit that names them, removed when it is refused.

import { hash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { refuseField } from '../../schema/check.ts'
import { EMPTY_PAGE, isStml } from '../../schema/stml.ts'
import type { ExpectedContent, Sealed, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { contentName, findLatest } from './versions.ts'

export interface Page {
  readonly fileId: number
  readonly type: string
  readonly text: string
}

/** What a file holds that is made without a text: nothing, but of type stml an empty page. */
export function emptyText(type: string): string {
  return isStml(type) ? EMPTY_PAGE : ''
}

/** A text that is checked and durable. */
export async function sealPage(context: Context, { fileId, type, text }: Page): Promise<Sealed> {
  context.room.require('content')
  requireText(context, text)
  return context.contents.write({ text }, { fileId, type })
}

function requireText(context: Context, text: string): void {
  if (!text.isWellFormed())
    refuseField('pageContent', 'holds half of a surrogate pair, which is not text')
  if (text.includes('\0')) refuseField('pageContent', 'holds a NUL character, which is not text')
  requireTextSize(context, text)
}

/** Gives it in bytes. */
export function requireTextSize({ limits }: Pick<Context, 'limits'>, text: string): number {
  const maxBytes = limits.pageBytes
  const sizeBytes = Buffer.byteLength(text)
  if (sizeBytes <= maxBytes) return sizeBytes
  throw new CmsError(
    'too-large',
    `pageContent may have at most ${maxBytes} bytes in UTF-8. Send larger content through POST /upload.`,
  )
}

/** New bytes, or the number of the version that has them already. */
export type Saved = { readonly bytes: Sealed } | { readonly sameAs: number }

/** As sealPage; but what the latest version holds is not written again. */
export async function sealNext(context: Context, page: Page): Promise<Saved> {
  const { fileId, type, text } = page
  const sizeBytes = Buffer.byteLength(text)
  const latest = findLatest(context.records, fileId)
  // Only where it may be the same: a hash of 16 MiB takes time.
  if (latest?.size === sizeBytes && text.isWellFormed()) {
    const expected = { sizeBytes, sha256: hash('sha256', text), type }
    if (await isSameAs(context, latest, expected)) return { sameAs: latest.version }
  }
  return { bytes: await sealPage(context, page) }
}

/**
 * Whether the bytes of a version are these, as they lie there: damaged ones are not shared, so to save the content
 * anew heals it. Throws stml-invalid where the type asks for it.
 */
export async function isSameAs(
  context: Context,
  version: AssetFileVersion,
  expected: ExpectedContent,
): Promise<boolean> {
  const { damaged, size, sha256 } = version
  if (damaged || size !== expected.sizeBytes || sha256 !== expected.sha256) return false
  return context.contents.verify(contentName(version), expected)
}

export interface NewBytes {
  /** Of the file that gets them. */
  readonly id: number
  readonly bytes: Sealed
}

/**
 * Commits a plan that names new bytes. When it is refused, the bytes are removed again; when the
 * outcome is unknown they stay, because the records may name them.
 */
export async function commitBytes<T>(
  context: Context,
  sealed: readonly NewBytes[],
  plan: (unit: Unit) => T,
): Promise<T> {
  try {
    return await context.records.commit(plan)
  } catch (error) {
    const isUnknown = error instanceof CmsError && error.code === 'outcome-unknown'
    if (!isUnknown) await removeBytes(context, sealed)
    throw error
  }
}

/** Removes bytes that no record will name; what would have come with the commit is nowhere. */
export async function removeBytes(context: Context, sealed: readonly NewBytes[]): Promise<void> {
  const written = sealed.filter(({ bytes }) => bytes.carried === undefined)
  await context.contents.remove(written.map(({ id, bytes }) => ({ fileId: id, uid: bytes.uid })))
}
