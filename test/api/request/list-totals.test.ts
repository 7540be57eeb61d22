// The header X-Total equals page.total in the body.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile } from '../../helpers/content.ts'
import { makeEntries, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let url: string
before(async () => {
  server = await startTestServer()
  url = (await makeTable(server, 'title C(20) NOTNULL, n I')).url
  const titles = ['one', 'two', 'three', 'four']
  await makeEntries(
    server,
    url,
    titles.map((title, n) => ({ title, n })),
  )
})
after(() => server.close())

test('X-Total equals the total of the body and is missing if that is null', async () => {
  await makeFile(server)
  const paths = [
    '/api/v2/asset_category',
    '/api/v2/asset_category?length=1',
    '/api/v2/asset_category?length=1&qry={"name":{"$contains":"M"}}',
    '/api/v2/asset_category?length=1&qry={"name":{"$contains":"M"}}&count=exact',
    '/api/v2/asset_file/2/versions',
    url,
    `${url}?length=2&table_filter=o`,
    `${url}?length=2&table_filter=o&count=exact`,
  ]
  const seen = new Set<boolean>()
  for (const path of paths) {
    const { status, headers, body } = await server.call('GET', encodeURI(path))
    assert.equal(status, 200, path)
    const { total } = body.page
    seen.add(total === null)
    assert.equal(headers['x-total'], total === null ? undefined : String(total), path)
  }
  assert.equal(seen.size, 2)
})

test('X-Total does not count records that the key cannot see', async () => {
  const key = await server.makeKey({ category: 12 })
  const { headers, body } = await server.call('GET', '/api/v2/asset_category?count=exact', { key })
  assert.deepEqual([headers['x-total'], body.page.total], ['1', 1])
})
