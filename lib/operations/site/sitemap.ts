// The addresses of the pages of a site, for its sitemap (https://www.sitemaps.org/protocol.html).

import { withMembers } from '../../base/with-members.ts'
import type { Site } from '../../config/flag-values.ts'
import type { Context } from '../context.ts'
import { HTML, STML } from '../../schema/media-type.ts'
import { addressName, findLive } from '../files/addresses.ts'
import { findVersion } from '../files/versions.ts'
import { openPageParts } from './page-parts.ts'
import { liveFilesIn, siteFolders } from './site-files.ts'
import { type PackedText, TextPacker } from './packed-text.ts'
import { headersOf } from './site-pages.ts'

interface SiteAddress {
  /** Percent-encoded, from the root of the site. */
  readonly path: string
  readonly datePublished: string
}

const PAGE_TYPES: ReadonlySet<string> = new Set([HTML, STML])

/** Every live page of HTML or STML in the public folders of the site that search engines may list, without layouts and fragments. */
async function* siteAddresses(context: Context, site: Site): AsyncGenerator<SiteAddress> {
  const { records } = context
  for await (const { id: folderId, names } of siteFolders(context, site)) {
    if (/noindex|none/i.test(headersOf(records, folderId)['x-robots-tag'] ?? '')) continue
    const parts = openPageParts(context, site)
    const path = ['', ...names.map(encodeURIComponent), ''].join('/')
    for await (const file of liveFilesIn(context, folderId)) {
      const { asset_file_id: id, live_version: live, date_published: date } = file
      if (live === null || date === null) continue
      const name = addressName(records, file)
      // The version may be gone meanwhile.
      const version = findVersion(records, id, live)
      const type = version?.mime_type ?? ''
      if (version === undefined || !PAGE_TYPES.has(type) || /^404\.[hs]tml$/.test(name)) continue
      const isIndex =
        name === 'index.html' ||
        (name === 'index.stml' && findLive(records, folderId, 'index.html') === undefined)
      const shown = isIndex ? '' : encodeURIComponent(name)
      if (!(await parts.isPart(file, version))) yield { path: path + shown, datePublished: date }
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
  read(context: Context, site: Site, part: number | undefined): Promise<PackedText | undefined>
}

interface Built {
  readonly parts: readonly PackedText[]
  readonly untilMs: number
}

/** A sitemap is built at most once a minute, and forgotten after that. */
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
    const forget = (): void => {
      if (known.get(site.origin) === made) known.delete(site.origin)
    }
    made.then(() => setTimeout(forget, KEPT_MS).unref(), forget)
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
): Promise<ReadonlyMap<string, PackedText>> {
  const parts = await buildParts(context, site)
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return new Map([['sitemap.xml', first]])
  const files = parts.map((text, at) => [`sitemap-${at + 1}.xml`, text] as const)
  return new Map([['sitemap.xml', indexOf(site, parts)], ...files])
}

/** Allows everything, and names the sitemap. */
export function robotsOf({ origin }: Site): string {
  return `User-agent: *\nDisallow:\n\nSitemap: ${origin}/sitemap.xml\n`
}

async function buildParts(context: Context, site: Site): Promise<readonly PackedText[]> {
  const done: PackedText[] = []
  let part = openList('urlset')
  const uncached = withMembers(context, { records: context.records.uncached() })
  for await (const { path, datePublished } of siteAddresses(uncached, site)) {
    if (part.count() === PART) {
      done.push(part.end())
      if (done.length === MAX_PARTS) return done
      part = openList('urlset')
    }
    const url = `${site.origin}${escapeXml(path)}`
    part.add(`<url><loc>${url}</loc><lastmod>${datePublished}</lastmod></url>`)
  }
  return [...done, part.end()]
}

function indexOf({ origin }: Site, parts: readonly PackedText[]): PackedText {
  const index = openList('sitemapindex')
  for (const at of parts.keys())
    index.add(`<sitemap><loc>${origin}/sitemap-${at + 1}.xml</loc></sitemap>`)
  return index.end()
}

function openList(element: 'urlset' | 'sitemapindex') {
  const name = 'http://www.sitemaps.org/schemas/sitemap/0.9'
  const text = new TextPacker()
  text.add(`<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="${name}">\n`)
  let count = 0
  return {
    count: () => count,
    add(line: string): void {
      count += 1
      text.add(`${line}\n`)
    },
    end(): PackedText {
      text.add(`</${element}>\n`)
      return text.end()
    },
  }
}

/** A percent-encoded path has no other character with a meaning in XML. */
function escapeXml(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll("'", '&apos;')
}
