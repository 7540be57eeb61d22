// The addresses of the pages of a site, for its sitemap (https://www.sitemaps.org/protocol.html).

import type { Site } from '../../config/flag-values.ts'
import type { Context } from '../context.ts'
import { STML } from '../../schema/media-type.ts'
import { addressName, findLive } from '../files/addresses.ts'
import { findVersion } from '../files/versions.ts'
import { liveFilesIn, siteFolders } from './site-files.ts'

interface SiteAddress {
  /** Percent-encoded, from the root of the site. */
  readonly path: string
  readonly datePublished: string
}

/** Every live page of HTML or STML in the public folders of the site. */
async function* siteAddresses(context: Context, site: Site): AsyncGenerator<SiteAddress> {
  const { records } = context
  for await (const { id: folderId, names } of siteFolders(context, site)) {
    const path = ['', ...names.map(encodeURIComponent), ''].join('/')
    for await (const file of liveFilesIn(context, folderId)) {
      const { asset_file_id: id, live_version: live, date_published: date } = file
      if (live === null || date === null) continue
      const name = addressName(records, file)
      // The version may be gone meanwhile.
      const type = findVersion(records, id, live)?.mime_type
      const isIndex =
        name === 'index.html' ||
        (name === 'index.stml' && findLive(records, folderId, 'index.html') === undefined)
      const shown = isIndex ? '' : encodeURIComponent(name)
      if ((type === 'text/html' || type === STML) && !/^404\.[hs]tml$/.test(name))
        yield { path: path + shown, datePublished: date }
    }
  }
}

// The files of the sitemap. A sitemap has at most 50,000 addresses; a larger site has an index of several sitemaps.

const PART = 50_000
const MAX_PARTS = 20
/** Any visitor may ask for the sitemap, and to build it reads every file of the site. */
const KEPT_MS = 60_000

export interface Sitemaps {
  /** The sitemap, or its index; with a number, one part of the index. Undefined if there is no such part. */
  read(context: Context, site: Site, part: number | undefined): Promise<string | undefined>
}

interface Built {
  readonly parts: readonly string[]
  readonly untilMs: number
}

/** A sitemap is built at most once a minute. */
export function openSitemaps(): Sitemaps {
  const known = new Map<string, Promise<Built>>()

  async function build(context: Context, site: Site): Promise<Built> {
    const untilMs = performance.now() + KEPT_MS
    return { parts: await buildParts(context, site), untilMs }
  }

  async function find(context: Context, site: Site): Promise<Built> {
    const last = known.get(site.origin)
    if (last !== undefined && (await last).untilMs > performance.now()) return last
    if (known.get(site.origin) !== last) return find(context, site)
    const made = build(context, site)
    known.set(site.origin, made)
    made.catch(() => known.delete(site.origin))
    return made
  }

  return {
    async read(context, site, part) {
      const { parts } = await find(context, site)
      if (part !== undefined) return parts.length > 1 ? parts[part - 1] : undefined
      return parts.length === 1 ? parts[0] : indexOf(site, parts)
    },
  }
}

/** All files of the sitemap by their names. */
export async function readSitemapFiles(
  context: Context,
  site: Site,
): Promise<ReadonlyMap<string, string>> {
  const parts = await buildParts(context, site)
  const [first = ''] = parts
  if (parts.length === 1) return new Map([['sitemap.xml', first]])
  const files = parts.map((text, at) => [`sitemap-${at + 1}.xml`, text] as const)
  return new Map([['sitemap.xml', indexOf(site, parts)], ...files])
}

/** Allows everything, and names the sitemap. */
export function robotsOf({ origin }: Site): string {
  return `User-agent: *\nDisallow:\n\nSitemap: ${origin}/sitemap.xml\n`
}

async function buildParts(context: Context, site: Site): Promise<readonly string[]> {
  const parts: string[][] = [[]]
  for await (const { path, datePublished } of siteAddresses(context, site)) {
    if (parts.at(-1)?.length === PART) parts.push([])
    if (parts.length > MAX_PARTS) break
    const url = `${site.origin}${escapeXml(path)}`
    parts.at(-1)?.push(`<url><loc>${url}</loc><lastmod>${datePublished}</lastmod></url>`)
  }
  return parts.slice(0, MAX_PARTS).map((lines) => listOf('urlset', lines))
}

function indexOf({ origin }: Site, parts: readonly string[]): string {
  const lines = parts.map(
    (_, at) => `<sitemap><loc>${origin}/sitemap-${at + 1}.xml</loc></sitemap>`,
  )
  return listOf('sitemapindex', lines)
}

function listOf(element: 'urlset' | 'sitemapindex', lines: readonly string[]): string {
  const name = 'http://www.sitemaps.org/schemas/sitemap/0.9'
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  return [head, `<${element} xmlns="${name}">`, ...lines, `</${element}>`, ''].join('\n')
}

/** A percent-encoded path has no other character with a meaning in XML. */
function escapeXml(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll("'", '&apos;')
}
