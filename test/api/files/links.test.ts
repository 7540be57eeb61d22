// Links to files: what they return, how long, and to whom they say nothing.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import {
  assertProblem,
  makeFile,
  makeFolder,
  pointersOf,
  uploadFile,
} from '../../helpers/content.ts'
import { eventually } from '../../helpers/raw.ts'
import {
  type Answer,
  type Call,
  startTestServer,
  temporaryDirectory,
  type TestServer,
} from '../../helpers/server.ts'

const START_MS = Date.parse('2026-05-04T10:00:00Z')
const HOUR_MS = 3_600_000

let dataDir: string
let server: TestServer
let nowMs = START_MS
const start = (): Promise<TestServer> => startTestServer({ dataDir, now: () => new Date(nowMs) })
before(async () => {
  dataDir = temporaryDirectory()
  server = await start()
})
after(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const linksOf = (id: number): string => `/api/v2/asset_file/${id}/link`
const ask = (id: number, json: unknown, call: Call = {}): Promise<Answer> =>
  server.call('POST', linksOf(id), { json, ...call })
async function link(id: number, json: object = {}, call: Call = {}): Promise<any> {
  const answer = await ask(id, json, call)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const get = (path: string, call: Call = {}): Promise<Answer> =>
  server.call('GET', path, { key: null, ...call })
const save = async (id: number, json: object): Promise<void> => {
  const answer = await server.call('POST', `/api/v2/asset_file/${id}`, { json })
  assert.equal(answer.status, 200, answer.text)
}

/** The one answer for every link that shows nothing, without its request id. */
async function refused(path: string, call: Call = {}): Promise<string> {
  const answer = await get(path, call)
  const { request_id: id } = assertProblem(answer, 'not-found')
  const { date: _, 'x-request-id': __, ...headers } = answer.headers
  return JSON.stringify([answer.text.replace(String(id), ''), headers])
}

describe('a link', () => {
  test('that is not valid is an HTML page for browsers and a problem document for programs', async () => {
    const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
    const { url, asset_file_link_id: linkId } = await link(id)
    const gone = await server.call('DELETE', `${linksOf(id)}/${linkId}`)
    assert.equal(gone.status, 204, gone.text)

    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const page = await get(url, { headers: { accept } })
    assert.equal(page.status, 404)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(page.text, /no longer valid. Ask the sender for a new link/)
    const unknown = await get('/link/x/y.html', { headers: { accept } })
    assert.equal(unknown.text, page.text)
    assertProblem(await get(url), 'not-found')
    assertProblem(await get(url, { headers: { accept: 'image/avif,*/*;q=0.8' } }), 'not-found')
  })

  test('shows the live, the staged or a numbered version, without a key', async () => {
    const { asset_file_id: id } = await makeFile(server, { name: 'a b.html', fileState: 'publish' })
    await save(id, { pageContent: '<p>2</p>', fileState: 'stage' })
    await save(id, { pageContent: '<p>3</p>' })

    const made = await Promise.all([
      link(id),
      link(id, { state: 'live' }),
      link(id, { state: 'stage', note: 'for the print shop' }),
      link(id, { version: 3, expires_in: '7d' }),
    ])
    const shown = await Promise.all(made.map(async ({ url }) => (await get(url)).text))
    assert.deepEqual(shown, ['<p>1</p>', '<p>1</p>', '<p>2</p>', '<p>3</p>'])
    const { url, ...rest } = made[2]
    assert.match(url, /^\/link\/[\w-]{38}\/a%20b\.html$/)
    assert.deepEqual(rest, {
      asset_file_link_id: made[2].asset_file_link_id,
      asset_file_id: id,
      state: 'stage',
      version: null,
      site: null,
      note: 'for the print shop',
      date_expires: new Date(START_MS + 24 * HOUR_MS).toISOString(),
      user_id: 1,
      api_key_id: 1,
      date_added: new Date(START_MS).toISOString(),
      owner: 'admin',
    })
    assert.deepEqual(
      [made[0].state, made[3].state, made[3].version, made[3].date_expires],
      ['live', null, 3, new Date(START_MS + 7 * 24 * HOUR_MS).toISOString()],
    )
  })

  test('responds like a download and stays out of caches and search engines', async () => {
    const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
    const { url } = await link(id)
    const { status, headers, text } = await get(url)
    assert.deepEqual([status, text], [200, '<p>1</p>'])
    assert.deepEqual(
      [
        headers['cache-control'],
        headers['x-robots-tag'],
        headers['referrer-policy'],
        headers['x-content-type-options'],
        headers['set-cookie'],
      ],
      ['no-store', 'noindex', 'no-referrer', 'nosniff', undefined],
    )
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
    assert.match(String(headers['content-disposition']), /^attachment/)
    const head = await server.call('HEAD', url, { key: null })
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '8', ''])
    const part = await get(url, { headers: { range: 'bytes=1-2' } })
    assert.deepEqual([part.status, part.text], [206, 'p>'])
    assert.equal((await get(url, { headers: { range: 'bytes=9-' } })).status, 416)
    const { etag = '' } = headers
    assert.equal((await get(url, { headers: { 'if-none-match': etag } })).status, 304)
    assert.equal((await get(url, { headers: { 'if-match': '"x"' } })).status, 412)
    assert.equal((await get(`/api/v2${url}`)).status, 200)
    assertProblem(await server.call('POST', url, { key: null }), 'method-not-allowed')
  })

  test('streams a large file completely and in ranges', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'large')
    const { asset_file_id: id } = await uploadFile(server, bytes, { fileState: 'publish' })
    const { url } = await link(id)
    assert.ok((await get(url)).bytes.equals(bytes))
    const part = await get(url, { headers: { range: 'bytes=2097152-' } })
    assert.ok(part.bytes.equals(bytes.subarray(2_097_152)))
    assert.equal(part.headers['cache-control'], 'no-store')
  })

  test('ignores the key, the query and the name of its address', async () => {
    const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
    const { url } = await link(id)
    const other = `${url.slice(0, url.lastIndexOf('/'))}/other.txt?state=stage&version=9`
    for (const call of [{}, { key: 'cms_wrong' }, { headers: { authorization: 'Basic eDp5' } }])
      assert.equal((await get(other, call)).text, '<p>1</p>')
  })

  test('cannot be used as a script, with a valid or an invalid token', async () => {
    const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
    const headers = { 'sec-fetch-dest': 'script' }
    for (const url of [(await link(id)).url, '/link/wrong/a.js'])
      assertProblem(await get(url, { headers }), 'ticket-as-code')
  })

  test('to the live version follows a publish, but no draft and no rename', async () => {
    const { asset_file_id: id } = await makeFile(server, {
      name: 'leaf.html',
      fileState: 'publish',
    })
    const { url } = await link(id)
    const before = await get(url)
    await save(id, { name: 'draft.html', pageContent: '<p>draft</p>' })
    await save(id, { title: 'Draft', fileState: 'stage' })
    const after = await get(url)
    for (const name of ['etag', 'content-disposition', 'content-type'] as const)
      assert.equal(after.headers[name], before.headers[name])
    assert.equal(after.text, '<p>1</p>')
    assert.equal((await server.call('GET', linksOf(id))).body.asset_file_link[0].url, url)

    await save(id, { fileState: 'publish' })
    const { text, headers } = await get(url)
    assert.equal(text, '<p>draft</p>')
    assert.match(String(headers['content-disposition']), /draft\.html/)
  })

  test('survives a restart', async () => {
    const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
    const { url } = await link(id)
    await server.stop()
    server = await start()
    assert.equal((await get(url)).text, '<p>1</p>')
  })
})

