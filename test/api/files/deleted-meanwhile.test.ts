// One client deletes a file while another client gets an answer about the file. Successful changes are
// reported, deleted files are not found, and no answer looks like data loss on the disk.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Too large to be read in one iteration of the event loop. */
const PAGE = 'x'.repeat(300_000)
const ROUNDS = 12

const REQUESTS: readonly (readonly [method: string, path: string, json?: object])[] = [
  ['POST', '', { title: 'changed' }],
  ['POST', '', { pageContent: 'changed' }],
  ['POST', '/versions/1/restore', {}],
  ['GET', '/publish'],
  ['GET', '/stage'],
  ['GET', ''],
  ['GET', '/versions/1/content'],
  ['GET', '/versions/1/diff/2'],
]

for (const [method, path, json] of REQUESTS) {
  test(`${method} ${path === '' ? 'of a file' : path} ${json === undefined ? '' : JSON.stringify(json)} during a DELETE gets 200 or 404`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { asset_file_id: id } = await makeFile(server, { pageContent: PAGE })
      const file = `/api/v2/asset_file/${id}`
      await server.call('POST', file, { json: { pageContent: `${PAGE}${round}` } })
      const [answer, deleted] = await Promise.all([
        server.call(method, file + path, json === undefined ? {} : { json }),
        server.call('DELETE', file),
      ])
      assert.ok(answer.status === 200 || answer.status === 404, answer.text.slice(0, 500))
      if (method === 'POST' && answer.status === 200)
        assert.equal(answer.body.asset_file_id, id, 'the change is not told')
      assert.equal(deleted.status, 204)
    }
  })
}

test('a list with texts during a DELETE of one of its files gets 200', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const made = []
    for (let at = 0; at < 4; at += 1) made.push(await makeFile(server, { pageContent: PAGE }))
    const ids = made.map(({ asset_file_id: id }) => id)
    const qry = encodeURIComponent(JSON.stringify({ asset_file_id: { $in: ids } }))
    const [list, deleted] = await Promise.all([
      server.call('GET', `/api/v2/asset_file?fields=asset_file_id,pageContent&qry=${qry}`),
      server.call('DELETE', `/api/v2/asset_file/${ids.at(-1)}`),
    ])
    assert.equal(deleted.status, 204)
    assert.equal(list.status, 200, list.text.slice(0, 500))
    const texts = new Map(
      list.body.asset_file.map((one: any) => [one.asset_file_id, one.pageContent]),
    )
    for (const id of ids.slice(0, -1)) assert.equal(texts.get(id), PAGE)
  }
})
