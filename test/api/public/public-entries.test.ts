// Public datatables and calendars: everybody reads the rows of the filter, with only the public columns.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeFolder } from '../../helpers/content.ts'
import { makeCalendar, makeEntry, type MadeModule, makeTable } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let table: MadeModule
before(async () => {
  server = await startTestServer()
  table = await makeTable(server, 'title C(80) NOTNULL, approved L, secret C(20), hits I', {
    public: true,
    public_columns: ['title'],
    public_filter: { approved: true },
  })
  for (const [title, approved, hits] of [
    ['a', true, 3],
    ['b', false, 2],
    ['c', true, 1],
  ])
    await makeEntry(server, table.url, { title, approved, hits, secret: `secret ${title}` })
})
after(() => server.close())

const noKey = (address: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call('GET', address, { key: null, headers })

const titlesOf = ({ body }: Answer): readonly string[] =>
  body.datatable_entry.map(({ title }: any) => title)

describe('a public table', () => {
  test('lists the rows of its filter with the public columns, and counts only them', async () => {
    const answer = await noKey(`${table.url}?count=exact`)
    assert.equal(answer.status, 200)
    assert.deepEqual(titlesOf(answer), ['a', 'c'])
    assert.deepEqual(Object.keys(answer.body.datatable_entry[0]), [
      'datatable_entry_id',
      'title',
      'date_added',
      'date_modified',
    ])
    assert.equal(answer.body.page.total, 2)
    assert.equal(answer.headers['x-total'], '2')
    assert.equal(answer.headers['server-timing'], undefined)
    assert.equal(answer.headers['cache-control'], 'public, no-cache')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  })

  test('has an ETag for its list, and answers 304 while nothing of it changed', async () => {
    const { headers } = await noKey(table.url)
    const condition = { 'if-none-match': String(headers.etag) }
    assert.equal((await noKey(table.url, condition)).status, 304)
    const { datatable_entry_id: id } = await makeEntry(server, table.url, { title: 'not yet' })
    assert.equal((await noKey(table.url, condition)).status, 304)
    const path = `${table.url}/${id}`
    await server.call('POST', path, { json: { approved: true } })
    assert.equal((await noKey(table.url, condition)).status, 200)
    await server.call('DELETE', path)
  })

  test('reads one row of the filter; any other row is answered like a missing row', async () => {
    const { status, body } = await noKey(`${table.url}/1?fields=*`)
    assert.deepEqual(
      [status, body.title, 'secret' in body, 'owner' in body],
      [200, 'a', false, false],
    )
    const said = async (id: number): Promise<string> => {
      const answer = await noKey(`${table.url}/${id}`)
      assert.equal(answer.status, 404)
      return answer.body.detail.replace(String(id), 'N')
    }
    assert.equal(await said(2), await said(999))
  })

  test('searches and sorts by public columns only, without hints about others', async () => {
    const search = (qry: object): Promise<Answer> =>
      noKey(`${table.url}?qry=${encodeURIComponent(JSON.stringify(qry))}`)
    assert.deepEqual(titlesOf(await search({ title: 'c' })), ['c'])
    assert.deepEqual(titlesOf(await search({ title: 'b' })), [])
    assert.deepEqual(titlesOf(await search({ $or: [{ title: 'b' }, { title: 'a' }] })), ['a'])
    for (const name of ['secret', 'approved', 'hits', 'owner'])
      assert.equal((await search({ [name]: 1 })).status, 400, name)
    for (const query of ['orderStr=hits', 'fields=secret', 'fields=owner'])
      assert.equal((await noKey(`${table.url}?${query}`)).status, 400, query)
    assert.deepEqual(titlesOf(await noKey(`${table.url}?table_filter=secret`)), [])
    assert.equal((await search({ title: 'NONE' })).body.page.hint, undefined)
    assert.deepEqual(titlesOf(await noKey(`${table.url}?orderStr=title&orderDir=DESC`)), ['c', 'a'])
  })

  test('pages with cursors, and has a limit of its own for the length', async () => {
    const first = await noKey(`${table.url}?length=1`)
    assert.deepEqual(titlesOf(first), ['a'])
    const next = await noKey(`${table.url}?length=1&cursor=${first.body.page.next}`)
    assert.deepEqual(titlesOf(next), ['c'])
    assert.equal((await noKey(`${table.url}?length=100`)).status, 200)
    assert.match((await noKey(`${table.url}?length=101`)).body.detail, /from 1 to 100/)
  })

  test('can be read only: every other request needs a key', async () => {
    for (const [method, address] of [
      ['POST', table.url],
      ['POST', `${table.url}/search`],
      ['POST', `${table.url}/bulk`],
      ['POST', `${table.url}/1`],
      ['PATCH', `${table.url}/1`],
      ['DELETE', `${table.url}/1`],
      ['GET', table.path],
      ['GET', '/api/v2/datatable'],
    ] as const) {
      const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
      const { status } = await server.call(method, address, { key: null, ...json })
      assert.equal(status, 401, `${method} ${address}`)
    }
  })

  test('is answered like a missing table if it is not public or its folder is deleted', async () => {
    const { asset_category_id: folder } = await makeFolder(server)
    const other = await makeTable(server, 'a I', { parent_category_id: folder })
    assert.equal((await noKey(other.url)).status, 401)
    await server.call('POST', other.path, { json: { public: true } })
    assert.equal((await noKey(other.url)).status, 200)
    await server.call('DELETE', `/api/v2/asset_category/${folder}?recursive=true`)
    assert.equal((await noKey(other.url)).status, 401)
  })
})

describe('the settings of a public module', () => {
  test('are checked against its columns', async () => {
    const update = async (json: object): Promise<string> =>
      (await server.call('POST', `${table.path}?confirm=drop`, { json })).body.errors?.[0]
        ?.detail ?? 'none'
    assert.match(await update({ public_columns: ['nope'] }), /names "nope", which is not a column/)
    assert.match(await update({ public_filter: { nope: 1 } }), /nope is not a searchable field/)
    assert.match(await update({ public_filter: 'approved' }), /must be a qry as an object/)
    assert.match(
      await update({ table_schema: 'title C(80) NOTNULL, secret C(20), hits I' }),
      /approved is not a searchable field/,
    )
  })

  test('follow renamed and dropped columns', async () => {
    const { path, url } = await makeTable(server, 'a C(9), b C(9)', {
      public: true,
      public_columns: ['a', 'b'],
    })
    const change = (json: object): Promise<Answer> => server.call('POST', path, { json })
    await change({
      table_schema: 'x C(9), b C(9)',
      columns: [{ name: 'x', renamed_from: 'a' }, { name: 'b' }],
    })
    const { body } = await change({ table_schema: 'x C(9), c C(9)' })
    assert.deepEqual(body.public_columns, ['x'])
    await makeEntry(server, url, { x: '1', c: '2' })
    assert.equal((await noKey(`${url}/1?fields=*`)).body.c, undefined)
  })

  test('do not pass to a column that takes the name of a public one', async () => {
    const { path, url } = await makeTable(server, 'title C(9), secret C(9)', {
      public: true,
      public_columns: ['title'],
    })
    await makeEntry(server, url, { title: 'open', secret: 'closed' })
    const columns = [{ name: 'title', renamed_from: 'secret' }]
    const json = { table_schema: 'title C(9)', columns }
    const { status, body } = await server.call('POST', `${path}?confirm=drop`, { json })
    assert.deepEqual([status, body.public_columns], [200, []])
    assert.doesNotMatch((await noKey(`${url}?fields=*`)).text, /closed/)
  })

  test('do not let a filter select by another column of the same name', async () => {
    const { path } = await makeTable(server, 'a C(9), b C(9)', {
      public: true,
      public_filter: { $not: { a: '1' } },
    })
    const columns = [{ name: 'a', renamed_from: 'b' }]
    const change = (json: object): Promise<Answer> =>
      server.call('POST', `${path}?confirm=drop`, {
        json: { table_schema: 'a C(9)', columns, ...json },
      })
    const { status, body } = await change({})
    assert.deepEqual([status, body.errors?.[0]?.pointer], [422, '/public_filter'])
    assert.match(body.errors[0].detail, /uses a, which is now another column/)
    assert.equal((await change({ public_filter: { a: '2' } })).status, 200)
  })

  test('need the grant publish', async () => {
    const key = await server.makeKey({ name: 'no publish', grants: 'view,create,modify' })
    const { path } = await makeTable(server, 'a I')
    const change = (json: object): Promise<Answer> => server.call('POST', path, { key, json })
    for (const json of [{ public: true }, { public_columns: ['a'] }, { public_filter: { a: 1 } }])
      assert.equal((await change(json)).body.grant, 'publish')
    assert.equal((await change({ title: 'allowed', public: false })).status, 200)
    for (const json of [{ public_columns: null }, { public_filter: null }]) {
      const { body } = await server.call('POST', table.path, { key, json })
      assert.equal(body.grant, 'publish', JSON.stringify(json))
    }
    const created = await server.call('POST', '/api/v2/datatable', {
      key,
      json: { name: 'denied', table_schema: 'a I', public: true },
    })
    assert.equal(created.status, 403)
  })
})

describe('a public calendar', () => {
  test('shows its events, its occurrences and its feed', async () => {
    const calendar = await makeCalendar(server, {
      table_schema: 'shown L',
      public: true,
      public_columns: ['location'],
      public_filter: { shown: true },
    })
    const event = { start_time: '2026-01-01T10:00:00Z', location: 'Room 1', description: 'hidden' }
    await makeEntry(server, calendar.url, {
      ...event,
      event_title: 'Open',
      shown: true,
      rrule: 'FREQ=DAILY;COUNT=3',
    })
    await makeEntry(server, calendar.url, { ...event, event_title: 'Closed', shown: false })
    const window = 'from=2026-01-01&to=2026-02-01'
    for (const [query, count] of [
      ['', 1],
      [`?${window}`, 1],
      [`?${window}&expand=true`, 3],
    ] as const) {
      const { body } = await noKey(calendar.url + query)
      assert.equal(body.calendar_entry.length, count, query)
      for (const entry of body.calendar_entry) {
        assert.deepEqual([entry.event_title, entry.location], ['Open', 'Room 1'])
        assert.ok(!('description' in entry) && !('shown' in entry) && !('owner' in entry))
      }
    }
    const { status, text, headers } = await noKey(`${calendar.url}.ics`)
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'public, no-cache')
    assert.match(text, /SUMMARY:Open\r\n/)
    assert.match(text, /LOCATION:Room 1\r\n/)
    assert.doesNotMatch(text, /Closed|hidden/)
  })

  test('that is not public asks for a password', async () => {
    const { url } = await makeCalendar(server)
    const { status, headers } = await noKey(`${url}.ics`)
    assert.equal(status, 401)
    assert.match(String(headers['www-authenticate']), /Basic realm="cms"/)
  })
})

