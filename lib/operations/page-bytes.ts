// The text of a page as bytes: sealed before the commit that names them, removed when it is refused.

import { hash } from 'node:crypto'
import { CmsError } from '../errors.ts'
import type { AssetFile } from '../schema/asset-file.ts'
import { refuseField } from '../schema/check.ts'
import { valueOf } from '../schema/record.ts'
import type { Sealed, Stored, Unit } from '../storage/port.ts'
import type { Context } from './context.ts'

/** A text that is checked and durable; without one, no bytes at all. */
export async function sealPage(
  context: Context,
  page: { readonly fileId: number; readonly type: string; readonly text: unknown },
): Promise<Sealed> {
  const { fileId, type, text } = page
  context.room.require('content')
  if (typeof text !== 'string')
    return context.contents.write({ bytes: new Uint8Array() }, { fileId, type: 'bin' })
  if (!text.isWellFormed())
    refuseField('pageContent', 'holds half of a surrogate pair, which is not text')
  if (text.includes('\0')) refuseField('pageContent', 'holds a NUL character, which is not text')
  const maxBytes = context.limits.pageBytes
  if (Buffer.byteLength(text) > maxBytes)
    throw new CmsError(
      'too-large',
      `pageContent may have at most ${maxBytes} bytes in UTF-8. Send larger content through POST /upload.`,
    )
  return context.contents.write({ text }, { fileId, type })
}

/** True when the text is what the latest version holds already, so that no new version is needed. */
export async function isLatestText(
  context: Context,
  stored: Stored,
  text: string,
): Promise<boolean> {
  const { sha256, size } = valueOf<AssetFile>(stored)
  if (size !== Buffer.byteLength(text)) return false
  return hash('sha256', text) === sha256
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
