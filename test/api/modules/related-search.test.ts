// Searches through references, in both directions, and their plan.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import {
  entriesOf,
  makeEntries,
  makeEntry,
  type MadeModule,
  makeTable,
  queryOf,
} from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let authors: MadeModule
let posts: MadeModule
let comments: MadeModule
let back: string

before(async () => {
  server = await startTestServer()
  const firms = await makeTable(server, 'name C(80)')
  await makeEntries(server, firms.url, [{ name: 'Engines' }, { name: 'Looms' }])
  authors = await makeTable(server, `name C(80), age I, firm I REFERENCES datatable ${firms.id}`)
  await makeEntries(server, authors.url, [
    { name: 'Ada', age: 36, firm: 1 },
    { name: 'Bob', age: 50, firm: 2 },
    { name: 'Cid' },
  ])
  posts = await makeTable(
    server,
    `title C(9), author I REFERENCES datatable ${authors.id}, related I REFERENCES SELF MANY, photo I REFERENCES asset_file`,
  )
  const file = await makeFile(server, { title: 'A photo' })
  await makeEntry(server, posts.url, { title: 'p1', author: 1, photo: file.asset_file_id })
  await makeEntry(server, posts.url, { title: 'p2', author: 2, related: [1] })
  await makeEntry(server, posts.url, { title: 'p3', author: 3, related: [1, 2] })
  await makeEntry(server, posts.url, { title: 'p4' })
  comments = await makeTable(server, `post I REFERENCES datatable ${posts.id}, approved L, text X`)
  back = `datatable_${comments.id}.post`
  await makeEntries(server, comments.url, [
    { post: 1, approved: true },
    { post: 1, approved: false },
    { post: 2, approved: true },
    { post: 3, approved: false },
    {},
  ])
})
after(() => server.close())

const ask = (query: object, { url = posts.url, key }: { url?: string; key?: string | null } = {}) =>
  server.call('GET', `${url}?${queryOf(query as any)}`, key === undefined ? {} : { key })

const titlesIn = ({ status, text, body }: Answer): string => {
  assert.equal(status, 200, text)
  return entriesOf(body)
    .map(({ title }) => title)
    .join(' ')
}

const find = async (qry: object): Promise<string> => titlesIn(await ask({ qry }))

describe('a condition through a reference', () => {
  test('compares a field of the record', async () => {
    assert.equal(await find({ 'author.name': 'Ada' }), 'p1')
    assert.equal(await find({ 'author.age': { $gte: 36, $lt: 50 } }), 'p1')
    assert.equal(await find({ 'author.name': { $in: ['Ada', 'Cid'] } }), 'p1 p3')
    assert.equal(await find({ 'author.firm.name': 'Looms' }), 'p2')
    assert.equal(await find({ $or: [{ 'author.name': 'Ada' }, { title: 'p4' }] }), 'p1 p4')
    assert.equal(await find({ $not: { 'author.name': 'Ada' } }), 'p2 p3 p4')
    assert.equal(await find({ 'photo.title': 'A photo' }), 'p1')
    assert.equal(await find({ 'datatable_entry.author': 1, 'author.name': '/^a/i' }), 'p1')
    assert.equal(await find({ 'author.name': 'nobody' }), '')
  })

  test('treats the fields of a missing record as null', async () => {
    assert.equal(await find({ 'author.age': null }), 'p3 p4')
    assert.equal(await find({ 'author.age': { $ne: 36 } }), 'p2 p3 p4')
    assert.equal(await find({ 'author.age': { $exists: true } }), 'p1 p2')
    assert.equal(await find({ 'author.firm.name': { $nin: ['Looms'] } }), 'p1 p3 p4')
    assert.equal(await find({ 'author.age': { $in: [null, 36] } }), 'p1 p3 p4')
  })
})

