// asset_file: files and pages, with the common operations of the System API.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { NO_SCHEDULE } from '../../../lib/schema/file-schedule.ts'
import {
  assertProblem,
  makeFile,
  makeFolder,
  newName,
  pointersOf,
  read,
  untilFiles,
} from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { contentsOfFile } from '../../helpers/stored.ts'

const PATH = '/api/v2/asset_file'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
let server: TestServer

before(async () => {
  // Tests of deletions look at the bytes, which then go at once.
  server = await startTestServer({ config: { trashDays: 0 } })
})
after(() => server.close())

const pathOf = (file: any) => `${PATH}/${file.asset_file_id}`

async function countContents(id: number): Promise<number> {
  return (await contentsOfFile(server.dataDir, id)).length
}

test('a new page has every field and version 1 and is not live', async () => {
  const text = '<p>\u00e9</p>\r\n'
  const json = {
    name: 'first.html',
    type: 'html',
    parent_category_id: 1,
    pageContent: text,
    title: 'T',
  }
  const answer = await server.call('POST', PATH, { json })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, pathOf(answer.body))
  assert.match(String(answer.headers.etag), /^"[^"]+"$/)

  const { asset_file_id: id, date_added, date_modified, ...file } = answer.body
  assert.ok(Number.isInteger(id) && id >= 1)
  assert.equal(date_modified, date_added)
  assert.ok(Math.abs(Date.parse(date_added) - Date.now()) < 60_000)
  assert.deepEqual(file, {
    owner: 'admin',
    name: 'first.html',
    type: 'html',
    parent_category_id: 1,
    fileState: null,
    state: 'draft',
    title: 'T',
    description: null,
    ...{ alt_text: null, focus: null, layout_file_id: null, version_note: null },
    ...{ width: null, height: null, thumbhash: null },
    version: 1,
    live_version: null,
    staged_version: null,
    size: Buffer.byteLength(text),
    sha256: sha256(text),
    mime_type: 'text/html',
    was_published: false,
    date_published: null,
    date_staged: null,
    ...NO_SCHEDULE,
    pinned_versions: null,
    path: '/Main/first.html',
    url: `/file/${id}/first.html`,
    pageContent: text,
  })
  assert.deepEqual((await read(server, pathOf(answer.body))).body, answer.body)
})

test('a file without pageContent is empty', async () => {
  const json = { name: newName(), type: 'html', parent_category_id: 1 }
  const { body } = await server.call('POST', PATH, { json })
  assert.deepEqual([body.version, body.size, body.sha256], [1, 0, sha256('')])
})

test('pageContent is stored unchanged: line endings, spaces and every plane of Unicode', async (t) => {
  const texts = [
    '',
    ' ',
    '\r\n\n\r',
    '\ufeff<p>',
    '\u{10ffff}\u{1f600}',
    'e\u0301 \u00e9',
    '\u2028\u2029',
    '"\\/',
  ]
  for (const text of texts) {
    await t.test(JSON.stringify(text), async () => {
      const file = await makeFile(server, { pageContent: text })
      assert.equal((await read(server, pathOf(file))).body.pageContent, text)
      const bytes = await server.call('GET', `${pathOf(file)}/versions/1/content`)
      assert.deepEqual(bytes.bytes, Buffer.from(text))
    })
  }
})

test('an update changes only the fields in its body', async () => {
  const made = await makeFile(server, { title: 'T', description: 'D' })
  const path = pathOf(made)
  const { body } = await server.call('POST', path, { json: { title: 'U' } })
  const expected = { ...made, title: 'U', version: 2, date_modified: body.date_modified }
  assert.deepEqual(body, expected)
  const cleared = await server.call('POST', path, { json: { title: null } })
  assert.deepEqual([cleared.body.title, cleared.body.description], [null, 'D'])
})

test('an empty update adds no version and keeps the ETag', async () => {
  const made = await makeFile(server, { title: 'T' })
  const path = pathOf(made)
  const before = await read(server, path)
  for (const json of [{}, { fileState: null }]) {
    const answer = await server.call('POST', path, { json })
    assert.deepEqual(
      [answer.status, answer.body, answer.headers.etag],
      [200, before.body, before.etag],
    )
  }
})

