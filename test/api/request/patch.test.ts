// PATCH is equivalent to the POST that changes some fields: the same operation, headers, retries and
// refusals.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { make, makeFile } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let file: string
let entry: string
before(async () => {
  server = await startTestServer({ config: { corsOrigins: ['https://a.example'] } })
  file = `/api/v2/asset_file/${(await makeFile(server)).asset_file_id}`
  const { url } = await makeTable(server, 'title C(20) NOTNULL, body C(20)')
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'a', body: 'b' })
  entry = `${url}/${id}`
})
after(() => server.close())

for (const type of [
  'application/json',
  'application/merge-patch+json',
  'application/merge-patch+json; charset=utf-8',
]) {
  describe(`with ${type}`, () => {
    const headers = { 'content-type': type }

    test('members of the body are changed, other members stay, and null clears a value', async () => {
      const first = await server.call('PATCH', file, {
        json: { title: 'one', description: 'two' },
        headers,
      })
      assert.equal(first.status, 200, first.text)
      const { status, body } = await server.call('PATCH', file, { json: { title: null }, headers })
      assert.deepEqual([status, body.title, body.description], [200, null, 'two'])
      assert.deepEqual((await server.call('GET', file)).body, body)

      const changed = await server.call('PATCH', entry, { json: { body: null }, headers })
      assert.deepEqual([changed.status, changed.body.title, changed.body.body], [200, 'a', null])
    })
  })
}

test('every object that POST changes can be changed by PATCH with the same response', async () => {
  const table = { table_schema: 'a C(9)' }
  const objects: readonly (readonly [string, object])[] = [
    ['asset_category', {}],
    ['asset_file', { type: 'html', parent_category_id: 1 }],
    ['file_group', {}],
    ['datatable', table],
    ['calendar', {}],
    ['user', {}],
    ['api_key', {}],
  ]
  for (const [object, fields] of objects) {
    const record = await make(server, object, { name: `old-${object}`, ...fields })
    const path = `/api/v2/${object}/${record[`${object}_id`]}`
    // The name of a user cannot change.
    const field = object === 'user' ? 'email' : 'name'
    const patched = await server.call('PATCH', path, { json: { [field]: `new-${object}` } })
    assert.deepEqual([patched.status, patched.body[field]], [200, `new-${object}`])
    const { headers, body } = await server.call('GET', path)
    assert.equal(patched.headers.etag, headers.etag)
    assert.deepEqual(patched.body, body)
  }
})

test('If-Match is honored', async () => {
  const { headers } = await server.call('GET', file)
  const match = { 'if-match': String(headers.etag) }
  assert.equal(
    (await server.call('PATCH', file, { json: { title: 'x' }, headers: match })).status,
    200,
  )
  assert.equal(
    (await server.call('PATCH', file, { json: { title: 'y' }, headers: match })).status,
    412,
  )
})

test('a retry changes nothing and gets the same response', async () => {
  const headers = { 'idempotency-key': 'patch-1' }
  const first = await server.call('PATCH', file, { json: { title: 'once' }, headers })
  const again = await server.call('PATCH', file, { json: { title: 'once' }, headers })
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(again.text, first.text)
  const other = await server.call('POST', file, { json: { title: 'once' }, headers })
  assert.equal(other.body.code, 'idempotency-key-reused')
})

test('a key without modify is refused before the body is read', async () => {
  const key = await server.makeKey({ grants: 'view' })
  const { status, body } = await server.call('PATCH', file, { json: { title: 'z' }, key })
  assert.deepEqual([status, body.code], [403, 'grant-missing'])
})

test('POST rejects merge patches and PATCH all other types, with the type to send', async () => {
  const merge = { 'content-type': 'application/merge-patch+json' }
  const posted = await server.call('POST', file, { json: {}, headers: merge })
  assert.equal(posted.status, 415)
  const patch = { 'content-type': 'application/json-patch+json' }
  const { status, body } = await server.call('PATCH', file, { json: [], headers: patch })
  assert.equal(status, 415)
  assert.match(body.detail, /"Content-Type: application\/json" or "application\/merge-patch\+json"/)
})

test('Allow and CORS preflights list PATCH', async () => {
  const allow = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'
  assert.equal((await server.call('OPTIONS', file)).headers.allow, allow)
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'PATCH' }
  const preflight = await server.call('OPTIONS', file, { headers, key: null })
  assert.match(String(preflight.headers['access-control-allow-methods']), /\bPATCH\b/)
})

test('PUT is rejected with the methods to use', async () => {
  const { status, headers, body } = await server.call('PUT', file, { json: {} })
  assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'])
  assert.match(body.detail, /POST or PATCH/)
})

test('PATCH of a list is rejected', async () => {
  assert.equal((await server.call('PATCH', '/api/v2/asset_file', { json: {} })).status, 405)
})

test('the documents describe PATCH', async () => {
  const { body } = await server.call('GET', '/public/api/system/swagger.json')
  const { patch } = body.paths['/asset_file/{id}']
  assert.equal(patch.operationId, 'patch_asset_file')
  assert.deepEqual(Object.keys(patch.requestBody.content), [
    'application/json',
    'application/merge-patch+json',
  ])
  const names = patch.parameters.map(({ name }: any) => name)
  for (const name of ['If-Match', 'Idempotency-Key']) assert.ok(names.includes(name), name)
})
