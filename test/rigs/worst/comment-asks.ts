// Comments: as many as a file may have, with as many names as a text may have.

import { LIMITS } from '../../../lib/config/limits.ts'
import { type Asks, byAdmin, LIST_BYTES, once } from './ask.ts'
import { many, type Site } from './site.ts'

const LIST = '/api/v2/comment'
const LONG = '@admin '.repeat(20).padEnd(4_000, 'ß')

/** Makes a page with the most comments. */
const discussed = once(async (site: Site): Promise<number> => {
  const id = await newPage(site)
  await many(LIMITS.commentsPerTarget, () => comment(site, `asset_file/${id}`))
  return id
})

function newPage(site: Site): Promise<number> {
  return site.make('asset_file', { name: site.name(), type: 'txt', parent_category_id: 1 })
}

async function comment(site: Site, target: string): Promise<number> {
  const { body } = await site.call('POST', LIST, { ...byAdmin(site), json: { target, text: LONG } })
  return body.comment_id
}

/** Makes a thread with the most replies, and returns its first comment. */
async function thread(site: Site): Promise<number> {
  const target = `asset_file/${await newPage(site)}`
  const reply_to = await comment(site, target)
  await many(LIMITS.commentsPerTarget - 1, async () => {
    await site.call('POST', LIST, { ...byAdmin(site), json: { target, text: LONG, reply_to } })
  })
  return reply_to
}

const one = {
  prepare: async (site: Site) => comment(site, `asset_file/${await newPage(site)}`),
  path: (_: Site, id: number) => `${LIST}/${id}`,
} as const

export const COMMENT_ASKS: Asks = {
  [`GET ${LIST}`]: [
    {
      what: 'all',
      prepare: discussed,
      path: () => `${LIST}?length=1000`,
      call: byAdmin,
      maxBytes: LIST_BYTES,
    },
  ],
  [`POST ${LIST}`]: [
    {
      what: 'the longest text with the most names',
      prepare: newPage,
      path: () => LIST,
      call: (site, id) => ({
        ...byAdmin(site),
        json: { target: `asset_file/${id}`, text: LONG },
      }),
    },
  ],
  [`GET ${LIST}/:id`]: [{ ...one, what: 'one', call: byAdmin }],
  [`POST ${LIST}/:id`]: [
    {
      ...one,
      what: 'another text',
      call: (site) => ({ ...byAdmin(site), json: { text: `${LONG.slice(1)}x` } }),
    },
    {
      what: 'resolves the longest thread',
      prepare: thread,
      path: (_, id) => `${LIST}/${id}`,
      call: (site) => ({ ...byAdmin(site), json: { resolved: true } }),
    },
  ],
  [`DELETE ${LIST}/:id`]: [
    { ...one, what: 'one', call: byAdmin },
    {
      what: 'the longest thread',
      prepare: thread,
      path: (_, id) => `${LIST}/${id}`,
      call: byAdmin,
    },
  ],
  [`GET ${LIST}/counts`]: [
    {
      what: 'as many targets as a request may name, and the widest one',
      prepare: discussed,
      path: (_, id) =>
        `${LIST}/counts?targets=${Array.from({ length: 100 }, (__, at) => `asset_file/${id - at > 0 ? id - at : id + at}`).join()}`,
      call: byAdmin,
      maxBytes: 10_000,
    },
  ],
  'GET /api/v2/me/mentions': [
    {
      what: 'as many as one file has',
      prepare: discussed,
      path: () => '/api/v2/me/mentions?length=1000',
      call: byAdmin,
      maxBytes: LIST_BYTES,
    },
  ],
}