describe('a link that is not valid', () => {
  test('gets the same response for every reason', async () => {
    const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
    const kept = await link(id)
    const [, , token = ''] = kept.url.split('/')
    const wrong = await refused('/link/wrong/a.html')
    const forged = [
      token.slice(0, -1),
      `${token}A`,
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      'A'.repeat(token.length),
      '%00',
      '..%2F..',
    ]
    for (const each of forged) assert.equal(await refused(`/link/${each}/a.html`), wrong, each)
    assert.equal(await refused(`/link/${forged[0]}/a`, { headers: { range: 'bytes=9-' } }), wrong)

    const revoked = await link(id)
    const path = `${linksOf(id)}/${revoked.asset_file_link_id}`
    assert.equal((await server.call('DELETE', path)).status, 204)
    assert.equal(await refused(revoked.url), wrong)
    assertProblem(await server.call('DELETE', path), 'not-found')

    const expiring = await link(id, { expires_in: 60 })
    nowMs += 59_000
    assert.equal((await get(expiring.url)).status, 200)
    nowMs += 1_000
    assert.equal(await refused(expiring.url), wrong)
    nowMs -= 60_000

    await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
    assert.equal(await refused(kept.url), wrong)
    await server.call('POST', `/api/v2/asset_file/${id}/publish`)
    assert.equal((await get(kept.url)).status, 200)

    assert.equal((await server.call('DELETE', `/api/v2/asset_file/${id}`)).status, 204)
    assert.equal(await refused(kept.url), wrong)
    assertProblem(await server.call('GET', linksOf(id)), 'not-found')
  })

  test('includes links to files of a deleted folder', async () => {
    const folder = await makeFolder(server)
    const { asset_file_id: id } = await makeFile(server, {
      parent_category_id: folder.asset_category_id,
      fileState: 'publish',
    })
    const { url } = await link(id)
    const path = `/api/v2/asset_category/${folder.asset_category_id}?recursive=true`
    assert.equal((await server.call('DELETE', path)).status, 204)
    await refused(url)
  })
})

