// Deleted entries, datatables and calendars in the trash, and their restore.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, read } from '../../helpers/content.ts'
import { makeCalendar, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { listTrash, remove, restore, trashItem, untilGone } from '../../helpers/trash.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

async function entryItem(tableId: number, entryId: number): Promise<any> {
  const [item] = await listTrash(server, {
    object: 'datatable_entry',
    module_id: tableId,
    object_id: entryId,
  })
  return item
}

test('a restored entry keeps its identifier, values and history', async () => {
  const table = await makeTable(server, 'title C(20), amount N(10.2)', { title_field: 'title' })
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { title: 'a', amount: 1.5 })
  const path = `${table.url}/${id}`
  await server.call('POST', path, { json: { title: 'b' } })
  const old = await read(server, `${path}?fields=*`)
  await remove(server, path)
  assert.equal((await server.call('GET', path)).status, 404)
  assert.equal((await read(server, table.path)).body.entry_count, 0)
  const item = await entryItem(table.id, id)
  assert.equal(item.name, 'b')

  assert.equal((await restore(server, item)).status, 200)
  const now = await read(server, `${path}?fields=*`)
  assert.deepEqual(now.body, old.body)
  assert.notEqual(now.etag, old.etag)
  const { body } = await read(server, `${path}/history`)
  const titles = body.history.map(({ changes }: any) => changes.map(({ to }: any) => to))
  assert.deepEqual(
    titles,
    [[], ['b'], ['a', 1.5]].map((_, at) => titles[at]),
  )
  assert.equal(body.history.length, 3)
})

test('an entry whose unique value was taken meanwhile stays in the trash', async () => {
  const table = await makeTable(server, 'code C(20) UNIQUE')
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { code: 'x' })
  await remove(server, `${table.url}/${id}`)
  const { datatable_entry_id: other } = await makeEntry(server, table.url, { code: 'x' })
  const item = await entryItem(table.id, id)
  assertProblem(await restore(server, item), 'not-unique')
  await remove(server, `${table.url}/${other}`)
  assert.equal((await restore(server, item)).status, 200)
  assert.equal((await read(server, `${table.url}/${id}?fields=*`)).body.code, 'x')
})

test('an entry that breaks a rule of the columns stays in the trash', async () => {
  const table = await makeTable(server, 'a I, b I')
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { a: 5 })
  await remove(server, `${table.url}/${id}`)
  const json = { table_schema: 'a I, b I NOTNULL, CHECK(a < 5)' }
  const changed = await server.call('POST', table.path, { json })
  assert.equal(changed.status, 200, changed.text)
  const { errors } = assertProblem(
    await restore(server, await entryItem(table.id, id)),
    'invalid-content',
  )
  assert.ok(errors.length > 0)
})

test('entries that were deleted with a record return with it', async () => {
  const orders = await makeTable(server, 'number I')
  const lines = await makeTable(
    server,
    `item C(9), of_order I REFERENCES datatable ${orders.id} ON DELETE CASCADE`,
  )
  const { datatable_entry_id: id } = await makeEntry(server, orders.url, { number: 1 })
  const line = await makeEntry(server, lines.url, { item: 'a', of_order: id })
  await remove(server, `${orders.url}/${id}`)
  const path = `${lines.url}/${line.datatable_entry_id}?fields=*`
  assert.equal((await server.call('GET', path)).status, 404)
  const item = await entryItem(orders.id, id)
  assert.equal(item.count, 2)
  assert.equal((await restore(server, item)).status, 200)
  assert.equal((await read(server, path)).body.of_order, id)
})

test('many dependents return in the background', async () => {
  const orders = await makeTable(server, 'number I')
  const lines = await makeTable(
    server,
    `item C(9), of_order I REFERENCES datatable ${orders.id} ON DELETE CASCADE`,
  )
  const { datatable_entry_id: id } = await makeEntry(server, orders.url, { number: 1 })
  const json = Array.from({ length: 120 }, (_, at) => ({ item: `${at}`, of_order: id }))
  assert.equal((await server.call('POST', lines.url, { json })).status, 201)
  await remove(server, `${orders.url}/${id}`)
  const item = await entryItem(orders.id, id)
  const { body } = await restore(server, item)
  assert.deepEqual([body.count, body.is_pending], [121, true])
  await untilGone(server, item)
  assert.equal((await read(server, lines.path)).body.entry_count, 120)
})

