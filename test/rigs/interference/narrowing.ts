// A key with full access sends requests under Idempotency-Keys and is then restricted to a folder.
// The replayed answers must not reveal more than the key may see now.

import { buildForm } from '../../helpers/server.ts'
import type { Observer } from './observers.ts'
import type { Sent, Site } from './site.ts'
import type { Key, World } from './world.ts'

interface Narrowing {
  readonly world: World
  readonly observer: Observer
  readonly key: Key
}

export async function narrow(site: Site, { world, observer, key }: Narrowing): Promise<void> {
  for (const sent of retries(world)) {
    const { status, bytes } = await site.send(sent, key.secret)
    if (status >= 300) throw new Error(`${sent.path}: ${status} ${bytes}`)
  }
  const { grants, scope } = observer
  const asset_category_id = scope === undefined ? null : world.folders[scope]
  await site.admin('POST', `/api/v2/api_key/${key.keyId}`, { json: { grants, asset_category_id } })
}

/**
 * The requests are equal on both sites; their answers contain paths, members and records that are
 * hidden later.
 */
export function retries({ folders, fileIds, groupId, movedId }: World): readonly Sent[] {
  const [fileId = 0] = fileIds
  const { scope, withheld, withheldLow } = folders
  const place = { parent_category_id: scope }
  const file = { name: 'retried.txt', type: 'txt', pageContent: 'retried', ...place }
  const hidden = { asset_category_id: withheld }
  const bodies: readonly (readonly [string, unknown])[] = [
    ['asset_file', file],
    ['asset_file', [{ ...file, name: 'listed.txt' }]],
    ['asset_category', { name: 'retried', ...place }],
    ['asset_category', { name: 'retried', parent_category_id: withheld }],
    [`asset_category/${scope}`, { title: 'retried' }],
    [`asset_category/${withheldLow}`, { description: 'retried' }],
    [`asset_file/${fileId}`, { title: 'retried' }],
    [`asset_file/${movedId}/publish`, undefined],
    [`asset_file/${movedId}/stage`, undefined],
    [`asset_file/${movedId}/versions/1/restore`, undefined],
    [`file_group/${groupId}`, { title: 'retried' }],
    ['file_group', { name: 'retried', asset_file_ids: [], parent_category_id: withheld }],
    ['datatable', { name: 'retried', table_schema: 'a I', parent_category_id: withheld }],
    ['calendar', { name: 'retried', ...place }],
    ['user', { name: 'retried', category_roles: [{ role: 'viewer', ...hidden }] }],
    ['api_key', { name: 'retried', grants: ['view'], ...hidden }],
  ]
  const posts = bodies.map(([path, json], index): Sent => {
    const headers = { 'idempotency-key': `retry-${index}` }
    return { method: 'POST', path: `/api/v2/${path}`, headers, ...(json !== undefined && { json }) }
  })
  return [...posts, uploadTo(scope, 'retry-upload'), uploadTo(withheld, 'retry-upload-hidden')]
}

function uploadTo(folderId: number, key: string): Sent {
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: String(folderId) },
    { name: 'Filedata', fileName: 'retried.bin', bytes: Buffer.from('retried') },
  ])
  const headers = { 'content-type': contentType, 'idempotency-key': key }
  return { method: 'POST', path: '/upload', headers, body }
}
