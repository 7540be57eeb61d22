// Requests that check texts, and the links between pages, as a part of the traffic.

import type { Expect } from './bulk-traffic.ts'

export async function sendChecks(expect: Expect): Promise<void> {
  for (const pageContent of ['<div id="dd.0">', '<div id="dd.0"></div>'])
    await expect(200, 'POST', '/api/v2/stml/check', { json: { pageContent } })
  const json = { pageContent: '<a href="no.html">', type: 'html', parent_category_id: 1 }
  await expect(200, 'POST', '/api/v2/links/check', { json })
  const { asset_file: files } = await expect(200, 'GET', '/api/v2/asset_file?length=1')
  const [{ asset_file_id: id }] = files
  await expect(200, 'POST', '/api/v2/links/check_files', { json: { asset_file_ids: [id] } })
  await expect(200, 'GET', `/api/v2/asset_file/${id}/used_on?length=1`)
  const { file_group_id: groupId } = await expect(201, 'POST', '/api/v2/file_group', {
    json: { name: 'Menu' },
  })
  await expect(200, 'GET', `/api/v2/file_group/${groupId}/used_on?length=1`)
}