test('after a rename, lists, entries and feeds redirect to the present address', async () => {
  const isPublic = { public: true }
  const { url, path } = await makeTable(server, 'title C(80)', { ...isPublic, name: 'First' })
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'a' })
  const calendar = await makeCalendar(server, { ...isPublic, name: 'Dates' })
  const rename = async (address: string): Promise<string> =>
    (await server.call('POST', address, { json: { name: 'Second' } })).body.module_url
  const [table, dates] = [await rename(path), await rename(calendar.path)]
  for (const [former, present] of [
    [url, table],
    [`${url}/${id}?fields=*`, `${table}/${id}?fields=*`],
    [`${calendar.url}.ics`, `${dates}.ics`],
  ] as const) {
    const { status, headers } = await noKey(former)
    assert.deepEqual([status, headers.location], [308, present])
    assert.equal((await noKey(present)).status, 200)
  }
})

test('a name that a module had only while it was not public leads nowhere for readers without a key', async () => {
  const { url, path } = await makeTable(server, 'title C(80)', { name: 'Secret plan' })
  const change = async (json: object): Promise<string> =>
    (await server.call('POST', path, { json })).body.module_url
  const shown = await change({ name: 'Shown', public: true })
  const guessed = await noKey(shown.replace('shown', 'guessed'))
  const secret = await noKey(url)
  assert.deepEqual([guessed.status, secret.status], [404, 404])
  assert.equal(secret.headers.location, undefined)
  assert.equal((await server.call('GET', url)).status, 308, 'a key sees the former name')

  // Now the module has this name while it is public.
  await change({ name: 'Secret plan' })
  const last = await change({ name: 'Last' })
  const { status, headers } = await noKey(url)
  assert.deepEqual([status, headers.location], [308, last])
})

