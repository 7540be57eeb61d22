// The text of a page as bytes: sealed before the commit that names them, removed if the commit is refused.

import { hash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { refuseField } from '../../schema/check.ts'
import { EMPTY_PAGE, isStml } from '../../schema/stml.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { ExpectedContent, Sealed, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { withLinks } from './link-rows.ts'
import { contentName, findLatest, type SharedBytes } from './versions.ts'

export interface Page {
  readonly fileId: number
  readonly type: string
  readonly text: string
}

/** Initial content of a file without a text: empty, or an empty page for type stml. */
export function emptyText(type: string): string {
  return isStml(type) ? EMPTY_PAGE : ''
}

/** Checks the text and stores it durably. */
export async function sealPage(
  context: Context,
  { fileId, type, text }: Page,
): Promise<SharedBytes> {
  context.room.require('content')
  requireText(context, text)
  const sealed = await context.contents.write({ text }, { fileId, type })
  return withLinks(context, sealed, { type, text })
}

function requireText(context: Context, text: string): void {
  if (!text.isWellFormed())
    refuseField('pageContent', 'contains half of a surrogate pair, which is not text')
  if (text.includes('\0')) refuseField('pageContent', 'contains a NUL character, which is not text')
  requireTextSize(context, text)
}

/** Returns the size in bytes. */
export function requireTextSize({ limits }: Pick<Context, 'limits'>, text: string): number {
  const maxBytes = limits.pageBytes
  const sizeBytes = Buffer.byteLength(text)
  if (sizeBytes <= maxBytes) return sizeBytes
  throw new CmsError(
    'too-large',
    `pageContent may have at most ${maxBytes} bytes in UTF-8. Send larger content through POST /upload.`,
  )
}

/**
 * Refuses too many bytes of fields other than pageContent, because one commit parses and writes them: as many as a request without
 * a text may have, and for a list as many as for a list of entries.
 */
export function requireFieldSize(
  { limits }: Pick<Context, 'limits'>,
  files: readonly JsonObject[],
): void {
  const maxBytes = files.length === 1 ? limits.jsonBytes : limits.entryBytes
  const texts = files.flatMap((fields) => Object.values(fields)).filter(isText)
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= maxBytes) return
  throw new CmsError(
    'too-large',
    `The fields other than pageContent may have at most ${maxBytes} bytes together. Shorten them, or send fewer files.`,
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** New bytes, or the number of the version that has the same bytes. */
export type Saved = { readonly bytes: SharedBytes } | { readonly sameAs: number }

/** Like sealPage, but does not write bytes that the latest version has already. */
export async function sealNext(context: Context, page: Page): Promise<Saved> {
  const { fileId, type, text } = page
  const sizeBytes = Buffer.byteLength(text)
  const latest = findLatest(context.records, fileId)
  // Hash only if the sizes match: a hash of 16 MiB takes time.
  if (latest?.size === sizeBytes && text.isWellFormed()) {
    const expected = { sizeBytes, sha256: hash('sha256', text), type }
    if (await isSameAs(context, latest, expected)) return { sameAs: latest.version }
  }
  return { bytes: await sealPage(context, page) }
}

/**
 * Whether the stored bytes of a version equal the expected ones. Damaged bytes are not shared, so saving the same
 * content again repairs it. Throws stml-invalid if the type requires the check.
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
  /** The file that gets the bytes. */
  readonly id: number
  readonly bytes: Sealed
}

/**
 * Commits a plan that names new bytes. If the commit is refused, the bytes are removed; if its outcome is unknown
 * they stay, because the records may name them.
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

/** Removes bytes that no record names; inline bytes of the refused commit were never written. */
export async function removeBytes(context: Context, sealed: readonly NewBytes[]): Promise<void> {
  const written = sealed.filter(({ bytes }) => bytes.inline === undefined)
  await context.contents.remove(written.map(({ id, bytes }) => ({ fileId: id, uid: bytes.uid })))
}
