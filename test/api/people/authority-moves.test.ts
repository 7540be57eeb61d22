// A move gives the caller no new rights. The caller needs rights over the whole moved tree at its place and
// at its target, and a withheld folder cannot be moved along.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { make, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { makeCalendar, makeTable } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let users = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

type Roles = readonly (readonly [folder: number, role: string | null])[]

/** Makes a key of a new user who has only these roles. */
async function makeMover(roles: Roles, fields: object = {}): Promise<string> {
  users += 1
  const category_roles = roles.map(([asset_category_id, role]) => ({ asset_category_id, role }))
  const user = await make(server, 'user', { name: `mover ${users}`, role: null, category_roles })
  return (await make(server, 'api_key', { name: 'x', user_id: user.user_id, ...fields })).secret
}

const folderIn = async (parent_category_id = 1): Promise<number> =>
  (await makeFolder(server, { parent_category_id })).asset_category_id

const KINDS: Readonly<Record<string, (parent_category_id: number) => Promise<string>>> = {
  asset_category: async (parent) => `/api/v2/asset_category/${await folderIn(parent)}`,
  asset_file: async (parent_category_id) =>
    `/api/v2/asset_file/${(await makeFile(server, { parent_category_id })).asset_file_id}`,
  file_group: async (parent_category_id) => {
    const group = await make(server, 'file_group', { name: 'Group', parent_category_id })
    return `/api/v2/file_group/${group.file_group_id}`
  },
  datatable: async (parent_category_id) =>
    (await makeTable(server, 'a I', { parent_category_id })).path,
  calendar: async (parent_category_id) => (await makeCalendar(server, { parent_category_id })).path,
}

const move = (key: string, path: string, parent_category_id: number): Promise<Answer> =>
  server.call('POST', path, { key, json: { parent_category_id } })
const placeOf = async (path: string): Promise<number> =>
  (await server.call('GET', path)).body.parent_category_id

for (const [kind, makeIn] of Object.entries(KINDS)) {
  const cases: readonly (readonly [from: string, to: string, status: number])[] = [
    ['stager', 'editor', 403],
    ['editor', 'admin', 403],
    ['viewer', 'editor', 403],
    ['editor', 'viewer', 403],
    ['stager', 'stager', 200],
    ['editor', 'stager', 200],
    ['admin', 'editor', 200],
  ]
  for (const [here, there, status] of cases)
    test(`${kind}: a user who is ${here} here and ${there} in the other folder gets ${status}`, async () => {
      const [from, to] = [await folderIn(), await folderIn()]
      const path = await makeIn(from)
      const key = await makeMover([
        [from, here],
        [to, there],
      ])
      const answer = await move(key, path, to)
      assert.equal(answer.status, status, answer.text)
      assert.equal(await placeOf(path), status === 200 ? to : from)
    })

  test(`${kind}: an invisible record or folder is not found`, async () => {
    const [from, to] = [await folderIn(), await folderIn()]
    const path = await makeIn(from)
    const key = await makeMover([[to, 'editor']])
    assert.equal((await move(key, path, to)).status, 404)
    assert.equal(await placeOf(path), from)
  })
}

test('a restricted key cannot move records to folders where its user has more grants', async () => {
  const [from, to] = [await folderIn(), await folderIn()]
  const path = `/api/v2/asset_file/${(await makeFile(server, { parent_category_id: from })).asset_file_id}`
  const full = await makeMover([
    [from, 'stager'],
    [to, 'editor'],
  ])
  const grants = ['view', 'create', 'modify']
  const made = await server.call('POST', '/api/v2/api_key', {
    key: full,
    json: { name: 'x', grants },
  })
  assert.equal(made.status, 201, made.text)
  assert.equal((await move(made.body.secret, path, to)).status, 403)
  assert.equal((await server.call('DELETE', path, { key: full })).status, 403)
})

test('a folder in which the mover has a role can be moved, because the role moves along', async () => {
  const [from, to] = [await folderIn(), await folderIn()]
  const folder = await folderIn(from)
  const key = await makeMover([
    [from, 'editor'],
    [folder, 'stager'],
    [to, 'editor'],
  ])
  const answer = await move(key, `/api/v2/asset_category/${folder}`, to)
  assert.equal(answer.status, 200, answer.text)
})

describe('a folder', () => {
  for (const [role, isMoved] of [
    [null, false],
    ['viewer', false],
    ['stager', true],
    ['editor', true],
  ] as const)
    test(`${isMoved ? 'moves' : 'stays'} if the mover is ${role ?? 'nothing'} in a folder further below`, async () => {
      const [from, to] = [await folderIn(), await folderIn()]
      const folder = await folderIn(from)
      const below = await folderIn(await folderIn(folder))
      const key = await makeMover([
        [from, 'editor'],
        [to, 'editor'],
        [below, role],
      ])
      const path = `/api/v2/asset_category/${folder}`
      const { status, text } = await move(key, path, to)
      if (isMoved) assert.equal(status, 200, text)
      else assert.ok([403, 404, 422].includes(status), text)
      assert.equal(await placeOf(path), isMoved ? to : from)
    })

  test('cannot be moved or renamed without a grant in its parent folder', async () => {
    const [from, to] = [await folderIn(), await folderIn()]
    const folder = await folderIn(from)
    const path = `/api/v2/asset_category/${folder}`
    const before = (await server.call('GET', path)).body
    const above: Roles = [
      [from, 'editor'],
      [to, 'editor'],
    ]
    const movers = [
      await makeMover([
        [folder, 'editor'],
        [to, 'editor'],
      ]),
      await makeMover(above, { asset_category_id: folder }),
    ]
    for (const key of movers) {
      const answers = [
        await move(key, path, to),
        await server.call('POST', path, { key, json: { name: 'other' } }),
      ]
      for (const { status, text } of answers) assert.ok([403, 404, 422].includes(status), text)
      // The key may change the folders inside its own folder.
      const inner = `/api/v2/asset_category/${await folderIn(folder)}`
      const renamed = await server.call('POST', inner, { key, json: { name: newName() } })
      assert.equal(renamed.status, 200, renamed.text)
    }
    assert.deepEqual((await server.call('GET', path)).body, before)
  })
})

test('a version is restored with the grants at the current place of the file', async () => {
  const [from, to] = [await folderIn(), await folderIn()]
  const { asset_file_id: id } = await makeFile(server, { parent_category_id: from })
  const path = `/api/v2/asset_file/${id}`
  assert.equal((await move(server.key, path, to)).status, 200)
  const restoreAs = async (here: string, there: string): Promise<Answer> => {
    const key = await makeMover([
      [from, here],
      [to, there],
    ])
    return server.call('POST', `${path}/versions/1/restore`, { key, json: {} })
  }
  const { status, body } = await restoreAs('editor', 'viewer')
  assert.deepEqual([status, body.code], [403, 'grant-missing'])
  assert.equal((await server.call('GET', path)).body.version, 2)
  assert.equal((await restoreAs('editor', 'editor')).status, 200)
})
