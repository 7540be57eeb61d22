// Versions of a file: how a save adds one, how they are read, compared and restored. A version is
// never rewritten; its number is never given twice.

import { type Caller, recheck } from '../auth/caller.ts'
import { holdsEverywhere, requireGrant } from '../auth/grants.ts'
import { openSight, type Sight } from '../auth/sight.ts'
import { CmsError } from '../errors.ts'
import {
  type AssetFile,
  type AssetFileVersion,
  assetFile,
  assetFileVersion,
  VERSION_FIELDS,
} from '../schema/asset-file.ts'
import type { Grant } from '../schema/grants.ts'
import { mayShowInline, mediaTypeOf } from '../schema/media-type.ts'
import { valueOf } from '../schema/record.ts'
import type {
  ContentName,
  JsonObject,
  LabelledContent,
  Reader,
  Sealed,
  Stored,
  Unit,
} from '../storage/port.ts'
import type { Context, Precondition } from './context.ts'
import { inSlices } from './in-turns.ts'
import { requireFileMatch, requireRecord } from './require.ts'

/** Bytes of a version that is there, for one more. */
interface SharedBytes extends Sealed {
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
  unit.put(assetFileVersion, [file.asset_file_id, number], version as unknown as JsonObject)
  if (bytes.carried !== undefined) unit.carry(contentName(version), bytes.carried)

  return {
    ...file,
    version: number,
    size: bytes.sizeBytes,
    sha256: bytes.sha256,
    mime_type,
    url: downloadUrl(file.asset_file_id, file.name),
    date_modified: now,
  }
}

