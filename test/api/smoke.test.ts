import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../helpers/server.ts'

test('a page is saved, published and downloaded', async () => {
  const server = await startTestServer()
  try {
    const page = {
      name: 'a.html',
      type: 'html',
      parent_category_id: 1,
      pageContent: '<p>a</p>',
      fileState: 'publish',
    }
    const created = await server.call('POST', '/api/v2/asset_file', { json: page })
    assert.equal(created.status, 201)
    const download = await server.call('GET', created.body.url)
    assert.equal(download.text, '<p>a</p>')
  } finally {
    await server.close()
  }
})
