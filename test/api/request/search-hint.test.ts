// A search that finds nothing because it uses the syntax of another system gets a hint about the right
// syntax.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  await makeFile(server, { name: 'hello.html', pageContent: 'x' })
})
after(() => server.close())

const search = (query: Readonly<Record<string, string>>) =>
  server.call('GET', `/api/v2/asset_file?${new URLSearchParams(query)}`)

const find = (qry: object) => search({ qry: JSON.stringify(qry) })

const HINTS: readonly (readonly [object, RegExp])[] = [
  [{ name: '*.html' }, /not wildcards.*qry=\{"name":\{"\$contains":"\.html"\}\}/],
  [{ name: '%html%' }, /not wildcards.*qry=\{"name":\{"\$contains":"html"\}\}/],
  [{ name: { $contains: '*.html' } }, /not wildcards/],
  [{ name: { $startsWith: 'hel*' } }, /not wildcards/],
  [{ name: { $in: ['*.html'] } }, /not wildcards/],
  [{ $or: [{ name: 'x*' }, { title: 'y' }] }, /not wildcards/],
  [{ name: 'HELLO.html' }, /compared with case.*"\$regex":"\^HELLO\\\\\.html\$","\$options":"i"/],
  [{ name: { $contains: 'HELLO' } }, /compared with case/],
]

for (const [qry, expected] of HINTS) {
  test(`${JSON.stringify(qry)} gets a hint, and the search from the hint finds the file`, async () => {
    const { status, body } = await find(qry)
    assert.deepEqual([status, body.asset_file], [200, []])
    assert.match(body.page.hint, expected)
    const [, asked = ''] = /qry=(\{.*?\}\})/.exec(body.page.hint) ?? []
    if ('name' in qry && !JSON.stringify(qry).includes('hel*'))
      assert.equal((await find(JSON.parse(asked))).body.asset_file.length, 1)
  })
}

test('table_filter gets the hint that it finds parts of texts', async () => {
  const { body } = await search({ table_filter: '*.html' })
  assert.match(body.page.hint, /not wildcards.*at any position: \.html$/)
})

test('searches with results, further pages and values other than text have no hint', async () => {
  const none = [
    await find({ name: 'hello.html' }),
    await find({ name: { $regex: '.*none' } }),
    await find({ size: 12345 }),
    await find({ live_version: null, size: 12345 }),
    await search({ qry: '{"name":"*.html"}', start: '2' }),
    await search({}),
  ]
  assert.deepEqual(
    none.map(({ status, body }) => [status, 'hint' in body.page]),
    none.map(() => [200, false]),
  )
})
