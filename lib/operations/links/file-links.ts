// Links to files: make, list, revoke, expire. To make a link, a caller needs the grant that reading that version needs.
// A key manages the links that it made, a signed-in user also the links of the user's keys, and a caller with the grant
// admin in the folder of the file all links to the file.

import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt, noSuchRecord } from '../../auth/grants.ts'
import { seesDrafts } from '../../auth/key-role.ts'
import { timeOfEnds } from '../../auth/key-use.ts'
import { CmsError } from '../../base/errors.ts'
import type { Site } from '../../config/flag-values.ts'
import { isSession } from '../../schema/api-key.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { NOBODY } from '../../schema/audit.ts'
import { checkCreate, refuseField, requireObject, type Values } from '../../schema/check.ts'
import { type FileLink, fileLink, linkUrlOf } from '../../schema/file-link.ts'
import { buildRecord } from '../../schema/record.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { Context, RecordInput, Services } from '../context.ts'
import { withNewId } from '../new-id.ts'
import { newestPage, type NewestPage, type NumberRange } from '../newest-page.ts'
import { parseDuration } from '../people/api-keys.ts'
import { countKeyChange } from '../people/key-authority.ts'
import { requireMatch, requireRecord } from '../requirements.ts'
import { findPreviewPath, previewPath, requirePreviewSite } from '../site/previews.ts'
import { commitAudited } from '../trail/audit.ts'
import { requireDownload } from '../files/downloads.ts'
import { findReadable, findSharer, findShown } from '../files/linked-file.ts'

const TYPE = fileLink.recordType

interface CreateInput {
  /** The file. */
  readonly id: number
  readonly body: unknown
  readonly sites: readonly Site[]
}

interface MadeLink {
  readonly stored: Stored
  /** The link in the form of answers, with its address. */
  readonly shown: JsonObject
}

export async function createLink(
  context: Context,
  { id, body, sites }: CreateInput,
): Promise<MadeLink> {
  const { limits, records, now } = context
  const { values, lifeMs } = checkBody(body, limits)
  const { version, state, site: wantedSite } = values as Partial<FileLink>
  /** The site of a preview, and the folder of the file. */
  const enter = (reader: Reader, caller: Caller) => {
    const file = requireSeenFile(reader, caller, id)
    const asking = { records: reader, caller }
    const { parent_category_id: folder } = file
    if (state === 'preview')
      return {
        folder,
        site: requirePreviewSite(asking, file, { sites, origin: wantedSite ?? undefined }),
      }
    requireDownload(asking, file, version ?? state ?? 'live')
    return { folder, site: null }
  }
  const { folder } = enter(records, context.caller)
  // Each link is a row of the audit trail, in which callers who may only view write nothing else.
  if (!seesDrafts(grantsAt(records, context.caller, folder))) await countKeyChange(context)

  const stored = await withNewId(records, TYPE, (linkId) =>
    records.commit((unit) => {
      const caller = recheck(unit, context.caller, now())
      const { site } = enter(unit, caller)
      requireFewLinks(unit, { caller, id }, limits)
      const all = {
        ...values,
        site,
        asset_file_id: id,
        date_expires: endOf(caller, timeOfEnds(unit, now()).getTime() + lifeMs),
        user_id: caller.user.user_id,
        api_key_id: isSession(caller.key) ? null : caller.key.api_key_id,
      }
      const origin = { id: linkId, owner: caller.user.name, now: now().toISOString() }
      return unit.put(TYPE, [linkId], buildRecord(fileLink, all, origin))
    }),
  )
  return { stored, shown: presentLink(context, sites, stored.value) }
}

interface Checked {
  readonly values: Values
  readonly lifeMs: number
}

function checkBody(
  body: unknown,
  { linkMs, maxLinkMs, maxPreviewLinkMs }: Services['limits'],
): Checked {
  const { expires_in: life, ...rest } = requireObject(body)
  const { state = null, version = null, ...values } = checkCreate(fileLink, rest)
  if (state !== null && version !== null) refuseField('version', 'is not allowed with state')
  const isPreview = state === 'preview'
  if (!isPreview && (values['site'] ?? null) !== null)
    refuseField('site', 'is allowed only with the state preview')
  const isTold = life !== undefined && life !== null
  const lifeMs = isTold ? parseDuration(life, 'expires_in') * 1_000 : linkMs
  const mostMs = isPreview ? Math.min(maxLinkMs, maxPreviewLinkMs) : maxLinkMs
  if (lifeMs < 1_000 || lifeMs > mostMs) {
    const days = mostMs / 86_400_000
    refuseField('expires_in', `must be at least 1s and at most ${days}d`)
  }
  const isOfState = version === null
  return { values: { ...values, version, state: isOfState ? (state ?? 'live') : null }, lifeMs }
}

/** A link must not outlast the key that makes it, or its secret. A session's end limits the visit, not the person. */
function endOf({ dateEnds, key }: Caller, latestMs: number): string {
  const latest = new Date(latestMs).toISOString()
  return dateEnds === null || isSession(key) || latest < dateEnds ? latest : dateEnds
}

/** Any grant in the folder is enough to learn that the file exists. */
function requireSeenFile(reader: Reader, caller: Caller, id: number): AssetFile {
  const { record } = requireRecord(reader, assetFile, id)
  if (grantsAt(reader, caller, record.parent_category_id).size === 0) throw noSuchRecord()
  return record
}

