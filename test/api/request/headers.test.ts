// The headers of every answer: the same for HEAD and GET, private to the caller, and with all texts of users
// encoded.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import { allRoutes } from '../../../lib/api/routes.ts'
import { addressOf as addressFor, openRequests, rowOf } from '../../auth/requests.ts'
import { newName, makeFile, makeFolder } from '../../helpers/content.ts'
import { ask } from '../../helpers/raw.ts'
import { ROUTE_OPTIONS } from '../../helpers/route-options.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

/** HEAD of an upload belongs to tus and needs a header: test/api/files/resumable-uploads.test.ts. */
const GETS = allRoutes(ROUTE_OPTIONS).filter(
  ({ method, path }) => method === 'GET' && !path.startsWith('/api/v2/uploads/'),
)
let server: TestServer
/** The address of an existing record for each path. */
const addresses = new Map<string, string>()
const addressOf = (path: string): string => addresses.get(path) ?? path

before(async () => {
  server = await startTestServer()
  const requests = openRequests(server)
  // One record for all routes of a kind.
  const values = new Map<string | undefined, Readonly<Record<string, string>>>()
  for (const { path } of GETS) {
    const row = rowOf(`GET ${path}`)
    if (row === undefined) continue
    const known = values.get(row.target) ?? (await requests.fill(row, { folderId: 1 })).values
    values.set(row.target, known)
    addresses.set(path, addressFor(path, known) + (row.query ?? ''))
  }
  const file = await makeFile(server, { fileState: 'publish' })
  const link = await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}/link`, {
    json: { version: 1 },
  })
  const page = await server.call('GET', '/public/api/system', { key: null })
  const [, asset = ''] = /src="([^"]+)"/.exec(page.text) ?? []
  const { text: shell } = await server.call('GET', '/admin')
  const others: Readonly<Record<string, string>> = {
    '/api/v2/access': '/api/v2/access?user_id=1&object=asset_category&id=1&action=read',
    '/admin/*': '/admin/anywhere',
    '/admin/assets/:name': `/admin/${/assets\/[^"]+/.exec(shell)?.[0]}`,
    '/link/:token/:name': link.body.url,
    '/problems/:code': '/problems/not-found',
    '/public/api/assets/:version/:name': new URL(asset, 'http://x/public/api/system').pathname,
  }
  for (const [path, address] of Object.entries(others)) addresses.set(path, address)
})
after(() => server.close())

/**
 * The headers that are equal in equal answers. Each answer has its own id and date, and the figures of
 * /metrics change.
 */
function headOf({ status, headers }: Answer, path: string): object {
  const {
    date: _,
    'content-security-policy': policy = '',
    'x-request-id': __,
    'server-timing': ___,
    ...rest
  } = headers
  const { 'content-length': ____, ...moving } = rest
  // Each page has its own nonce.
  const told = { status, policy: String(policy).replaceAll(/'nonce-[^']+'/g, '') }
  return path === '/metrics' ? { ...told, ...moving } : { ...told, ...rest }
}

describe('H18: HEAD', () => {
  for (const { path, hasHead } of GETS) {
    test(hasHead ? `has the head of GET on ${path}` : `is refused on ${path}`, async () => {
      const address = addressOf(path)
      if (!hasHead) {
        const record = () => server.call('GET', addressOf('/api/v2/asset_file/:id'))
        const before = await record()
        const head = await server.call('HEAD', address)
        assert.deepEqual([head.status, head.bytes.length], [405, 0])
        assert.deepEqual((await record()).body, before.body)
        return
      }
      const get = await server.call('GET', address)
      assert.equal(get.status, 200, get.text)
      const head = await server.call('HEAD', address)
      assert.deepEqual(headOf(head, path), headOf(get, path))
      assert.equal(head.bytes.length, 0)
    })
  }
})

test('E4: no response to a request that needs a key may be stored by a shared cache', async () => {
  for (const { path, hasHead, access } of GETS.filter((route) => route.access !== 'open')) {
    if (!hasHead) continue
    const address = addressOf(path)
    const { headers } = await server.call('GET', address)
    const etag = String(headers.etag)
    for (const answer of [
      await server.call('GET', address),
      await server.call('GET', address, { headers: { 'if-none-match': etag } }),
      await server.call('GET', `${address}?nothing=1`),
      await server.call('GET', address, { key: null }),
    ]) {
      const cache = String(answer.headers['cache-control'])
      assert.match(cache, /^(no-store|private, no-cache)$/, `${path} ${String(access)}`)
      if (cache !== 'no-store') assert.match(String(answer.headers.vary), /Authorization/)
    }
  }
})

/** Characters that end a header, begin a new header, or are not allowed in a header. */
const HOSTILE = fc
  .array(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\0',
      ';',
      '"',
      '\\',
      ',',
      '\u00ff',
      '\u4e2d',
      '\u2028',
      'X-Evil: 1',
      '%0d%0a',
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => `a${pieces.join('')}z`)

function assertHeads(answer: Answer, what: string): void {
  assert.ok(answer.status < 500, `${what}: ${answer.text}`)
  assert.equal(answer.headers['x-evil'], undefined, what)
  for (const [name, value] of Object.entries(answer.headers))
    assert.match(String(value), /^[\t\x20-\x7e]*$/, `${what}: ${name}`)
}

test('H14: texts of users appear in headers only in encoded form', async () => {
  const { asset_category_id: folder } = await makeFolder(server)
  await fc.assert(
    fc.asyncProperty(HOSTILE, async (text) => {
      const query = encodeURIComponent(text)
      const json = {
        name: `${newName()}${text}`,
        type: 'txt',
        parent_category_id: folder,
        title: text,
      }
      const created = await server.call('POST', '/api/v2/asset_file', {
        json: { ...json, fileState: 'publish' },
      })
      const answers = [
        created,
        await server.call('GET', `/api/v2/asset_file?table_filter=${query}&length=1`),
        await server.call(
          'GET',
          `/api/v2/asset_file?length=1&qry=${encodeURIComponent(JSON.stringify({ title: { $ne: text } }))}`,
        ),
        await server.call('GET', `/file/1/${query}`),
        await server.call('GET', `/problems/${query}`, { key: null }),
        await server.call('GET', `/api/v2/${query}`),
        await server.call('PUT', `/file/1/${query}`),
      ]
      if (created.status === 201) answers.push(await server.call('GET', created.body.url))
      for (const answer of answers) assertHeads(answer, JSON.stringify(text))
    }),
    { numRuns: 40 },
  )
})

test('H14: no response header repeats a value of the request', async () => {
  for (const line of [
    'Origin: https://evil.example',
    'X-Request-Id: mine',
    'Prefer: return=x',
    'X-Forwarded-Host: evil.example',
  ]) {
    const { head } = await ask(server.url, ['GET /health HTTP/1.1', 'Host: evil.example', line])
    assert.doesNotMatch(head, /evil|mine|return=x/)
  }
})
