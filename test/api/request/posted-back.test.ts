// Posting back a record that was read.

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

const FOLDER = '/api/v2/asset_category'
const FILE = '/api/v2/asset_file'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const READ_ONLY = {
  asset_file_id: 999,
  date_added: '2020-01-01T00:00:00.000Z',
  date_modified: '2020-01-01T00:00:00.000Z',
  owner: 'somebody',
  version: 9,
  live_version: 9,
  staged_version: 9,
  size: 9,
  sha256: 'x',
  mime_type: 'image/png',
  path: '/x',
  url: '/x',
}

test('B8: a read-only property is rejected unless it has the stored value', async (t) => {
  const file = await makeFile(server)
  const path = `${FILE}/${file.asset_file_id}`
  for (const [name, value] of Object.entries(READ_ONLY)) {
    await t.test(name, async () => {
      assert.deepEqual(pointersOf(await server.call('POST', path, { json: { [name]: value } })), [
        `/${name}`,
      ])
      // Each save creates a version, so the stored value differs the next time.
      const { body: stored } = await read(server, path)
      assert.equal(
        (await server.call('POST', path, { json: { [name]: stored[name] } })).status,
        200,
      )
      const create = { name: newName(), type: 'html', parent_category_id: 1, [name]: value }
      assert.deepEqual(pointersOf(await server.call('POST', FILE, { json: create })), [`/${name}`])
    })
  }
})

test('every object can be sent back unchanged', async () => {
  const file = await makeFile(server, { title: 'T', fileState: 'publish' })
  const group = await make(server, 'file_group', {
    name: 'g',
    asset_file_ids: [file.asset_file_id],
  })
  const folder = await makeFolder(server, { description: 'D' })
  const address = { url: 'https://a.invalid', status: 'paused' }
  const { secret: _, ...hook } = await make(server, 'webhook', { name: 'h', ...address })
  const role = await make(server, 'role', { name: 'translator', grants: ['view'] })
  const paths = [
    `/api/v2/role/${role.role_id}`,
    `${FILE}/${file.asset_file_id}`,
    `/api/v2/file_group/${group.file_group_id}`,
    `${FOLDER}/${folder.asset_category_id}`,
    `${FOLDER}/1`,
    '/api/v2/user/1',
    '/api/v2/api_key/1',
    `/api/v2/webhook/${hook.webhook_id}`,
  ]
  for (const path of paths) {
    const before = await read(server, path)
    const { last_used: _, ...rest } = before.body
    const answer = await server.call('POST', path, { json: rest })
    const { last_used: __, ...after } = answer.body
    // For a file the request is a save.
    const { version, date_modified } = { ...after, version: before.body.version + 1 }
    const saved = path.startsWith(FILE) && { version, date_modified, state: 'changed' }
    assert.deepEqual([answer.status, after], [200, { ...rest, ...saved }], path)
  }
})

test('a whole record that was changed in the meantime gets 409 with the differences', async () => {
  const file = await makeFile(server)
  const folder = await makeFolder(server)
  for (const [path, change] of [
    [`${FILE}/${file.asset_file_id}`, { pageContent: 'other' }],
    [`${FOLDER}/${folder.asset_category_id}`, { title: 'other' }],
  ] as const) {
    const { body: mine } = await read(server, path)
    assert.equal((await server.call('POST', path, { json: change })).status, 200)
    const { body: now } = await read(server, path)
    for (const method of ['POST', 'PATCH']) {
      const answer = await server.call(method, path, { json: { ...mine, title: 'mine' } })
      const { detail, errors } = assertProblem(answer, 'record-changed')
      assert.match(detail, /has changed since it was read: .*date_modified/)
      const told = errors.find((item: any) => item.pointer === '/date_modified')
      assert.equal(told.detail, `is "${now.date_modified}" now`)
    }
    assert.deepEqual((await read(server, path)).body, now)
    const again = await server.call('POST', path, { json: { ...now, title: 'mine' } })
    assert.equal(again.status, 200, again.text)
  }
})
