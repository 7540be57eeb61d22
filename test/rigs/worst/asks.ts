// The worst-case requests of each route. The rig fails for a route without requests.

import type { Ask, Asks } from './ask.ts'
import { BATCH_ASKS } from './batch-asks.ts'
import { COMMENT_ASKS } from './comment-asks.ts'
import { CONTENT_ASKS } from './content-asks.ts'
import { FORMER_NAME_ASKS } from './former-name-asks.ts'
import { HISTORY_ASKS } from './history-asks.ts'
import { LINK_ASKS } from './link-asks.ts'
import { MODULE_ASKS } from './module-asks.ts'
import { OTHER_ASKS } from './other-asks.ts'
import { PEOPLE_ASKS } from './people-asks.ts'
import { PICTURE_ASKS } from './picture-asks.ts'
import { SITE_ASKS } from './site-asks.ts'
import { TRASH_ASKS } from './trash-asks.ts'

const LISTS: ReadonlySet<string> = new Set(['as many as there can be'])

const WHOLE_ASKS: Asks = {
  ...BATCH_ASKS,
  ...COMMENT_ASKS,
  ...CONTENT_ASKS,
  ...FORMER_NAME_ASKS,
  ...HISTORY_ASKS,
  ...LINK_ASKS,
  ...MODULE_ASKS,
  ...OTHER_ASKS,
  ...PEOPLE_ASKS,
  ...SITE_ASKS,
  ...TRASH_ASKS,
}

/** Some routes have further requests for pictures. */
const OWN_ASKS: Asks = Object.fromEntries(
  Object.entries(WHOLE_ASKS).map(([route, asks]) => [
    route,
    [...asks, ...(PICTURE_ASKS[route] ?? [])],
  ]),
)

/** PATCH is the same operation as POST of the same route, so a single request covers it. */
const PATCH_ASKS: Asks = Object.fromEntries(
  Object.entries(OWN_ASKS)
    .filter(([route]) => /^POST .*\/:(id|entry_id)$/.test(route))
    .map(([route, asks]) => [route.replace('POST', 'PATCH'), asks.slice(0, 1)]),
)

/**
 * A list of records is the same operation at the address of lists and at that of single records.
 */
const BULK_ASKS: Asks = Object.fromEntries(
  Object.entries(OWN_ASKS).flatMap(([route, asks]) => {
    const lists = asks.filter(({ what }) => LISTS.has(what))
    const atBulk = lists.map((ask): Ask => ({ ...ask, path: (...of) => `${ask.path(...of)}/bulk` }))
    return lists.length === 0 ? [] : [[`${route}/bulk`, atBulk]]
  }),
)

/** A search in a body is the same operation as the list; each is tested with the largest body. */
const SEARCH_ASKS: Asks = Object.fromEntries(
  Object.entries(OWN_ASKS).flatMap(([route, [ask]]) => {
    const isList =
      ask !== undefined && (`${route}/:id` in OWN_ASKS || `${route}/:entry_id` in OWN_ASKS)
    if (!isList || !route.startsWith('GET ')) return []
    const { call, ...rest } = ask
    const search: Ask = {
      ...rest,
      what: 'a search that fills the body',
      path: (...of) => `${ask.path(...of).split('?', 1)[0]}/search`,
      call: (...of) => ({
        ...call?.(...of),
        json: { length: 1_000, table_filter: 'z'.repeat(60_000) },
      }),
    }
    return [[`${route.replace('GET', 'POST')}/search`, [search]]]
  }),
)

export const ASKS: Asks = { ...OWN_ASKS, ...PATCH_ASKS, ...BULK_ASKS, ...SEARCH_ASKS }