test('with --docs keyed, readers without a key get the document of the public modules', async () => {
  const keyed = await startTestServer({ config: { docs: 'keyed' } })
  try {
    const read = (address: string): Promise<Answer> => keyed.call('GET', address, { key: null })
    const document = '/public/api/module/swagger.json'
    const hidden = await makeTable(keyed, 'hidden_column I')
    assert.equal((await read(document)).status, 401)
    const schema =
      "shown_column I, other_column I, sum I COMPUTED 'shown_column + other_column', double I COMPUTED 'shown_column * 2', CHECK(shown_column > 41), CHECK(other_column > 42), UNIQUE(shown_column, other_column)"
    const shown = await makeTable(keyed, schema, {
      public: true,
      public_columns: ['shown_column', 'sum', 'double'],
    })
    const { status, text, body } = await read(document)
    assert.equal(status, 200)
    assert.match(text, /shown_column/)
    assert.doesNotMatch(text, /hidden_column|other_column/)
    assert.match(text, /Every entry keeps CHECK\(shown_column > 41\)/)
    assert.match(text, /Computed: shown_column \* 2/)
    for (const path of Object.values<object>(body.paths))
      assert.deepEqual(
        Object.keys(path).filter((name) => name !== 'parameters'),
        ['get'],
      )
    const names = await read('/public/api/module/modules.json')
    assert.deepEqual(
      names.body.modules.map(({ module }: any) => module),
      [`datatable/${shown.id}`],
    )
    assert.equal((await read(`${document}?module=datatable/${hidden.id}`)).status, 404)
    await keyed.call('POST', shown.path, { json: { public: false } })
    assert.equal((await read(document)).status, 401)
  } finally {
    await keyed.close()
  }
})
