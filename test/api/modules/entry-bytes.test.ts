// The total bytes of the entries in one request, and the bytes that an entry reaches by updates.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRanOnce } from '../../helpers/audit.ts'
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

/** Makes a table whose entries may have long texts. */
async function makeTexts(more = '', own = server): Promise<string> {
  const json = { name: newName(), parent_category_id: 12, table_schema: `a X, b X${more}` }
  return (await own.call('POST', '/api/v2/datatable', { json })).body.module_url
}

test('entryBytes limits the size of an entry after its updates', async () => {
  const url = await makeTexts()
  const text = 'x'.repeat(1.5 * MIB)
  await makeEntry(server, url, { a: text })
  const problem = assertProblem(await post(`${url}/1`, { b: text }), 'too-large')
  assert.match(problem.detail, /POST \/upload/)
  assert.equal((await get(`${url}/1?fields=*`)).body.b, null)
  assert.equal((await post(`${url}/1`, { a: 'short' })).status, 200)
  assert.equal((await post(`${url}/1`, { b: text })).status, 200)
})

test('simultaneous updates of a large entry all keep their values', async () => {
  const url = await makeTexts(', c I, d I, e I, f I')
  const text = 'ö'.repeat(MIB / 2)
  await makeEntry(server, url, { a: text })
  const updates = ['c', 'd', 'e', 'f'].map((name, at) => ({ [name]: at }))
  const answers = await Promise.all(updates.map((json) => post(`${url}/1`, json)))
  for (const { status } of answers) assert.equal(status, 200)
  const { body } = await get(`${url}/1?fields=*`)
  const { a, b, c, d, e, f } = body
  assert.deepEqual([a === text, b, c, d, e, f], [true, null, 0, 1, 2, 3])
})

test('an entry that a new column made too large can be reduced step by step', async (t) => {
  const own = await startTestServer({ limits: { entryBytes: 10_000 } })
  t.after(() => own.close())
  const url = await makeTexts('', own)
  const path = url.replace(/\/module\/datatable\/(\d+)\/.*/, '/datatable/$1')
  await makeEntry(own, url, { a: 'x'.repeat(9_000) })
  const table_schema = `a X, b X, c X DEFAULT '${'d'.repeat(6_000)}'`
  const changed = await own.call('POST', path, { json: { table_schema } })
  assert.equal(changed.status, 200, changed.text)
  const update = (json: object): Promise<Answer> => own.call('POST', `${url}/1`, { json })
  assertProblem(await update({ b: 'x'.repeat(1_000) }), 'too-large')
  const smaller = await update({ a: 'x'.repeat(8_000) })
  assert.equal(smaller.status, 200, smaller.text)
})

test('entryBytes limits a list including column defaults, and a refused list stores nothing', async () => {
  const url = await makeTexts(`, c X DEFAULT '${'d'.repeat(60_000)}'`)
  const rows = (count: number): object[] => Array.from({ length: count }, () => ({ a: 'x' }))
  const { detail } = assertProblem(await post(url, rows(36)), 'too-large')
  assert.match(detail, /Send several lists/)
  assert.equal((await get(`${url}?count=exact`)).body.page.total, 0)
  assert.equal((await post(url, rows(33))).status, 201)
})

for (const { what, path, json, beside } of [
  { what: 'a create', path: '', json: { a: 'x'.repeat(5_000) }, beside: '' },
  { what: 'a list', path: '', json: [{ a: 'x' }, { a: 'x' }], beside: '' },
  { what: 'an update', path: '/1', json: { b: 'x'.repeat(5_000) }, beside: '/2' },
]) {
  test(`${what} that is too large does not affect other requests in its commit, which are applied once`, async (t) => {
    const own = await startTestServer({ limits: { entryBytes: 10_000 } })
    t.after(() => own.close())
    const url = await makeTexts(`, c X DEFAULT '${'d'.repeat(6_000)}'`, own)
    for (const a of ['first', 'second']) await makeEntry(own, url, { a })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        at % 4 === 1
          ? own.call('POST', `${url}${path}`, { json })
          : own.call('POST', `${url}${beside}`, { json: { a: `a${at}` } }),
      ),
    )
    const done = beside === '' ? 201 : 200
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, at) => (at % 4 === 1 ? 413 : done)),
    )
    await assertRanOnce(own, 30)
  })
}
