// Resolves an address under /file/ to a version, and opens its bytes.

import { keyRequired } from '../../auth/caller.ts'
import { missingGrant } from '../../auth/grants.ts'
import { type Holder, seesDrafts } from '../../auth/key-role.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import { type AssetFile, assetFile, type AssetFileVersion } from '../../schema/asset-file.ts'
import { foldName, parseIdentifier } from '../../schema/names.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import {
  addressName,
  findFormer,
  findLive,
  findNamed,
  findStaged,
  formerFolders,
  stageName,
} from './addresses.ts'
import { requireFile, requireVersion } from './versions.ts'
import { requireSeenVersion } from './visible-versions.ts'

interface DownloadInput {
  /** An asset_file_id if that file has the name, otherwise the asset_category_id of its folder. */
  readonly number: number
  readonly name: string
  readonly want: 'live' | 'stage' | number
}

export interface Download {
  readonly version: AssetFileVersion
  /** Time since which this address returns these bytes. */
  readonly dateModified: string
  /** The bytes, if they are a form of a picture. The version then describes the form. */
  readonly form?: Buffer
  /** The header Accept has chosen the form. */
  readonly isByAccept?: boolean
}

/** The present path of a live file that was at the requested address. */
export interface Moved {
  readonly location: string
}

export function findDownload(
  context: Context,
  { number, name, want }: DownloadInput,
): Download | Moved {
  if (context.caller.isAnonymous === true && want !== 'live') throw keyRequired()
  const visible = openVisibleFolders(context.records, context.caller)
  const asked = { number, name }
  const file =
    want === 'live'
      ? findLiveFile(context, visible, asked)
      : findWorkedFile(context, visible, { ...asked, want })
  // For readers without a key, only live files exist.
  const isHidden = context.caller.isAnonymous === true && isDraft(file)
  if (file === undefined || isHidden)
    throw new CmsError(
      'not-found',
      `This file does not exist, or ${context.caller.isAnonymous === true ? 'is not public' : 'the key may not see it'}.`,
    )
  return 'location' in file ? file : requireDownload(context, file, want, visible)
}

interface Asking {
  readonly records: Reader
  readonly caller: Holder
}

/** The version of a file in this state; throws grant-missing, not-published, or not-found for a hidden version. */
export function requireDownload(
  asking: Asking,
  file: AssetFile,
  want: DownloadInput['want'],
  visible = openVisibleFolders(asking.records, asking.caller),
): Download {
  requireWanted(file, visible, want)
  const version =
    want === 'live' ? file.live_version : want === 'stage' ? file.staged_version : want
  if (version === null) throw notPublished(want)
  const dateModified =
    want === 'live' ? file.date_published : want === 'stage' ? file.date_staged : null
  const found =
    typeof want === 'number'
      ? requireSeenVersion(asking, file, { number: want, grant: 'modify' })
      : requireVersion(asking.records, file.asset_file_id, version)
  return { version: found, dateModified: dateModified ?? found.date_added }
}

function isDraft(file: AssetFile | Moved | undefined): boolean {
  return file !== undefined && 'live_version' in file && file.live_version === null
}

/**
 * Whether everybody may read here: the number is that of a public folder, or of a file that is live in one. Only live files
 * are public.
 */
export function isPublicNumber({ records, caller }: Context, text: string): boolean {
  const number = parseIdentifier(text)
  if (number === undefined) return false
  const visible = openVisibleFolders(records, caller)
  const file = findDirect(records, visible, number)
  return visible.sees(number) || (file !== undefined && file.live_version !== null)
}

/** One version, for callers who may modify the file. */
export function findVersionDownload(
  context: Context,
  { id, number }: { readonly id: number; readonly number: number },
): Download {
  const file = requireFile(context, id, 'modify')
  const version = requireSeenVersion(context, file, { number, grant: 'modify' })
  return { version, dateModified: version.date_added }
}

type Asked = Pick<DownloadInput, 'number' | 'name'>

/**
 * Prefers the file that is live at the address, then a file that was live there, then a file with this name and no
 * live version. Drafts come last, so that a draft's name changes no address. A hidden file never hides a visible one.
 */
