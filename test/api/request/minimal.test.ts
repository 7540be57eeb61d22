// Prefer: return=minimal (RFC 7240): changes without a body in the response.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, newName, read } from '../../helpers/content.ts'
import { makeTable } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const MINIMAL = { prefer: 'handling=strict, return=minimal' }

let server: TestServer
let table: string
before(async () => {
  server = await startTestServer()
  table = (await makeTable(server, 'title C(40), n I')).url
})
after(() => server.close())

const send = (path: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call('POST', path, { json, headers: { ...MINIMAL, ...headers } })

function assertEmpty({ status, text, headers }: Answer, wanted: number): void {
  assert.deepEqual(
    [status, text, headers['preference-applied']],
    [wanted, '', 'return=minimal'],
    text,
  )
}

for (const { what, path, first, next } of [
  { what: 'an entry', path: () => table, first: { title: 'a' }, next: { title: 'b' } },
  {
    what: 'a folder',
    path: () => '/api/v2/asset_category',
    first: { name: newName(), title: 'a', parent_category_id: 12 },
    next: { title: 'b' },
  },
  {
    what: 'a page',
    path: () => '/api/v2/asset_file',
    first: { name: newName(), type: 'html', parent_category_id: 12, pageContent: 'a', title: 'a' },
    next: { pageContent: 'b', title: 'b' },
  },
]) {
  test(`${what} is created and changed without a response body, and If-Match accepts its ETag`, async () => {
    const created = await send(path(), first)
    assertEmpty(created, 201)
    const { location = '', etag = '' } = created.headers as Record<string, string>
    assert.equal((await read(server, `${location}?fields=title`)).body.title, 'a')

    const changed = await send(location, next, { 'if-match': etag })
    assertEmpty(changed, 204)
    assert.equal((await send(location, next, { 'if-match': etag })).status, 412)
    const patched = await server.call('PATCH', location, {
      headers: {
        ...MINIMAL,
        'content-type': 'application/merge-patch+json',
        'if-match': changed.headers.etag ?? '',
      },
      body: JSON.stringify({ title: 'c' }),
    })
    assertEmpty(patched, 204)
    assert.equal((await read(server, `${location}?fields=title`)).body.title, 'c')
  })
}

test('a list of entries is created without a response body, and a retry creates nothing', async () => {
  const { url } = await makeTable(server, 'n I')
  const headers = { 'idempotency-key': newName('key') }
  const json = [{ n: 1 }, { n: 2 }]
  assertEmpty(await send(url, json, headers), 201)
  assertEmpty(await send(url, json, headers), 201)
  assert.equal((await server.call('GET', `${url}?count=exact`)).body.page.total, 2)
})

test('a secret that is shown once is returned despite return=minimal', async () => {
  const { status, body, headers } = await send('/api/v2/api_key', { name: newName('key') })
  assert.deepEqual([status, typeof body.secret], [201, 'string'])
  assert.equal(headers['preference-applied'], undefined)
  assert.equal(typeof (await make(server, 'api_key', { name: newName('key') })).secret, 'string')
})
