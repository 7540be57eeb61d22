// The documents with gzip: the same text under a different ETag.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { make, newName } from '../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'
import { makeModules } from './traffic.ts'

const DOCUMENTS = [
  '/public/api/system/swagger.json',
  '/public/api/module/swagger.json',
  '/public/api/module/swagger.json?module=datatable/1',
  '/public/api/module/modules.json',
  '/public/api/module/types.ts',
] as const

const GZIP = { 'accept-encoding': 'gzip, deflate, br' }

let server: TestServer
before(async () => {
  server = await startTestServer()
  await makeModules(server.call)
  for (let at = 0; at < 20; at += 1) await make(server, 'calendar', { name: newName('packed') })
})
after(() => server.close())

function read(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return server.call(method, path, { key: null, headers })
}

for (const path of DOCUMENTS) {
  describe(path, () => {
    test('is the same text with gzip, and shorter', async () => {
      const plain = await read(path)
      const packed = await read(path, GZIP)
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.equal(packed.headers['content-encoding'], 'gzip')
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
      assert.equal(packed.headers['content-type'], plain.headers['content-type'])
      const share = packed.bytes.length / plain.bytes.length
      assert.ok(share < (path.includes('swagger') ? 0.25 : 0.5), `${share} of it are left`)
    })

    test('is compressed only for clients that accept gzip', async () => {
      for (const [value, isPacked] of [
        ['gzip', true],
        ['br;q=1, gzip;q=0.5', true],
        ['*', true],
        ['identity', false],
        ['gzip;q=0', false],
        ['gzip;q=0.1, identity', false],
        ['br, deflate', false],
        ['', false],
      ] as const) {
        const { headers } = await read(path, { 'accept-encoding': value })
        assert.equal(headers['content-encoding'], isPacked ? 'gzip' : undefined, value)
        assert.match(String(headers.vary), /\bAccept-Encoding\b/)
      }
    })

    test('has an ETag per encoding and answers 304 to a client that has that encoding', async () => {
      const plain = await read(path)
      const packed = await read(path, GZIP)
      assert.notEqual(plain.headers.etag, packed.headers.etag)
      const condition = { 'if-none-match': String(packed.headers.etag) }
      const again = await read(path, { ...GZIP, ...condition })
      assert.deepEqual([again.status, again.bytes.length], [304, 0])
      assert.equal(again.headers['content-encoding'], undefined)
      for (const name of ['etag', 'vary', 'cache-control'])
        assert.equal(again.headers[name], packed.headers[name])
      assert.equal((await read(path, condition)).status, 200)
    })

    test('answers HEAD with the headers of the compressed response', async () => {
      const get = await read(path, GZIP)
      const head = await read(path, GZIP, 'HEAD')
      for (const name of ['content-length', 'content-encoding', 'etag', 'vary'])
        assert.equal(head.headers[name], get.headers[name])
      assert.equal(Number(head.headers['content-length']), get.bytes.length)
      assert.equal(head.bytes.length, 0)
    })
  })
}

test('the compressed document stays correct while modules are added, changed and deleted', async () => {
  const path = '/public/api/module/swagger.json'
  const same = async (): Promise<string> => {
    const [plain, ...packed] = await Promise.all([read(path), read(path, GZIP), read(path, GZIP)])
    for (const each of packed) assert.deepEqual(gunzipSync(each.bytes), plain.bytes)
    return plain.text
  }
  const { datatable_id: id } = await make(server, 'datatable', {
    name: 'Comes and goes',
    table_schema: 'title C(9)',
  })
  assert.match(await same(), /Comes and goes/)
  const json = { table_schema: 'title C(9), later C(9)' }
  await server.call('POST', `/api/v2/datatable/${id}`, { json })
  assert.match(await same(), /"later"/)
  await server.call('DELETE', `/api/v2/datatable/${id}`)
  assert.doesNotMatch(await same(), /Comes and goes/)
})

test('with --docs keyed, the compressed document is private too', async () => {
  const keyed = await startTestServer({ config: { docs: 'keyed' } })
  try {
    const { asset_category_id: category } = await make(keyed, 'asset_category', { name: 'Own' })
    await make(keyed, 'calendar', { name: 'Mine', parent_category_id: category })
    const key = await keyed.makeKey({ name: 'narrow', category })
    const ask = (path: string): Promise<Answer> => keyed.call('GET', path, { key, headers: GZIP })
    for (const path of ['swagger.json', 'modules.json', 'types.ts'].map(
      (name) => `/public/api/module/${name}`,
    )) {
      const before = await ask(path)
      assert.equal(before.headers['cache-control'], 'private, no-cache')
      assert.match(String(before.headers.vary), /^Authorization, /)
      await make(keyed, 'calendar', { name: newName('hidden') })
      await keyed.call('GET', path, { headers: GZIP })
      const later = await ask(path)
      assert.deepEqual(later.bytes, before.bytes)
      assert.equal(later.headers.etag, before.headers.etag)
      const none = await keyed.call('GET', path, { key: null, headers: GZIP })
      assert.deepEqual([none.status, none.headers['content-encoding']], [401, undefined])
    }
  } finally {
    await keyed.close()
  }
})
