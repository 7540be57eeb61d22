// Previews of a site: links that show the staged site for a limited time. The link of a frame has a token (auth/site-tokens.ts)
// and is not stored; it ends with its key or session. A link of the state preview (schema/file-link.ts) is stored, for people
// without an account. At each read the maker and its grants are looked up, so a preview shows only staged versions that the
// maker may read at that time.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { type Caller, findHolder, isExpired } from '../../auth/caller.ts'
import { timeOfEnds } from '../../auth/key-use.ts'
import { CmsError } from '../../base/errors.ts'
import type { Site } from '../../config/flag-values.ts'
import { LIMITS } from '../../config/limits.ts'
import { grantsAt, missingGrant } from '../../auth/grants.ts'
import { type Holder, seesDrafts } from '../../auth/key-role.ts'
import { apiKeySecret, isSession } from '../../schema/api-key.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { refuseField } from '../../schema/check.ts'
import type { FileLink } from '../../schema/file-link.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notPublished } from '../files/downloads.ts'
import { findLink, findSharer } from '../files/linked-file.ts'
import { requireFile } from '../files/versions.ts'
import { openStagedFiles, type ShownFiles } from './shown-files.ts'
import { pathOfFile } from './shown-place.ts'
import { openPlace } from './site-place.ts'

export interface NewPreview {
  readonly assetFileId: number | undefined
  /** The origin of the site. */
  readonly site: string | undefined
  readonly dateExpires: string | undefined
  /** The origin of the administration area, whose pages may frame the preview. */
  readonly areaOrigin: string
}

export interface MadePreview {
  readonly url: string
  readonly site: string
  readonly dateExpires: string
}

export function makePreview(
  context: Context,
  sites: readonly Site[],
  { assetFileId, site: origin, dateExpires: wanted, areaOrigin }: NewPreview,
): MadePreview {
  const { caller, previews } = context
  const asked = requireSites(context, sites, origin)
  const { site, path } =
    assetFileId === undefined
      ? { site: requireOne(seenSites(context, asked)), path: '/' }
      : findOnSite(context, asked, assetFileId)
  const dateExpires = endOf(context, wanted)
  const token = previews.make({
    apiKeyId: caller.key.api_key_id,
    secretHash: caller.secretHash,
    site: markOf(site),
    dateEnds: dateExpires,
    areaOrigin,
  })
  return { url: site.origin + previewPath(token) + path, site: site.origin, dateExpires }
}

/** The path of a preview on its site, without a slash at the end. */
export function previewPath(token: string): string {
  return `/~preview/${token}`
}

/** A preview belongs to the folder that its site had when the preview was made. */
function markOf({ origin, folder }: Site): string {
  return `${origin}=${folder}`
}

/**
 * Only these sites are named in an answer. Their roots need not be public yet. A site is also shown to a key for one of its
 * folders, which does not see its root.
 */
function seenSites(asking: Previewing, sites: readonly Site[]): readonly Site[] {
  return sites.filter((site) => openPlace(asking, site) !== undefined)
}

function requireSites(
  asking: Previewing,
  sites: readonly Site[],
  origin: string | undefined,
): readonly Site[] {
  if (sites.length === 0)
    throw new CmsError(
      'not-found',
      'This server shows no site, so there is nothing to preview. Start it with --site-origin, for example --site-origin https://www.example.org=/Main/website.',
    )
  const asked = origin === undefined ? sites : sites.filter((site) => site.origin === origin)
  if (asked.length > 0) return asked
  return refuseField('site', `must be the origin of a site${listOf(seenSites(asking, sites))}`)
}

function requireOne(sites: readonly Site[]): Site {
  const [site, other] = sites
  if (site !== undefined && other === undefined) return site
  return refuseField(
    'site',
    `is required without asset_file_id, and must be the origin of a site${listOf(sites)}`,
  )
}

function listOf(sites: readonly Site[]): string {
  return sites.length === 0 ? '' : `: ${sites.map(({ origin }) => origin).join(', ')}`
}

interface ShownOnSite {
  readonly site: Site
  readonly path: string
}

function findOnSite(context: Context, sites: readonly Site[], id: number): ShownOnSite {
  const file = requireFile(context, id, 'view')
  const found = findPreviewPlace(context, sites, file)
  return found ?? refuseField('asset_file_id', notOnSite(seenSites(context, sites)))
}

function notOnSite(sites: readonly Site[]): string {
  return `must lie in a public folder of a site${listOf(sites)}`
}

interface Previewing {
  readonly records: Reader
  readonly caller: Holder
}

/**
 * The site on whose host the file is shown; of several sites, the one with the shortest path. Throws not-published if neither
 * a live nor a staged version can be shown.
 */
