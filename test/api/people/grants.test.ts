// Grants in folders: subfolders inherit the roles of users, the nearest role decides, and keys only restrict.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { GRANTS, type Grant, ROLES } from '../../../lib/shared/grants.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let count = 0

before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const post = (path: string, json: object, key: string = server.key): Promise<Answer> =>
  server.call('POST', `/api/v2/${path}`, { json, key })
const get = (path: string, key: string = server.key): Promise<Answer> =>
  server.call('GET', path, { key })

function newName(): string {
  count += 1
  return `name-${count}`
}

async function make(object: string, json: object): Promise<number> {
  const { status, body, text } = await post(object, json)
  assert.equal(status, 201, text)
  return body[`${object}_id`]
}

const makeFolder = (parent = 1): Promise<number> =>
  make('asset_category', { name: newName(), parent_category_id: parent })
const makeFile = (parent: number, json: object = {}): Promise<number> =>
  make('asset_file', {
    name: newName(),
    type: 'html',
    parent_category_id: parent,
    pageContent: '1',
    ...json,
  })

/** Makes three nested folders. */
async function makeChain(): Promise<readonly [number, number, number]> {
  const top = await makeFolder()
  const middle = await makeFolder(top)
  return [top, middle, await makeFolder(middle)]
}

async function makeUser(json: object): Promise<string> {
  const name = newName()
  await make('user', { name, ...json })
  return server.makeKey({ name, user: name })
}

/** Returns the grants of a key in a folder, found by trying the requests. */
async function grantsIn(folder: number, key: string): Promise<readonly Grant[]> {
  const file = async () => `asset_file/${await makeFile(folder)}`
  const outcomes: readonly (readonly [Grant, Answer])[] = [
    ['view', await get(`/api/v2/${await file()}`, key)],
    ['create', await post('asset_category', { name: newName(), parent_category_id: folder }, key)],
    ['modify', await post(await file(), { title: 'x' }, key)],
    ['delete', await server.call('DELETE', `/api/v2/${await file()}`, { key })],
    ['stage', await post(`${await file()}/stage`, {}, key)],
    ['publish', await post(`${await file()}/publish`, {}, key)],
  ]
  return outcomes.filter(([, { status }]) => status < 300).map(([grant]) => grant)
}

const inFolders = (grants: readonly Grant[]): readonly Grant[] =>
  GRANTS.filter((grant) => grant !== 'admin' && grants.includes(grant))

describe('the role of a user', () => {
  for (const [role, grants] of Object.entries(ROLES)) {
    test(`${role} has ${grants.join(', ')} in every folder`, async () => {
      const key = await makeUser({ role })
      const [, , deep] = await makeChain()
      assert.deepEqual(await grantsIn(deep, key), inFolders(grants))
    })
  }

  test('null gives no grant anywhere', async () => {
    const key = await makeUser({ role: null })
    const folder = await makeFolder()
    assert.deepEqual(await grantsIn(folder, key), [])
    const answer = await get(`/api/v2/asset_category/${folder}`, key)
    assert.deepEqual(
      [answer.status, answer.body.detail],
      [403, 'The key lacks the grant "view" in every folder.'],
    )
  })

  test('in a folder applies to its subtree and nowhere else', async () => {
    const [top, middle, deep] = await makeChain()
    const beside = await makeFolder(top)
    const key = await makeUser({
      role: 'viewer',
      category_roles: [{ asset_category_id: middle, role: 'editor' }],
    })

    for (const folder of [middle, deep])
      assert.deepEqual(await grantsIn(folder, key), inFolders(ROLES.editor))
    for (const folder of [1, top, beside]) assert.deepEqual(await grantsIn(folder, key), ['view'])
  })

  test('in the nearest folder decides, even if it gives less', async () => {
    const [top, middle, deep] = await makeChain()
    const category_roles = [
      { asset_category_id: top, role: 'viewer' },
      { asset_category_id: middle, role: 'editor' },
      { asset_category_id: deep, role: 'stager' },
    ]
    const key = await makeUser({ role: null, category_roles })
    assert.deepEqual(await grantsIn(top, key), ['view'])
    assert.deepEqual(await grantsIn(middle, key), inFolders(ROLES.editor))
    assert.deepEqual(await grantsIn(deep, key), inFolders(ROLES.stager))
  })

  test('null in a folder removes all grants and hides its contents', async () => {
    const [top, middle, deep] = await makeChain()
    const hidden = await makeFile(deep, { name: 'hidden.html', fileState: 'publish' })
    const key = await makeUser({
      role: 'editor',
      category_roles: [{ asset_category_id: middle, role: null }],
    })

    assert.deepEqual(await grantsIn(top, key), inFolders(ROLES.editor))
    for (const folder of [middle, deep]) assert.deepEqual(await grantsIn(folder, key), [])
    for (const path of [
      `/api/v2/asset_file/${hidden}`,
      `/api/v2/asset_category/${deep}`,
      `/file/${hidden}/hidden.html`,
      `/file/${deep}/hidden.html`,
    ]) {
      assert.equal((await get(path, key)).status, 404)
    }
    const list = await get(
      `/api/v2/asset_file?qry=${encodeURIComponent('{"name":"hidden.html"}')}`,
      key,
    )
    assert.deepEqual(list.body.asset_file, [])
  })

  test('follows a moved folder at the next request', async () => {
    const open = await makeFolder()
    const [closed, moved] = await makeChain()
    const key = await makeUser({
      role: 'viewer',
      category_roles: [{ asset_category_id: closed, role: null }],
    })
    assert.equal((await get(`/api/v2/asset_category/${moved}`, key)).status, 404)

    await post(`asset_category/${moved}`, { parent_category_id: open })
    assert.equal((await get(`/api/v2/asset_category/${moved}`, key)).status, 200)
  })
})

