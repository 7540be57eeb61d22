// The links between pages.

import { MAX_CHECKED_FILES, MAX_STORED_LINKS } from '../../../lib/shared/limits.ts'
import { type Asks, byAdmin, LIST_BYTES, once } from './ask.ts'
import { many, type Site } from './site.ts'

/** Makes a file to which many pages lead, and as many pages that lead to a file of the same name elsewhere. */
const muchUsed = once(async (site: Site): Promise<number> => {
  const [folder, other] = [
    await site.make('asset_category', { name: site.name() }),
    await site.make('asset_category', { name: site.name() }),
  ]
  const target = { name: 'used.png', type: 'txt' }
  const id = await site.make('asset_file', { ...target, parent_category_id: folder })
  await site.make('asset_file', { ...target, parent_category_id: other })
  await many(Math.min(site.size.files, 20_000) / 50, async () => {
    const json = Array.from({ length: 50 }, (_, at) => ({
      name: site.name(),
      type: 'html',
      parent_category_id: at % 2 === 0 ? folder : other,
      pageContent: '<img src="used.png">',
    }))
    await site.call('POST', '/api/v2/asset_file', { json })
  })
  return id
})

/** A page with as many links as are stored, to files of this name elsewhere. */
function fullPage(site: Site, folder: number, target: string): object {
  const links = Array.from(
    { length: MAX_STORED_LINKS - 1 },
    (_, at) => `<a href="n${at}/${target}">`,
  )
  const pageContent = `${links.join('')}<img src="${target}">`
  return { name: site.name(), type: 'html', parent_category_id: folder, pageContent }
}

/** Makes a file that pages use behind all their links to other files of the same name. */
async function hardToFind(site: Site): Promise<number> {
  const folder = await site.make('asset_category', { name: site.name() })
  const target = { name: 'hard.png', type: 'txt', parent_category_id: folder }
  const id = await site.make('asset_file', target)
  for (let at = 0; at < Math.min(100, site.size.files / 50); at += 1)
    await site.make('asset_file', fullPage(site, folder, target.name))
  return id
}

/** Makes files with as many links as are stored, each of which leads nowhere; returns the last one. */
async function manyDead(site: Site): Promise<number> {
  const folder = await site.make('asset_category', { name: site.name() })
  let id = 0
  for (let at = 0; at < Math.min(MAX_CHECKED_FILES, site.size.files / 20); at += 1)
    id = await site.make('asset_file', fullPage(site, folder, 'dead.png'))
  return id
}

/** Makes as many files as one check takes; together they have as many addresses as are checked. */
async function manyLinks(site: Site): Promise<number> {
  const folder = await site.make('asset_category', { name: site.name() })
  const pageContent = Array.from({ length: 20 }, (_, at) => `<a href="no-${at}.html">`).join('')
  const page = { type: 'html', parent_category_id: folder, pageContent }
  let id = 0
  for (let at = 0; at < MAX_CHECKED_FILES; at += 50) {
    const json = Array.from({ length: 50 }, () => ({ ...page, name: site.name() }))
    const { body } = await site.call('POST', '/api/v2/asset_file', { json })
    id = body.asset_file.at(-1).asset_file_id
  }
  return id
}

/** Makes a menu that many pages show. */
async function muchShown(site: Site): Promise<number> {
  const id = await site.make('file_group', { name: site.name() })
  await many(Math.min(site.size.files, 10_000) / 50, async () => {
    const json = Array.from({ length: 50 }, () => ({
      name: site.name(),
      type: 'html',
      pageContent: `[menu group=${id}]`,
      fileState: 'publish',
    }))
    await site.call('POST', '/api/v2/asset_file', { json })
  })
  return id
}

export const LINK_ASKS: Asks = {
  'GET /api/v2/file_group/:id/used_on': [
    {
      what: 'the pages that a change of this menu changes',
      prepare: muchShown,
      path: (_, id) => `/api/v2/file_group/${id}/used_on?shown=true&length=1000`,
      maxBytes: LIST_BYTES,
    },
  ],
  'GET /api/v2/asset_file/:id/used_on': [
    {
      what: 'a file that many pages use',
      prepare: muchUsed,
      path: (_, id) => `/api/v2/asset_file/${id}/used_on?length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'the pages that a publish of this file changes',
      prepare: muchUsed,
      path: (_, id) => `/api/v2/asset_file/${id}/used_on?shown=true&length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'a file that pages use behind many links to other files of its name',
      prepare: hardToFind,
      path: (_, id) => `/api/v2/asset_file/${id}/used_on?length=1000`,
      maxBytes: LIST_BYTES,
    },
  ],
  'POST /api/v2/links/check_files': [
    {
      what: 'files with as many links as are stored',
      prepare: manyDead,
      path: () => '/api/v2/links/check_files',
      call: (site, id) => ({
        ...byAdmin(site),
        json: {
          asset_file_ids: Array.from(
            { length: Math.min(MAX_CHECKED_FILES, id) },
            (_, at) => id - at,
          ),
        },
      }),
      maxBytes: 200_000,
    },
    {
      what: 'as many files and addresses as one request checks',
      prepare: manyLinks,
      path: () => '/api/v2/links/check_files',
      call: (site, id) => ({
        ...byAdmin(site),
        json: { asset_file_ids: Array.from({ length: MAX_CHECKED_FILES }, (_, at) => id - at) },
      }),
      maxBytes: 200_000,
    },
  ],
  'POST /api/v2/links/check': [
    {
      what: 'a text with as many addresses as a page may have',
      path: () => '/api/v2/links/check',
      call: (site) => ({
        ...byAdmin(site),
        json: {
          pageContent: Array.from({ length: 900_000 }, (_, at) => `<a href=${at}>`).join(''),
          type: 'html',
          parent_category_id: 1,
        },
      }),
      maxBytes: 200_000,
    },
  ],
}