describe('a link is refused', () => {
  test('if there is nothing to show or the body is invalid', async () => {
    const { asset_file_id: id } = await makeFile(server)
    assertProblem(await ask(id, {}), 'not-published')
    assertProblem(await ask(id, { state: 'stage' }), 'not-published')
    assertProblem(await ask(id, { version: 2 }), 'not-found')
    assertProblem(await ask(999_999, {}), 'not-found')
    assertProblem(await ask(id, {}, { key: null }), 'key-required')
    const wrong: readonly (readonly [object, string])[] = [
      [{ version: 1, state: 'live' }, '/version'],
      [{ version: 0 }, '/version'],
      [{ state: 'publish' }, '/state'],
      [{ expires_in: 'soon' }, '/expires_in'],
      [{ expires_in: 0 }, '/expires_in'],
      [{ expires_in: '91d' }, '/expires_in'],
      [{ note: 'x'.repeat(256) }, '/note'],
      [{ url: '/link/x/y' }, '/url'],
      [{ date_expires: '2027-01-01T00:00:00Z' }, '/date_expires'],
      [{ expires: '1d' }, '/expires'],
    ]
    for (const [json, pointer] of wrong)
      assert.deepEqual(pointersOf(await ask(id, json)), [pointer])
    const longest = await link(id, { version: 1, expires_in: '90d' })
    assert.equal(Date.parse(longest.date_expires) - nowMs, LIMITS.maxLinkMs)
  })
})

test('links are listed newest first, in pages', async () => {
  const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
  const ids: number[] = []
  for (let at = 0; at < 5; at += 1) ids.unshift((await link(id)).asset_file_link_id)
  const first = await server.call('GET', `${linksOf(id)}?length=3`)
  assert.deepEqual(first.body.page, { start: 1, length: 3, total: 5, next: String(ids[2]) })
  assert.match(String(first.headers['cache-control']), /no-store/)
  const { body } = await server.call('GET', `${linksOf(id)}?length=3&cursor=${ids[2]}`)
  const all = [...first.body.asset_file_link, ...body.asset_file_link]
  assert.deepEqual(
    all.map((each: any) => each.asset_file_link_id),
    ids,
  )
  for (const { url } of all) assert.equal((await get(url)).status, 200)
  assert.equal(body.page.next, null)
})

test('an expired link is removed in the background, with a row in the audit trail', async () => {
  const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
  const { asset_file_link_id: linkId } = await link(id, { expires_in: '1h' })
  const kept = await link(id, { expires_in: '3h' })
  await server.stop()
  nowMs += 2 * HOUR_MS
  server = await start()
  const list = async (): Promise<readonly any[]> =>
    (await server.call('GET', linksOf(id))).body.asset_file_link
  assert.ok(await eventually(async () => (await list()).length === 1))
  assert.equal((await list())[0].asset_file_link_id, kept.asset_file_link_id)
  assert.equal((await get(kept.url)).status, 200)
  const qry = JSON.stringify({ object: 'asset_file_link', action: 'delete', user_name: null })
  const { body } = await server.call('GET', `/api/v2/audit?qry=${encodeURIComponent(qry)}`)
  assert.match(JSON.stringify(body.audit), new RegExp(`\\[${linkId},|"object_id":${linkId},`))
})

test('a retry with the same Idempotency-Key gets the same link', async () => {
  const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
  const headers = { 'idempotency-key': 'link' }
  const [first, again] = [await ask(id, {}, { headers }), await ask(id, {}, { headers })]
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await server.call('GET', linksOf(id))).body.page.total, 1)
})

test('the audit trail names the makers and revokers of links, and never an address', async () => {
  const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
  const { asset_file_link_id: linkId, url } = await link(id)
  await server.call('DELETE', `${linksOf(id)}/${linkId}`)
  const { text, body } = await server.call('GET', '/api/v2/audit?length=1000')
  const rows = body.audit.filter((row: any) => row.object === 'asset_file_link')
  assert.deepEqual(
    rows
      .filter((row: any) => row.object_id === linkId)
      .map(({ action, user_name }: any) => [action, user_name]),
    [
      ['create', 'admin'],
      ['delete', 'admin'],
    ],
  )
  assert.ok(!text.includes(url.split('/')[2]))
})