test('name, type, folder and page change in one update', async () => {
  const { asset_category_id: folder, path: folderPath } = await makeFolder(server)
  const made = await makeFile(server)
  const json = { name: 'moved.txt', type: 'txt', parent_category_id: folder, pageContent: 'x' }
  const { body } = await server.call('POST', pathOf(made), { json })
  assert.equal(body.version, 2)
  assert.equal(body.path, `${folderPath}/moved.txt`)
  assert.equal(body.url, `/file/${made.asset_file_id}/moved.txt`)
  assert.deepEqual([body.mime_type, body.size, body.sha256], ['text/plain', 1, sha256('x')])
})

test('name, type and folder are required', async () => {
  const answer = await server.call('POST', PATH, { json: {} })
  assert.deepEqual(pointersOf(answer), ['/name', '/parent_category_id', '/type'])
  for (const field of ['name', 'type', 'parent_category_id']) {
    const file = await makeFile(server)
    const cleared = await server.call('POST', pathOf(file), { json: { [field]: null } })
    assert.deepEqual(pointersOf(cleared), [`/${field}`])
  }
})

const NAMES: readonly (readonly [string, string, boolean])[] = [
  ['255 bytes', 'x'.repeat(255), true],
  ['255 bytes in characters of three bytes', '\u4e2d'.repeat(85), true],
  ['a dot at the end', 'a.', true],
  ['a space at the end', 'a. ', false],
  ['a Windows device', 'CON.txt', true],
  ['a backslash', 'a\\b', true],
  ['percent signs', '%2e%2e%2f', true],
  ['quotes and line noise', `'";<>&?#`, true],
  ['an emoji with joiners', '\u{1f468}\u200d\u{1f469}.png', true],
  ['256 bytes', 'x'.repeat(256), false],
  ['256 bytes in 86 characters', `${'\u4e2d'.repeat(85)}x`, false],
  ['an empty name', '', false],
  ['a slash', 'a/b', false],
  ['one dot', '.', false],
  ['two dots', '..', false],
  ['NUL', 'a\u0000', false],
  ['a line break', 'a\r\nb', false],
  ['a C1 control', 'a\u0085', false],
  ['a bidi override', 'gpj.\u202eexe', false],
  ['a bidi isolate', '\u2066a', false],
]

test('N2, N3: names are stored exactly as sent, or refused', async (t) => {
  const { asset_category_id: parent_category_id } = await makeFolder(server)
  for (const [what, name, isAccepted] of NAMES) {
    await t.test(`${what}: ${isAccepted ? 'accepted' : 'refused'}`, async () => {
      const json = { name, type: 'txt', parent_category_id, pageContent: 'x', fileState: 'publish' }
      const answer = await server.call('POST', PATH, { json })
      if (!isAccepted) return assert.deepEqual(pointersOf(answer), ['/name'])
      assert.equal(answer.body.name, name, answer.text)
      assert.equal((await read(server, pathOf(answer.body))).body.name, name)
      return assert.equal((await server.call('GET', answer.body.url)).text, 'x')
    })
  }
})

test('N3, N4: a name is unique in its folder, in any case and in any Unicode form', async () => {
  const { asset_category_id: parent_category_id } = await makeFolder(server)
  const made = await makeFile(server, { name: '\u00c9t\u00e9.html', parent_category_id })
  for (const name of ['\u00c9t\u00e9.html', '\u00c9T\u00c9.HTML', 'e\u0301te\u0301.html']) {
    const json = { name, type: 'html', parent_category_id }
    const body = assertProblem(await server.call('POST', PATH, { json }), 'name-taken')
    assert.equal(body.asset_file_id, made.asset_file_id, name)
    assert.match(body.detail, new RegExp(`asset_file_id ${made.asset_file_id}\\b`))
  }
  await makeFile(server, { name: '\u00c9t\u00e9.html' })
})

test('names are compared by Unicode case folding, which has one sharp s and two forms of i', async () => {
  const { asset_category_id: parent_category_id } = await makeFolder(server)
  const create = (name: string) =>
    server.call('POST', PATH, { json: { name, type: 'html', parent_category_id } })

  for (const [taken, ...others] of [
    ['Stra\u00dfe', 'STRASSE', 'strasse', 'STRA\u1e9eE'],
    ['\u039f\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3', '\u03bf\u03b4\u03cc\u03c3'],
    ['\u212ang', 'kng', 'KNG'],
  ] as const) {
    assert.equal((await create(taken)).status, 201)
    for (const name of others) assertProblem(await create(name), 'name-taken')
  }
  for (const name of ['sin', 's\u0131n']) assert.equal((await create(name)).status, 201)
  assertProblem(await create('SIN'), 'name-taken')
  assertProblem(await create('S\u0131N'), 'name-taken')
})

