// orderStr=a,b with orderDir=ASC,DESC: lists of objects and entries, sorted by several fields.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder } from '../../helpers/content.ts'
import { entriesOf, listAll, makeCalendar, makeEntries, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
const SCHEMA = 'country C(2), city C(60), people I, rating N(3.1), note X'
let server: TestServer
let folder: number
let url: string

const FILES = [
  ['b.html', 'html', 'One'],
  ['a.html', 'html', 'Two'],
  ['d.pdf', 'print', 'One'],
  ['c.pdf', 'print', null],
  ['e.html', 'html', 'Two'],
] as const

const CITIES = [
  { country: 'IS', city: 'Akureyri', people: 19, rating: '4.5' },
  { country: 'DE', city: 'Ulm', people: 126, rating: '4.5' },
  { country: 'DE', city: 'Aachen', people: 249, rating: '3.0' },
  { country: null, city: 'Atlantis', people: null, rating: null },
  { country: 'IS', city: 'Akureyri', people: 20, rating: '5.0' },
  { country: 'DE', city: 'Kiel', people: 249, rating: '4.5' },
]

before(async () => {
  server = await startTestServer()
  folder = (await makeFolder(server, { name: 'sorted' })).asset_category_id
  for (const [name, type, title] of FILES)
    await makeFile(server, { name, type, title, parent_category_id: folder })
  url = (await makeTable(server, SCHEMA)).url
  await makeEntries(server, url, CITIES)
})
after(() => server.close())

async function files(query: string): Promise<readonly string[]> {
  const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folder }))
  const { status, body, text } = await server.call('GET', `${PATH}?qry=${qry}&${query}`)
  assert.equal(status, 200, text)
  return body.asset_file.map(({ name }: any) => name[0])
}

const ORDERS: readonly (readonly [string, string])[] = [
  ['orderStr=type,name', 'a b e c d'],
  ['orderStr=type,name&orderDir=DESC', 'd c e b a'],
  ['orderStr=type,name&orderDir=ASC,DESC', 'e b a d c'],
  ['orderStr=type,name&orderDir=desc,asc', 'c d a b e'],
  ['orderStr=type,title,name&orderDir=ASC,DESC,DESC', 'e a b d c'],
  ['orderStr=type,title,asset_file_id&orderDir=ASC,ASC,DESC', 'b e a c d'],
  ['orderStr=title,type', 'c b d a e'],
  ['orderStr=title,asset_file_id&orderDir=ASC,DESC', 'c d b e a'],
  ['orderStr=asset_file_id,name&orderDir=DESC,ASC', 'e c d a b'],
  ['orderStr=asset_file.type, asset_file.name', 'a b e c d'],
  ['orderStr="type,name"&orderDir="ASC,DESC"', 'e b a d c'],
  ['orderStr="type","name"&orderDir="ASC","DESC"', 'e b a d c'],
  [`orderStr='type', 'name'&orderDir='ASC', 'DESC'`, 'e b a d c'],
]

test('files are sorted by several fields, each in its direction', async (t) => {
  for (const [query, expected] of ORDERS) {
    await t.test(query, async () => {
      assert.equal((await files(encodeURI(query))).join(' '), expected)
    })
  }
})

test('entries are sorted by several columns, paged by cursor and by number', async () => {
  const order = { orderStr: 'country,rating,people', orderDir: 'DESC,DESC,ASC' }
  const expected = [20, 19, 126, 249, 249, null]
  for (const length of [1, 2, 4, 100]) {
    const all = await listAll(server, url, { ...order, length, fields: 'people,city' })
    assert.deepEqual(
      all.map(({ people }) => people),
      expected,
    )
    assert.deepEqual(all.map(({ city }) => city).slice(3, 5), ['Kiel', 'Aachen'])
  }
  const second = await server.call(
    'GET',
    `${url}?orderStr=country,rating,people&orderDir=DESC,DESC,ASC&start=2&length=2&count=exact`,
  )
  assert.deepEqual(
    entriesOf(second.body).map(({ people }: any) => people),
    [126, 249],
  )
  assert.equal(second.body.page.total, 6)
})