/** Writes the head record. */
export function putFile(unit: Unit, file: AssetFile): Stored {
  return unit.put(assetFile.recordType, [file.asset_file_id], file as unknown as JsonObject)
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

export function downloadUrl(fileId: number, name: string): string {
  return `/file/${fileId}/${encodeURIComponent(name)}`
}

export function contentName(version: AssetFileVersion): ContentName {
  return { fileId: version.asset_file_id, uid: version.uid }
}

export function findVersion(
  reader: Reader,
  fileId: number,
  number: number,
): AssetFileVersion | undefined {
  const stored = reader.get(assetFileVersion, fileId, number)
  return stored === undefined ? undefined : valueOf<AssetFileVersion>(stored)
}

export function requireVersion(reader: Reader, fileId: number, number: number): AssetFileVersion {
  const version = findVersion(reader, fileId, number)
  if (version !== undefined) return version
  throw noSuchVersion(fileId, number)
}

function noSuchVersion(fileId: number, number: number): CmsError {
  return new CmsError('not-found', `The asset file ${fileId} has no version ${number}.`)
}

interface WantedVersion {
  readonly number: number
  /** Needed in the folder in which the file lay then. */
  readonly grant: Grant
}

/**
 * A version for who may see it. What was saved while the file lay in another folder belongs to that folder:
 * whoever does not hold the grant there is not told of it.
 */
export function requireSeenVersion(
  { caller, ...context }: { readonly records: Reader; readonly caller: Caller },
  file: AssetFile,
  { number, grant }: WantedVersion,
): AssetFileVersion {
  const version = requireVersion(context.records, file.asset_file_id, number)
  if (seesVersion(openSight(context.records, caller), caller, { file, version, grant }))
    return version
  throw noSuchVersion(file.asset_file_id, number)
}

interface Saw {
  readonly file: AssetFile
  readonly version: AssetFileVersion
  readonly grant: Grant
}

function seesVersion(sight: Sight, caller: Caller, { file, version, grant }: Saw): boolean {
  const { parent_category_id: categoryId } = version
  if (categoryId === file.parent_category_id || sight.grantsAt(categoryId).has(grant)) return true
  // Of a folder that is gone nobody knows any more who was kept out of it.
  return holdsEverywhere(caller, grant)
}

/** What has lost its bytes neither goes live nor is saved again as if it had them. */
export function requireWhole({ version, damaged }: AssetFileVersion): void {
  if (!damaged) return
  throw new CmsError(
    'content-damaged',
    `Version ${version} is damaged: its bytes are lost. Save the content anew, or take another version.`,
  )
}

/** The file, for a caller who may see it. */
export function requireFile(context: Context, fileId: number, grant: 'view' | 'modify'): AssetFile {
  const { record } = requireRecord<AssetFile>(context.records, assetFile, fileId)
  requireGrant(context.records, context.caller, grant, record.parent_category_id)
  return record
}

export interface VersionList {
  readonly versions: readonly JsonObject[]
  /** Undefined where the caller may not see all of them, and this page does not show those that it may. */
  readonly total: number | undefined
  /** Number of the version before which the next page begins. */
  readonly next: number | undefined
}

/** Newest first. `before` is the number where the page before ended. */
export async function listVersions(
  context: Context,
  input: { readonly id: number; readonly before: number | undefined; readonly length: number },
): Promise<VersionList> {
  const file = requireFile(context, input.id, 'view')
  const first = Math.min(input.before ?? file.version + 1, file.version + 1) - 1
  const found = await inSlices(seenVersions(context, file, { first, length: input.length + 1 }))
  const versions = found.slice(0, input.length)
  const isLast = found.length === versions.length
  const isWhole = isLast && input.before === undefined
  return {
    versions: versions.map((version) => presentVersion(file, version)),
    total: holdsEverywhere(context.caller, 'view')
      ? file.version
      : isWhole
        ? versions.length
        : undefined,
    next: isLast ? undefined : versions.at(-1)?.version,
  }
}

interface Stretch {
  readonly first: number
  readonly length: number
}

/** From the first downwards; yields at each, where others may be served. */
function* seenVersions(
  { records, caller }: Context,
  file: AssetFile,
  { first, length }: Stretch,
): Generator<void, readonly AssetFileVersion[]> {
  const sight = openSight(records, caller)
  const seen: AssetFileVersion[] = []
  for (let number = first; number > 0 && seen.length < length; number -= 1) {
    yield
    const version = findVersion(records, file.asset_file_id, number)
    if (version === undefined) continue
    if (seesVersion(sight, caller, { file, version, grant: 'view' })) seen.push(version)
  }
  return seen
}

export function readVersion(
  context: Context,
  { id, number }: { readonly id: number; readonly number: number },
): JsonObject {
  const file = requireFile(context, id, 'view')
  return presentVersion(file, requireSeenVersion(context, file, { number, grant: 'view' }))
}

/** A version as it is answered: without what only storage needs to know. */
function presentVersion(file: AssetFile, version: AssetFileVersion): JsonObject {
  const all: JsonObject = {
    ...(version as unknown as JsonObject),
    is_live: file.live_version === version.version,
    is_staged: file.staged_version === version.version,
  }
  return Object.fromEntries(VERSION_FIELDS.map((name) => [name, all[name] ?? null]))
}

/** A new version with the bytes and the type, title and description of an older one; name and folder stay. */
export async function restoreVersion(
  context: Context,
  input: {
    readonly id: number
    readonly number: number
    readonly precondition: Precondition | undefined
  },
): Promise<Stored> {
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord<AssetFile>(unit, assetFile, input.id)
    requireGrant(unit, caller, 'modify', record.parent_category_id)
    requireFileMatch(input.precondition, { stored, record })
    const wanted = { number: input.number, grant: 'modify' } as const
    const old = requireSeenVersion({ records: unit, caller }, record, wanted)
    requireWhole(old)

    const now = context.now().toISOString()
    const file = { ...record, type: old.type, title: old.title, description: old.description }
    const next = addVersion(unit, {
      file,
      number: record.version + 1,
      bytes: bytesOf(old),
      owner: caller.user.name,
      now,
    })
    return putFile(unit, next)
  })
}

/** A unified diff of two text versions. */
export async function diffVersions(
  context: Context,
  { id, left, right }: { readonly id: number; readonly left: number; readonly right: number },
): Promise<string> {
  const file = requireFile(context, id, 'modify')
  const diff = context.contents.diff(sideOf(context, file, left), sideOf(context, file, right))
  return diff.catch((error: unknown) => {
    // Not found, where the file was deleted meanwhile.
    for (const number of [left, right]) requireVersion(context.records, id, number)
    throw error
  })
}

function sideOf(context: Context, file: AssetFile, number: number): LabelledContent {
  const version = requireSeenVersion(context, file, { number, grant: 'modify' })
  if (version.is_text)
    return { ...contentName(version), label: `${version.name} (version ${number})` }
  throw new CmsError(
    'invalid-content',
    `Version ${number} is not text, so it cannot be compared. Download both.`,
  )
}
