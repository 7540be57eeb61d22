// Sends the requests of the trash for the tests of documents.

import type { Expect } from './bulk-traffic.ts'

/** The item of the file that was deleted just now. */
export async function sendTrash(expect: Expect): Promise<void> {
  const newest = '/api/v2/trash?length=1&orderDir=DESC&orderStr=date_added'
  const { trash } = await expect(200, 'GET', newest)
  await expect(200, 'POST', '/api/v2/trash/search', { json: { length: 1 } })
  const item = `/api/v2/trash/${trash[0].trash_id}`
  await expect(200, 'GET', item)
  await expect(412, 'DELETE', item, { headers: { 'if-match': '"r0"' } })
  const again = { json: {}, headers: { 'idempotency-key': 'trash' } }
  await expect(200, 'POST', `${item}/restore`, again)
  await expect(200, 'POST', `${item}/restore`, again)
  await expect(404, 'DELETE', item)
  await expect(204, 'DELETE', `/api/v2/asset_file/${trash[0].object_id}`)
  const { trash: next } = await expect(200, 'GET', newest)
  await expect(204, 'DELETE', `/api/v2/trash/${next[0].trash_id}`)
  await expect(200, 'POST', '/api/v2/trash/bulk_delete', { json: { dry_run: true } })
  await expect(200, 'POST', '/api/v2/trash/bulk_delete', { json: {} })
}
