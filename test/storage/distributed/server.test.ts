// Servers that share one site in a database and a store, through the front door: two of them in this process.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startCluster } from '../../helpers/cluster.ts'
import { closeTestServers, startTestServer, type TestServer } from '../../helpers/server.ts'

const cluster = await startCluster()
after(closeTestServers)

async function startNodes(): Promise<readonly [TestServer, TestServer]> {
  const config = { cluster: await cluster.newSite() }
  const first = await startTestServer({ config })
  return [first, await startTestServer({ config })]
}

test('what was created on one node is read on the other at once', async () => {
  const [a, b] = await startNodes()
  const made = await a.call('POST', '/api/v2/asset_category', {
    json: { name: 'news', parent_category_id: 1 },
  })
  assert.equal(made.status, 201, made.text)
  const found = await b.call('GET', made.headers.location ?? '', { key: a.key })
  assert.equal(found.status, 200, found.text)
  assert.equal(found.body.name, 'news')
})
