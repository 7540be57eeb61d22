// What the entries of one request have together, and what one comes to hold by its updates.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, newName } from '../../helpers/content.ts'
import { makeEntry } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const MIB = 1024 * 1024

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (path: string, json: unknown): Promise<Answer> => server.call('POST', path, { json })
const get = (path: string): Promise<Answer> => server.call('GET', path)

/** A table whose entries may have long texts. */
async function makeTexts(more = ''): Promise<string> {
  const json = { name: newName(), parent_category_id: 12, table_schema: `a X, b X${more}` }
  return (await post('/api/v2/datatable', json)).body.module_url
}

test('entryBytes bounds what an entry comes to hold by its updates', async () => {
  const url = await makeTexts()
  const text = 'x'.repeat(3 * MIB)
  await makeEntry(server, url, { a: text })
  const problem = assertProblem(await post(`${url}/1`, { b: text }), 'too-large')
  assert.match(problem.detail, /POST \/upload/)
  assert.equal((await get(`${url}/1?fields=*`)).body.b, null)
  assert.equal((await post(`${url}/1`, { a: 'short' })).status, 200)
  assert.equal((await post(`${url}/1`, { b: text })).status, 200)
})

test('entryBytes bounds a list with the defaults of its columns, of which none is stored then', async () => {
  const url = await makeTexts(`, c X DEFAULT '${'d'.repeat(60_000)}'`)
  const rows = (count: number): object[] => Array.from({ length: count }, () => ({ a: 'x' }))
  const { detail } = assertProblem(await post(url, rows(72)), 'too-large')
  assert.match(detail, /Send several lists/)
  assert.equal((await get(`${url}?count=exact`)).body.page.total, 0)
  assert.equal((await post(url, rows(65))).status, 201)
})
