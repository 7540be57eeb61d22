// The redirects of former names.

import { type Asks, LIST_BYTES } from './ask.ts'
import type { Site } from './site.ts'

/** Makes a folder in which a live file has had many names. */
async function renamed(site: Site): Promise<number> {
  const id = await site.make('asset_category', { name: site.name() })
  const fields = { type: 'html', parent_category_id: id, fileState: 'publish' }
  const file = await site.make('asset_file', { name: site.name(), ...fields })
  for (let at = 0; at < Math.min(site.size.versions, 2_000); at++)
    await site.call('POST', `/api/v2/asset_file/${file}`, {
      json: { name: site.name(), fileState: 'publish' },
    })
  return id
}

export const FORMER_NAME_ASKS: Asks = {
  'GET /api/v2/asset_category/counts': [
    {
      what: 'as many folders as a request may name, and the widest one',
      path: ({ wide }) =>
        `/api/v2/asset_category/counts?ids=${[wide, ...Array.from({ length: 99 }, (_, at) => at + 1).filter((id) => id !== wide)].join(',')}`,
      maxBytes: 10_000,
    },
  ],
  'GET /api/v2/asset_category/:id/former_name': [
    {
      what: 'many former names',
      prepare: renamed,
      path: (_, id) => `/api/v2/asset_category/${id}/former_name?length=1000`,
      maxBytes: LIST_BYTES,
    },
  ],
  'DELETE /api/v2/asset_category/:id/former_name/:former_name': [
    {
      what: 'a name that does not exist',
      path: ({ wide }) => `/api/v2/asset_category/${wide}/former_name/${'n'.repeat(255)}`,
      status: 404,
    },
  ],
}