describe('a key', () => {
  test('has at most the current grants of its user', async () => {
    const name = newName()
    const id = await make('user', { name, role: 'viewer' })
    const key = await server.makeKey({ name, user: name, grants: 'view,publish,delete' })
    const folder = await makeFolder()
    assert.deepEqual(await grantsIn(folder, key), ['view'])

    await post(`user/${id}`, { role: 'editor' })
    assert.deepEqual(await grantsIn(folder, key), ['view', 'delete', 'publish'])
    await post(`user/${id}`, { category_roles: [{ asset_category_id: folder, role: 'viewer' }] })
    assert.deepEqual(await grantsIn(folder, key), ['view'])
  })

  test('that is limited to a folder has no grant outside its subtree', async () => {
    const [top, middle, deep] = await makeChain()
    const key = await server.makeKey({ name: newName(), category: middle })
    for (const folder of [middle, deep])
      assert.deepEqual(await grantsIn(folder, key), inFolders(GRANTS))
    for (const folder of [1, top]) assert.deepEqual(await grantsIn(folder, key), [])
  })

  test('that is restricted has fewer grants at its next request', async () => {
    const folder = await makeFolder()
    const { body } = await post('api_key', { name: newName() })
    assert.deepEqual(await grantsIn(folder, body.secret), inFolders(GRANTS))

    await post(`api_key/${body.api_key_id}`, { grants: ['view', 'stage'] })
    assert.deepEqual(await grantsIn(folder, body.secret), ['view', 'stage'])
    await post(`api_key/${body.api_key_id}`, { asset_category_id: 12 })
    assert.deepEqual(await grantsIn(folder, body.secret), [])
  })

  test('that lacks a grant in a folder gets the names of both', async () => {
    const [top, middle] = await makeChain()
    const { body: folder } = await get(`/api/v2/asset_category/${middle}`)
    const key = await makeUser({
      role: 'viewer',
      category_roles: [{ asset_category_id: top, role: 'stager' }],
    })
    const file = await makeFile(middle)

    const { status, body } = await post(`asset_file/${file}`, { fileState: 'publish' }, key)
    assert.equal(status, 403)
    assert.deepEqual(
      [body.grant, body.detail],
      ['publish', `The key lacks the grant "publish" in ${folder.path}.`],
    )
  })
})