test('N4: exactly one of many creates with the same name succeeds', async () => {
  const json = { name: newName(), type: 'html', parent_category_id: 1, pageContent: 'x' }
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => server.call('POST', PATH, { json })),
  )
  const statuses = answers.map((answer) => answer.status).sort()
  assert.deepEqual(statuses, [201, ...Array.from({ length: 11 }, () => 409)])
})

test('a type is a short token', async (t) => {
  for (const type of ['html', 'stml', 'pdf', 'tar.gz', 'PDF', 'x-a_b+c', '7z']) {
    await t.test(`${type}: accepted`, async () => {
      const json = { name: newName(), type, parent_category_id: 1 }
      assert.equal((await server.call('POST', PATH, { json })).body.type, type)
    })
  }
  for (const type of ['', 'a b', '.html', 'a/b', 'x'.repeat(33), 5, null, ['html'], '\u00e9']) {
    await t.test(`${JSON.stringify(type)}: refused`, async () => {
      const json = { name: newName(), type, parent_category_id: 1 }
      assert.deepEqual(pointersOf(await server.call('POST', PATH, { json })), ['/type'])
    })
  }
})

test('a refused write changes nothing and leaves no bytes', async () => {
  const made = await makeFile(server)
  const taken = await makeFile(server)
  const before = await read(server, pathOf(made))
  const json = { name: taken.name, pageContent: '<p>lost</p>', fileState: 'publish' }
  assertProblem(await server.call('POST', pathOf(made), { json }), 'name-taken')
  const lost = { parent_category_id: 999_999, pageContent: '<p>lost</p>' }
  assert.deepEqual(pointersOf(await server.call('POST', pathOf(made), { json: lost })), [
    '/parent_category_id',
  ])
  assert.deepEqual(await read(server, pathOf(made)), before)
  await untilFiles(server)
  assert.equal(await countContents(made.asset_file_id), 1)
})

test('a delete removes the record, its versions and the bytes on disk', async () => {
  const made = await makeFile(server, { fileState: 'publish' })
  await server.call('POST', pathOf(made), { json: { pageContent: '<p>2</p>' } })
  await untilFiles(server)
  await server.call('POST', pathOf(made), { json: { pageContent: '<p>3</p>' } })
  assert.ok((await countContents(made.asset_file_id)) >= 2)

  const gone = await server.call('DELETE', pathOf(made))
  assert.deepEqual([gone.status, gone.text], [204, ''])
  assert.equal(await countContents(made.asset_file_id), 0)
  await untilFiles(server)
  assert.equal(await countContents(made.asset_file_id), 0)
  for (const path of ['', '/versions', '/versions/1', '/versions/1/content', '/publish']) {
    assertProblem(await server.call('GET', `${pathOf(made)}${path}`), 'not-found')
  }
  assertProblem(await server.call('GET', made.url), 'not-found')
  assertProblem(await server.call('DELETE', pathOf(made)), 'not-found')
})

test('the name of a deleted file is free again; its identifier is never reused, even after a restart', async () => {
  const first = await startTestServer()
  const one = await makeFile(first, { name: 'again.html' })
  await first.call('DELETE', pathOf(one))
  await first.stop()
  const second = await startTestServer({ dataDir: first.dataDir })
  try {
    const two = await makeFile(second, { name: 'again.html' })
    assert.ok(two.asset_file_id > one.asset_file_id)
  } finally {
    await second.close()
  }
})

test('versions that share their bytes are deleted together', async () => {
  const made = await makeFile(server)
  await server.call('POST', pathOf(made), { json: { title: 'same bytes' } })
  await untilFiles(server)
  assert.equal(await countContents(made.asset_file_id), 1)
  assert.equal((await server.call('DELETE', pathOf(made))).status, 204)
  assert.equal(await countContents(made.asset_file_id), 0)
})
