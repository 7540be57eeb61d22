// X-Total says in the head what page.total says in the body; and $endsWith.

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
  const titles = ['one.html', 'two.css', 'three.HTML', 'html', '.html', 'straße', '日本.html']
  await makeEntries(
    server,
    url,
    titles.map((title, n) => ({ title, n })),
  )
})
after(() => server.close())

test('X-Total is the total of the body where there is one, and missing where it is null', async () => {
  await makeFile(server)
  const paths = [
    '/api/v2/asset_category',
    '/api/v2/asset_category?length=1',
    '/api/v2/asset_category?length=1&qry={"name":{"$contains":"M"}}',
    '/api/v2/asset_category?length=1&qry={"name":{"$contains":"M"}}&count=exact',
    '/api/v2/asset_file/1/versions',
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

test('X-Total does not count what a key does not see', async () => {
  const key = await server.makeKey({ category: 12 })
  const { headers, body } = await server.call('GET', '/api/v2/asset_category?count=exact', { key })
  assert.deepEqual([headers['x-total'], body.page.total], ['1', 1])
})

const ENDINGS: readonly (readonly [object, readonly string[]])[] = [
  [{ title: { $endsWith: '.html' } }, ['one.html', '.html', '日本.html']],
  [{ title: { $endsWith: 'straße' } }, ['straße']],
  [{ title: { $endsWith: '' }, n: { $lt: 2 } }, ['one.html', 'two.css']],
  [{ title: { $not: { $endsWith: 'l' } } }, ['two.css', 'three.HTML', 'straße']],
  [{ $or: [{ title: { $endsWith: 'css' } }, { n: 3 }] }, ['two.css', 'html']],
  [{ title: { $startsWith: 'o', $endsWith: 'l' } }, ['one.html']],
]
for (const [qry, titles] of ENDINGS) {
  test(`${JSON.stringify(qry)} finds ${titles.join()}`, async () => {
    const { body } = await server.call(
      'GET',
      `${url}?qry=${encodeURIComponent(JSON.stringify(qry))}`,
    )
    assert.deepEqual(
      body.datatable_entry.map((item: any) => item.title),
      titles,
    )
  })
}

test('$endsWith is of strings, and a mistyped one is told', async () => {
  const ask = (qry: object) =>
    server.call('GET', `${url}?qry=${encodeURIComponent(JSON.stringify(qry))}`)
  assert.match((await ask({ n: { $endsWith: '1' } })).body.detail, /works on strings/)
  assert.match((await ask({ title: { $endswith: '1' } })).body.detail, /did you mean "\$endsWith"/)
})
