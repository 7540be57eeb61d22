// Finds the version that a link to a file shows. The link has no right of its own: it shows what its maker may read at
// the time of the request.

import { findHolder, isExpired } from '../../auth/caller.ts'
import { type Holder, UNLIMITED } from '../../auth/key-role.ts'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { type FileLink, fileLink } from '../../schema/file-link.ts'
import { user } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { type Download, requireDownload } from './downloads.ts'

type Needed = Pick<Services, 'records' | 'revoking' | 'links' | 'now'>

interface FindingMaker extends Pick<Services, 'revoking' | 'now'> {
  readonly records: Pick<Reader, 'get'>
}

/** Undefined if the link shows no file now. */
export function findLinkedFile(services: Needed, token: string): Download | undefined {
  const link = findLink(services, token)
  return link && findShown(services, link)
}

/** The link of a token, which may have expired. */
export function findLink({ links, records }: Needed, token: string): FileLink | undefined {
  const opened = links.open(token)
  const link = opened && records.get(fileLink.recordType, opened.id)?.value
  // After a backup was restored, another link may have the same identifier.
  return link?.date_added === opened?.dateAdded ? link : undefined
}

/** Undefined if the link has expired, or its maker may not read the version now. */
export function findShown(services: Needed, link: FileLink): Download | undefined {
  const maker = findSharer(services, link)
  return maker && findReadable({ records: services.records, caller: maker }, link)
}

/** The maker of the link; undefined if the link has expired, or its maker is gone, disabled or expired. */
export function findSharer(services: Needed, link: FileLink): Holder | undefined {
  const { records, now } = services
  return isExpired(records, link.date_expires, now()) ? undefined : findMaker(services, link)
}

/** Errors for a version that the holder may not read, or that does not exist. */
const NOTHING: ReadonlySet<ErrorCode> = new Set(['grant-missing', 'not-found', 'not-published'])

/** Undefined if the holder may not read the version now, or if nothing is live or staged. */
export function findReadable(
  asking: { readonly records: Reader; readonly caller: Holder },
  { asset_file_id: id, version, state }: FileLink,
): Download | undefined {
  const file = asking.records.get(assetFile.recordType, id)?.value
  if (file === undefined || state === 'preview') return undefined
  try {
    return requireDownload(asking, file, version ?? state ?? 'live')
  } catch (error) {
    if (error instanceof CmsError && NOTHING.has(error.code)) return undefined
    throw error
  }
}

/**
 * The user and key behind a link or a schedule; undefined if the user or the key is gone, disabled or expired. A signed-in
 * user acts in person (`api_key_id` null), so the link or schedule does not end with the session.
 */
export function findMaker(
  { records, revoking, now }: FindingMaker,
  { user_id: userId, api_key_id: keyId }: Pick<FileLink, 'user_id' | 'api_key_id'>,
): Holder | undefined {
  const owner = records.get(user.recordType, userId)?.value
  if (owner?.status !== 'active') return undefined
  if (keyId === null) return { user: owner, key: UNLIMITED }
  const holder = findHolder(records, keyId, { revoking, now: now() })
  return holder?.user.user_id === userId ? holder : undefined
}

/** Removes up to `limit` links of a deleted file; returns their number. */
export function removeLinks(unit: Unit, fileId: number, limit: number): number {
  const found = unit.lookup(fileLink.recordType, 'file', [fileId], limit)
  for (const ids of found) unit.remove(fileLink.recordType, ...ids)
  return found.length
}
