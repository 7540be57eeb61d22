// Pages of a site (--site-origin), which anybody may read. No document has their route.

import assert from 'node:assert/strict'
import { LIMITS } from '../../../lib/config/limits.ts'
import { queryOf } from '../../helpers/modules.ts'
import type { Call } from '../../helpers/server.ts'
import type { Ask, Asks } from './ask.ts'
import { many, type Site } from './site.ts'

const HOST = 'site.test'

/** A sitemap is kept for a minute, so each attempt reads that of another host. */
const MAP_HOSTS = ['map-1.test', 'map-2.test', 'map-3.test']

/** The option that makes the server show the site. */
export const SITE_FLAGS = [
  '--site-origin',
  [HOST, ...MAP_HOSTS].map((host) => `http://${host}=/Main/website`).join(','),
]

export const byVisitor = (): Call => ({ headers: { host: HOST } })

/** The number of the folder of the site. */
export async function folderOf({ call, keys }: Site): Promise<number> {
  const found = await call('GET', `/api/v2/asset_category?${queryOf({ qry: { name: 'website' } })}`)
  const [known] = found.body.asset_category
  if (known !== undefined) return known.asset_category_id
  const json = { name: 'website', public: true, parent_category_id: 1 }
  const { body, text } = await call('POST', '/api/v2/asset_category', { json, key: keys.admin })
  assert.ok(body.asset_category_id, text)
  return body.asset_category_id
}

/** Publishes a new page, whose rendered form is in no cache; returns its path. */
async function publish(site: Site, inside: string): Promise<string> {
  const name = site.name()
  await site.make('asset_file', {
    name,
    type: 'stml',
    parent_category_id: await folderOf(site),
    pageContent: `<div id="dd.0">${name}${inside}</div>`,
    fileState: 'publish',
  })
  return `/${encodeURIComponent(name)}`
}

/** Fills a page with a piece. */
const filled = (piece: string, sizeBytes: number): string =>
  piece.repeat((sizeBytes - 10_000) / piece.length)

const page = (what: string, inside: (site: Site) => string | Promise<string>): Ask => ({
  what,
  prepare: async (site) => publish(site, await inside(site)),
  path: (_, path) => path,
  call: byVisitor,
  maxBytes: 2 * LIMITS.pageBytes,
})

/** Links to files in folders as deep as can be, each in a folder of its own. */
async function deepLinks(site: Site): Promise<string> {
  const ids: number[] = []
  const root = await folderOf(site)
  const name = site.name()
  await many(Math.min(site.size.files, 1_000) / 50, async () => {
    let folder = root
    for (let depth = 3; depth < LIMITS.maxFolderDepth - 1; depth++)
      folder = await site.make('asset_category', {
        name: site.name().slice(0, 20),
        parent_category_id: folder,
      })
    const json = Array.from({ length: 50 }, () => ({
      name: site.name(),
      type: 'html',
      parent_category_id: folder,
      fileState: 'publish',
    }))
    const { body } = await site.call('POST', '/api/v2/asset_file', { json })
    ids.push(...body.asset_file.map((file: any) => file.asset_file_id))
  })
  return name + ids.map((id) => `[get_asset_file_url id=${id}]`).join('')
}

/** Fragments in fragments, each as large as the page may become, and with a title wherever it can have one. */
async function fragments(site: Site): Promise<string> {
  const folder = await folderOf(site)
  const fragment = (inside: string): Promise<number> =>
    site.make('asset_file', {
      name: site.name(),
      type: 'stml',
      parent_category_id: folder,
      pageContent: `<div id="dd.0">${inside}</div>`,
      fileState: 'publish',
    })
  const titles = await fragment('[page_title]'.repeat(990))
  const links = await fragment(`[get_asset_file_url id=1]`.repeat(990))
  const both = await fragment(`[include id=${titles}][include id=${links}]`.repeat(450))
  return `[include id=${both}]`.repeat(900)
}

/** Makes a fragment, and pages with many addresses that lead to a file of the same name elsewhere. */
async function sameNames(site: Site): Promise<string> {
  const place = { parent_category_id: await folderOf(site), type: 'html', fileState: 'publish' }
  const name = site.name()
  const id = await site.make('asset_file', { ...place, name, pageContent: 'x' })
  await site.make('asset_file', {
    ...place,
    name: site.name(),
    pageContent: `[include id=${id}]`,
  })
  const address = encodeURIComponent(name)
  const pageContent = Array.from({ length: 250 }, (_, at) => `<a href="/e${at}/${address}">`)
  for (let batch = 0; batch < 2; batch += 1) {
    const page = { ...place, pageContent: pageContent.join('') }
    const json = Array.from({ length: 20 }, () => ({ ...page, name: site.name() }))
    await site.call('POST', '/api/v2/asset_file', { json })
  }
  // The links of long texts are read when somebody asks for them.
  await site.call('GET', `/api/v2/asset_file/${id}/used_on`)
  return MAP_HOSTS.shift() ?? HOST
}

export const SITE_ASKS: Asks = {
  'GET the sitemap': [
    {
      what: 'with many addresses of one name',
      prepare: sameNames,
      path: () => '/sitemap.xml',
      call: (_, host) => ({ headers: { host } }),
      maxBytes: 64 * 1024 * 1024,
    },
  ],
  'GET a page of the site': [
    page('the largest', () => filled('[a_', LIMITS.pageBytes)),
    page('the most fragments', fragments),
    page('the largest that grows', () => filled('<p/>', LIMITS.pageBytes)),
    page('the largest that is rendered on the main thread', () =>
      filled('<p/>', LIMITS.inlineContentBytes),
    ),
    page('links to the deepest', deepLinks),
    {
      ...page('a range of the largest', () => filled('[a_', LIMITS.pageBytes)),
      call: () => ({ headers: { host: HOST, range: 'bytes=5-9' } }),
      status: 206,
    },
  ],
}
