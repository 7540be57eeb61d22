// Cached answers: requested twice, so that the second answer comes from the cache, and then again after each
// change that the answer depends on, however far from the record.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { startTestServer, type Answer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let now = new Date()

before(async () => {
  server = await startTestServer({ now: () => now })
})
after(() => server.close())

/** Reads twice, so that the second answer comes from the cache. */
async function readTwice(path: string, key?: string): Promise<Answer> {
  const call = key === undefined ? {} : { key }
  const first = await server.call('GET', path, call)
  const second = await server.call('GET', path, call)
  const told = ({ status, headers, text }: Answer) => {
    const { date, 'x-request-id': id, ...rest } = headers
    return { status, headers: rest, text: text.replace(String(id), 'id') }
  }
  assert.deepEqual(told(second), told(first))
  assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
  return second
}

const change = async (path: string, json: object): Promise<void> => {
  const { status, text } = await server.call('POST', path, { json })
  assert.ok(status < 300, text)
}

test('a cached read follows changes of the record and its parent folders, and the removal', async () => {
  const upper = await makeFolder(server, { name: 'upper' })
  const folder = await makeFolder(server, {
    name: 'lower',
    parent_category_id: upper.asset_category_id,
  })
  const file = await makeFile(server, {
    name: 'page.html',
    parent_category_id: folder.asset_category_id,
  })
  const path = `/api/v2/asset_file/${file.asset_file_id}`

  assert.equal((await readTwice(path)).body.title, null)
  await change(path, { title: 'A title' })
  assert.equal((await readTwice(path)).body.title, 'A title')
  await change(`/api/v2/asset_category/${upper.asset_category_id}`, { name: 'above' })
  assert.equal((await readTwice(path)).body.path, '/Main/above/lower/page.html')
  await server.call('DELETE', `/api/v2/asset_category/${upper.asset_category_id}?recursive=true`)
  assert.equal((await readTwice(path)).status, 404)
})

test('a cached list follows creates, changes and deletes', async () => {
  const { datatable_id: id } = await make(server, 'datatable', {
    name: 'kept',
    title_field: 'title',
    table_schema: 'title C(50) NOTNULL',
  })
  const path = `/api/v2/module/datatable/${id}/kept`
  const qry = encodeURIComponent(JSON.stringify({ title: { $startsWith: 'a' } }))
  const titles = async (): Promise<readonly string[]> =>
    (await readTwice(`${path}?qry=${qry}`)).body.datatable_entry.map((entry: any) => entry.title)

  assert.deepEqual(await titles(), [])
  await change(path, { title: 'a1' })
  await change(path, { title: 'a2' })
  assert.deepEqual(await titles(), ['a1', 'a2'])
  await change(`${path}/1`, { title: 'b1' })
  assert.deepEqual(await titles(), ['a2'])
  await server.call('DELETE', `${path}/2`)
  assert.deepEqual(await titles(), [])
})

test('a cached response is not sent to another key, or to the same key with fewer grants', async () => {
  const { url, asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
  const mine = await make(server, 'api_key', { name: newName('key'), grants: ['view'] })
  const other = await make(server, 'api_key', {
    name: newName('key'),
    grants: ['view'],
    asset_category_id: 12,
  })

  for (const path of [url, `/api/v2/asset_file/${id}`]) {
    assert.equal((await readTwice(path, mine.secret)).status, 200)
    assert.notEqual((await readTwice(path, other.secret)).status, 200)
  }
  await change(`/api/v2/api_key/${mine.api_key_id}`, { asset_category_id: 12 })
  assert.notEqual((await readTwice(url, mine.secret)).status, 200)
})

test('an expired key gets no cached response', async () => {
  const ends = new Date(now.getTime() + 60_000)
  const { secret } = await make(server, 'api_key', {
    name: newName('key'),
    grants: ['view'],
    date_expires: ends.toISOString(),
  })
  assert.equal((await readTwice('/api/v2/asset_category/1', secret)).status, 200)
  now = ends
  assert.equal((await server.call('GET', '/api/v2/asset_category/1', { key: secret })).status, 401)
})

test('conditional and range requests work with cached responses', async () => {
  const { url } = await makeFile(server, { pageContent: '0123456789', fileState: 'publish' })
  const { headers } = await readTwice(url)
  const under = (name: string, value: string) =>
    server.call('GET', url, { headers: { [name]: value } })

  assert.equal((await under('if-none-match', String(headers.etag))).status, 304)
  assert.equal((await under('range', 'bytes=2-3')).text, '23')
  assert.equal((await under('if-match', '"another"')).status, 412)
  const head = await server.call('HEAD', url)
  assert.deepEqual(
    [head.status, head.headers['content-length'], head.text],
    [200, headers['content-length'], ''],
  )
  assert.equal((await readTwice(url)).text, '0123456789')
})

test('a cached download follows the published version', async () => {
  const { url, asset_file_id: id } = await makeFile(server, {
    pageContent: 'one',
    fileState: 'publish',
  })
  assert.equal((await readTwice(url)).text, 'one')
  await change(`/api/v2/asset_file/${id}`, { pageContent: 'two' })
  assert.equal((await readTwice(url)).text, 'one')
  await server.call('POST', `/api/v2/asset_file/${id}/publish`)
  assert.equal((await readTwice(url)).text, 'two')
  await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
  assert.equal((await readTwice(url)).status, 404)
})
