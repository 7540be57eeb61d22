// What an address under /file/ means, and the bytes behind it.

import { grantsAt, type Grants, missingGrant } from '../auth/grants.ts'
import { pathOf } from '../auth/folders.ts'
import { CmsError } from '../errors.ts'
import { type AssetFile, type AssetFileVersion, assetFile } from '../schema/asset-file.ts'
import { foldName } from '../schema/names.ts'
import { valueOf } from '../schema/record.ts'
import type { OpenContent } from '../storage/port.ts'
import type { Context } from './context.ts'
import { findByName } from './require.ts'
import { verifiedChunks } from './verified-chunks.ts'
import { contentName, requireFile, requireVersion } from './versions.ts'

export interface DownloadInput {
  /** An asset_file_id when that file has the name, else an asset_category_id that holds such a file. */
  readonly number: number
  readonly name: string
  readonly want: 'live' | 'stage' | number
}

export interface Download {
  readonly version: AssetFileVersion
  /** When these bytes became what this address answers. */
  readonly dateModified: string
}

export function findDownload(context: Context, { number, name, want }: DownloadInput): Download {
  const file = findFile(context, number, name)
  const held = grantsAt(context.records, context.caller, file?.parent_category_id ?? 0)
  if (file === undefined || held.size === 0) {
    throw new CmsError('not-found', 'There is no such file, or the key may not see it.')
  }
  requireWanted(context, file, held, want)

  const version =
    want === 'live' ? file.live_version : want === 'stage' ? file.staged_version : want
  if (version === null) throw notPublished(want)
  const dateModified =
    want === 'live' ? file.date_published : want === 'stage' ? file.date_staged : null
  const found = requireVersion(context.records, file.asset_file_id, version)
  return { version: found, dateModified: dateModified ?? found.date_added }
}

/** The bytes of one version, for who may change the file. */
export function findVersionDownload(
  context: Context,
  { id, number }: { readonly id: number; readonly number: number },
): Download {
  requireFile(context, id, 'modify')
  const version = requireVersion(context.records, id, number)
  return { version, dateModified: version.date_added }
}

/** Content up to this size is read whole and compared with its hash before a byte is sent. */
const VERIFIED_BYTES = 1024 * 1024

export type Opened =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly content: OpenContent }

/** Opens the bytes; content-damaged when they are not those that were saved. */
export async function openDownload(context: Context, version: AssetFileVersion): Promise<Opened> {
  if (version.damaged) return refuseDamaged(context, version)
  if (version.size <= VERIFIED_BYTES) {
    const { size: sizeBytes, sha256 } = version
    const bytes = await context.contents.read(contentName(version), { sizeBytes, sha256 })
    if (bytes === undefined) return refuseDamaged(context, version)
    return { kind: 'whole', bytes }
  }

  const content = await context.contents.open(contentName(version))
  if (content === undefined) return refuseDamaged(context, version)
  if (content.sizeBytes === version.size)
    return { kind: 'stream', content: verifying(context, version, content) }
  await content.close()
  return refuseDamaged(context, version)
}

/** Whole content is hashed while it is sent, once a day; a part of it cannot be compared. */
function verifying(
  { verified }: Context,
  { uid, sha256 }: AssetFileVersion,
  content: OpenContent,
): OpenContent {
  if (verified.has(uid)) return content
  return {
    ...content,
    chunks: (range) =>
      range === undefined
        ? verifiedChunks({
            chunks: content.chunks(),
            sha256,
            onVerified: () => void verified.set(uid, true),
          })
        : content.chunks(range),
  }
}

function findFile(context: Context, number: number, name: string): AssetFile | undefined {
  const direct = context.records.get(assetFile.recordType, number)
  const file = direct === undefined ? undefined : valueOf<AssetFile>(direct)
  if (file !== undefined && foldName(file.name) === foldName(name)) return file

  const id = findByName(context.records, assetFile, number, name)
  const stored = id === undefined ? undefined : context.records.get(assetFile.recordType, id)
  return stored === undefined ? undefined : valueOf<AssetFile>(stored)
}

function requireWanted(
  context: Context,
  file: AssetFile,
  held: Grants,
  want: DownloadInput['want'],
): void {
  const where = `in ${pathOf(context.records, file.parent_category_id)}`
  if (want === 'live' && !held.has('view')) throw missingGrant('view', where)
  if (want === 'stage' && !held.has('modify') && !held.has('stage') && !held.has('publish')) {
    throw missingGrant('stage', where)
  }
  if (typeof want === 'number' && !held.has('modify')) throw missingGrant('modify', where)
}

function notPublished(want: DownloadInput['want']): CmsError {
  const detail =
    want === 'stage'
      ? 'No version of this file is on stage. Stage or publish it first.'
      : 'No version of this file is live. Publish it first, or read the staged version with ?state=stage.'
  return new CmsError('not-published', detail)
}

function refuseDamaged({ records }: Context, version: AssetFileVersion): never {
  // Not found, where the file was deleted meanwhile.
  requireVersion(records, version.asset_file_id, version.version)
  const detail = `The bytes of version ${version.version} of asset_file ${version.asset_file_id} are not those that were saved. Publish another version, or restore a backup.`
  throw new CmsError('content-damaged', detail)
}