function requireFewLinks(
  unit: Unit,
  { caller, id }: { readonly caller: Caller; readonly id: number },
  { linksPerUser, madeKeysShare, linksPerFile }: Services['limits'],
): void {
  const { user_id: userId } = caller.user
  const isFull = (index: string, values: readonly number[], most: number): boolean =>
    unit.lookup(TYPE, index, values, most).length >= most
  const mostOfKeys = Math.floor(linksPerUser * madeKeysShare)
  if (!isSession(caller.key) && isFull('maker', [userId, 1], mostOfKeys))
    throw tooMany(`The keys of this user have ${mostOfKeys} links`)
  if (isFull('maker', [userId], linksPerUser)) throw tooMany(`This user has ${linksPerUser} links`)
  if (isFull('file', [id], linksPerFile)) throw tooMany(`This file has ${linksPerFile} links`)
}

function tooMany(what: string): CmsError {
  const detail = `${what}, which is the limit. Revoke links that nobody needs, or wait until they expire.`
  return new CmsError('invalid-content', detail)
}

interface ListInput extends NumberRange {
  /** The file. */
  readonly id: number
  readonly sites: readonly Site[]
}

export interface LinkList extends Pick<NewestPage, 'next'> {
  /** Newest first. */
  readonly links: readonly JsonObject[]
  readonly total: number
}

/** The links to a file that the caller manages. */
export function listLinks(context: Context, { id, sites, ...range }: ListInput): LinkList {
  const { records, caller } = context
  requireSeenFile(records, caller, id)
  const isOfAll = isAdminOf(records, caller, id)
  const all = records
    .lookup(TYPE, 'file', isOfAll ? [id] : [id, caller.user.user_id])
    .map(([linkId]) => Number(linkId))
    .filter((linkId) => isOfAll || isOwn(caller, records.get(TYPE, linkId)?.value))
    .toSorted((left, right) => left - right)
  return pageOfLinks(context, { all, sites, range })
}

interface AllLinks {
  /** Ascending. */
  readonly all: readonly number[]
  readonly sites: readonly Site[]
  readonly range: NumberRange
}

export function pageOfLinks(context: Context, { all, sites, range }: AllLinks): LinkList {
  const { numbers, next } = newestPage(all, range)
  const links = numbers.flatMap((linkId) => {
    const link = context.records.get(TYPE, linkId)?.value
    return link === undefined ? [] : [presentLink(context, sites, link)]
  })
  return { links, total: all.length, next }
}

/** The record is the file. */
interface RevokeInput extends RecordInput {
  readonly linkId: number
}

/** Revokes a link at once. */
export async function revokeLink(
  context: Context,
  { id, linkId, precondition }: RevokeInput,
): Promise<void> {
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const stored = unit.get(TYPE, linkId)
    const isManaged = isOwn(caller, stored?.value) || isAdminOf(unit, caller, id)
    if (stored?.value.asset_file_id !== id || !isManaged) throw noSuchRecord()
    requireMatch(precondition, stored)
    unit.remove(TYPE, linkId)
  })
}

export function isOwn({ user, key }: Caller, link: FileLink | undefined): boolean {
  if (link?.user_id !== user.user_id) return false
  return isSession(key) || link.api_key_id === key.api_key_id
}

function isAdminOf(reader: Reader, caller: Caller, fileId: number): boolean {
  const file = reader.get(assetFile.recordType, fileId)?.value
  return file !== undefined && grantsAt(reader, caller, file.parent_category_id).has('admin')
}

/** The address is shown only to callers who may read the version, because a role may have been narrowed since. */
function presentLink(context: Context, sites: readonly Site[], link: FileLink): JsonObject {
  const { asset_file_link_id: id, date_added: dateAdded } = link
  // Older links have no site.
  const site = (link as Partial<FileLink>).site ?? null
  const token = context.links.make({ id, dateAdded })
  if (link.state === 'preview') {
    const path = findPreviewPath(context, sites, link) && findSharedPath(context, sites, link)
    return { ...link, site, url: path === undefined ? null : site + previewPath(token) + path }
  }
  const shown = findReadable(context, link) && findShown(context, link)
  const url = shown && linkUrlOf(token, shown.version.name)
  return { ...link, site, url: url === undefined ? null : `${context.basePath}${url}` }
}

function findSharedPath(
  context: Context,
  sites: readonly Site[],
  link: FileLink,
): string | undefined {
  const caller = findSharer(context, link)
  return caller && findPreviewPath({ records: context.records, caller }, sites, link)
}

const EXPIRE_EVERY_MS = 3_600_000
/** Links per commit. */
const BATCH = 100

type Expiring = Pick<Services, 'records' | 'background' | 'now'>

/** Removes expired links in the background, now and every hour, until the signal aborts. */
export async function expireLinks(services: Expiring, signal: AbortSignal): Promise<void> {
  const rounds = { name: 'expire-links', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, () => removeExpired(services, signal))
}

async function removeExpired({ records, now }: Expiring, signal: AbortSignal): Promise<void> {
  const field = fileLink.searchable.get('date_expires')
  while (field !== undefined && !signal.aborted) {
    const match = { op: 'lte', field, value: timeOfEnds(records, now()).toISOString() } as const
    const query = { match, length: BATCH }
    const { records: expired } = await records.search(TYPE, fileLink.searchable, query)
    if (expired.length === 0) return
    const plan = (unit: Unit): void => {
      for (const { value } of expired) unit.remove(TYPE, value.asset_file_link_id)
    }
    await commitAudited({ records, now }, { doer: NOBODY, plan })
  }
}
