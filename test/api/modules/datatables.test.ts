// Datatables and their addresses in the Module API, as in the source document and the contract.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFolder, pointersOf, read } from '../../helpers/content.ts'
import {
  entriesOf,
  listEntries,
  type MadeModule,
  makeCalendar,
  makeEntries,
  makeEntry,
  makeTable,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const SCHEMA = 'title C(255) NOTNULL, body X(Large) NULL'

test('a datatable is created as documented, and the response is complete', async () => {
  const given = {
    name: 'Événements & More 2026!',
    parent_category_id: 12,
    datatable_type: 'Data',
    title_field: 'title',
    table_schema: SCHEMA,
  }
  const answer = await server.call('POST', '/api/v2/datatable', { json: given })
  assert.equal(answer.status, 201, answer.text)
  const { body, headers } = answer
  const id = body.datatable_id
  assert.ok(Number.isInteger(id) && id >= 1)
  assert.equal(headers.location, `/api/v2/datatable/${id}`)
  assert.match(String(headers.etag), /^"[^"]+"$/)
  assert.deepEqual({ ...body, ...given }, body)
  assert.equal(body.module_name, 'evenements-more-2026')
  assert.equal(body.module_url, `/api/v2/module/datatable/${id}/evenements-more-2026`)
  assert.equal(body.entry_count, 0)
  assert.equal(body.owner, 'admin')
  assert.match(body.date_added, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(
    body.columns.map(({ name, type, size, isRequired }: any) => ({ name, type, size, isRequired })),
    [
      { name: 'title', type: 'C', size: 255, isRequired: true },
      { name: 'body', type: 'X', size: null, isRequired: false },
    ],
  )
  assert.deepEqual((await read(server, `/api/v2/datatable/${id}`)).body, body)
})

test('its entries are available in the next request, without a publish step', async () => {
  const table = await makeTable(server, SCHEMA)
  assert.deepEqual(entriesOf(await listEntries(server, table.url)), [])
  const created = await server.call('POST', table.url, { json: { title: 'first' } })
  assert.equal(created.status, 201)
  assert.equal((await read(server, table.path)).body.entry_count, 1)
})

test('table_schema is returned exactly as it was sent', async () => {
  const table_schema = '  Title   c( 20 )\n notnull ,\r\n\tPrice N(8.2) DEFAULT 1.50,  '
  const { record, path } = await makeTable(server, table_schema)
  assert.equal(record.table_schema, table_schema)
  assert.equal((await read(server, path)).body.table_schema, table_schema)
})

test('the folder Modules is found by its name and is the default folder of a datatable', async () => {
  const qry = encodeURIComponent('{"name":"Modules"}')
  const found = await server.call('GET', `/api/v2/asset_category?qry=${qry}`)
  assert.equal(found.body.asset_category[0].asset_category_id, 12)
  assert.equal((await makeTable(server, SCHEMA)).record.parent_category_id, 12)
})

const REFUSED: readonly (readonly [string, object, readonly string[]])[] = [
  ['nothing', {}, ['/name', '/table_schema']],
  ['no column', { name: 'a', table_schema: ' , ' }, ['/table_schema']],
  ['an unknown type', { name: 'a', table_schema: 'a FOO' }, ['/table_schema']],
  ['a reserved name', { name: 'a', table_schema: 'owner C(9)' }, ['/table_schema']],
  ['__proto__ as a column', { name: 'a', table_schema: '__proto__ C(9)' }, ['/table_schema']],
  ['toString as a column', { name: 'a', table_schema: 'a I, toString C(9)' }, ['/table_schema']],
  [
    'a title_field that is not a column',
    { name: 'a', table_schema: SCHEMA, title_field: 'x' },
    ['/title_field'],
  ],
  [
    'an unknown datatable_type',
    { name: 'a', table_schema: SCHEMA, datatable_type: 'X' },
    ['/datatable_type'],
  ],
  [
    'a missing folder',
    { name: 'a', table_schema: SCHEMA, parent_category_id: 999 },
    ['/parent_category_id'],
  ],
  [
    'fields that the server sets',
    { name: 'a', table_schema: SCHEMA, datatable_id: 5, module_name: 'x', entry_count: 1 },
    ['/datatable_id', '/entry_count', '/module_name'],
  ],
  ['an unknown field', { name: 'a', table_schema: SCHEMA, tilte: 'x' }, ['/tilte']],
  [
    'several faults',
    { name: 5, datatable_type: 1, owner: 'x' },
    ['/datatable_type', '/name', '/owner', '/table_schema'],
  ],
]

for (const [what, json, pointers] of REFUSED) {
  test(`B12: a datatable with ${what} is refused at ${pointers.join(' ')}`, async () => {
    const before = await server.call('GET', '/api/v2/datatable?count=exact')
    const answer = await server.call('POST', '/api/v2/datatable', { json })
    assert.deepEqual(pointersOf(answer), pointers)
    const after = await server.call('GET', '/api/v2/datatable?count=exact')
    assert.equal(after.body.page.total, before.body.page.total)
  })
}

test('B13: an address whose type, number and name do not agree is not found', async () => {
  const table = await makeTable(server, SCHEMA, { name: 'Agree' })
  const calendar = await makeCalendar(server, { name: 'Agree' })
  await makeEntry(server, table.url, { title: 'x' })
  const wrong = [
    `/api/v2/module/calendar/${table.id + 1000}/agree`,
    `/api/v2/module/datatable/${table.id}/Agree`,
    `/api/v2/module/datatable/${table.id}/agree2`,
    `/api/v2/module/datatable/${table.id + 1000}/agree`,
    `/api/v2/module/datatables/${table.id}/agree`,
    `/api/v2/module/asset_file/${table.id}/agree`,
    `/api/v2/module/__proto__/${table.id}/agree`,
    `/api/v2/module/datatable/0${table.id}/agree`,
    `/api/v2/module/datatable/x/agree`,
    `/api/v2/module/calendar/${calendar.id}/agreed`,
  ]
  for (const url of wrong) {
    assertProblem(await server.call('GET', url), 'not-found')
    assertProblem(await server.call('POST', url, { json: { title: 'x' } }), 'not-found')
    assertProblem(await server.call('GET', `${url}/1`), 'not-found')
    assertProblem(await server.call('POST', `${url}/1`, { json: {} }), 'not-found')
    assertProblem(await server.call('DELETE', `${url}/1`), 'not-found')
  }
  assert.equal(entriesOf(await listEntries(server, table.url)).length, 1)
})

test('B13: a renamed module has a new address at once, and the old address redirects', async () => {
  const table = await makeTable(server, SCHEMA, { name: 'Old name' })
  const entry = await makeEntry(server, table.url, { title: 'kept' })
  const renamed = await server.call('POST', table.path, { json: { name: 'New name' } })
  assert.equal(renamed.status, 200)
  assert.equal(renamed.body.module_url, `/api/v2/module/datatable/${table.id}/new-name`)
  const { status, headers } = await server.call('GET', table.url)
  assert.deepEqual([status, headers.location], [308, renamed.body.module_url])
  const [found] = entriesOf(await listEntries(server, renamed.body.module_url))
  assert.deepEqual(found, entry)
})

test('a datatable can be sent back as it was read and does not change', async () => {
  const table = await makeTable(server, SCHEMA, { title_field: 'title' })
  const before = await read(server, table.path)
  const answer = await server.call('POST', table.path, { json: before.body })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, before.body)
  assert.equal(answer.headers.etag, before.etag)
})

test('an update changes the fields in its body, and If-Match prevents lost updates', async () => {
  const table = await makeTable(server, SCHEMA)
  const { etag } = await read(server, table.path)
  const json = { title: 'T', description: 'D' }
  const headers = { 'if-match': etag }
  const first = await server.call('POST', table.path, { json, headers })
  assert.equal(first.status, 200, first.text)
  assert.deepEqual({ ...first.body, ...json }, first.body)
  assert.equal(first.body.table_schema, SCHEMA)
  assertProblem(await server.call('POST', table.path, { json, headers }), 'precondition-failed')
  assertProblem(await server.call('DELETE', table.path, { headers }), 'precondition-failed')
})

test('a deleted module and its entries are gone at once, and its number is never reused', async () => {
  const table = await makeTable(server, SCHEMA, { name: 'gone' })
  await makeEntries(
    server,
    table.url,
    Array.from({ length: 700 }, () => ({ title: 'x' })),
  )
  assert.equal((await server.call('DELETE', table.path)).status, 204)
  assertProblem(await server.call('GET', table.path), 'not-found')
  assertProblem(await server.call('GET', table.url), 'not-found')
  assertProblem(await server.call('GET', `${table.url}/1?fields=*`), 'not-found')
  assertProblem(await server.call('POST', table.url, { json: { title: 'x' } }), 'not-found')

  const next = await makeTable(server, SCHEMA, { name: 'gone' })
  assert.ok(next.id > table.id)
  assert.equal(next.record.entry_count, 0)
  assert.deepEqual(entriesOf(await listEntries(server, next.url)), [])
})

test('a folder with a module is not empty, and a recursive delete includes the module', async () => {
  const folder = (await makeFolder(server)).asset_category_id
  const inner = (await makeFolder(server, { parent_category_id: folder })).asset_category_id
  const modules: readonly MadeModule[] = [
    await makeTable(server, SCHEMA, { parent_category_id: inner }),
    await makeCalendar(server, { parent_category_id: folder }),
  ]
  await makeEntry(server, modules[0]?.url ?? '', { title: 'x' })
  const refused = await server.call('DELETE', `/api/v2/asset_category/${inner}`)
  assert.match(assertProblem(refused, 'not-empty').detail, /datatable/)

  const removed = await server.call('DELETE', `/api/v2/asset_category/${folder}?recursive=true`)
  assert.equal(removed.status, 204)
  for (const { path, url } of modules) {
    assertProblem(await server.call('GET', url), 'not-found')
    assertProblem(await server.call('POST', url, { json: { title: 'x' } }), 'not-found')
    assertProblem(await server.call('GET', path), 'not-found')
  }
})

test('the same number in another module is another entry', async () => {
  const tables = [await makeTable(server, SCHEMA), await makeTable(server, SCHEMA)] as const
  const calendar = await makeCalendar(server)
  const [left, right] = [
    await makeEntry(server, tables[0].url, { title: 'left' }),
    await makeEntry(server, tables[1].url, { title: 'right' }),
  ]
  const event = { event_title: 'event', start_time: '2026-01-01' }
  assert.equal((await makeEntry(server, calendar.url, event)).calendar_entry_id, 1)
  assert.deepEqual([left.datatable_entry_id, right.datatable_entry_id], [1, 1])

  await server.call('POST', `${tables[0].url}/1`, { json: { title: 'changed' } })
  assert.deepEqual((await read(server, `${tables[1].url}/1?fields=*`)).body, right)
  assert.equal((await server.call('DELETE', `${tables[0].url}/1`)).status, 204)
  assert.equal((await read(server, `${tables[1].url}/1?fields=title`)).body.title, 'right')
  assert.equal((await read(server, `${calendar.url}/1`)).body.event_title, 'event')
})

test('datatables can be searched like every object, and entry_count is exact', async () => {
  const folder = (await makeFolder(server)).asset_category_id
  const table = await makeTable(server, SCHEMA, {
    name: 'One of a kind',
    parent_category_id: folder,
  })
  await make(server, 'datatable', { name: 'b', table_schema: SCHEMA, parent_category_id: folder })
  await makeEntries(server, table.url, [{ title: 'a' }, { title: 'b' }])
  const qry = encodeURIComponent(JSON.stringify({ name: '/one OF/i', parent_category_id: folder }))
  const found = await server.call('GET', `/api/v2/datatable?qry=${qry}`)
  assert.deepEqual(
    found.body.datatable.map((item: any) => [item.datatable_id, item.entry_count]),
    [[table.id, 2]],
  )
  await server.call('DELETE', `${table.url}/1`)
  assert.equal((await read(server, table.path)).body.entry_count, 1)
})
