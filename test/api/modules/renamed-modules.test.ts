// Renaming a module: the old address redirects to the new one for keys that may see the module, and an answer
// for a wrong name contains the right name.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFolder } from '../../helpers/content.ts'
import { makeCalendar, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const SCHEMA = 'title C(20) NOTNULL'

async function rename(path: string, name: string): Promise<string> {
  const { status, text, body } = await server.call('POST', path, { json: { name } })
  assert.equal(status, 200, text)
  return body.module_url
}

test('every request to the old address is redirected with its entry and query', async () => {
  const { url, path } = await makeTable(server, SCHEMA, { name: 'Before' })
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'a' })
  const now = await rename(path, 'After')
  for (const [method, rest] of [
    ['GET', ''],
    ['GET', '?length=1&qry={%22title%22:%22a%22}'],
    ['HEAD', ''],
    ['POST', ''],
    ['GET', `/${id}?fields=*`],
    ['POST', `/${id}`],
    ['PATCH', `/${id}`],
    ['DELETE', `/${id}`],
  ] as const) {
    const json = method === 'POST' || method === 'PATCH' ? { json: { title: 'b' } } : {}
    const old = await server.call(method, url + rest, json)
    assert.deepEqual([old.status, old.headers.location], [308, now + rest], method)
    assert.equal(old.headers['cache-control'], 'no-store')
    if (method !== 'HEAD') {
      assert.equal(old.body.code, 'module-renamed')
      assert.equal(old.body.module_url, now)
    }
    const { status } = await server.call(method, String(old.headers.location), json)
    assert.ok(status < 300, `${method} ${rest}: ${status}`)
  }
})

test('a client that follows redirects works unchanged', async () => {
  const { url, path } = await makeTable(server, SCHEMA, { name: 'Followed' })
  await rename(path, 'Leader')
  const answer = await fetch(server.url + url, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: '{"title":"through"}',
  })
  assert.equal(answer.status, 201)
})

test('the feed of a calendar is redirected', async () => {
  const { url, path } = await makeCalendar(server, { name: 'Old feed' })
  const now = await rename(path, 'New feed')
  const { status, headers } = await server.call('GET', `${url}.ics`)
  assert.deepEqual([status, headers.location], [308, `${now}.ics`])
  assert.equal((await server.call('GET', `${now}.ics`)).status, 200)
})

test('each former name redirects to the current name, and a restored name is not a redirect', async () => {
  const { url, path } = await makeTable(server, SCHEMA, { name: 'one' })
  const two = await rename(path, 'two')
  const three = await rename(path, 'three')
  for (const old of [url, two])
    assert.equal((await server.call('GET', old)).headers.location, three)
  assert.equal(await rename(path, 'one'), url)
  assert.equal((await server.call('GET', url)).status, 200)
  for (const old of [two, three])
    assert.equal((await server.call('GET', old)).headers.location, url)
})

test('twenty former names redirect, and an older name gets the current name in the error', async () => {
  const { url, path } = await makeTable(server, SCHEMA, { name: 'n0' })
  let now = url
  for (let n = 1; n <= 21; n += 1) now = await rename(path, `n${n}`)
  assert.equal((await server.call('GET', url.replace('n0', 'n1'))).headers.location, now)
  const { status, body } = await server.call('GET', url)
  assert.deepEqual([status, body.module_url], [404, now])
  assert.ok(body.detail.includes(now))
})

test('other changes of the module add no redirect', async () => {
  const { url, path } = await makeTable(server, SCHEMA, { name: 'Same' })
  await server.call('POST', path, { json: { name: 'SAME', title: 'x' } })
  assert.equal((await server.call('GET', url)).status, 200)
})

test('a wrong name gets the correct name in the error', async () => {
  const { url } = await makeTable(server, SCHEMA, { name: 'Cities' })
  const { status, headers, body } = await server.call('GET', url.replace('cities', 'citys'))
  assert.deepEqual([status, headers.location, body.module_url], [404, undefined, url])
})

test('a caller who cannot see the module learns neither its name nor the rename', async () => {
  const hidden = await makeFolder(server)
  const place = { parent_category_id: hidden.asset_category_id }
  const { url, path, id } = await makeTable(server, SCHEMA, { name: 'Hidden', ...place })
  const { asset_category_id: category } = await makeFolder(server)
  const key = await server.makeKey({ category })
  const ask = async (address: string): Promise<unknown> => {
    const { status, headers, body } = await server.call('GET', address, { key })
    const { request_id: _, ...told } = body
    return [status, headers.location, told]
  }
  const before = await ask(url)
  await rename(path, 'Renamed')
  const nothing = await ask(url.replace(`/${id}/`, '/999/'))
  for (const name of ['hidden', 'renamed', 'other'])
    assert.deepEqual(await ask(url.replace('hidden', name)), nothing)
  assert.deepEqual(before, nothing)
})

test('a retry of a request from before the rename gets its response', async () => {
  const { url, path } = await makeTable(server, SCHEMA, { name: 'Retried' })
  const { asset_category_id: category } = { asset_category_id: 12 }
  const key = await server.makeKey({ category })
  const headers = { 'idempotency-key': 'before-rename' }
  const first = await server.call('POST', url, { json: { title: 'once' }, headers, key })
  assert.equal(first.status, 201)
  await rename(path, 'Retried now')
  const again = await server.call('POST', url, { json: { title: 'once' }, headers, key })
  assert.deepEqual([again.status, again.text], [201, first.text])
})

test('former names survive a restart and are deleted with the module', async (t) => {
  const first = await startTestServer()
  const { url, path } = await makeTable(first, SCHEMA, { name: 'Kept' })
  const { body } = await first.call('POST', path, { json: { name: 'Keeper' } })
  await first.stop()
  const second = await startTestServer({ dataDir: first.dataDir })
  t.after(() => second.close())
  assert.equal((await second.call('GET', url)).headers.location, body.module_url)
  assert.equal((await second.call('DELETE', path)).status, 204)
  assert.equal((await second.call('GET', url)).status, 404)
})

test('behind a proxy the address includes the path of --base-url', async (t) => {
  const site = await startTestServer({ config: { baseUrl: 'https://www.example.org/cms' } })
  t.after(() => site.close())
  const { body } = await site.call('POST', '/api/v2/datatable', {
    json: { name: 'a', table_schema: SCHEMA },
  })
  const renamed = await site.call('POST', '/cms/api/v2/datatable/1', { json: { name: 'b' } })
  const { status, headers, body: told } = await site.call('GET', `${body.module_url}/1?fields=*`)
  assert.deepEqual([status, headers.location], [308, `${renamed.body.module_url}/1?fields=*`])
  assert.equal(told.module_url, '/cms/api/v2/module/datatable/1/b')
})
