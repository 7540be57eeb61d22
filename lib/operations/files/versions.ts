// Versions of a file, and its live and stage pointer, which are two version numbers in its record. A version is never
// rewritten, and its number is never reused.

import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import {
  type AssetFile,
  assetFile,
  type AssetFileVersion,
  assetFileVersion,
  contentNameOf,
} from '../../schema/asset-file.ts'
import type { TextLinks } from '../../schema/link-index.ts'
import { mayShowInline, mediaTypeOf } from '../../schema/media-type.ts'
import type { Stored } from '../../schema/values.ts'
import type { ContentName, Reader, Sealed, Unit } from '../../storage/port.ts'
import type { PictureFacts } from '../../pictures/picture-job.ts'
import type { Context } from '../context.ts'
import { requireRecord } from '../requirements.ts'
import { withoutSuperseded } from './schedules.ts'
import { settleAddress } from './addresses.ts'
import { keepLinks } from './link-rows.ts'

/** Bytes of an existing version, shared with a new one. */
export interface SharedBytes extends Sealed {
  /** Undefined for new bytes. */
  readonly contentFileId?: number
  readonly isDamaged?: boolean
  /** Undefined if the bytes are no picture, or could not be measured. */
  readonly picture?: PictureFacts | undefined
  /** Undefined if the text is read after the commit, or has no links. */
  readonly links?: TextLinks
}

interface NewVersion {
  /** The record after the save, without the fields that depend on the version. */
  readonly file: AssetFile
  readonly number: number
  /** New bytes, or shared bytes of an earlier version. */
  readonly bytes: SharedBytes
  readonly owner: string
  readonly now: string
}

/** Puts the version and returns the record with the fields that depend on it; the caller puts the record. */
export function addVersion(unit: Unit, { file, number, bytes, owner, now }: NewVersion): AssetFile {
  const described = {
    type: file.type,
    name: file.name,
    isText: bytes.isText,
    sniffedType: bytes.sniffedType,
  }
  const mime_type = mediaTypeOf(described)
  const { width, height, thumbhash } = bytes.picture ?? NO_PICTURE
  const version: AssetFileVersion = {
    asset_file_id: file.asset_file_id,
    version: number,
    name: file.name,
    type: file.type,
    parent_category_id: file.parent_category_id,
    title: file.title,
    description: file.description,
    alt_text: file.alt_text ?? null,
    focus: file.focus ?? null,
    layout_file_id: file.layout_file_id ?? null,
    version_note: file.version_note ?? null,
    width,
    height,
    thumbhash,
    size: bytes.sizeBytes,
    sha256: bytes.sha256,
    mime_type,
    date_added: now,
    owner,
    uid: bytes.uid,
    ...(bytes.contentFileId !== undefined &&
      bytes.contentFileId !== file.asset_file_id && { content_file_id: bytes.contentFileId }),
    is_text: bytes.isText,
    is_inline: mayShowInline(described),
    sniffed_type: bytes.sniffedType ?? null,
    damaged: bytes.isDamaged === true,
  }
  unit.put(assetFileVersion, [file.asset_file_id, number], version)
  if (bytes.inline !== undefined) unit.putInline(contentNameOf(version), bytes.inline)

  return {
    ...file,
    version: number,
    size: bytes.sizeBytes,
    sha256: bytes.sha256,
    mime_type,
    width,
    height,
    thumbhash,
    date_modified: now,
  }
}

const NO_PICTURE = { width: null, height: null, thumbhash: null }

/** Writes the head record, the stored addresses of the file and the row of its links. `bytes`: what addVersion added. */
export function putFile(unit: Unit, file: AssetFile, bytes?: SharedBytes): Stored<AssetFile> {
  keepLinks(unit, file, bytes?.links)
  return unit.put(assetFile.recordType, [file.asset_file_id], settleAddress(unit, file))
}

/** The bytes of a stored version, to share with a new one. */
export function bytesOf(version: AssetFileVersion): SharedBytes {
  return {
    uid: version.uid,
    contentFileId: contentNameOf(version).fileId,
    sizeBytes: version.size,
    sha256: version.sha256,
    isText: version.is_text,
    sniffedType: version.sniffed_type ?? undefined,
    isDamaged: version.damaged,
    picture: factsOf(version),
  }
}

