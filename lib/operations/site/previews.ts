// Previews of a site: links that show the staged site for a limited time. A link has a token (auth/site-tokens.ts) and is not
// stored. At each read the key of the token and its grants are looked up, so a preview ends with its key or session, and shows
// only staged versions that the key may read at that time.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { type Caller, findHolder, isExpired } from '../../auth/caller.ts'
import { timeOfEnds } from '../../auth/key-use.ts'
import { CmsError } from '../../base/errors.ts'
import type { Site } from '../../config/flag-values.ts'
import { LIMITS } from '../../config/limits.ts'
import { apiKeySecret, isSession } from '../../schema/api-key.ts'
import { refuseField } from '../../schema/check.ts'
import type { Context } from '../context.ts'
import { notPublished } from '../files/downloads.ts'
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
  const asked = requireSites(sites, origin)
  const { site, path } =
    assetFileId === undefined
      ? { site: requireOne(asked), path: '/' }
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

function requireSites(sites: readonly Site[], origin: string | undefined): readonly Site[] {
  if (sites.length === 0)
    throw new CmsError(
      'not-found',
      'This server shows no site, so there is nothing to preview. Start it with --site-origin, for example --site-origin https://www.example.org=/Main/website.',
    )
  const asked = origin === undefined ? sites : sites.filter((site) => site.origin === origin)
  return asked.length > 0 ? asked : refuseField('site', `must be one of ${listOf(sites)}`)
}

function requireOne(sites: readonly Site[]): Site {
  const [site, other] = sites
  if (site !== undefined && other === undefined) return site
  return refuseField(
    'site',
    `is required without asset_file_id, and must be one of ${listOf(sites)}`,
  )
}

function listOf(sites: readonly Site[]): string {
  return sites.map(({ origin }) => origin).join(', ')
}

/** The site on whose host the file is shown; of several sites, the one with the shortest path. */
function findOnSite(
  context: Context,
  sites: readonly Site[],
  id: number,
): { readonly site: Site; readonly path: string } {
  const { records, caller } = context
  const file = requireFile(context, id, 'view')
  const files = openStagedFiles(records, caller)
  if (files.nameOf(file) === undefined) throw notPublished('stage')
  const found = sites.flatMap((site) => {
    const place = openPlace({ records, caller: ANONYMOUS }, site)
    const path = place && pathOfFile({ ...place, files }, file)
    return path === undefined ? [] : [{ site, path }]
  })
  const [nearest] = found.toSorted((left, right) => left.path.length - right.path.length)
  if (nearest !== undefined) return nearest
  return refuseField('asset_file_id', `must lie in a public folder of a site: ${listOf(sites)}`)
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
  readonly areaOrigin: string
}

/** Undefined for every reason, so that the answer does not reveal which one applies. */
export function openPreview(context: Context, site: Site, token: string): Preview | undefined {
  const { records, previews, now } = context
  const opened = previews.open(token)
  if (opened === undefined || !opened.isFor(markOf(site))) return undefined
  if (isExpired(records, opened.dateEnds, now())) return undefined
  const maker = findMaker(context, opened)
  if (maker === undefined) return undefined
  return { files: openStagedFiles(records, maker), areaOrigin: opened.areaOrigin }
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
