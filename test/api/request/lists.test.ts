// Lists and searches through HTTP: qry, start, length, cursor, orderStr, table_filter, fields, count.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder } from '../../helpers/content.ts'
import { ask } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
let server: TestServer
let folder: number

/** name, type, title, description. All files are in one folder, and some have several versions. */
const FILES = [
  { name: 'alpha.html', type: 'html', title: 'One', description: 'first of all' },
  { name: 'beta.html', type: 'html', title: 'two', fileState: 'publish' },
  { name: 'Beta.pdf', type: 'print', title: null, fileState: 'stage' },
  { name: 'gamma.pdf', type: 'print', title: 'a"b{c}$', description: 'last' },
  { name: 'caf\u00e9.txt', type: 'txt', title: 'One' },
]

before(async () => {
  server = await startTestServer()
  folder = (await makeFolder(server, { name: 'lists' })).asset_category_id
  for (const file of FILES)
    await makeFile(server, { ...file, parent_category_id: folder, pageContent: file.name })
  const gamma = await search({ name: 'gamma.pdf' })
  await server.call('POST', `${PATH}/${gamma.asset_file[0].asset_file_id}`, {
    json: { pageContent: 'longer than before' },
  })
})
after(() => server.close())

async function search(qry: unknown, more = ''): Promise<any> {
  const text = typeof qry === 'string' ? qry : JSON.stringify(qry)
  const answer = await server.call('GET', `${PATH}?qry=${encodeURIComponent(text)}${more}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const namesOf = (body: any) => body.asset_file.map((file: any) => file.name)
const list = (query: string) => server.call('GET', `${PATH}?${query}`)
const names = (...at: readonly number[]) => at.map((index) => FILES[index]?.name)

const SEARCHES: readonly (readonly [unknown, readonly (string | undefined)[]])[] = [
  [{}, names(0, 1, 2, 3, 4)],
  [{ name: 'beta.html' }, names(1)],
  [{ name: 'beta.HTML' }, []],
  [{ name: 'caf\u00e9.txt' }, names(4)],
  [{ type: 'print' }, names(2, 3)],
  [{ type: 'print', name: 'gamma.pdf' }, names(3)],
  [{ 'asset_file.type': 'txt' }, names(4)],
  [{ title: null }, names(2)],
  [{ title: 'a"b{c}$' }, names(3)],
  [{ version: '2' }, names(3)],
  [{ version: 2 }, names(3)],
  [{ live_version: null, staged_version: 1 }, names(2)],
  [{ fileState: 'publish' }, names(1)],
  [{ type: { $eq: 'txt' } }, names(4)],
  [{ type: { $ne: 'print' } }, names(0, 1, 4)],
  [{ version: { $gt: 1 } }, names(3)],
  [{ version: { $gte: 1, $lt: 2 } }, names(0, 1, 2, 4)],
  [{ size: { $lte: 9 } }, names(1, 2, 4)],
  [{ type: { $in: ['txt', 'html'] } }, names(0, 1, 4)],
  [{ type: { $nin: ['txt', 'html'] } }, names(2, 3)],
  [{ type: { $in: [] } }, []],
  [{ title: { $exists: false } }, names(2)],
  [{ title: { $exists: true } }, names(0, 1, 3, 4)],
  [{ $or: [{ name: 'alpha.html' }, { type: 'txt' }] }, names(0, 4)],
  [{ $and: [{ type: 'print' }, { title: null }] }, names(2)],
  [{ $not: { type: 'html' } }, names(2, 3, 4)],
  [{ name: { $not: { $startsWith: 'b' } } }, names(0, 2, 3, 4)],
  [{ name: { $regex: '^b' } }, names(1)],
  [{ name: { $regex: '^b', $options: 'i' } }, names(1, 2)],
  [{ name: '/BETA/i' }, names(1, 2)],
  [{ name: { $contains: 'a.' } }, names(0, 1, 2, 3)],
  [{ name: { $startsWith: 'B' } }, names(2)],
  [{ name: { $endsWith: '.html' } }, names(0, 1)],
  [{ name: { $endsWith: 'é.txt' } }, names(4)],
  [{ name: { $endsWith: '.TXT' } }, []],
  [{ title: { $endsWith: '' } }, names(0, 1, 3, 4)],
  [{ name: { $not: { $endsWith: 'l' } } }, names(2, 3, 4)],
  [{ $or: [{ name: { $endsWith: 'txt' } }, { version: 2 }] }, names(3, 4)],
  [{ name: { $startsWith: 'b', $endsWith: 'l' } }, names(1)],
  [{ date_added: { $gte: '2020-01-01' } }, names(0, 1, 2, 3, 4)],
  [{ date_added: { $lt: 1_577_836_800 } }, []],
  [{ owner: 'admin', title: 'One' }, names(0, 4)],
]

test('qry finds exactly the matching records', async (t) => {
  for (const [qry, expected] of SEARCHES) {
    await t.test(JSON.stringify(qry), async () => {
      const body = await search({ $and: [{ parent_category_id: folder }, qry] })
      assert.deepEqual(namesOf(body), expected)
    })
  }
})

test('a search by identifier finds one record', async () => {
  const {
    asset_file: [file],
  } = await search({ name: 'alpha.html' })
  for (const value of [file.asset_file_id, String(file.asset_file_id)]) {
    assert.deepEqual(namesOf(await search({ asset_file_id: value })), ['alpha.html'])
  }
})

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['{"nmae":"x"}', /did you mean "name"/],
  ['{"pageContent":"x"}', /pageContent/],
  ['{"uid":"x"}', /uid/],
  ['{"name":{"$foo":1}}', /\$foo/],
  ['{"name":{"$endswith":"a"}}', /did you mean "\$endsWith"/],
  ['{"version":{"$endsWith":"1"}}', /works only on strings/],
  ['{"version":"x"}', /version/],
  ['{"name":{"$regex":"("}}', /\$regex/],
  ['{"name":', /at the end/],
  ['name', /not JSON/],
  ['[]', /object/],
  ['"x"', /object/],
  ['{"a":1,"a":2}', /twice/],
  ['{"__proto__":1}', /__proto__/],
  ['{"constructor":1}', /constructor/],
  [`{"name":"${'x'.repeat(4_100)}"}`, /4096/],
  [`${'{"$not":'.repeat(20)}{}${'}'.repeat(20)}`, /deep/],
]

test('B10: an invalid qry is rejected with the position of the fault', async (t) => {
  for (const [qry, detail] of REFUSED) {
    await t.test(qry.slice(0, 60), async () => {
      const answer = await list(`qry=${encodeURIComponent(qry)}`)
      assert.match(assertProblem(answer, 'bad-qry').detail, detail)
    })
  }
})

test('B10: a qry has at most 4,096 bytes of UTF-8 and 16 levels', async () => {
  const wide = (bytes: number): string => {
    const [head, tail] = ['{"name":"\u00e9', '"}']
    return head + 'x'.repeat(bytes - Buffer.byteLength(head + tail)) + tail
  }
  const deep = (levels: number): string =>
    '{"$not":'.repeat(levels - 1) + '{"name":"a"}' + '}'.repeat(levels - 1)
  for (const [qryOf, most, says] of [
    [wide, 4_096, /at most 4096 bytes/],
    [deep, 16, /more than 16 deep/],
  ] as const) {
    const ask = (size: number) => list(`qry=${encodeURIComponent(qryOf(size))}`)
    assert.equal((await ask(most)).status, 200)
    assert.match(assertProblem(await ask(most + 1), 'bad-qry').detail, says)
  }
})

const BAD_QUERIES: readonly (readonly [string, 'bad-qry' | 'bad-request'])[] = [
  ['length=1001', 'bad-qry'],
  ['length=0', 'bad-qry'],
  ['length=-1', 'bad-qry'],
  ['length=1.5', 'bad-qry'],
  ['length=x', 'bad-qry'],
  ['start=0', 'bad-qry'],
  ['start=x', 'bad-qry'],
  ['start=9007199254740991', 'bad-qry'],
  ['start=90071992547410', 'bad-qry'],
  ['start=9007199254741&length=1000', 'bad-qry'],
  ['qry=', 'bad-qry'],
  ['cursor=x', 'bad-qry'],
  ['cursor=', 'bad-qry'],
  ['orderStr=nothing', 'bad-qry'],
  ['orderStr=pageContent', 'bad-qry'],
  ['orderDir=UP', 'bad-qry'],
  ['fields=nothing', 'bad-qry'],
  ['fields=,', 'bad-qry'],
  ['count=yes', 'bad-qry'],
  ['lenght=5', 'bad-request'],
  ['length=5&length=6', 'bad-request'],
  ['qry={}&qry={}', 'bad-request'],
  ['__proto__=1', 'bad-request'],
]

test('B10: an invalid parameter is rejected, not ignored', async (t) => {
  for (const [query, code] of BAD_QUERIES) {
    await t.test(query, async () => {
      assertProblem(await list(query), code)
    })
  }
})

test('an empty qry is rejected, and a misspelt field gets a full sentence', async () => {
  assert.match((await list('qry=')).body.detail, /^qry is not JSON: /)
  assert.match((await list('fields=nmae')).body.detail, /; did you mean "name"\?$/)
})

test('the farthest possible page is empty, and the total is right', async () => {
  const { asset_file: files, page } = await search({ type: 'print' }, '&start=90071992547409')
  assert.deepEqual(
    [files, page.total, page.next],
    [[], (await search({ type: 'print' })).page.total, null],
  )
})

test('length 1000 is accepted, and 100 is the default', async () => {
  assert.equal((await list('length=1000')).body.page.length, 1_000)
  assert.deepEqual((await list('')).body.page.length, 100)
})

test('pages by start are adjacent, and a page past the end is empty', async () => {
  const qry = { parent_category_id: folder }
  const pages = []
  for (const start of [1, 2, 3, 4]) pages.push(await search(qry, `&length=2&start=${start}`))
  assert.deepEqual(pages.map(namesOf), [names(0, 1), names(2, 3), names(4), []])
  assert.deepEqual(
    pages.map(({ page }) => page.start),
    [1, 2, 3, 4],
  )
  assert.deepEqual(
    pages.map(({ page }) => page.next === null),
    [false, false, true, true],
  )
})

test('the Link header leads through all pages and lists each record once', async () => {
  const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folder }))
  let path: string | undefined = `${PATH}?qry=${qry}&length=2&orderStr=name&orderDir=DESC`
  const seen: string[] = []
  while (path !== undefined) {
    const answer = await server.call('GET', path)
    seen.push(...namesOf(answer.body))
    path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link']))?.[1]
    assert.equal(path === undefined, answer.body.page.next === null)
    if (path !== undefined)
      assert.equal(new URLSearchParams(path.split('?')[1]).get('cursor'), answer.body.page.next)
  }
  assert.deepEqual(seen, [...names(0, 1, 2, 3, 4)].sort().reverse())
})

test('a cursor is stable while records are created and deleted', async () => {
  const { asset_category_id: other } = await makeFolder(server)
  const files = []
  for (const name of ['b', 'd', 'f', 'h'])
    files.push(await makeFile(server, { name, parent_category_id: other }))
  const first = await search({ parent_category_id: other }, '&length=2&orderStr=name')
  assert.deepEqual(namesOf(first), ['b', 'd'])

  await makeFile(server, { name: 'a', parent_category_id: other })
  await makeFile(server, { name: 'e', parent_category_id: other })
  await server.call('DELETE', `${PATH}/${files[1].asset_file_id}`)
  const second = await search(
    { parent_category_id: other },
    `&length=9&orderStr=name&cursor=${first.page.next}`,
  )
  assert.deepEqual(namesOf(second), ['e', 'f', 'h'])
})

test('a cursor of another search is refused', async () => {
  const { page } = await search({ parent_category_id: folder }, '&length=1')
  for (const query of [`cursor=${page.next}`, `qry={"type":"pdf"}&cursor=${page.next}`]) {
    assertProblem(await list(query), 'bad-qry')
  }
  assertProblem(
    await list(`qry={"parent_category_id":${folder}}&start=1&cursor=${page.next}`),
    'bad-qry',
  )
})

test('orderStr and orderDir sort, also quoted, in any case and qualified', async (t) => {
  const ascending = ['Beta.pdf', 'alpha.html', 'beta.html', 'caf\u00e9.txt', 'gamma.pdf']
  const descending = ascending.toReversed()
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['orderStr=name', ascending],
    ['orderStr=name&orderDir=ASC', ascending],
    ['orderStr=name&orderDir=desc', descending],
    ['orderStr="name"&orderDir="DESC"', descending],
    ["orderStr='name'&orderDir='DESC'", descending],
    ['orderStr=asset_file.name', ascending],
    ['orderStr=&orderDir=', names(0, 1, 2, 3, 4) as string[]],
    ['orderStr=asset_file_id&orderDir=DESC', names(4, 3, 2, 1, 0) as string[]],
  ]
  for (const [query, expected] of cases) {
    await t.test(query, async () => {
      assert.deepEqual(namesOf(await search({ parent_category_id: folder }, `&${query}`)), expected)
    })
  }
})

test('table_filter finds text in any string field and ignores case', async () => {
  const filter = async (text: string) =>
    namesOf(
      await search({ parent_category_id: folder }, `&table_filter=${encodeURIComponent(text)}`),
    )
  assert.deepEqual(await filter('FIRST OF'), names(0))
  assert.deepEqual(await filter('one'), names(0, 4))
  assert.deepEqual(await filter('beta'), names(1, 2))
  assert.deepEqual(await filter('nowhere'), [])
})

test('fields selects members in lists and reads', async () => {
  const { asset_file: files } = await search({ name: 'alpha.html' }, '&fields=name,%20type')
  assert.deepEqual(files, [{ name: 'alpha.html', type: 'html' }])
  const {
    asset_file: [file],
  } = await search({ name: 'alpha.html' }, '&fields=asset_file_id,path,pageContent,title')
  assert.deepEqual(file, {
    asset_file_id: file.asset_file_id,
    path: '/Main/lists/alpha.html',
    title: 'One',
    pageContent: 'alpha.html',
  })

  const read = await server.call('GET', `${PATH}/${file.asset_file_id}?fields=title`)
  assert.deepEqual(read.body, { title: 'One' })
  const whole = await server.call('GET', `${PATH}/${file.asset_file_id}`)
  const star = await server.call('GET', `${PATH}/${file.asset_file_id}?fields=*`)
  assert.deepEqual(star.body, whole.body)
  assertProblem(await server.call('GET', `${PATH}/${file.asset_file_id}?fields=nothing`), 'bad-qry')
})

test('a list has no pageContent unless fields asks for it', async () => {
  const { asset_file: files } = await search({ parent_category_id: folder })
  assert.ok(files.every((file: any) => !('pageContent' in file)))
})

test('count=exact returns the total, also for a search', async () => {
  const { page } = await search(
    { parent_category_id: folder, name: { $contains: 'a.' } },
    '&count=exact&length=1',
  )
  assert.deepEqual([page.total, page.length], [4, 1])
  const none = await search({ name: 'nowhere' }, '&count=exact')
  assert.deepEqual([none.page.total, none.page.next], [0, null])
})

test('raw { } " $ in the address are accepted', async () => {
  const path = `${PATH}?qry={"name":{"$in":["alpha.html","gamma.pdf"]}}&orderStr="name"`
  const answer = await ask(server.url, [
    `GET ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${server.key}`,
  ])
  assert.equal(answer.status, 200)
  assert.deepEqual(namesOf(JSON.parse(answer.body)), ['alpha.html', 'gamma.pdf'])
})

test('a second question mark is part of a parameter name, which is then unknown', async () => {
  const { status, body } = await server.call('GET', `${PATH}??length=1`)
  assert.equal(status, 400)
  assert.match(body.detail, /"\?length" is not known/)
})

test('a plus sign and %20 are a blank in qry, %2B is a plus sign', async () => {
  const { asset_category_id: id } = await makeFolder(server, { name: 'a b' })
  await make(server, 'asset_category', { name: 'a+b' })
  const find = async (text: string) =>
    (await server.call('GET', `/api/v2/asset_category?qry={"name":"${text}"}`)).body.asset_category
  assert.deepEqual(
    (await find('a+b')).map((item: any) => item.asset_category_id),
    [id],
  )
  assert.deepEqual(
    (await find('a%20b')).map((item: any) => item.asset_category_id),
    [id],
  )
  assert.deepEqual(
    (await find('a%2Bb')).map((item: any) => item.name),
    ['a+b'],
  )
})