function findPreviewPlace(
  { records, caller }: Previewing,
  sites: readonly Site[],
  file: AssetFile,
): ShownOnSite | undefined {
  const files = openStagedFiles(records, caller)
  if (files.nameOf(file) === undefined) throw notPublished('stage')
  const found = sites.flatMap((site) => {
    const place = openPlace({ records, caller: ANONYMOUS }, site)
    const path = place && pathOfFile({ ...place, files }, file)
    return path === undefined ? [] : [{ site, path }]
  })
  return found.toSorted((left, right) => left.path.length - right.path.length)[0]
}

/** The origin of the site that a link of the state preview shows, which begins at the file. */
export function requirePreviewSite(
  asking: Previewing,
  file: AssetFile,
  { sites, origin }: { readonly sites: readonly Site[]; readonly origin: string | undefined },
): string {
  if (!seesDrafts(grantsAt(asking.records, asking.caller, file.parent_category_id)))
    throw missingGrant('stage', 'in the folder of the file')
  const asked = requireSites(asking, sites, origin)
  const found = findPreviewPlace(asking, asked, file)
  const fault = (): never =>
    refuseField('state', `preview: the file ${notOnSite(seenSites(asking, asked))}`)
  return found?.site.origin ?? fault()
}

/** The path at which a link of the state preview begins; undefined if the caller may not see the preview there. */
export function findPreviewPath(
  { records, caller }: Previewing,
  sites: readonly Site[],
  { site: origin, asset_file_id: id }: FileLink,
): string | undefined {
  const file = records.get(assetFile.recordType, id)?.value
  const site = sites.find((each) => each.origin === origin)
  if (file === undefined || site === undefined) return undefined
  if (!seesDrafts(grantsAt(records, caller, file.parent_category_id))) return undefined
  const place = openPlace({ records, caller: ANONYMOUS }, site)
  return place && pathOfFile({ ...place, files: openStagedFiles(records, caller) }, file)
}

/** A preview ends with the key at the latest. The end of a session moves with its use, so it is checked at each read. */
function endOf({ records, caller, now }: Context, wanted: string | undefined): string {
  const { key, dateEnds } = caller
  const start = timeOfEnds(records, now()).getTime()
  const after = (ms: number): string => new Date(start + ms).toISOString()
  const latest = after(LIMITS.maxPreviewMs)
  if (wanted !== undefined && (wanted <= after(0) || wanted > latest))
    refuseField('date_expires', `must lie in the future, at most 24 hours from now: ${latest}`)
  const end = wanted ?? after(LIMITS.previewMs)
  return !isSession(key) && dateEnds !== null && dateEnds < end ? dateEnds : end
}

export interface Preview {
  readonly files: ShownFiles
  /** Undefined for a link of the state preview, which no page of the area frames. */
  readonly areaOrigin?: string
}

/** Undefined for every reason, so that the answer does not reveal which one applies. */
export function openPreview(context: Context, site: Site, token: string): Preview | undefined {
  const { records, previews, now } = context
  const opened = previews.open(token)
  if (opened === undefined) return openShared(context, site, token)
  if (!opened.isFor(markOf(site))) return undefined
  if (isExpired(records, opened.dateEnds, now())) return undefined
  const maker = findMaker(context, opened)
  if (maker === undefined) return undefined
  return { files: openStagedFiles(records, maker), areaOrigin: opened.areaOrigin }
}

/** The preview of a link, which ends when its maker no longer sees drafts in the folder of the file. */
function openShared(context: Context, site: Site, token: string): Preview | undefined {
  const { records } = context
  const link = findLink(context, token)
  const maker = link?.state === 'preview' ? findSharer(context, link) : undefined
  if (link === undefined || maker === undefined) return undefined
  const isShown = findPreviewPath({ records, caller: maker }, [site], link) !== undefined
  return isShown ? { files: openStagedFiles(records, maker) } : undefined
}

interface Maker {
  readonly apiKeyId: number
  readonly secretHash: string
}

/** A session gets a new secret every few minutes, so its key decides. Other keys also end with their secret. */
function findMaker(
  { records, revoking, now: clock }: Context,
  { apiKeyId, secretHash }: Maker,
): Caller | undefined {
  const now = clock()
  const holder = findHolder(records, apiKeyId, { revoking, now })
  if (holder === undefined) return undefined
  const { key } = holder
  const secret = records.get(apiKeySecret, secretHash)?.value
  const isValid = secret !== undefined && !isExpired(records, secret.date_expires, now)
  if (!isSession(key) && !isValid) return undefined
  return { secretHash, dateEnds: key.date_expires, ...holder }
}
