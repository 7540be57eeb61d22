// The history of an entry: every change with its author, its time and the values before and after, and the restore of an
// earlier state.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, makeFolder, read } from '../../helpers/content.ts'
import { historyOf, restore, update } from '../../helpers/history.ts'
import { changeSchema, makeCalendar, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const WHOLE = { from_omitted_bytes: null, to_omitted_bytes: null }

describe('the history of an entry', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  async function makeBook(fields: object): Promise<string> {
    const { url } = await makeTable(server, 'title C(80) NOTNULL, price N(8.2), body X')
    const { datatable_entry_id: id } = await makeEntry(server, url, fields)
    return `${url}/${id}`
  }

  test('lists who changed which columns when, from what to what, newest first', async () => {
    const entry = await makeBook({ title: 'A', price: '1.50' })
    const second = await update(server, entry, { title: 'B', body: 'text' })
    const third = await update(server, entry, { price: null })

    const { history, page } = await historyOf(server, entry)
    assert.deepEqual(page, { start: 1, length: 100, total: null, next: null })
    const user_name = 'admin'
    const created = { number: 1, date_added: second.date_added, user_name, action: 'create' }
    assert.deepEqual(
      history.map(({ date_added, ...item }) => item),
      [
        { number: 3, user_name, action: 'update', changes: [changed('price', '1.50', null)] },
        {
          number: 2,
          user_name,
          action: 'update',
          changes: [changed('title', 'A', 'B'), changed('body', null, 'text')],
        },
        {
          number: 1,
          user_name,
          action: 'create',
          changes: [changed('title', null, 'A'), changed('price', null, '1.50')],
        },
      ],
    )
    assert.equal(history[2].date_added, created.date_added)
    const rows = await server.call('GET', '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=2')
    assert.deepEqual(
      history.slice(0, 2).map((item) => item.date_added),
      rows.body.audit.map((row: any) => row.date_added),
    )
    assert.ok(third.date_modified >= second.date_modified)
  })

  const changed = (name: string, from: unknown, to: unknown) => ({ name, from, to, ...WHOLE })

  test('an update that changes nothing, or that is refused, adds nothing', async () => {
    const entry = await makeBook({ title: 'A' })
    await update(server, entry, { title: 'A' })
    assertProblem(await server.call('POST', entry, { json: { title: null } }), 'invalid-content')
    const { history } = await historyOf(server, entry)
    assert.deepEqual(
      history.map(({ number }) => number),
      [1],
    )
  })

  test('pages follow each other without gaps and repeat nothing', async () => {
    const entry = await makeBook({ title: '1' })
    for (let number = 2; number <= 7; number += 1) {
      await update(server, entry, { title: String(number) })
    }
    const { history: all } = await historyOf(server, entry)
    for (const length of [1, 2, 3, 7]) {
      const items: any[] = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? '' : `&cursor=${cursor}`
        const { history, page } = await historyOf(server, entry, `?length=${length}${more}`)
        assert.ok(history.length <= length)
        items.push(...history)
        cursor = page.next
      } while (cursor !== null)
      assert.deepEqual(items, all, `pages of ${length}`)
    }
    const { history, page } = await historyOf(server, entry, '?cursor=1')
    assert.deepEqual([history, page.next], [[], null])
  })

  test('a restore is a new change, reported as an update, with the values of that state', async () => {
    const entry = await makeBook({ title: 'A', price: '1.50', body: 'old' })
    await update(server, entry, { title: 'B', body: null })
    await update(server, entry, { title: 'C', price: '9.00' })

    const answer = await restore(server, entry, 1)
    assert.equal(answer.status, 200, answer.text)
    const { body, etag } = await read(server, `${entry}?fields=*`)
    assert.deepEqual(answer.body, body)
    assert.equal(answer.headers.etag, etag)
    assert.deepEqual([body.title, body.price, body.body], ['A', '1.50', 'old'])

    const { history } = await historyOf(server, entry)
    assert.equal(history.length, 4)
    assert.deepEqual(history[0].changes, [
      changed('title', 'C', 'A'),
      changed('price', '9.00', '1.50'),
      changed('body', null, 'old'),
    ])
    const { audit } = (await server.call('GET', '/api/v2/audit?orderDir=DESC&length=1')).body
    assert.equal(audit[0].action, 'update')
    assert.deepEqual(audit[0].changed_fields, ['title', 'price', 'body'])
    assert.doesNotMatch(JSON.stringify(audit[0]), /1\.50|old/)

    assert.equal((await restore(server, entry, 4)).status, 200, 'the newest state changes nothing')
    assert.equal((await historyOf(server, entry)).history.length, 4)
    await restore(server, entry, 3)
    const again = await read(server, `${entry}?fields=*`)
    assert.deepEqual([again.body.title, again.body.price, again.body.body], ['C', '9.00', null])
  })

  test('a restore checks If-Match, the number, the body and the parameters', async () => {
    const entry = await makeBook({ title: 'A' })
    await update(server, entry, { title: 'B' })
    const stale = await restore(server, entry, 1, { headers: { 'if-match': '"r1"' } })
    assertProblem(stale, 'precondition-failed')
    for (const number of [3, 99]) assertProblem(await restore(server, entry, number), 'not-found')
    assertProblem(await restore(server, entry, 1, { json: { title: 'X' } }), 'invalid-content')
    assertProblem(await server.call('POST', `${entry}/history/1/restore?force=1`), 'bad-request')
    assertProblem(await server.call('POST', `${entry}/history/x/restore`), 'not-found')
    assertProblem(await server.call('GET', `${entry}/history?order=1`), 'bad-request')
    const { etag } = await read(server, entry)
    const fresh = await restore(server, entry, 1, { headers: { 'if-match': etag } })
    assert.equal(fresh.status, 200, fresh.text)
  })

  test('a restore that breaks a rule is refused like an update', async () => {
    const { url, path } = await makeTable(server, 'code C(20) UNIQUE, note C(20)')
    const { datatable_entry_id: id } = await makeEntry(server, url, { code: 'a' })
    await update(server, `${url}/${id}`, { code: 'b', note: 'n' })
    await makeEntry(server, url, { code: 'a' })
    const taken = await restore(server, `${url}/${id}`, 1)
    assertProblem(taken, 'not-unique')

    await server.call('DELETE', `${url}/${Number(id) + 1}`)
    const required = { table_schema: 'code C(20) UNIQUE, note C(20) NOTNULL' }
    const answer = await changeSchema(server, path, required)
    assert.equal(answer.status, 200, answer.text)
    const empty = await restore(server, `${url}/${id}`, 1)
    assertProblem(empty, 'invalid-content')
    assert.match(empty.text, /note/)
  })

  test('a retry with the same Idempotency-Key restores once', async () => {
    const entry = await makeBook({ title: 'A' })
    await update(server, entry, { title: 'B' })
    const headers = { 'idempotency-key': 'restore-1' }
    const first = await restore(server, entry, 1, { headers })
    const second = await restore(server, entry, 1, { headers })
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(second.body, first.body)
    assert.equal((await historyOf(server, entry)).history.length, 3)
  })

  test('past values have the present names and types of their columns', async () => {
    const { url, path } = await makeTable(server, 'a C(20), b C(20), gone C(20)')
    const { datatable_entry_id: id } = await makeEntry(server, url, { a: '1', b: 'x', gone: 'g' })
    const entry = `${url}/${id}`
    await update(server, entry, { a: '2', b: 'y', gone: 'h' })
    const schema = {
      table_schema: 'b C(20), c I, added C(20) DEFAULT "new"',
      columns: [{ name: 'c', renamed_from: 'a' }],
    }
    const answer = await changeSchema(server, path, schema, '?confirm=drop')
    assert.equal(answer.status, 200, answer.text)
    await update(server, entry, { c: 3, added: 'set' })

    const { history } = await historyOf(server, entry)
    assert.deepEqual(history[0].changes, [changed('c', 2, 3), changed('added', 'new', 'set')])
    assert.deepEqual(history[1].changes, [changed('c', 1, 2), changed('b', 'x', 'y')])
    const restored = await restore(server, entry, 1)
    const { b, c, added } = restored.body
    assert.deepEqual({ b, c, added }, { b: 'x', c: 1, added: 'new' })

    // A new column with the name of a dropped one has no past.
    const again = { table_schema: 'b C(20), c I, gone C(20)' }
    await changeSchema(server, path, again, '?confirm=drop')
    const { history: now } = await historyOf(server, entry)
    assert.ok(now.every(({ changes }) => changes.every((one: any) => one.name !== 'gone')))
  })

  test('events have a history with their base fields', async () => {
    const { url } = await makeCalendar(server, { table_schema: 'room C(20)' })
    const event = { event_title: 'Talk', start_time: '2026-03-01T10:00:00Z', room: '1' }
    const { calendar_entry_id: id } = await makeEntry(server, url, event)
    const entry = `${url}/${id}`
    await update(server, entry, { all_day: true, start_time: '2026-03-02', end_time: '2026-03-04' })
    const { history } = await historyOf(server, entry)
    assert.deepEqual(history[0].changes, [
      changed('start_time', '2026-03-01T10:00:00.000Z', '2026-03-02T00:00:00.000Z'),
      changed('end_time', null, '2026-03-04T00:00:00.000Z'),
      changed('all_day', false, true),
    ])
    const { body } = await restore(server, entry, 1)
    const { start_time, end_time, all_day } = body
    const wanted = { start_time: '2026-03-01T10:00:00.000Z', end_time: null, all_day: false }
    assert.deepEqual({ start_time, end_time, all_day }, wanted)
  })

  test('lists and values of JSON are restored, and references only to entries that still exist', async () => {
    const { url: others, id: target } = await makeTable(server, 'title C(80)')
    for (const title of ['A', 'B']) await makeEntry(server, others, { title })
    const columns = [
      'price N(8.2)',
      "total N(8.2) COMPUTED 'price * 2'",
      `related I REFERENCES datatable ${target} MANY`,
      'data JSON',
      "tags SET('a','b')",
    ]
    const { url } = await makeTable(server, columns.join(', '))
    const before = { price: '1.00', related: [1, 2], data: { a: [1] }, tags: ['a'] }
    const now = { price: '3.00', related: [2], data: { b: 1 }, tags: ['b', 'a'] }
    await makeEntry(server, url, before)
    await update(server, `${url}/1`, now)
    const { history } = await historyOf(server, `${url}/1`)
    const expected = (['price', 'related', 'data', 'tags'] as const).map((name) =>
      changed(name, before[name], now[name]),
    )
    assert.deepEqual(history[0].changes, expected)
    const { body } = await restore(server, `${url}/1`, 1)
    const { price, total, related, data, tags } = body
    assert.deepEqual({ price, total, related, data, tags }, { ...before, total: '2.00' })

    await restore(server, `${url}/1`, 2)
    assert.equal((await server.call('DELETE', `${others}/1`)).status, 204)
    const { errors } = assertProblem(await restore(server, `${url}/1`, 1), 'invalid-content')
    assert.equal(errors[0].pointer, '/related')
  })

  test('a key with only view reads the history and cannot restore', async () => {
    const entry = await makeBook({ title: 'A' })
    const key = await server.makeKey({ grants: 'view' })
    const { history } = await historyOf(server, entry, '', key)
    assert.equal(history.length, 1)
    assertProblem(await server.call('POST', `${entry}/history/1/restore`, { key }), 'grant-missing')
  })

  test('is hidden from users without view in the folder and from callers without a key', async () => {
    const { asset_category_id: folder } = await makeFolder(server)
    const fields = { parent_category_id: folder, public: true }
    const { url } = await makeTable(server, 'title C(80)', fields)
    const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'A' })
    const path = `${url}/${id}/history`
    assertProblem(await server.call('GET', path, { key: null }), 'key-required')
    const { asset_category_id: other } = await makeFolder(server)
    const key = await server.makeKey({ grants: 'view,modify', category: other })
    assertProblem(await server.call('GET', path, { key }), 'not-found')
    assertProblem(await server.call('POST', `${path}/1/restore`, { key }), 'not-found')
    assertProblem(await server.call('GET', `${url}/999/history`), 'not-found')
  })
})
