// asset_category: folders of files and modules.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  pointersOf,
  read,
} from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_category'
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

test('a fresh site has Main as 1 and Modules as 12 below it', async () => {
  const list = await server.call('GET', PATH)
  const folders = list.body.asset_category.map((folder: any) => [
    folder.asset_category_id,
    folder.name,
    folder.parent_category_id,
    folder.path,
  ])
  assert.deepEqual(folders, [
    [1, 'Main', null, '/Main'],
    [12, 'Modules', 1, '/Main/Modules'],
  ])
})

test('the folder of modules can be found by its name', async () => {
  const found = await server.call('GET', `${PATH}?qry=${encodeURIComponent('{"name":"Modules"}')}`)
  assert.deepEqual(
    found.body.asset_category.map((folder: any) => folder.asset_category_id),
    [12],
  )
})

test('the first new folder has identifier 13, lies below the root and has every field', async () => {
  const fresh = await startTestServer()
  try {
    const answer = await fresh.call('POST', PATH, { json: { name: 'News' } })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.location, `${PATH}/13`)
    assert.match(String(answer.headers.etag), /^"[^"]+"$/)
    const { date_added, date_modified, ...folder } = answer.body
    assert.match(date_added, DATE)
    assert.equal(date_modified, date_added)
    assert.deepEqual(folder, {
      asset_category_id: 13,
      owner: 'admin',
      name: 'News',
      parent_category_id: 1,
      title: null,
      description: null,
      public: null,
      public_since: null,
      is_public: false,
      redirects: null,
      site_headers: null,
      layout_file_id: null,
      keep_versions: null,
      path: '/Main/News',
    })
  } finally {
    await fresh.close()
  }
})

test('a folder can be read, partly changed and deleted', async () => {
  const made = await makeFolder(server, { title: 'Old', description: 'stays' })
  const path = `${PATH}/${made.asset_category_id}`
  const { body, etag } = await read(server, path)
  assert.deepEqual(body, made)

  const changed = await server.call('POST', path, { json: { title: 'New' } })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.etag, etag)
  assert.deepEqual(
    { ...changed.body, date_modified: null },
    { ...made, title: 'New', date_modified: null },
  )
  assert.ok(changed.body.date_modified >= made.date_modified)
  assert.deepEqual((await read(server, path)).body, changed.body)

  const gone = await server.call('DELETE', path)
  assert.deepEqual([gone.status, gone.text, gone.headers['content-type']], [204, '', undefined])
  assertProblem(await server.call('GET', path), 'not-found')
  assertProblem(await server.call('DELETE', path), 'not-found')
})

test('DELETE is accepted with a JSON body', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  assert.equal((await server.call('DELETE', `${PATH}/${id}`, { json: {} })).status, 204)
})

test('the identifier of a deleted folder is never reused', async () => {
  const { asset_category_id: first } = await makeFolder(server)
  await server.call('DELETE', `${PATH}/${first}`)
  const { asset_category_id: second } = await makeFolder(server)
  assert.ok(second > first)
})

test('a name is unique among siblings in any case and in any Unicode form', async () => {
  const { asset_category_id: parent } = await makeFolder(server)
  const { asset_category_id: id } = await makeFolder(server, {
    name: 'Caf\u00e9',
    parent_category_id: parent,
  })
  for (const name of ['Caf\u00e9', 'CAF\u00c9', 'Cafe\u0301']) {
    const answer = await server.call('POST', PATH, { json: { name, parent_category_id: parent } })
    assert.equal(assertProblem(answer, 'name-taken').asset_category_id, id, name)
  }
  await makeFolder(server, { name: 'Caf\u00e9', parent_category_id: id })
})

test('a rename and a move cannot take the name of a sibling, but a folder may keep its own', async () => {
  const { asset_category_id: parent } = await makeFolder(server)
  const first = await makeFolder(server, { name: 'a', parent_category_id: parent })
  const second = await makeFolder(server, { name: 'b', parent_category_id: parent })
  const outside = await makeFolder(server, {
    name: 'A',
    parent_category_id: second.asset_category_id,
  })
  const path = (folder: any) => `${PATH}/${folder.asset_category_id}`

  const renamed = await server.call('POST', path(second), { json: { name: 'A' } })
  assert.equal(assertProblem(renamed, 'name-taken').asset_category_id, first.asset_category_id)
  assertProblem(
    await server.call('POST', path(outside), { json: { parent_category_id: parent } }),
    'name-taken',
  )
  assert.equal((await server.call('POST', path(first), { json: { name: 'A' } })).body.name, 'A')
})

const NAMES: readonly (readonly [string, string, boolean])[] = [
  ['one character', 'x', true],
  ['255 characters', 'x'.repeat(255), true],
  ['255 characters of two bytes', '\u00e9'.repeat(255), true],
  ['255 characters of four bytes', '\u{1f4c1}'.repeat(255), true],
  ['a dot at the end', 'x.', true],
  ['an emoji', '\u{1f4c1}', true],
  ['256 characters', 'x'.repeat(256), false],
  ['an empty name', '', false],
  ['only spaces', '   ', false],
  ['a slash', 'a/b', false],
  ['two dots', '..', false],
  ['a control character', 'a\u0007', false],
  ['a bidi override', 'a\u202eb', false],
]

test('N3: names of folders have 1 to 255 characters and no misleading characters', async (t) => {
  const { asset_category_id: parent } = await makeFolder(server)
  for (const [what, name, isAccepted] of NAMES) {
    await t.test(`${what}: ${isAccepted ? 'accepted' : 'refused'}`, async () => {
      const answer = await server.call('POST', PATH, { json: { name, parent_category_id: parent } })
      if (isAccepted) assert.equal(answer.body.name, name, answer.text)
      else assert.deepEqual(pointersOf(answer), ['/name'])
    })
  }
})

