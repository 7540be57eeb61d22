// Many new files in one request: up to 100, all or none, in one commit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFolder, read, untilFiles } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { contentsOf } from '../../helpers/stored.ts'

const PATH = '/api/v2/asset_file'
let server: TestServer
let folder: number

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

async function newFolder(): Promise<void> {
  folder = (await makeFolder(server)).asset_category_id
}

const page = (name: string, fields: object = {}) => ({
  name,
  type: 'html',
  parent_category_id: folder,
  pageContent: `<p>${name}</p>`,
  ...fields,
})
const send = (json: unknown, headers = {}) => server.call('POST', PATH, { json, headers })

const bodyOf = async (path: string): Promise<any> => (await read(server, path)).body

async function namesInFolder(): Promise<readonly string[]> {
  const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folder }))
  const { asset_file: files } = await bodyOf(`${PATH}?qry=${qry}`)
  return files.map((file: any) => file.name)
}

test('a list of files is created in one request, in order, and returned as a list', async () => {
  await newFolder()
  const answer = await send([page('a.html', { fileState: 'publish' }), page('b.html')])
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.location, undefined)

  const [first, second, ...rest] = answer.body.asset_file
  assert.equal(rest.length, 0)
  assert.deepEqual([first.name, first.live_version, first.path], ['a.html', 1, `${first.path}`])
  assert.deepEqual([second.name, second.live_version, second.version], ['b.html', null, 1])
  const { pageContent, ...stored } = await bodyOf(`${PATH}/${first.asset_file_id}`)
  assert.equal(pageContent, '<p>a.html</p>')
  assert.deepEqual({ ...first, pageContent: null }, { ...stored, pageContent: null })

  const download = await server.call('GET', first.url)
  assert.equal(download.text, '<p>a.html</p>')
})

test('the address /bulk also creates a list, and refuses a single file with the correct address', async () => {
  await newFolder()
  const bulk = (json: unknown) => server.call('POST', `${PATH}/bulk`, { json })
  const answer = await bulk([page('a.html'), page('b.html')])
  assert.equal(answer.status, 201, answer.text)
  assert.deepEqual(await namesInFolder(), ['a.html', 'b.html'])
  const { detail } = assertProblem(await bulk(page('c.html')), 'invalid-content')
  assert.match(detail, /must be a list of .*POST \/api\/v2\/asset_file\./)
  assertProblem(await bulk([]), 'invalid-content')
  assert.deepEqual(await namesInFolder(), ['a.html', 'b.html'])
})

test('the list is one change in the audit trail', async () => {
  await newFolder()
  const { body } = await send([page('a.html'), page('b.html'), page('c.html')])
  const ids = body.asset_file.map((file: any) => file.asset_file_id)
  const { audit } = await bodyOf('/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=1')
  const [{ action, object, object_id: first, last_object_id: last, count }] = audit
  assert.deepEqual(
    [action, object, first, last, count],
    ['create', 'asset_file', ids[0], ids[2], 3],
  )
})

const REFUSED = [
  ['an invalid field', { type: 5 }, 'invalid-content', ['/1/type']],
  ['a taken name', { name: 'there.html' }, 'name-taken', ['/1/name']],
  ['a repeated name', { name: 'A.html' }, 'invalid-content', ['/1/name']],
  ['a missing folder', { parent_category_id: 9_999 }, 'invalid-content', ['/1/parent_category_id']],
  ['a page that is not STML', { type: 'stml' }, 'stml-invalid', ['/1/pageContent']],
  ['a lone surrogate', { pageContent: 'a\0b' }, 'invalid-content', ['/1/pageContent']],
] as const
for (const [what, fields, code, pointers] of REFUSED) {
  test(`a list with ${what} is refused as a whole and leaves nothing`, async () => {
    await newFolder()
    await server.call('POST', PATH, { json: page('there.html', { pageContent: '' }) })
    await untilFiles(server)
    const [names, contents] = [await namesInFolder(), await contentsOf(server.dataDir)]
    // The bytes are too large for the commit, so they are written to a file before the list is refused.
    const large = page('a.html', { pageContent: '<p>large</p>'.padEnd(140_000) })
    const answer = await send([large, page('b.html', fields)])
    assertProblem(answer, code)
    assert.deepEqual(
      answer.body.errors.map((fault: any) => fault.pointer),
      pointers,
    )
    assert.match(answer.body.detail, /Item \/1 of the list:/)
    assert.deepEqual(await namesInFolder(), names)
    assert.deepEqual(await contentsOf(server.dataDir), contents)
  })
}

test('a list has 1 to 50 files', async () => {
  await newFolder()
  const list = Array.from({ length: 51 }, (_, at) => page(`${at}.html`))
  assertProblem(await send([]), 'invalid-content')
  assertProblem(await send(list), 'invalid-content')
  assert.deepEqual(await namesInFolder(), [])

  assert.equal((await send(list.slice(1))).status, 201)
  assert.equal((await namesInFolder()).length, 50)
})

test('a key without publish creates no file of a list that publishes one', async () => {
  await newFolder()
  const key = await server.makeKey({ grants: 'view,create' })
  const json = [page('a.html'), page('b.html', { fileState: 'publish' })]
  assertProblem(await server.call('POST', PATH, { json, key }), 'grant-missing')
  assert.deepEqual(await namesInFolder(), [])
  assert.equal((await server.call('POST', PATH, { json: json.slice(0, 1), key })).status, 201)
})

test('a retry with the same Idempotency-Key gets the same response and creates nothing', async () => {
  await newFolder()
  const headers = { 'idempotency-key': 'list-of-files' }
  const list = [page('a.html'), page('b.html')]
  const first = await send(list, headers)
  const again = await send(list, headers)
  assert.equal(first.status, 201)
  assert.deepEqual([again.status, again.body], [201, first.body])
})

test('other objects do not accept lists', async () => {
  assertProblem(
    await server.call('POST', '/api/v2/asset_category', { json: [{ name: 'x' }] }),
    'invalid-content',
  )
})
