// The history of entries.

import { type Asks, LIST_BYTES, once, PROBLEM_BYTES } from './ask.ts'
import type { Site } from './site.ts'

/** Makes an entry with many changes of long texts; returns its address. */
const changed = once(async (site: Site): Promise<string> => {
  const json = { name: site.name(), parent_category_id: 12, table_schema: 't X, u X' }
  const { body } = await site.call('POST', '/api/v2/datatable', { json })
  const entry = `${body.module_url}/1`
  await site.call('POST', body.module_url, { json: { t: 'x' } })
  for (let at = 0; at < Math.min(site.size.versions, 2_000); at += 1)
    await site.call('POST', entry, { json: { t: `${at}${'x'.repeat(60_000)}` } })
  return entry
})

const HISTORY = '/api/v2/module/:type/:module_id/:module_name/:entry_id/history'

export const HISTORY_ASKS: Asks = {
  [`GET ${HISTORY}`]: [
    {
      what: 'many long texts',
      prepare: changed,
      path: (_, entry) => `${entry}/history?length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'the last page',
      prepare: changed,
      path: (_, entry) => `${entry}/history?cursor=3`,
    },
  ],
  [`POST ${HISTORY}/:change/restore`]: [
    {
      what: 'the first state',
      prepare: async (site) => {
        const entry = await changed(site)
        await site.call('POST', entry, { json: { t: site.name() } })
        return entry
      },
      path: (_, entry) => `${entry}/history/1/restore`,
    },
    {
      what: 'a state that does not exist',
      path: ({ table }) => `${table.url}/1/history/999999/restore`,
      maxBytes: PROBLEM_BYTES,
      status: 404,
    },
  ],
}
