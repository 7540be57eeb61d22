// A version may have a note that says why it was saved. Only people who work on the file read it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, uploadFile } from '../../helpers/content.ts'
import { changesOf } from '../../helpers/follow.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const pathOf = ({ asset_file_id: id }: any): string => `/api/v2/asset_file/${id}`

async function save(file: any, json: object): Promise<any> {
  const answer = await server.call('POST', pathOf(file), { json })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function notesOf(file: any, key?: string): Promise<readonly (string | null)[]> {
  const { body } = await server.call('GET', `${pathOf(file)}/versions`, key ? { key } : {})
  return body.asset_file_version.map(({ version_note: note }: any) => note)
}

test('a note belongs to one version', async () => {
  const file = await makeFile(server, { version_note: 'first draft' })
  assert.equal(file.version_note, 'first draft')
  assert.equal((await save(file, { pageContent: '<p>2</p>' })).version_note, null)
  const noted = await save(file, { version_note: 'prices of 2027', fileState: 'publish' })
  assert.deepEqual([noted.version_note, noted.live_version], ['prices of 2027', 3])
  const restored = await server.call('POST', `${pathOf(file)}/versions/1/restore`)
  assert.equal(restored.body.version_note, null)
  assert.deepEqual(await notesOf(file), [null, 'prices of 2027', null, 'first draft'])
  assert.equal((await server.call('POST', `${pathOf(file)}/copy`, { json: {} })).status, 201)

  const uploaded = await uploadFile(server, 'bytes', { version_note: 'from the camera' })
  assert.equal(uploaded.version_note, 'from the camera')
  const tooLong = { version_note: 'x'.repeat(1_001) }
  assertProblem(await server.call('POST', pathOf(file), { json: tooLong }), 'invalid-content')
  const qry = encodeURIComponent(JSON.stringify({ version_note: 'first draft' }))
  assertProblem(await server.call('GET', `/api/v2/asset_file?qry=${qry}`), 'bad-qry')
})

test('keys with only the view grant read no notes', async () => {
  const key = await server.makeKey({ name: 'visitor', grants: 'view' })
  const file = await makeFile(server, { version_note: 'secret', fileState: 'publish' })
  const read = async (): Promise<any> => (await server.call('GET', pathOf(file), { key })).body
  assert.equal((await read()).version_note, null)
  assert.deepEqual(await notesOf(file, key), [null])
  const one = await server.call('GET', `${pathOf(file)}/versions/1`, { key })
  assert.equal(one.body.version_note, null)
  const change = () => save(file, { version_note: 'another', title: 'T', fileState: 'publish' })
  const [told] = await changesOf(server, change, { key })
  assert.ok(!told.changed_fields.includes('version_note'))
  await save(file, { version_note: 'draft' })
  assert.equal((await read()).version_note, null)
})
