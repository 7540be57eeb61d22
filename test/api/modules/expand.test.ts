// expand: lists and reads of entries with the records that they refer to, as each caller sees them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder } from '../../helpers/content.ts'
import {
  entriesOf,
  listEntries,
  makeCalendar,
  makeEntry,
  type MadeModule,
  makeTable,
} from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let firms: MadeModule
let authors: MadeModule
let posts: MadeModule
let photo: any
let ids: Readonly<Record<'firm' | 'ada' | 'bob' | 'first' | 'second' | 'third', number>>

before(async () => {
  server = await startTestServer()
  firms = await makeTable(server, 'name C(80)', {
    parent_category_id: (await makeFolder(server)).asset_category_id,
  })
  authors = await makeTable(server, `name C(80), firm I REFERENCES datatable ${firms.id}`)
  posts = await makeTable(
    server,
    `title C(80), author I REFERENCES datatable ${authors.id}, related I REFERENCES SELF MANY, photo I REFERENCES asset_file, body X`,
  )
  photo = await makeFile(server, { title: 'A photo', fileState: 'publish' })
  const idOf = async (url: string, json: object): Promise<number> =>
    (await makeEntry(server, url, json)).datatable_entry_id
  const firm = await idOf(firms.url, { name: 'Analytical Engines' })
  const ada = await idOf(authors.url, { name: 'Ada', firm })
  const bob = await idOf(authors.url, { name: 'Bob' })
  const first = await idOf(posts.url, { title: 'First', author: ada, body: 'x'.repeat(20_000) })
  const second = await idOf(posts.url, { title: 'Second', author: bob, photo: photo.asset_file_id })
  const third = await idOf(posts.url, { title: 'Third', related: [second, first] })
  ids = { firm, ada, bob, first, second, third }
})
after(() => server.close())

const get = (address: string, key?: string | null): Promise<Answer> =>
  server.call('GET', address, key === undefined ? {} : { key })

const expandedIn = (answer: Answer): readonly any[] => {
  assert.equal(answer.status, 200, answer.text)
  return entriesOf(answer.body).map(({ expanded }) => expanded)
}

