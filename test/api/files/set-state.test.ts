// The operation set_state of a batch: the way back after a publish, a stage, an unpublish or an unstage.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFile, newName, read } from '../../helpers/content.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const pathOf = ({ asset_file_id: id }: any): string => `${PATH}/${id}`
const change = (file: any, json: object): Promise<Answer> =>
  server.call('POST', pathOf(file), { json })

const MEMBERS = [
  'live_version',
  'staged_version',
  'fileState',
  'publish_at',
  'publish_version',
  'unpublish_at',
  'stage_at',
  'stage_version',
] as const

function stateOf(record: any): Record<string, unknown> {
  return Object.fromEntries(MEMBERS.map((name) => [name, record[name]]))
}

interface Setting {
  readonly file: any
  readonly state: object
  readonly etag?: string | undefined
}

async function setState({ file, state, ...more }: Setting, call: Call = {}): Promise<any> {
  const etag = 'etag' in more ? more.etag : (await read(server, pathOf(file))).etag
  const operation = { op: 'set_state', asset_file_id: file.asset_file_id, state, etag }
  const json = { mode: 'each', operations: [operation] }
  const answer = await server.call('POST', '/api/v2/batch', { json, ...call })
  return answer.status === 200 ? answer.body.results[0] : answer
}

/** The bodies that bring a new file into a state. */
const STARTS: readonly (readonly object[])[] = [
  [],
  [{ fileState: 'stage' }],
  [{ fileState: 'stage' }, { pageContent: '2' }],
  [{ fileState: 'publish' }],
  [{ fileState: 'publish' }, { pageContent: '2' }],
  [{ fileState: 'publish' }, { pageContent: '2', fileState: 'stage' }],
  [{ fileState: 'publish' }, { pageContent: '2', fileState: 'stage' }, { pageContent: '3' }],
  [{ pageContent: '2', publish_at: '2099-01-01T00:00:00Z' }],
  [{ fileState: 'publish' }, { pageContent: '2', stage_at: '2099-01-01T00:00:00Z' }],
  [{ fileState: 'publish', unpublish_at: '2099-01-01T00:00:00Z' }, { pageContent: '2' }],
]

const CHANGES = ['publish', 'publish?version=1', 'stage', 'unpublish', 'unstage']

for (const [number, bodies] of STARTS.entries())
  test(`the state before each change is restored exactly, from start ${number}`, async () => {
    for (const action of CHANGES) {
      const file = await makeFile(server)
      for (const body of bodies) await change(file, body)
      const state = stateOf((await read(server, pathOf(file))).body)
      await server.call('POST', `${pathOf(file)}/${action}`)
      const { status, record, problem } = await setState({ file, state })
      assert.equal(status, 200, `${action}: ${JSON.stringify(problem)}`)
      assert.deepEqual(stateOf(record), state, action)
      const text = await server.call('GET', `${file.url}`)
      assert.equal(text.status, state['live_version'] === null ? 404 : 200)
    }
  })

test('a change since then is kept, and the error names the ETag of now', async () => {
  const file = await makeFile(server)
  const { body, etag } = await read(server, pathOf(file))
  await change(file, { title: 'by somebody else' })
  const { problem, status } = await setState({ file, state: stateOf(body), etag })
  assert.deepEqual([status, problem.code], [412, 'precondition-failed'])
})

test('mode all sets the states of several files at once, recorded as the action that it is', async () => {
  const files = [await makeFile(server), await makeFile(server)]
  const operations: object[] = []
  for (const file of files) {
    const { body } = await read(server, pathOf(file))
    await server.call('POST', `${pathOf(file)}/publish`)
    const { etag } = await read(server, pathOf(file))
    const { asset_file_id } = file
    operations.push({ op: 'set_state', asset_file_id, state: stateOf(body), etag })
  }
  const answer = await server.call('POST', '/api/v2/batch', { json: { mode: 'all', operations } })
  assert.equal(answer.status, 200, answer.text)
  for (const file of files) assert.equal((await read(server, pathOf(file))).body.live_version, null)
  const { body } = await server.call('GET', '/api/v2/audit?length=1&orderDir=DESC')
  assert.deepEqual([body.audit[0].action, body.audit[0].count], ['unpublish', 2])
})

