// Entries of a datatable: the documented forms, and the forms that a client can request.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFolder, pointersOf, read } from '../../helpers/content.ts'
import { entriesOf, listEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const SCHEMA =
  'title C(40) NOTNULL, body X(Large), price N(6.2), stock I DEFAULT 7, day D DEFDATE, seen T DEFTIMESTAMP'
const PREFER = { prefer: 'return=representation' }
const BASE = ['datatable_entry_id', 'date_added', 'date_modified', 'owner']
const COLUMNS = ['title', 'body', 'price', 'stock', 'day', 'seen']

let server: TestServer
let url: string
before(async () => {
  server = await startTestServer()
  url = (await makeTable(server, SCHEMA)).url
})
after(() => server.close())

const create = (json: unknown, headers = {}) => server.call('POST', url, { json, headers })

test('the response to a create has the stored columns, no identifier and no Location', async () => {
  const answer = await create({ title: 'one', price: '1.50' })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, undefined)
  assert.equal(answer.headers['preference-applied'], undefined)
  assert.deepEqual(Object.keys(answer.body), ['datatable_entry'])
  const { day, seen, ...entry } = answer.body.datatable_entry
  assert.deepEqual(entry, { title: 'one', body: null, price: '1.50', stock: 7 })
  assert.equal(day, new Date(seen).toISOString().slice(0, 10))
  assert.ok(Math.abs(Date.now() - Date.parse(seen)) < 60_000)
})

test('the identifier of a new entry is found by a search for one of its values', async () => {
  await create({ title: 'find me' })
  const [found] = entriesOf(await listEntries(server, url, { qry: { title: 'find me' } }))
  assert.deepEqual(Object.keys(found).sort(), [...BASE, ...COLUMNS].sort())
  assert.ok(Number.isInteger(found.datatable_entry_id))
  assert.equal(found.owner, 'admin')
})

test('with Prefer: return=representation the response to a create is the whole entry', async () => {
  for (const prefer of [PREFER.prefer, 'respond-async, return="representation"; foo=1']) {
    const answer = await create({ title: 'whole' }, { prefer })
    const entry = answer.body.datatable_entry
    const path = `${url}/${entry.datatable_entry_id}`
    assert.equal(answer.headers['preference-applied'], 'return=representation')
    assert.equal(answer.headers.location, path)
    const whole = await read(server, `${path}?fields=*`)
    assert.deepEqual(entry, whole.body)
    assert.equal(answer.headers.etag, whole.etag)
  }
})

test('a read of one entry returns the base fields and the columns in fields', async () => {
  const entry = await makeEntry(server, url, { title: 'read' })
  const path = `${url}/${entry.datatable_entry_id}`
  const fieldsOf = async (query: string) => Object.keys((await read(server, path + query)).body)
  assert.deepEqual((await fieldsOf('')).sort(), [...BASE].sort())
  assert.deepEqual((await fieldsOf('?fields=*')).sort(), [...BASE, ...COLUMNS].sort())
  const some = await fieldsOf('?fields=title,price')
  assert.deepEqual(some.sort(), [...BASE, 'title', 'price'].sort())
  const refused = await server.call('GET', `${path}?fields=titel`)
  assert.match(assertProblem(refused, 'bad-qry').detail, /did you mean "title"/)
  assertProblem(await server.call('GET', `${path}?field=*`), 'bad-request')
})

test('a list returns the requested fields', async () => {
  await create({ title: 'selected' })
  const qry = { title: 'selected' }
  const body = await listEntries(server, url, { qry, fields: 'price,title' })
  assert.deepEqual(body.datatable_entry, [{ price: null, title: 'selected' }])
})