describe('fileState in a body', () => {
  const cases: readonly (readonly [readonly Grant[], object, number])[] = [
    [['modify'], { pageContent: '2' }, 200],
    [['modify'], { pageContent: '2', fileState: 'publish' }, 403],
    [['modify'], { fileState: 'stage' }, 403],
    [['publish'], { fileState: 'publish' }, 200],
    [['publish'], { pageContent: '2', fileState: 'publish' }, 403],
    [['publish'], { title: 'x', fileState: 'publish' }, 403],
    [['publish'], { fileState: 'stage' }, 403],
    [['publish'], {}, 403],
    [['stage'], { fileState: 'stage' }, 200],
    [['stage'], { fileState: 'publish' }, 403],
    [['modify', 'stage'], { pageContent: '2', fileState: 'stage' }, 200],
    [['modify', 'publish'], { pageContent: '2', fileState: 'publish' }, 200],
    [['modify', 'publish'], { pageContent: '2', fileState: 'stage' }, 403],
  ]
  for (const [grants, json, status] of cases) {
    test(`${JSON.stringify(json)} with ${grants.join(' and ')} is ${status}, and a refusal changes nothing`, async () => {
      const id = await makeFile(1)
      const before = (await get(`/api/v2/asset_file/${id}`)).body
      const key = await server.makeKey({ name: newName(), grants: grants.join(',') })

      const answer = await post(`asset_file/${id}`, json, key)
      assert.equal(answer.status, status, answer.text)
      if (status === 403) assert.deepEqual((await get(`/api/v2/asset_file/${id}`)).body, before)
    })
  }

  for (const [grants, status] of [
    ['create', 403],
    ['create,stage', 403],
    ['create,publish', 201],
    ['modify', 403],
    ['modify,stage', 403],
    ['modify,publish', 201],
  ] as const) {
    test(`of a new page and of a new upload needs its grant too: ${grants} is ${status}`, async () => {
      const key = await server.makeKey({ name: newName(), grants })
      const page = { name: newName(), type: 'html', parent_category_id: 1, fileState: 'publish' }
      assert.equal((await post('asset_file', page, key)).status, status)

      const parts = [
        { name: 'asset_category_id', value: '1' },
        { name: 'fileState', value: 'publish' },
      ]
      const upload = await server.upload(
        [...parts, { name: 'Filedata', fileName: newName(), bytes: Buffer.from('x') }],
        { key },
      )
      assert.equal(upload.status, status)
    })
  }
})

describe('a change in two folders needs grants in both', () => {
  test('a file or folder can be moved only to where the key may create', async () => {
    const [from, to] = [await makeFolder(), await makeFolder()]
    const file = await makeFile(from)
    const folder = await makeFolder(from)
    const editor = { asset_category_id: from, role: 'editor' }
    const key = await makeUser({
      role: null,
      category_roles: [editor, { asset_category_id: to, role: 'viewer' }],
    })

    for (const path of [`asset_file/${file}`, `asset_category/${folder}`]) {
      const seen = await post(path, { parent_category_id: to }, key)
      assert.deepEqual([seen.status, seen.body.grant], [403, 'create'])
      const unseen = await post(path, { parent_category_id: 12 }, key)
      assert.deepEqual([unseen.status, unseen.body.errors[0].pointer], [422, '/parent_category_id'])
      assert.equal((await get(`/api/v2/${path}`)).body.parent_category_id, from)
    }
  })

  test('a group cannot take an invisible file, and the answer does not reveal the file', async () => {
    const folder = await makeFolder()
    const key = await server.makeKey({ name: newName(), category: folder })
    const [own, hidden] = [await makeFile(folder), await makeFile(1)]
    const refused = await post(
      'file_group',
      { name: 'g', parent_category_id: folder, asset_file_ids: [own, hidden, 999_999] },
      key,
    )

    assert.equal(refused.status, 422)
    const details = refused.body.errors.map((error: any) => error.detail.replaceAll(/\d+/g, 'n'))
    assert.deepEqual(
      refused.body.errors.map((error: any) => error.pointer),
      ['/asset_file_ids/1', '/asset_file_ids/2'],
    )
    assert.equal(details[0], details[1])

    const group = await make('file_group', {
      name: 'h',
      parent_category_id: folder,
      asset_file_ids: [hidden],
    })
    const list = async (by: string) =>
      (await server.call('GET', `/api/v2/file_group/${group}`, { key: by })).body.asset_file_ids
    assert.deepEqual(await list(key), [])
    const named = await post(`file_group/${group}`, { asset_file_ids: [own, hidden] }, key)
    assert.equal(named.status, 422)
    const added = await post(`file_group/${group}`, { asset_file_ids: [own] }, key)
    assert.deepEqual(added.body.asset_file_ids, [own])
    assert.deepEqual(await list(server.key), [hidden, own])
  })

  test('a subtree can be deleted only if the key may delete in all its folders', async () => {
    const [top, middle, deep] = await makeChain()
    const file = await makeFile(deep)
    const key = await makeUser({
      role: 'editor',
      category_roles: [{ asset_category_id: middle, role: 'viewer' }],
    })

    const refused = await server.call('DELETE', `/api/v2/asset_category/${top}?recursive=true`, {
      key,
    })
    assert.deepEqual([refused.status, refused.body.grant], [403, 'delete'])
    assert.equal((await get(`/api/v2/asset_file/${file}`)).status, 200)
  })
})