test('a state in which no file can be is refused with a pointer to the member', async () => {
  const file = await makeFile(server)
  const state = stateOf((await read(server, pathOf(file))).body)
  for (const [more, pointer] of [
    [{ live_version: 1 }, 'staged_version'],
    [{ live_version: 2, staged_version: 1, fileState: 'publish' }, 'staged_version'],
    [{ staged_version: 1 }, 'fileState'],
    [{ fileState: 'publish' }, 'fileState'],
    [{ fileState: 'live' }, 'fileState'],
    [{ live_version: 0 }, 'live_version'],
    [{ live_version: '1' }, 'live_version'],
    [{ unpublish_version: 1 }, 'unpublish_version'],
    [{ publish_at: '2099-01-01T00:00:00Z' }, 'publish_version'],
    [{ stage_version: 1 }, 'stage_version'],
    [{ version: 1 }, 'version'],
  ] as const) {
    const answer = await setState({ file, state: { ...state, ...more } })
    assertProblem(answer, 'invalid-content')
    assert.equal(answer.body.errors[0].pointer, `/operations/0/state/${pointer}`)
  }
  assertProblem(await setState({ file, state, etag: undefined }), 'invalid-content')
  const json = {
    mode: 'each',
    operations: [{ op: 'publish', asset_file_id: file.asset_file_id, state }],
  }
  assertProblem(await server.call('POST', '/api/v2/batch', { json }), 'invalid-content')
})

test('a version that cannot go live, or a time that is over, is refused', async () => {
  const name = newName()
  const file = await makeFile(server, { name, fileState: 'publish' })
  const { body: first } = await read(server, pathOf(file))
  await change(file, { name: newName(), fileState: 'publish' })
  const other = await makeFile(server, { name })
  const codeOf = async (state: object): Promise<string> =>
    (await setState({ file, state: { ...stateOf(first), ...state } })).problem.code
  assert.equal(await codeOf({}), 'name-taken')
  await server.call('DELETE', pathOf(other))
  assert.equal(await codeOf({ staged_version: 9 }), 'not-found')
  const past = { publish_at: '2020-01-01T00:00:00Z', publish_version: 1 }
  assert.equal(await codeOf(past), 'invalid-content')
  assert.equal(await codeOf({ ...past, publish_at: '2099-01-01T00:00:00.5Z' }), 'invalid-content')
  const future = { publish_at: '2099-01-01T00:00:00Z', publish_version: 9 }
  assert.equal(await codeOf(future), 'not-found')
  assert.equal((await setState({ file, state: stateOf(first) })).status, 200)
})

test('a change of the live version needs the grant publish, any other the grant stage', async () => {
  const file = await makeFile(server, { fileState: 'stage' })
  const state = stateOf((await read(server, pathOf(file))).body)
  const live = { ...state, live_version: 1, fileState: 'publish' }
  const none = { ...state, staged_version: null, fileState: null }
  const keyFor = async (...grants: string[]): Promise<string> =>
    (await make(server, 'api_key', { name: newName(), grants })).secret
  const [stager, publisher, writer] = [
    await keyFor('view', 'stage'),
    await keyFor('view', 'publish'),
    await keyFor('view', 'modify'),
  ]
  const statusOf = async (key: string, next: object): Promise<number> =>
    (await setState({ file, state: next }, { key })).status
  for (const [key, next, status] of [
    [writer, none, 403],
    [stager, live, 403],
    [publisher, none, 403],
    [stager, none, 200],
    [stager, state, 200],
    [publisher, live, 200],
    [stager, state, 403],
    [publisher, state, 200],
  ] as const)
    assert.equal(await statusOf(key, next), status)
})