describe('expand', () => {
  test('adds the records of references to a list, and leaves the numbers', async () => {
    const { body, ...answer } = await get(`${posts.url}?expand=author,photo&orderStr=title`)
    const [first, second, third] = expandedIn({ body, ...answer })
    const plain = entriesOf(await listEntries(server, authors.url))
    assert.deepEqual(
      [first, third],
      [
        { author: plain[0], photo: null },
        { author: null, photo: null },
      ],
    )
    assert.deepEqual(second.author, plain[1])
    assert.deepEqual(
      entriesOf(body).map(({ author }) => author),
      [ids.ada, ids.bob, null],
    )
  })

  test('follows two references and keeps the order of a list', async () => {
    const path = `${posts.url}/${ids.third}?fields=title&expand=related.author,author.firm`
    const { body } = await get(path)
    assert.deepEqual(body.title, 'Third')
    assert.equal('related' in body, false)
    const { related, author } = body.expanded
    assert.equal(author, null)
    assert.deepEqual(
      related.map((post: any) => [post.title, post.expanded.author.name]),
      [
        ['Second', 'Bob'],
        ['First', 'Ada'],
      ],
    )
    const { body: first } = await get(`${posts.url}/${ids.first}?fields=*&expand=author.firm`)
    assert.equal(first.body.length, 20_000)
    assert.equal(first.expanded.author.expanded.firm.name, 'Analytical Engines')
  })

  test('shows the same fields of a file as a read of the file', async () => {
    const { body } = await get(`${posts.url}/${ids.second}?expand=photo`)
    const shown = body.expanded.photo
    const { body: whole } = await get(`/api/v2/asset_file/${photo.asset_file_id}`)
    assert.deepEqual(
      shown,
      Object.fromEntries(Object.keys(shown).map((name) => [name, whole[name]])),
    )
    for (const name of [
      'name',
      'type',
      'size',
      'date_published',
      'date_modified',
      'live_version',
      'url',
    ])
      assert.ok(name in shown, name)
  })

  test('leaves out a record that the key may not see, as if the reference were null', async () => {
    const folder = (await makeFolder(server)).asset_category_id
    const inside = await makeTable(server, `author I REFERENCES datatable ${authors.id}`, {
      parent_category_id: folder,
    })
    await makeEntry(server, inside.url, { author: ids.ada })
    const key = await server.makeKey({ name: 'inside', grants: 'view', category: folder })
    const { body, ...answer } = await get(`${inside.url}?expand=author.firm`, key)
    assert.deepEqual(expandedIn({ body, ...answer }), [{ author: null }])
    assert.equal(entriesOf(body)[0].author, ids.ada)
  })

  test('affects the ETag and invalidates cached responses', async () => {
    const path = `${posts.url}/${ids.first}?expand=author`
    const list = `${posts.url}?expand=author.firm&length=2`
    const { headers } = await get(path)
    const condition = { headers: { 'if-none-match': String(headers.etag) } }
    assert.equal((await server.call('GET', path, condition)).status, 304)
    for (let time = 0; time < 3; time += 1)
      assert.equal(expandedIn(await get(list))[0].author.name, 'Ada')
    await server.call('POST', `${authors.url}/${ids.ada}`, { json: { name: 'Ada L.' } })
    assert.equal((await server.call('GET', path, condition)).status, 200)
    assert.equal(expandedIn(await get(list))[0].author.name, 'Ada L.')
    for (let time = 0; time < 3; time += 1) await get(list)
    await server.call('POST', `${firms.url}/${ids.firm}`, { json: { name: 'Engines' } })
    assert.equal(expandedIn(await get(list))[0].author.expanded.firm.name, 'Engines')
    await server.call('POST', `${authors.url}/${ids.ada}`, { json: { name: 'Ada' } })
  })

  test('works in a search by POST', async () => {
    const json = { qry: { title: 'First' }, expand: 'author' }
    const answer = await server.call('POST', `${posts.url}/search`, { json })
    assert.equal(expandedIn(answer)[0].author.name, 'Ada')
  })

  test('refuses names with the reason', async () => {
    const detailOf = async (expand: string): Promise<string> =>
      assertProblem(await get(`${posts.url}?expand=${expand}`), 'bad-request').detail
    const known = 'did you mean "author"? known are author, related, photo.'
    assert.equal(
      await detailOf('autor'),
      `expand names "autor", which is not a reference of datatable ${posts.id}; ${known}`,
    )
    assert.match(await detailOf('title'), /"title", which is not a reference/)
    assert.match(await detailOf('true'), /"true", which is not a reference/)
    assert.match(
      await detailOf('author.nothing'),
      new RegExp(`reference of datatable ${authors.id};`),
    )
    assert.match(await detailOf('photo.author'), /files refer to nothing/)
    assert.match(await detailOf('author,,photo'), /has an empty name/)
    assert.match(await detailOf('related.author.firm'), /follows 3 references .* at most 2/)
    assert.match(await detailOf('a,b,c,d,e,f,g,h,i,j,k'), /has 11 names; at most 10/)
    const { detail } = assertProblem(
      await get(`${firms.url}/${ids.firm}?expand=name`),
      'bad-request',
    )
    assert.equal(detail, `expand names "name", but datatable ${firms.id} has no references.`)
  })

  test('refuses an answer with too many bytes, and says how to get it', async () => {
    const large = await makeTable(server, 'text X')
    const text = 'x'.repeat(900_000)
    const { datatable_entry_id: id } = await makeEntry(server, large.url, { text })
    const many = await makeTable(server, `to I REFERENCES datatable ${large.id}`)
    await server.call('POST', many.url, { json: Array.from({ length: 5 }, () => ({ to: id })) })
    const problem = assertProblem(await get(`${many.url}?expand=to`), 'too-large')
    assert.match(
      problem.detail,
      /more than 4194304 bytes of expanded records. Request fewer entries/,
    )
    assert.equal(expandedIn(await get(`${many.url}?expand=to&length=4`)).length, 4)
  })
})