function factsOf({ width, height, thumbhash }: AssetFileVersion): PictureFacts | undefined {
  const isMeasured = typeof width === 'number' && typeof height === 'number'
  return isMeasured && typeof thumbhash === 'string' ? { width, height, thumbhash } : undefined
}

export function contentName(
  version: Pick<AssetFileVersion, 'asset_file_id' | 'uid' | 'content_file_id'>,
): ContentName {
  return contentNameOf(version)
}

/** The contents of removed versions that no other version has: later versions and copies of a file share contents. */
export function unnamedContents(
  unit: Unit,
  removed: readonly AssetFileVersion[],
): readonly ContentName[] {
  const names = new Map(removed.map((version) => [version.uid, contentNameOf(version)]))
  return [...names.values()].filter(
    ({ uid }) => unit.lookup(assetFileVersion, 'uid', [uid], 1).length === 0,
  )
}

export function findVersion(
  reader: Reader,
  fileId: number,
  number: number,
): AssetFileVersion | undefined {
  return reader.get(assetFileVersion, fileId, number)?.value
}

/** The present latest version; undefined if the file does not exist. */
export function findLatest(reader: Reader, fileId: number): AssetFileVersion | undefined {
  const stored = reader.get(assetFile.recordType, fileId)
  return stored && findVersion(reader, fileId, stored.value.version)
}

export function requireVersion(reader: Reader, fileId: number, number: number): AssetFileVersion {
  const version = findVersion(reader, fileId, number)
  if (version !== undefined) return version
  throw noSuchVersion(fileId, number)
}

/**
 * Call it before bytes are reported as damaged: throws not-found if the file was deleted meanwhile, also by another
 * process.
 */
export async function requireStillThere(
  { renew, records }: Pick<Context, 'renew' | 'records'>,
  fileId: number,
  numbers: readonly number[],
): Promise<void> {
  await renew()
  for (const number of numbers) requireVersion(records, fileId, number)
}

export function noSuchVersion(fileId: number, number: number): CmsError {
  return new CmsError('not-found', `The asset file ${fileId} has no version ${number}.`)
}

/** Refuses a version without its bytes, which can neither go live nor be saved again. */
export function requireWhole({
  version,
  damaged,
}: Pick<AssetFileVersion, 'version' | 'damaged'>): void {
  if (!damaged) return
  throw new CmsError(
    'content-damaged',
    `Version ${version} is damaged: its bytes are lost. Save the content again, or choose another version.`,
  )
}

/** The file, for a caller who may see it. */
export function requireFile(context: Context, fileId: number, grant: 'view' | 'modify'): AssetFile {
  const { record } = requireRecord(context.records, assetFile, fileId)
  requireGrant(context.records, context.caller, grant, record.parent_category_id)
  return record
}

export type FileState = 'publish' | 'stage'

interface Move {
  readonly now: string
  /** Undefined stands for the latest version. */
  readonly version?: number | undefined
}

/**
 * The record with its pointers moved; the same object if nothing changes. Publishing moves both, so that the stage is
 * never behind the live site; publishing an older version moves only the live pointer.
 */
export function movePointer(file: AssetFile, state: FileState, { now, version }: Move): AssetFile {
  const target = version ?? file.version
  const live_version = state === 'publish' ? target : file.live_version
  const staged_version = state === 'stage' ? target : Math.max(target, file.staged_version ?? 0)

  const isLiveMoved = live_version !== file.live_version
  const isStageMoved = staged_version !== file.staged_version
  const kept = withoutSuperseded(file, state, target)
  if (!isLiveMoved && !isStageMoved && file.fileState === state && kept === file) return file
  return {
    ...kept,
    fileState: state,
    live_version,
    staged_version,
    date_published: isLiveMoved ? now : file.date_published,
    date_staged: isStageMoved ? now : file.date_staged,
    date_modified: now,
  }
}