test('qry, table_filter and the window of a calendar apply before sorting', async () => {
  const order = { orderStr: 'country,city,datatable_entry_id', orderDir: 'ASC,ASC,DESC' }
  const found = await listAll(server, url, { ...order, qry: { country: 'IS' }, fields: 'people' })
  assert.deepEqual(
    found.map(({ people }) => people),
    [20, 19],
  )
  const filtered = await listAll(server, url, { ...order, table_filter: 'k', fields: 'people' })
  assert.deepEqual(
    filtered.map(({ people }) => people),
    [249, 20, 19],
  )

  const calendar = await makeCalendar(server)
  const at = (day: number, event_title: string, location: string) => ({
    event_title,
    location,
    start_time: `2026-03-0${day}T09:00:00Z`,
  })
  const events = [at(1, 'z', 'x'), at(2, 'b', 'y'), at(3, 'a', 'x'), at(4, 'c', 'y')]
  await makeEntries(server, calendar.url, events)
  const window = { from: '2026-03-02', to: '2026-03-09' }
  const byPlace = { orderStr: 'location,event_title', orderDir: 'DESC,ASC', length: 2 }
  const inWindow = await listAll(server, calendar.url, { ...window, ...byPlace })
  assert.deepEqual(
    inWindow.map(({ event_title }) => event_title),
    ['b', 'c', 'a'],
  )
  const path = `${calendar.url}?from=2026-03-02&to=2026-03-09&expand=true&orderStr=location,event_title`
  assert.match(assertProblem(await server.call('GET', path), 'bad-qry').detail, /^orderStr cannot/)
})

test('a cursor is stable while records inside a run are created and deleted', async () => {
  const own = (await makeTable(server, SCHEMA)).url
  await makeEntries(server, own, CITIES)
  const query = `${own}?orderStr=country,people&orderDir=DESC,ASC&length=2&fields=people`
  const first = await server.call('GET', query)
  assert.deepEqual(
    entriesOf(first.body).map(({ people }: any) => people),
    [19, 20],
  )
  await makeEntries(server, own, [
    { country: 'IS', people: 1 },
    { country: 'DE', people: 200 },
  ])
  const cursor = first.body.page.next
  const rest = await server.call('GET', `${query.replace('length=2', 'length=9')}&cursor=${cursor}`)
  assert.deepEqual(
    entriesOf(rest.body).map(({ people }: any) => people),
    [126, 200, 249, 249, null],
  )
  const other = await server.call('GET', `${own}?orderStr=country,city&length=2&cursor=${cursor}`)
  assertProblem(other, 'bad-qry')
})

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['orderStr=name,nme', /cannot be sorted by "nme".* Did you mean "name"\? Sort by one of: /],
  ['orderStr=nme,name', /cannot be sorted by "nme"/],
  ['orderStr=name,pageContent', /cannot be sorted by "pageContent"/],
  ['orderStr=name,type,name', /orderStr has "name" more than once/],
  ['orderStr=name,asset_file.name', /orderStr has "name" more than once/],
  ['orderStr=name,', /comma without a field/],
  ['orderStr=,', /comma without a field/],
  ['orderStr=name,type,title,version,owner', /5 fields; a list can be sorted by at most 4/],
  ['orderStr=name,type&orderDir=ASC,UP', /orderDir must be ASC or DESC/],
  ['orderStr=name,type&orderDir=ASC,', /orderDir must be ASC or DESC/],
  ['orderStr=name,type&orderDir=ASC,ASC,ASC', /3 directions for 2 fields/],
  ['orderStr=name,type,title&orderDir=ASC,DESC', /2 directions for 3 fields/],
  ['orderDir=ASC,DESC', /2 directions for 0 fields/],
  ['orderStr=name&orderDir=ASC,DESC', /2 directions for 1 field of/],
]

test('fields that cannot be sorted by are rejected with the list of sort fields', async () => {
  for (const [query, detail] of REFUSED) {
    const problem = assertProblem(await server.call('GET', `${PATH}?${query}`), 'bad-qry')
    assert.match(problem.detail, detail)
  }
})

test('folders are not sorted by fields that the key cannot see, also as a further field', async () => {
  const key = await server.makeKey({ name: 'narrow', category: folder })
  const path = '/api/v2/asset_category?orderStr=name,parent_category_id'
  assert.equal((await server.call('GET', path)).status, 200)
  assertProblem(await server.call('GET', path, { key }), 'bad-qry')
})

test('every object can be sorted by two fields', async () => {
  for (const object of ['file_group', 'datatable', 'calendar', 'user', 'api_key', 'audit']) {
    if (object === 'file_group') await make(server, object, { name: 'group' })
    const path = `/api/v2/${object}?orderStr=date_added,${object}_id&orderDir=DESC,ASC&length=2`
    const answer = await server.call('GET', path)
    assert.equal(answer.status, 200, answer.text)
    if (answer.body.page.next === null) continue
    const next = await server.call('GET', `${path}&cursor=${answer.body.page.next}`)
    assert.equal(next.status, 200, next.text)
  }
})
