// Hidden parts influence no response to a reader without a key: neither rows outside of the filter, nor columns that
// are not public, nor addresses in folders that are not public.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeFile, makeFolder } from '../../helpers/content.ts'
import { makeCalendar, makeEntry, type MadeModule, makeTable } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const LIST_BYTES = 20_000

let server: TestServer
before(async () => {
  server = await startTestServer({ limits: { listBytes: LIST_BYTES } })
})
after(() => server.close())

const noKey = (address: string): Promise<Answer> => server.call('GET', address, { key: null })

async function makePublic(fields: object, rows: readonly object[]): Promise<MadeModule> {
  const schema = 'title C(40), price I, approved L, notes X'
  const table = await makeTable(server, schema, {
    public: true,
    public_columns: ['title', 'price'],
    ...fields,
  })
  for (let at = 0; at < rows.length; at += 500) {
    const { status, text } = await server.call('POST', table.url, {
      json: rows.slice(at, at + 500),
    })
    assert.equal(status, 201, text)
  }
  return table
}

function shown(count: number, fields: object = {}): readonly object[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ title: `T${9 - at}`, price: 10 + at, approved: true },
    ...fields,
  }))
}

const hidden = (count: number, fields: object): readonly object[] =>
  Array.from({ length: count }, () => ({ title: 'hidden', price: 0, approved: false, ...fields }))

/** The same search of several tables, without what is different by nature. */
async function search(table: MadeModule, query: Record<string, string>) {
  const { status, body, headers } = await noKey(`${table.url}?${new URLSearchParams(query)}`)
  const titles = body.datatable_entry?.map(({ title }: any) => title)
  const { next, ...page } = body.page ?? {}
  return { status, titles, page, hasNext: next?.length, total: headers['x-total'] }
}

describe('rows outside of the filter', () => {
  test('change neither the total of a list nor the length of its cursor', async () => {
    const fields = { public_filter: { approved: true } }
    const few = await makePublic(fields, [...shown(6), ...hidden(2, { price: 0 })])
    const many = await makePublic(fields, [...shown(6), ...hidden(9, { price: 90 })])
    for (const orderStr of ['price', 'title', 'title,price'])
      for (const qry of [
        { price: { $gte: 1 } },
        { title: { $gte: 'S' } },
        { price: { $lt: 12 } },
      ]) {
        const query = { qry: JSON.stringify(qry), orderStr, length: '2' }
        assert.deepEqual(await search(many, query), await search(few, query), JSON.stringify(query))
      }
  })

  test('do not change the order of a list, regardless of their number', async () => {
    const fields = { public_filter: { $not: { approved: false } } }
    const few = await makePublic(fields, shown(6))
    const many = await makePublic(fields, [...shown(6), ...hidden(1_100, { title: 'Z' })])
    const query = { qry: JSON.stringify({ title: { $gte: 'A' } }) }
    const found = await search(many, query)
    assert.deepEqual(found, await search(few, query))
    assert.deepEqual(found.titles, ['T9', 'T8', 'T7', 'T6', 'T5', 'T4'])
  })
})

describe('columns that are not public', () => {
  test('do not shorten a page, regardless of the length of their values', async () => {
    const short = await makePublic({}, shown(6))
    const long = await makePublic({}, shown(6, { notes: 'n'.repeat(LIST_BYTES / 2) }))
    const found = await search(long, {})
    assert.deepEqual(found, await search(short, {}))
    assert.equal(found.titles.length, 6)
  })

  test('do not shorten a page of occurrences', async () => {
    const calendar = await makeCalendar(server, { public: true, public_columns: [] })
    await makeEntry(server, calendar.url, {
      event_title: 'Open',
      start_time: '2026-01-01T10:00:00Z',
      rrule: 'FREQ=DAILY;COUNT=9',
      description: 'd'.repeat(LIST_BYTES / 4),
    })
    const { body } = await noKey(`${calendar.url}?from=2026-01-01&to=2026-02-01&expand=true`)
    assert.deepEqual([body.calendar_entry.length, body.page.next], [9, null])
  })
})

describe('a file that was live in a folder that is not public', () => {
  test('does not reveal its name from that time', async () => {
    const [open, shut] = [await makeFolder(server, { public: true }), await makeFolder(server)]
    const file = await makeFile(server, {
      name: 'secret-name.html',
      parent_category_id: shut.asset_category_id,
      fileState: 'publish',
    })
    const path = `/api/v2/asset_file/${file.asset_file_id}`
    const change = (json: object): Promise<Answer> => server.call('POST', path, { json })
    await change({ name: 'open.html', fileState: 'publish' })
    await change({ parent_category_id: open.asset_category_id })
    await change({ name: 'new.html', fileState: 'publish' })

    const said = async (name: string) => {
      const { status, body } = await noKey(`/file/${file.asset_file_id}/${name}`)
      return { status, ...body, request_id: undefined }
    }
    assert.equal((await said('new.html')).status, 200)
    assert.equal((await said('open.html')).status, 308)
    assert.deepEqual(await said('secret-name.html'), await said('other-name.html'))
    assert.equal(
      (await server.call('GET', `/file/${file.asset_file_id}/secret-name.html`)).status,
      308,
    )
  })
})
