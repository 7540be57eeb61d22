// A file that one client deletes while another one is answered about it: what was changed is told, what is
// gone is not found, and nothing looks like a disk that lost something.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Too large to be read in one turn. */
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
  test(`${method} ${path === '' ? 'of a file' : path} ${json === undefined ? '' : JSON.stringify(json)} beside a DELETE is 200 or 404`, async () => {
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
