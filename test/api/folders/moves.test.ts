// A move changes parent_category_id. The caller needs the grant to change the record at its place, and to
// create at the target.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  pointersOf,
  read,
} from '../../helpers/content.ts'
import { makeCalendar, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const SYSTEM = '/api/v2'

/** Functions that make a record in a folder and return its address. */
const KINDS: Readonly<Record<string, (parent_category_id: number) => Promise<string>>> = {
  asset_category: async (parent_category_id) =>
    `${SYSTEM}/asset_category/${(await makeFolder(server, { parent_category_id })).asset_category_id}`,
  asset_file: async (parent_category_id) =>
    `${SYSTEM}/asset_file/${(await makeFile(server, { parent_category_id })).asset_file_id}`,
  file_group: async (parent_category_id) => {
    const group = await make(server, 'file_group', { name: 'Group', parent_category_id })
    return `${SYSTEM}/file_group/${group.file_group_id}`
  },
  datatable: async (parent_category_id) =>
    (await makeTable(server, 'title C(10)', { parent_category_id })).path,
  calendar: async (parent_category_id) => (await makeCalendar(server, { parent_category_id })).path,
}

for (const [kind, makeIn] of Object.entries(KINDS)) {
  test(`${kind}: a move needs the grant create in the new folder, which must exist`, async () => {
    const from = (await makeFolder(server)).asset_category_id
    const to = (await makeFolder(server)).asset_category_id
    const path = await makeIn(from)
    const user = await make(server, 'user', {
      name: `mover of ${kind}`,
      category_roles: [
        { asset_category_id: from, role: 'editor' },
        { asset_category_id: to, role: 'viewer' },
      ],
    })
    const { secret } = await make(server, 'api_key', { name: kind, user_id: user.user_id })
    const move = (parent_category_id: number, key = server.key) =>
      server.call('POST', path, { json: { parent_category_id }, key })

    assertProblem(await move(to, secret), 'grant-missing')
    assert.deepEqual(pointersOf(await move(999_999)), ['/parent_category_id'])
    assert.equal((await read(server, path)).body.parent_category_id, from)

    assert.equal((await move(from, secret)).status, 200, 'to where it is')
    assert.equal((await move(to)).status, 200)
    assert.equal((await read(server, path)).body.parent_category_id, to)
  })
}

test('a folder with live files below it can be renamed and moved only with publish', async () => {
  const [from, to] = [
    (await makeFolder(server)).asset_category_id,
    (await makeFolder(server)).asset_category_id,
  ]
  const moved = (await makeFolder(server, { parent_category_id: from })).asset_category_id
  const below = (await makeFolder(server, { parent_category_id: moved })).asset_category_id
  const file = await makeFile(server, { parent_category_id: below, fileState: 'publish' })
  const path = `${SYSTEM}/asset_category/${moved}`
  const keys = new Map<string, string>()
  for (const role of ['stager', 'editor']) {
    const category_roles = [from, to].map((id) => ({ asset_category_id: id, role }))
    const user = await make(server, 'user', { name: `${role} of folders`, category_roles })
    const { secret } = await make(server, 'api_key', { name: role, user_id: user.user_id })
    keys.set(role, secret)
  }
  const change = (role: string, json: object) =>
    server.call('POST', path, { json, key: keys.get(role) ?? '' })

  for (const json of [{ name: 'another' }, { parent_category_id: to }]) {
    const problem = assertProblem(await change('stager', json), 'grant-missing')
    assert.equal(problem.grant, 'publish')
    assert.match(problem.detail, /unpublish them first/)
  }
  assert.equal((await change('stager', { title: 'A title' })).status, 200)
  assert.equal((await change('editor', { name: 'another' })).status, 200)
  assert.equal((await change('editor', { parent_category_id: to })).status, 200)

  await server.call('POST', `${SYSTEM}/asset_file/${file.asset_file_id}/unpublish`)
  assert.equal((await change('stager', { name: 'third', parent_category_id: from })).status, 200)
})

test('an error reveals nothing about live files in hidden folders', async () => {
  const top = (await makeFolder(server)).asset_category_id
  const hidden = (await makeFolder(server, { parent_category_id: top })).asset_category_id
  const user = await make(server, 'user', {
    name: 'half blind',
    category_roles: [
      { asset_category_id: top, role: 'stager' },
      { asset_category_id: hidden, role: null },
    ],
  })
  const { secret: key } = await make(server, 'api_key', { name: 'half', user_id: user.user_id })
  const rename = (name: string) =>
    server.call('POST', `${SYSTEM}/asset_category/${top}`, { json: { name }, key })
  const before = assertProblem(await rename('a'), 'grant-missing')
  await makeFile(server, { parent_category_id: hidden, fileState: 'publish' })
  const after = assertProblem(await rename('a'), 'grant-missing')
  assert.equal(after.detail, before.detail)
})
