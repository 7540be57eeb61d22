// The trash: lists, and the restore and removal of records with much that belongs to them.

import { type Ask, type Asks, lists } from './ask.ts'
import type { Site } from './site.ts'

/** Deletes the record at the path, and returns the number of its item. */
async function deleted(site: Site, path: string, object: string, id: number): Promise<number> {
  await site.call('DELETE', path)
  const qry = JSON.stringify({ object, object_id: id, state: 'complete' })
  for (let tried = 0; tried < MOST_TRIED; tried += 1) {
    const { body } = await site.call('GET', `/api/v2/trash?length=1&qry=${encodeURIComponent(qry)}`)
    const [item] = body.trash
    if (item !== undefined) return item.trash_id
  }
  throw new Error(`${path} is not in the trash`)
}

const MOST_TRIED = 500

/** A file with many versions, in many groups. */
async function fileItem(site: Site): Promise<number> {
  const fields = { type: 'html', parent_category_id: site.wide, fileState: 'publish' }
  const id = await site.make('asset_file', { name: site.name(), ...fields })
  for (let at = 0; at < Math.min(site.size.versions, 100); at += 1)
    await site.call('POST', `/api/v2/asset_file/${id}`, { json: { title: `${at}` } })
  for (let at = 0; at < Math.min(site.size.groups, 50); at += 1)
    await site.make('file_group', { name: site.name(), asset_file_ids: [id] })
  return deleted(site, `/api/v2/asset_file/${id}`, 'asset_file', id)
}

/** A folder with many files. */
async function folderItem(site: Site): Promise<number> {
  const id = await site.make('asset_category', { name: site.name() })
  const fields = { type: 'html', parent_category_id: id, fileState: 'publish' }
  for (let at = 0; at < Math.min(site.size.files, 100); at += 1)
    await site.make('asset_file', { name: site.name(), ...fields })
  return deleted(site, `/api/v2/asset_category/${id}?recursive=true`, 'asset_category', id)
}

const path = (_: Site, id: number): string => `/api/v2/trash/${id}`
const MANY: readonly Pick<Ask, 'what' | 'prepare'>[] = [
  { what: 'a file with many versions and groups', prepare: fileItem },
  { what: 'a folder with many files', prepare: folderItem },
]

export const TRASH_ASKS: Asks = {
  'GET /api/v2/trash': lists('trash'),
  'GET /api/v2/trash/:id': [{ what: 'one', path: () => '/api/v2/trash/1', status: [200, 404] }],
  'POST /api/v2/trash/:id/restore': MANY.map((ask) => ({
    ...ask,
    path: (_, id) => `/api/v2/trash/${id}/restore`,
    call: () => ({ json: {} }),
  })),
  'DELETE /api/v2/trash/:id': MANY.map((ask) => ({ ...ask, path })),
  'POST /api/v2/trash/bulk_delete': [
    {
      what: 'a count of everything',
      path: () => '/api/v2/trash/bulk_delete',
      call: () => ({ json: { dry_run: true } }),
    },
  ],
}
