// Requests for comments.

import type { Expect } from './bulk-traffic.ts'

export async function sendComments(expect: Expect): Promise<void> {
  const page = { name: 'remarks.html', type: 'html', parent_category_id: 1 }
  const { asset_file_id: id } = await expect(201, 'POST', '/api/v2/asset_file', { json: page })
  const list = '/api/v2/comment'
  const json = { target: `asset_file/${id}`, text: 'Please check, @admin.' }
  const { comment_id: made } = await expect(201, 'POST', list, { json })
  await expect(200, 'GET', `${list}?qry={"target":"asset_file/${id}"}`)
  await expect(200, 'POST', `${list}/search`, { json: { qry: { resolved: false } } })
  await expect(200, 'GET', `${list}/${made}`)
  await expect(200, 'GET', '/api/v2/me/mentions?length=1')
  await expect(200, 'GET', `${list}/counts?targets=asset_file/${id},datatable/1/1`)
  await expect(400, 'GET', `${list}/counts?targets=asset_file`)
  const reply = { ...json, reply_to: made }
  const { comment_id: answer } = await expect(201, 'POST', list, { json: reply })
  await expect(422, 'POST', list, { json: { ...json, reply_to: answer } })
  await expect(200, 'POST', `${list}/${made}`, { json: { text: 'Checked.' } })
  await expect(200, 'PATCH', `${list}/${made}`, { json: { resolved: true } })
  await expect(422, 'POST', list, { json: { ...json, target: 'asset_file/999' } })
  await expect(204, 'DELETE', `${list}/${made}`)
  await expect(204, 'DELETE', `/api/v2/asset_file/${id}`)
}