test('an entry with a dangling reference returns only with clear_references', async () => {
  const file = await makeFile(server)
  const table = await makeTable(server, 'picture FILE')
  const { datatable_entry_id: id } = await makeEntry(server, table.url, {
    picture: file.asset_file_id,
  })
  await remove(server, `${table.url}/${id}`)
  await remove(server, `/api/v2/asset_file/${file.asset_file_id}`)
  const item = await entryItem(table.id, id)
  const { errors } = assertProblem(await restore(server, item), 'invalid-content')
  assert.deepEqual(
    errors.map(({ pointer }: any) => pointer),
    ['/picture'],
  )
  assert.equal((await restore(server, item, { clear_references: true })).status, 200)
  assert.equal((await read(server, `${table.url}/${id}?fields=*`)).body.picture, null)
})

test('a bulk delete is one item', async () => {
  const table = await makeTable(server, 'a I')
  const json = Array.from({ length: 30 }, (_, a) => ({ a }))
  await server.call('POST', table.url, { json })
  const bulk = { qry: { a: { $lt: 10 } } }
  const answer = await server.call('POST', `${table.url}/bulk_delete`, { json: bulk })
  assert.equal(answer.body.changed, 10)
  const [item, ...others] = await listTrash(server, { module_id: table.id })
  assert.deepEqual([item.count, others.length], [10, 0])
  assert.equal((await restore(server, item)).status, 200)
  assert.equal((await read(server, table.path)).body.entry_count, 30)
})

test('a restored datatable has its entries, and its columns refer to other tables again', async () => {
  const target = await makeTable(server, 'name C(9)')
  const table = await makeTable(server, `a I UNIQUE, b I REFERENCES datatable ${target.id}`)
  const { datatable_entry_id: to } = await makeEntry(server, target.url, { name: 'x' })
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { a: 1, b: to })
  const old = await read(server, table.path)
  await remove(server, table.path)
  assert.equal((await server.call('GET', table.url)).status, 404)
  assert.equal((await server.call('GET', table.path)).status, 404)
  const item = await trashItem(server, 'datatable', table.id)
  assert.equal(item.count, 2)
  assert.equal((await restore(server, item)).status, 200)
  assert.deepEqual((await read(server, table.path)).body, old.body)
  assert.equal((await read(server, `${table.url}/${id}?fields=*`)).body.b, to)
  assertProblem(await server.call('DELETE', target.path), 'in-use')
})

test('dangling references of a datatable are reported, and cleared on request', async () => {
  const target = await makeTable(server, 'name C(9)')
  const table = await makeTable(server, `b I REFERENCES datatable ${target.id}`)
  const { datatable_entry_id: to } = await makeEntry(server, target.url, { name: 'x' })
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { b: to })
  await remove(server, table.path)
  await remove(server, `${target.url}/${to}`)
  const item = await trashItem(server, 'datatable', table.id)
  assertProblem(await restore(server, item), 'in-use')
  const answer = await restore(server, item, { clear_references: true })
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await read(server, `${table.url}/${id}?fields=*`)).body.b, null)
})

test('a datatable cannot be deleted permanently while a datatable in the trash refers to it', async () => {
  const target = await makeTable(server, 'name C(9)')
  const table = await makeTable(server, `b I REFERENCES datatable ${target.id}`)
  await remove(server, table.path)
  await remove(server, target.path)
  const [first, second] = [
    await trashItem(server, 'datatable', target.id),
    await trashItem(server, 'datatable', table.id),
  ]
  assertProblem(await server.call('DELETE', `/api/v2/trash/${first.trash_id}`), 'in-use')
  assertProblem(await restore(server, second), 'in-use')
  await remove(server, `/api/v2/trash/${second.trash_id}`)
  await remove(server, `/api/v2/trash/${first.trash_id}`)
})

test('a restored calendar has its events', async () => {
  const calendar = await makeCalendar(server)
  const event = { event_title: 'Talk', start_time: '2026-01-31T12:00:00Z' }
  const { calendar_entry_id: id } = await makeEntry(server, calendar.url, event)
  await remove(server, calendar.path)
  await restore(server, await trashItem(server, 'calendar', calendar.id))
  assert.equal((await server.call('GET', `${calendar.url}/${id}`)).status, 200)
})