test('a search by the bare identifier is ambiguous, as documented; the qualified name works', async () => {
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'by id' })
  for (const qry of [{ datatable_entry_id: id }, { $or: [{ datatable_entry_id: { $gt: 1 } }] }]) {
    const answer = await server.call('GET', `${url}?qry=${encodeURIComponent(JSON.stringify(qry))}`)
    const { detail } = assertProblem(answer, 'ambiguous-column')
    assert.match(detail, /datatable_entry\.datatable_entry_id/)
    assert.match(detail, /\?fields=\*/)
  }
  for (const value of [id, String(id), { $in: [id] }, { $gte: id, $lte: id }]) {
    const qry = { 'datatable_entry.datatable_entry_id': value }
    const body = await listEntries(server, url, { qry })
    assert.deepEqual(
      body.datatable_entry.map((entry: any) => entry.title),
      ['by id'],
    )
  }
})

test('an update changes only the columns in its body', async () => {
  const before = await makeEntry(server, url, { title: 'a', body: 'b', price: 1 })
  const path = `${url}/${before.datatable_entry_id}`
  const answer = await server.call('POST', path, { json: { body: null, stock: 3 } })
  assert.equal(answer.status, 200, answer.text)
  const { date_modified } = answer.body
  assert.deepEqual(answer.body, { ...before, body: null, stock: 3, date_modified })
  assert.ok(date_modified >= before.date_modified)
  assert.deepEqual((await read(server, `${path}?fields=*`)).body, answer.body)
})

test('an entry can be sent back as it was read and does not change', async () => {
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'back' })
  const before = await read(server, `${url}/${id}?fields=*`)
  const answer = await server.call('POST', `${url}/${id}`, { json: before.body })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, before.body)
  assert.deepEqual(await read(server, `${url}/${id}?fields=*`), before)
})

test('If-Match and If-None-Match work on entries', async () => {
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'etag' })
  const path = `${url}/${id}`
  const { etag } = await read(server, path)
  const headers = { 'if-none-match': etag }
  assert.equal((await server.call('GET', path, { headers })).status, 304)
  assert.equal((await server.call('GET', `${path}?fields=*`, { headers })).status, 200)

  const match = { headers: { 'if-match': etag } }
  const first = await server.call('POST', path, { json: { stock: 1 }, ...match })
  assert.equal(first.status, 200)
  assert.notEqual(first.headers.etag, etag)
  const second = await server.call('POST', path, { json: { stock: 2 }, ...match })
  assertProblem(second, 'precondition-failed')
  assertProblem(await server.call('DELETE', path, match), 'precondition-failed')
  assert.equal((await read(server, `${path}?fields=stock`)).body.stock, 1)
  const newest = { headers: { 'if-match': String(first.headers.etag) } }
  assert.equal((await server.call('DELETE', path, newest)).status, 204)
})

test('a deleted entry is not found, its number is not reused, and DELETE accepts a body', async () => {
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'gone' })
  const removed = await server.call('DELETE', `${url}/${id}`, { json: {} })
  assert.deepEqual([removed.status, removed.text], [204, ''])
  assertProblem(await server.call('DELETE', `${url}/${id}`), 'not-found')
  assertProblem(await server.call('GET', `${url}/${id}`), 'not-found')
  assertProblem(await server.call('POST', `${url}/${id}`, { json: { title: 'x' } }), 'not-found')
  assert.deepEqual(entriesOf(await listEntries(server, url, { qry: { title: 'gone' } })), [])
  assert.ok((await makeEntry(server, url, { title: 'next' })).datatable_entry_id > id)
})

const REFUSED: readonly (readonly [string, object, readonly string[]])[] = [
  ['nothing', {}, ['/title']],
  ['null in a NOTNULL column', { title: null }, ['/title']],
  [
    'every fault at once',
    { title: 5, price: 'x', day: 'x', stock: 1.5 },
    ['/day', '/price', '/stock', '/title'],
  ],
  ['an unknown property', { title: 'x', 'a/b~c': 1 }, ['/a~1b~0c']],
  [
    'properties that the server sets',
    { title: 'x', owner: 'me', datatable_entry_id: 1, date_added: '2020-01-01' },
    ['/datatable_entry_id', '/date_added', '/owner'],
  ],
  ['the stored layout', { title: 'x', $layout: 1 }, ['/$layout']],
  ['an object as a value', { title: { a: 1 }, body: ['x'] }, ['/body', '/title']],
]

