// POST …/search: the list with its parameters in the body, and the error for an address that is too long.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFolder, newName, pointersOf } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const LISTS = [
  ...['asset_category', 'asset_file', 'file_group', 'datatable', 'calendar'],
  ...['user', 'api_key', 'role', 'webhook', 'audit'],
]

test('every list gives the same results for a search in the body and in the address', async () => {
  const { url } = await makeTable(server, 'title C(9)')
  await makeEntry(server, url, { title: 'a' })
  for (const path of [...LISTS.map((name) => `/api/v2/${name}`), url]) {
    const name = path === url ? 'datatable_entry' : (path.split('/').at(-1) ?? '')
    const qry = { [`${name}.${name}_id`]: { $gte: 1 } }
    const query = new URLSearchParams({ qry: JSON.stringify(qry), length: '2', count: 'exact' })
    const asked = await server.call('GET', `${path}?${query}`)
    const json = { qry, length: 2, count: 'exact', cursor: null }
    const posted = await server.call('POST', `${path}/search`, { json })
    assert.equal(posted.status, 200, `${path}: ${posted.text}`)
    const without = ({ body }: { readonly body: any }) => ({
      ...body,
      page: { ...body.page, next: typeof body.page.next },
    })
    // The first request changes the audit trail and the last use of the key.
    if (!['audit', 'api_key'].includes(name)) assert.deepEqual(without(posted), without(asked))
    assert.equal(posted.headers['link'], undefined)
    const text = await server.call('POST', `${path}/search`, { json: { qry: JSON.stringify(qry) } })
    assert.equal(text.status, 200, text.text)
  }
})

test('a search for thousands of values continues by cursor', async () => {
  const names = await Promise.all([1, 2, 3].map(async () => (await makeFolder(server)).name))
  const others = Array.from({ length: 4_000 }, (_, at) => `none-${at}`)
  const search = { qry: { name: { $in: [...others, ...names] } }, length: 2, fields: 'name' }
  const post = (json: object) => server.call('POST', '/api/v2/asset_category/search', { json })
  const first = await post(search)
  assert.equal(first.status, 200, first.text)
  const second = await post({ ...search, cursor: first.body.page.next })
  const found = [...first.body.asset_category, ...second.body.asset_category]
  assert.deepEqual(found.map(({ name }: any) => name).toSorted(), names.toSorted())
})

test('a search in the body shows no more than the list, changes nothing, and rejects unknown members', async () => {
  const path = '/api/v2/asset_category/search'
  const hidden = await makeFolder(server)
  const folder = await makeFolder(server)
  const grants = { grants: ['view'], asset_category_id: folder.asset_category_id }
  const { secret: key } = await make(server, 'api_key', { name: newName('key'), ...grants })
  const json = { qry: { name: hidden.name } }
  assert.equal((await server.call('POST', path, { json })).body.asset_category.length, 1)
  assert.deepEqual((await server.call('POST', path, { json, key })).body.asset_category, [])
  assertProblem(await server.call('POST', path, { json, key: null }), 'key-required')

  const { secret: idle } = await make(server, 'api_key', { name: newName('key'), grants: [] })
  for (const object of ['user', 'asset_category']) {
    const { status } = await server.call('GET', `/api/v2/${object}`, { key: idle })
    const posted = await server.call('POST', `/api/v2/${object}/search`, { json: {}, key: idle })
    assert.equal(posted.status, status, object)
  }

  const newest = async (): Promise<unknown> => {
    const query = 'orderStr=audit_id&orderDir=DESC&length=1'
    return (await server.call('GET', `/api/v2/audit?${query}`)).body.audit
  }
  const last = await newest()
  await server.call('POST', path, { json })
  assert.deepEqual(await newest(), last)

  assertProblem(await server.call('POST', path, { json: { nmae: 'x' } }), 'bad-request')
  assertProblem(await server.call('POST', `${path}?length=1`, { json: {} }), 'bad-request')
  assertProblem(await server.call('POST', path, { json: { qry: { nmae: 1 } } }), 'bad-qry')
  assertProblem(await server.call('POST', path, { json: { length: 1_001 } }), 'bad-qry')
  for (const wrong of [{ length: true }, { fields: ['name'] }, { qry: 5 }, { table_filter: 1.5 }]) {
    const [name] = Object.keys(wrong)
    assert.deepEqual(pointersOf(await server.call('POST', path, { json: wrong })), [`/${name}`])
  }
})

test('an address that is too long gets 414 with the alternative, regardless of its length', async () => {
  for (const length of [9_000, 15_000, 20_000, 60_000]) {
    const qry = JSON.stringify({ name: { $in: ['x'.repeat(length)] } })
    const answer = await server.call('GET', `/api/v2/asset_file?qry=${encodeURIComponent(qry)}`)
    assert.equal(answer.status, 414, String(length))
    const { detail } = assertProblem(answer, 'uri-too-long')
    assert.match(detail, /address may have at most 8,192 bytes.*POST.*\/search.*body/)
  }
  const headers = { 'x-long': 'x'.repeat(20_000) }
  const { detail } = assertProblem(
    await server.call('GET', '/health', { headers }),
    'headers-too-large',
  )
  assert.match(detail, /headers together/)
})

test('the feed of a calendar ignores unknown parameters', async () => {
  const { module_url: url } = await make(server, 'calendar', { name: newName('calendar') })
  for (const query of ['', '?v=2', '?_=1732280000&a=b'])
    assert.equal((await server.call('GET', `${url}.ics${query}`)).status, 200, query)
})

test('a range request for an empty file gets the whole file', async () => {
  const file = { name: newName('txt'), type: 'txt', parent_category_id: 1, pageContent: '' }
  const { url } = await make(server, 'asset_file', { ...file, fileState: 'publish' })
  for (const range of ['bytes=0-', 'bytes=0-99', 'bytes=-5']) {
    const { status, bytes } = await server.call('GET', url, { headers: { range } })
    assert.deepEqual([status, bytes.length], [200, 0], range)
  }
})
