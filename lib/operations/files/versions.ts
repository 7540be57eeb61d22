// Versions of a file: how a save adds one, and how one is found. A version is never rewritten; its number is
// never given twice.

import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import {
  type AssetFile,
  type AssetFileVersion,
  assetFile,
  assetFileVersion,
} from '../../schema/asset-file.ts'
import { mayShowInline, mediaTypeOf } from '../../schema/media-type.ts'
import type { Stored } from '../../schema/values.ts'
import type { ContentName, Reader, Sealed, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireRecord } from '../requirements.ts'
import { settleAddress } from './addresses.ts'

/** Bytes of a version that is there, for one more. */
export interface SharedBytes extends Sealed {
  readonly isDamaged?: boolean
}

interface NewVersion {
  /** The record as it will be, without what follows from the version. */
  readonly file: AssetFile
  readonly number: number
  /** New bytes, or those of an earlier version, which are shared. */
  readonly bytes: SharedBytes
  readonly owner: string
  readonly now: string
}

/** Puts the version and gives the record with what follows from it; the caller puts that. */
export function addVersion(unit: Unit, { file, number, bytes, owner, now }: NewVersion): AssetFile {
  const described = {
    type: file.type,
    name: file.name,
    isText: bytes.isText,
    sniffedType: bytes.sniffedType,
  }
  const mime_type = mediaTypeOf(described)
  const version: AssetFileVersion = {
    asset_file_id: file.asset_file_id,
    version: number,
    name: file.name,
    type: file.type,
    parent_category_id: file.parent_category_id,
    title: file.title,
    description: file.description,
    size: bytes.sizeBytes,
    sha256: bytes.sha256,
    mime_type,
    date_added: now,
    owner,
    uid: bytes.uid,
    is_text: bytes.isText,
    is_inline: mayShowInline(described),
    sniffed_type: bytes.sniffedType ?? null,
    damaged: bytes.isDamaged === true,
  }
  unit.put(assetFileVersion, [file.asset_file_id, number], version)
  if (bytes.carried !== undefined) unit.carry(contentName(version), bytes.carried)

  return {
    ...file,
    version: number,
    size: bytes.sizeBytes,
    sha256: bytes.sha256,
    mime_type,
    date_modified: now,
  }
}

/** Writes the head record, and what is stored of the addresses of the file. */
export function putFile(unit: Unit, file: AssetFile): Stored<AssetFile> {
  return unit.put(assetFile.recordType, [file.asset_file_id], settleAddress(unit, file))
}

/** The bytes of a stored version, to share with a new one. */
export function bytesOf(version: AssetFileVersion): SharedBytes {
  return {
    uid: version.uid,
    sizeBytes: version.size,
    sha256: version.sha256,
    isText: version.is_text,
    sniffedType: version.sniffed_type ?? undefined,
    isDamaged: version.damaged,
  }
}

export function contentName(version: Pick<AssetFileVersion, 'asset_file_id' | 'uid'>): ContentName {
  return { fileId: version.asset_file_id, uid: version.uid }
}

export function findVersion(
  reader: Reader,
  fileId: number,
  number: number,
): AssetFileVersion | undefined {
  return reader.get(assetFileVersion, fileId, number)?.value
}

/** The version that is the latest now; undefined where the file is not there. */
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
 * To be asked before bytes that are not there are called damaged: throws not-found where the file was deleted meanwhile, also by
 * another process, of which this one may have heard nothing since the request began.
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

/** What has lost its bytes neither goes live nor is saved again as if it had them. */
export function requireWhole({
  version,
  damaged,
}: Pick<AssetFileVersion, 'version' | 'damaged'>): void {
  if (!damaged) return
  throw new CmsError(
    'content-damaged',
    `Version ${version} is damaged: its bytes are lost. Save the content anew, or take another version.`,
  )
}

/** The file, for a caller who may see it. */
export function requireFile(context: Context, fileId: number, grant: 'view' | 'modify'): AssetFile {
  const { record } = requireRecord(context.records, assetFile, fileId)
  requireGrant(context.records, context.caller, grant, record.parent_category_id)
  return record
}