test('a move changes the paths of everything below', async () => {
  const above = await makeFolder(server)
  const folder = await makeFolder(server)
  const file = await makeFile(server, { parent_category_id: folder.asset_category_id })
  const moved = await server.call('POST', `${PATH}/${folder.asset_category_id}`, {
    json: { parent_category_id: above.asset_category_id },
  })
  assert.equal(moved.body.path, `${above.path}/${folder.name}`)
  const { body } = await read(server, `/api/v2/asset_file/${file.asset_file_id}`)
  assert.equal(body.path, `${moved.body.path}/${file.name}`)
})

test('a folder cannot move into itself, below itself or into a missing folder', async () => {
  const outer = await makeFolder(server)
  const inner = await makeFolder(server, { parent_category_id: outer.asset_category_id })
  for (const target of [outer.asset_category_id, inner.asset_category_id, 999_999]) {
    const answer = await server.call('POST', `${PATH}/${outer.asset_category_id}`, {
      json: { parent_category_id: target },
    })
    assert.deepEqual(pointersOf(answer), ['/parent_category_id'], `target ${target}`)
  }
  const lost = await server.call('POST', PATH, { json: { name: 'x', parent_category_id: 999_999 } })
  assert.deepEqual(pointersOf(lost), ['/parent_category_id'])
})

test('a folder that is not empty is not deleted, and the error counts its contents', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  await makeFolder(server, { parent_category_id: id })
  await makeFile(server, { parent_category_id: id })
  await makeFile(server, { parent_category_id: id })
  await make(server, 'file_group', { name: 'g', parent_category_id: id })

  const refused = await server.call('DELETE', `${PATH}/${id}`)
  const { counts, detail } = assertProblem(refused, 'not-empty')
  assert.match(detail, /\(asset_category: 1, asset_file: 2, file_group: 1\)\. /)
  const shown = [counts.asset_category, counts.asset_file, counts.file_group]
  assert.deepEqual(shown, [1, 2, 1])
  await read(server, `${PATH}/${id}`)
})

test('recursive=true deletes the whole subtree and nothing outside it', async () => {
  const top = await makeFolder(server)
  const below = await makeFolder(server, { parent_category_id: top.asset_category_id })
  const file = await makeFile(server, {
    parent_category_id: below.asset_category_id,
    fileState: 'publish',
  })
  const beside = await makeFile(server)

  const answer = await server.call('DELETE', `${PATH}/${top.asset_category_id}?recursive=true`)
  assert.equal(answer.status, 204)
  for (const path of [
    `${PATH}/${top.asset_category_id}`,
    `${PATH}/${below.asset_category_id}`,
    `/api/v2/asset_file/${file.asset_file_id}`,
    file.url,
  ]) {
    assertProblem(await server.call('GET', path), 'not-found')
  }
  await read(server, `/api/v2/asset_file/${beside.asset_file_id}`)
})

test('the root and the folder of modules cannot be deleted, even with recursive=true', async () => {
  for (const id of [1, 12]) {
    for (const query of ['', '?recursive=true']) {
      assertProblem(await server.call('DELETE', `${PATH}/${id}${query}`), 'in-use')
    }
    const { asset_category_id: target } = await makeFolder(server)
    const moved = await server.call('POST', `${PATH}/${id}`, {
      json: { parent_category_id: target },
    })
    assert.equal(moved.status, 422)
  }
})

test('N5: invalid folder identifiers are not found', async (t) => {
  for (const id of [
    '0',
    '-1',
    '01',
    '1.0',
    '1e0',
    '0x1',
    '%201',
    '9007199254740993',
    'Main',
    '__proto__',
  ]) {
    await t.test(id, async () => {
      assertProblem(await server.call('GET', `${PATH}/${id}`), 'not-found')
      assertProblem(
        await server.call('POST', `${PATH}/${id}`, { json: { name: newName() } }),
        'not-found',
      )
      assertProblem(await server.call('DELETE', `${PATH}/${id}`), 'not-found')
    })
  }
})

test('counts of files and folders show what the key may view', async () => {
  const counts = async (ids: string, key?: string) => {
    const answer = await server.call('GET', `${PATH}/counts?ids=${ids}`, key ? { key } : {})
    assert.equal(answer.status, 200)
    return answer.body.counts
  }
  const { asset_category_id: id } = await makeFolder(server, {})
  const inside = { parent_category_id: id }
  const { asset_category_id: open } = await makeFolder(server, inside)
  const { asset_category_id: shut } = await makeFolder(server, inside)
  for (const fileState of [null, 'publish']) await makeFile(server, { ...inside, fileState })
  const row = { asset_category_id: id, folders: 2, files: 2 }
  const none = { asset_category_id: open, folders: 0, files: 0 }
  assert.deepEqual(await counts(`${id},999999,${open},${id}`), [row, none])

  const name = newName('user')
  await make(server, 'user', {
    name,
    role: 'viewer',
    category_roles: [{ asset_category_id: shut, role: null }],
  })
  const secret = await server.makeKey({ name: 'counter', user: name })
  assert.deepEqual(await counts(`${shut},${id}`, secret), [{ ...row, folders: 1 }])
  const many = Array.from({ length: 101 }, (_, at) => at + 1).join(',')
  for (const ids of ['', '0', 'x', '1,', '1.5', '9999999999999999999', many])
    assertProblem(await server.call('GET', `${PATH}/counts?ids=${ids}`), 'bad-request')
})