for (const [what, json, pointers] of REFUSED) {
  test(`an entry with ${what} is refused at ${pointers.join(' ')}`, async () => {
    const total = (await listEntries(server, url, { count: 'exact' })).page.total
    assert.deepEqual(pointersOf(await create(json)), pointers)
    assert.equal((await listEntries(server, url, { count: 'exact' })).page.total, total)
  })
}

test('an update is checked like a create and changes nothing if it has faults', async () => {
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'x' })
  const before = await read(server, `${url}/${id}?fields=*`)
  const json = { title: null, stock: 'one', owner: 'me', nope: 1, price: 12345.678 }
  const refused = await server.call('POST', `${url}/${id}`, { json })
  assert.deepEqual(pointersOf(refused), ['/nope', '/owner', '/price', '/stock', '/title'])
  assert.deepEqual(await read(server, `${url}/${id}?fields=*`), before)
})

test('a mistyped property gets the closest column in the error', async () => {
  const { errors } = assertProblem(await create({ titel: 'x', title: 'y' }), 'invalid-content')
  assert.match(errors[0].detail, /did you mean "title"/)
})

const MALFORMED = ['', 'x', '{"title":"a","title":"b"}', '{"__proto__":{}}', '{"title":"\\ud800"}']

test('a body that is not a JSON object is refused', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const body of MALFORMED)
    assertProblem(await server.call('POST', url, { body, headers }), 'bad-json')
  for (const json of ['text', 5, null, true]) assert.deepEqual(pointersOf(await create(json)), [''])
  assertProblem(await server.call('POST', url, { body: 'title=x' }), 'unsupported-media-type')
  assert.equal(Object.getPrototypeOf({}).title, undefined)
})

test('other methods are refused with the list of methods', async () => {
  assertProblem(await server.call('PUT', url, { json: {} }), 'method-not-allowed')
  const removed = await server.call('DELETE', url)
  assertProblem(removed, 'method-not-allowed')
  assert.deepEqual(String(removed.headers.allow).split(', ').sort(), [
    'GET',
    'HEAD',
    'OPTIONS',
    'POST',
  ])
})

test('grants come from the folder of the module, which is invisible without them', async () => {
  const folder = (await makeFolder(server)).asset_category_id
  const table = await makeTable(server, SCHEMA, { parent_category_id: folder })
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { title: 'x' })
  const path = `${table.url}/${id}`
  const attempts: readonly (readonly [string, string, object | undefined, string])[] = [
    ['GET', table.url, undefined, 'view'],
    ['GET', path, undefined, 'view'],
    ['POST', table.url, { title: 'y' }, 'create'],
    ['POST', path, { title: 'z' }, 'modify'],
    ['DELETE', path, undefined, 'delete'],
  ]
  const { asset_category_id: other } = await makeFolder(server)
  const outside = await server.makeKey({ name: 'out', category: other })
  for (const [method, address, json, grant] of attempts) {
    const more = json === undefined ? {} : { json }
    assertProblem(await server.call(method, address, { key: outside, ...more }), 'not-found')
    assertProblem(await server.call(method, address, { key: null, ...more }), 'key-required')
    // The grant modify includes create.
    const enough = grant === 'create' ? ['create', 'modify'] : [grant]
    const others = ['view', 'create', 'modify', 'delete'].filter((item) => !enough.includes(item))
    const lacking = await server.makeKey({ name: 'lacks', grants: others.join(',') })
    const refused = await server.call(method, address, { key: lacking, ...more })
    assert.match(assertProblem(refused, 'grant-missing').detail, new RegExp(grant))
  }
  for (const [method, address, json, grant] of attempts) {
    const key = await server.makeKey({ name: grant, grants: grant, category: folder })
    const more = json === undefined ? {} : { json }
    const answer = await server.call(method, address, { key, ...more })
    assert.ok(answer.status < 300, `${method} ${grant}: ${answer.text}`)
  }
})
