// A move changes parent_category_id: the caller may change the record where it is, and create where it goes.

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

/** Each makes a record in a folder and returns its address. */
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
  test(`${kind}: a move needs the grant create in the new folder, and that there is one`, async () => {
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