function findLiveFile(
  { records, caller }: Context,
  visible: VisibleFolders,
  { number, name }: Asked,
): AssetFile | Moved | undefined {
  const direct = findDirect(records, visible, number)
  const isFolderSeen = visible.sees(number)
  const isLiveHere = direct !== undefined && direct.live_version !== null
  if (isLiveHere && isSame(addressName(records, direct), name)) return direct
  const live = isFolderSeen ? findLive(records, number, name) : undefined
  if (live !== undefined) return live

  // Readers without a key do not learn the names that the file had in folders that are not public.
  const isKnown = (folder: number): boolean => caller.isAnonymous !== true || visible.sees(folder)
  if (isLiveHere && formerFolders(records, number, name).some(isKnown)) return movedTo(direct)
  const former = isFolderSeen ? findFormer(records, number, name) : undefined
  const isReached = former !== undefined && former.live_version !== null
  if (isReached && visible.grantsAt(former.parent_category_id).has('view')) return movedTo(former)

  const draft = findFile({ records }, visible, { number, name })
  return draft?.live_version === null ? draft : undefined
}

function movedTo({ url }: AssetFile): Moved {
  return { location: url }
}

/** Finds the file for callers who edit it: by the name of the record, of the live version or of the staged version. */
function findWorkedFile(
  { records }: Pick<Context, 'records'>,
  visible: VisibleFolders,
  { number, name, want }: DownloadInput,
): AssetFile | undefined {
  const file = findFile({ records }, visible, { number, name })
  if (!visible.sees(number) || !seesDrafts(visible.grantsAt(number))) return file
  // A staged version may share its name with another record that has another staged version, or none.
  const isFound =
    file !== undefined && (want !== 'stage' || isSame(stageName(records, file) ?? '', name))
  return isFound ? file : (findStaged(records, number, name) ?? file)
}

/** Finds the file by the name of the record or the live version; with the number of the file, also by the staged name. */
function findFile(
  { records }: Pick<Context, 'records'>,
  visible: VisibleFolders,
  { number, name }: Asked,
): AssetFile | undefined {
  const direct = findDirect(records, visible, number)
  if (direct !== undefined && isShownAs(records, visible, { file: direct, name })) return direct
  const id = visible.sees(number) ? findNamed(records, number, name) : undefined
  const file = id === undefined ? undefined : records.get(assetFile.recordType, id)?.value
  return file !== undefined && isShownAs(records, visible, { file, name }) ? file : undefined
}

function findDirect(
  records: Reader,
  visible: VisibleFolders,
  number: number,
): AssetFile | undefined {
  const file = records.get(assetFile.recordType, number)?.value
  return file !== undefined && visible.sees(file.parent_category_id) ? file : undefined
}

interface Named {
  readonly file: AssetFile
  readonly name: string
}

/** Callers that see no drafts may use only the live version's name, so that answers reveal no other name. */
function isShownAs(records: Reader, visible: VisibleFolders, { file, name }: Named): boolean {
  if (isSame(addressName(records, file), name)) return true
  if (!seesDrafts(visible.grantsAt(file.parent_category_id))) return false
  return isSame(file.name, name) || isSame(stageName(records, file) ?? '', name)
}

function isSame(left: string, right: string): boolean {
  return foldName(left) === foldName(right)
}

function requireWanted(
  { parent_category_id: categoryId }: AssetFile,
  visible: VisibleFolders,
  want: DownloadInput['want'],
): void {
  const held = visible.grantsAt(categoryId)
  const where = `in ${visible.pathOf(categoryId)}`
  if (want === 'live' && !held.has('view')) throw missingGrant('view', where)
  if (want === 'stage' && !held.has('modify') && !held.has('stage') && !held.has('publish')) {
    throw missingGrant('stage', where)
  }
  if (typeof want === 'number' && !held.has('modify')) throw missingGrant('modify', where)
}

export function notPublished(want: DownloadInput['want']): CmsError {
  const detail =
    want === 'stage'
      ? 'No version of this file is on stage. Stage or publish it first.'
      : 'No version of this file is live. Publish it first, or read the staged version with ?state=stage.'
  return new CmsError('not-published', detail)
}