describe('a condition on a list of records', () => {
  test('matches some, none or every record', async () => {
    assert.equal(await find({ related: { $some: { title: 'p1' } } }), 'p2 p3')
    assert.equal(await find({ related: { $some: { 'author.name': 'Bob' } } }), 'p3')
    assert.equal(await find({ related: { $none: { title: 'p2' } } }), 'p1 p2 p4')
    assert.equal(await find({ related: { $every: { title: 'p1' } } }), 'p1 p2 p4')
    assert.equal(await find({ related: { $every: { title: 'p1' }, $exists: true } }), 'p2')
    assert.equal(await find({ author: { $some: { name: 'Ada', age: 36 } } }), 'p1')
    assert.equal(await find({ related: 2 }), 'p3')
  })

  test('matches the records that refer to an entry', async () => {
    assert.equal(await find({ [back]: { $some: { approved: true } } }), 'p1 p2')
    assert.equal(await find({ [back]: { $some: {} } }), 'p1 p2 p3')
    assert.equal(await find({ [back]: { $none: {} } }), 'p4')
    assert.equal(await find({ [back]: { $every: { approved: true } } }), 'p2 p4')
    assert.equal(
      await find({ [back]: { $some: { approved: true }, $none: { approved: false } } }),
      'p2',
    )
    const own = `datatable_${posts.id}.related`
    assert.equal(await find({ [own]: { $some: { title: 'p3' } } }), 'p1 p2')
    const all = { 'author.name': 'Ada', [back]: { $some: { approved: false } } }
    assert.equal(await find(all), 'p1')
  })
})

test('a cursor continues a search through references even if other records have changed', async () => {
  const query = { qry: { 'author.age': { $exists: true } }, length: 1 }
  const first = await ask(query)
  assert.equal(titlesIn(first), 'p1')
  // Another author matches now, so that the search looks for other identifiers.
  await server.call('POST', `${authors.url}/3`, { json: { age: 1 } })
  assert.equal(titlesIn(await ask({ ...query, cursor: first.body.page.next })), 'p2')
  await server.call('POST', `${authors.url}/3`, { json: { age: null } })
  const other = { ...query, qry: { 'author.age': { $ne: 37 } }, cursor: first.body.page.next }
  assertProblem(await ask(other), 'bad-qry')
})

test('a cached search through references follows changes of the related records', async () => {
  const qry = { 'author.name': 'Dan' }
  for (let time = 0; time < 3; time += 1) assert.equal(await find(qry), '')
  await server.call('POST', `${authors.url}/3`, { json: { name: 'Dan' } })
  for (let time = 0; time < 3; time += 1) assert.equal(await find(qry), 'p3')
  await server.call('POST', `${authors.url}/3`, { json: { name: 'Cid' } })
  assert.equal(await find(qry), '')
})

test('a condition that cannot be followed is refused with the reason', async () => {
  const detailOf = async (qry: object): Promise<string> =>
    assertProblem(await ask({ qry }), 'bad-qry').detail
  assert.match(await detailOf({ 'author.nmae': 1 }), /^qry\.author\.nmae is not a searchable field/)
  assert.match(await detailOf({ 'nobody.name': 1 }), /^qry\.nobody\.name is not a searchable field/)
  assert.match(await detailOf({ 'title.name': 1 }), /is not a searchable field/)
  assert.match(
    await detailOf({ 'related.title': 'p1' }),
    /is a list; write {"related": {"\$some": {"title": …}}}/,
  )
  assert.match(await detailOf({ [back]: true }), /needs one of \$some, \$none, \$every/)
  assert.match(await detailOf({ title: { $some: {} } }), /\$some is not an operator/)
  assert.match(await detailOf({ related: { $some: 5 } }), /must be a JSON object/)
  const deep = { related: { $some: { 'author.firm.name': 1 } } }
  assert.match(await detailOf(deep), /follows more than 2 references/)
  const many = { $or: Array.from({ length: 9 }, () => ({ 'author.name': 'Ada' })) }
  assert.match(await detailOf(many), /a qry may have 8 conditions on related records/)
  assert.match(await detailOf({ [`datatable_${comments.id}.text`]: { $some: {} } }), /searchable/)
})