test('a calendar expands references of its entries and of their occurrences', async () => {
  const calendar = await makeCalendar(server, {
    table_schema: `speaker I REFERENCES datatable ${authors.id}`,
  })
  const times = { start_time: '2026-03-02T10:00:00Z', rrule: 'FREQ=DAILY;COUNT=2' }
  await makeEntry(server, calendar.url, { event_title: 'Talk', speaker: ids.bob, ...times })
  const window = 'from=2026-03-01&to=2026-04-01'
  const speakers = async (query: string): Promise<readonly any[]> =>
    expandedIn(await get(`${calendar.url}?${window}&${query}`)).map((each) => each?.speaker.name)
  assert.deepEqual(await speakers('expand=true,speaker'), ['Bob', 'Bob'])
  assert.deepEqual(await speakers('expand=speaker'), ['Bob'])
  assert.deepEqual(await speakers('expand=true'), [undefined, undefined])
  assert.deepEqual(await speakers('expand=false'), [undefined])
  const refused = await get(`${calendar.url}?${window}&expand=true,speaker&explain=1`)
  assert.match(assertProblem(refused, 'bad-qry').detail, /^explain cannot be used with expand=true/)
  const { body } = await get(`${calendar.url}/1?expand=speaker`)
  assert.equal(body.expanded.speaker.name, 'Bob')

  const titles = async (query: object): Promise<readonly any[]> => {
    const body = await listEntries(server, calendar.url, {
      from: '2026-03-01',
      to: '2026-04-01',
      ...query,
    })
    return entriesOf(body).map(
      ({ event_title: title, start_time: start }) => `${title} ${start.slice(0, 10)}`,
    )
  }
  await makeEntry(server, calendar.url, { event_title: 'Other', ...times })
  const qry = { 'speaker.name': 'Bob' }
  assert.deepEqual(await titles({ qry }), ['Talk 2026-03-02'])
  assert.deepEqual(await titles({ qry, expand: 'true' }), ['Talk 2026-03-02', 'Talk 2026-03-03'])
  assert.deepEqual(await titles({ orderStr: 'speaker.name' }), [
    'Other 2026-03-02',
    'Talk 2026-03-02',
  ])
  const page = { qry, expand: 'true', length: 1, from: '2026-03-01', to: '2026-04-01' }
  const { page: first } = await listEntries(server, calendar.url, page)
  assert.deepEqual(await titles({ ...page, cursor: first.next }), ['Talk 2026-03-03'])

  const talks = await makeTable(server, `talk I REFERENCES calendar ${calendar.id}`)
  await makeEntry(server, talks.url, { talk: 1 })
  const [{ talk }] = expandedIn(await get(`${talks.url}?expand=talk.speaker`))
  assert.deepEqual([talk.event_title, talk.expanded.speaker.name], ['Talk', 'Bob'])
})

describe('a reader without a key', () => {
  test('gets the public columns of shown entries, and live files in public folders', async () => {
    const folder = (await makeFolder(server, { public: true })).asset_category_id
    const people = await makeTable(server, 'name C(80), shown L, secret C(9)', {
      public: true,
      public_columns: ['name'],
      public_filter: { shown: true },
    })
    const eve = await makeEntry(server, people.url, { name: 'Eve', shown: true, secret: 's' })
    const mallory = await makeEntry(server, people.url, { name: 'Mallory', secret: 's' })
    const live = await makeFile(server, {
      parent_category_id: folder,
      title: 'live',
      fileState: 'publish',
    })
    const draft = await makeFile(server, { parent_category_id: folder })
    const hidden = await makeFile(server, { fileState: 'publish' })
    await server.call('POST', `/api/v2/asset_file/${live.asset_file_id}`, {
      json: { title: 'draft' },
    })
    const news = await makeTable(
      server,
      `by I REFERENCES datatable ${people.id}, files I REFERENCES asset_file MANY, inner I REFERENCES datatable ${authors.id}, own I REFERENCES datatable ${authors.id}`,
      { public: true, public_columns: ['by', 'files', 'own'] },
    )
    const files = [draft, live, hidden].map((file) => file.asset_file_id)
    await make(server, news.url.slice('/api/v2/'.length), {
      by: eve.datatable_entry_id,
      files,
      inner: ids.ada,
      own: ids.ada,
    })
    await server.call('POST', news.url, { json: { by: mallory.datatable_entry_id } })

    const answer = await get(`${news.url}?expand=by,files,own`, null)
    const [first, second] = expandedIn(answer)
    assert.deepEqual(Object.keys(first.by), [
      'datatable_entry_id',
      'name',
      'date_added',
      'date_modified',
    ])
    assert.deepEqual(second, { by: null, files: [], own: null })
    assert.equal(first.own, null)
    assert.deepEqual(
      first.files.map(({ asset_file_id: id, title }: any) => [id, title]),
      [[live.asset_file_id, 'live']],
    )
    assert.equal('date_modified' in first.files[0], false)
    assert.equal((await get(first.files[0].url, null)).status, 200)
    const refused = assertProblem(await get(`${news.url}?expand=inner`, null), 'bad-request')
    assert.match(refused.detail, /"inner", which is not a reference .* known are by, files, own\./)
  })
})