describe('records that the caller may not see', () => {
  test('are ignored, and a hidden table is treated like a missing table', async () => {
    const folder = (await makeFolder(server)).asset_category_id
    const inside = await makeTable(
      server,
      `title C(9), author I REFERENCES datatable ${authors.id}`,
      { parent_category_id: folder },
    )
    await makeEntry(server, inside.url, { title: 'in', author: 1 })
    const hidden = await makeTable(server, `to I REFERENCES datatable ${inside.id}`)
    const key = await server.makeKey({ name: 'inside', grants: 'view', category: folder })
    const detailOf = async (qry: object): Promise<string> =>
      assertProblem(await ask({ qry }, { url: inside.url, key }), 'bad-qry').detail
    assert.match(
      await detailOf({ 'author.name': 'Ada' }),
      /leads to records that the key may not see/,
    )
    const known = await detailOf({ [`datatable_${hidden.id}.to`]: { $some: {} } })
    const unknown = await detailOf({ 'datatable_99999.to': { $some: {} } })
    assert.equal(known.replaceAll(String(hidden.id), 'N'), unknown.replaceAll('99999', 'N'))
  })

  test('are ignored without a key: rows outside the public filter and columns that are not public', async () => {
    const people = await makeTable(server, 'name C(9), shown L, secret C(9)', {
      public: true,
      public_columns: ['name'],
      public_filter: { shown: true },
    })
    await makeEntries(server, people.url, [
      { name: 'Eve', shown: true, secret: 'a' },
      { name: 'Mal', shown: false, secret: 'a' },
    ])
    const news = await makeTable(
      server,
      `title C(9), by I REFERENCES datatable ${people.id}, list I REFERENCES datatable ${people.id} MANY`,
      { public: true },
    )
    await makeEntries(server, news.url, [
      { title: 'n1', by: 1, list: [1, 2] },
      { title: 'n2', by: 2, list: [2] },
    ])
    const open = async (qry: object): Promise<string> =>
      titlesIn(await ask({ qry }, { url: news.url, key: null }))
    assert.equal(await open({ 'by.name': 'Eve' }), 'n1')
    assert.equal(await open({ 'by.name': 'Mal' }), '')
    assert.equal(await open({ 'by.name': null }), 'n2')
    assert.equal(await open({ list: { $some: {} } }), 'n1')
    assert.equal(await open({ list: { $every: { name: 'Eve' } } }), 'n1 n2')
    const secret = await ask({ qry: { 'by.secret': 'a' } }, { url: news.url, key: null })
    assert.match(assertProblem(secret, 'bad-qry').detail, /by\.secret is not a searchable field/)
    const sorted = await ask(
      { orderStr: 'by.name', orderDir: 'DESC' },
      { url: news.url, key: null },
    )
    assert.equal(titlesIn(sorted), 'n1 n2')
    assertProblem(await ask({ orderStr: 'by.secret' }, { url: news.url, key: null }), 'bad-qry')
  })
})

describe('an order by a referenced column', () => {
  test('sorts, pages and combines with other fields', async () => {
    assert.equal(titlesIn(await ask({ orderStr: 'author.name' })), 'p4 p1 p2 p3')
    assert.equal(titlesIn(await ask({ orderStr: 'author.name', orderDir: 'DESC' })), 'p3 p2 p1 p4')
    assert.equal(
      titlesIn(await ask({ orderStr: 'author.age,title', orderDir: 'ASC,DESC' })),
      'p4 p3 p1 p2',
    )
    assert.equal(titlesIn(await ask({ orderStr: 'title,author.name' })), 'p1 p2 p3 p4')
    const query = { orderStr: 'author.age', length: 2 }
    const first = await ask(query)
    assert.deepEqual([titlesIn(first), first.body.page.total], ['p3 p4', 4])
    assert.equal(titlesIn(await ask({ ...query, cursor: first.body.page.next })), 'p1 p2')
    assert.equal(titlesIn(await ask({ ...query, start: 2 })), 'p1 p2')
  })

  test('follows changes of the other entries', async () => {
    const order = async (): Promise<string> => titlesIn(await ask({ orderStr: 'author.name' }))
    for (let time = 0; time < 3; time += 1) await order()
    await server.call('POST', `${authors.url}/1`, { json: { name: 'Zoe' } })
    assert.equal(await order(), 'p4 p2 p3 p1')
    await server.call('POST', `${authors.url}/1`, { json: { name: 'Ada' } })
  })

  test('sorts by what the caller sees of a file', async () => {
    const website = await makeFolder(server, { name: 'pictures', public: true })
    const parent_category_id = website.asset_category_id
    const make = (name: string, more: object): Promise<any> =>
      makeFile(server, { name, type: 'text', parent_category_id, fileState: 'publish', ...more })
    const [a, b] = [await make('a.txt', {}), await make('b.txt', {})]
    const hidden = await makeFile(server, { name: 'aa.txt', type: 'text' })
    const table = await makeTable(server, 'title C(9), photo I REFERENCES asset_file', {
      public: true,
    })
    await makeEntries(
      server,
      table.url,
      [b, hidden, a].map((file, at) => ({ title: `n${at + 1}`, photo: file.asset_file_id })),
    )
    const sorted = async (key?: null): Promise<string> =>
      titlesIn(
        await ask({ orderStr: 'photo.name' }, { url: table.url, ...(key === null && { key }) }),
      )
    assert.equal(await sorted(), 'n3 n2 n1')
    // For readers without a key, the hidden file has no name, and a draft's name is not the name of a file.
    const draft = { name: 'c.txt' }
    await server.call('POST', `/api/v2/asset_file/${a.asset_file_id}`, { json: draft })
    assert.equal(await sorted(), 'n2 n1 n3')
    assert.equal(await sorted(null), 'n2 n3 n1')
    const drafts = { orderStr: 'photo.date_modified' }
    assertProblem(await ask(drafts, { url: table.url, key: null }), 'bad-qry')
    assertProblem(await ask({ orderStr: 'photo.parent_category_id' }), 'bad-qry')
  })

  test('refuses lists and unknown fields', async () => {
    for (const orderStr of ['related.title', 'photo.nothing', 'author.nothing', 'title.name'])
      assert.match(assertProblem(await ask({ orderStr }), 'bad-qry').detail, /cannot be sorted by/)
  })
})

describe('explain', () => {
  test('names the indexes and counts the records', async () => {
    const explained = async (query: object): Promise<any> => {
      const { body } = await ask({ ...query, explain: '1' })
      return body.page.explain
    }
    assert.deepEqual(await explained({ qry: { 'author.name': 'Ada' } }), {
      index: ['author'],
      isSorted: false,
      examined: 1,
      returned: 1,
      related: [
        {
          object: 'datatable',
          module_id: authors.id,
          index: ['name'],
          isSorted: false,
          examined: 1,
          returned: 1,
        },
      ],
    })
    const { related: _, ...all } = await explained({})
    assert.deepEqual(all, { index: [], isSorted: false, examined: 4, returned: 4 })
    assert.deepEqual((await explained({ orderStr: 'title' })).index, ['title'])
    const json = { qry: { title: 'p1' }, explain: 1 }
    const posted = await server.call('POST', `${posts.url}/search`, { json })
    assert.deepEqual(posted.body.page.explain.index, ['title'])
    const sorted = await explained({ orderStr: 'author.name' })
    assert.deepEqual([sorted.index, sorted.isSorted], [[], true])
  })

  test('needs the grant admin in the folder', async () => {
    const key = await server.makeKey({ name: 'viewer', grants: 'view' })
    assertProblem(await ask({ explain: '1' }, { key }), 'grant-missing')
    assertProblem(await ask({ explain: 'yes' }), 'bad-request')
    assert.equal('explain' in (await ask({})).body.page, false)
  })
})
