// publish and stage: the changes that move the two pointers of a file, and the changes that do not.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  makeFile,
  newName,
  pointersOf,
  read,
  uploadFile,
} from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** version, live_version, staged_version, fileState. */
type State = readonly [number, number | null, number | null, string | null]

const stateOf = (file: any): State => [
  file.version,
  file.live_version,
  file.staged_version,
  file.fileState,
]
const pathOf = (file: any) => `${PATH}/${file.asset_file_id}`

async function stateNow(file: any): Promise<State> {
  return stateOf((await read(server, pathOf(file))).body)
}

async function textOf(file: any, query = ''): Promise<string> {
  const answer = await server.call('GET', `${file.url}${query}`)
  return answer.status === 200 ? answer.text : String(answer.body.code)
}

/** The bodies that bring a new file, with version 1 and nothing live, into a state of the table. */
const STATES: Readonly<
  Record<string, { readonly bodies: readonly object[]; readonly state: State }>
> = {
  new: { bodies: [], state: [1, null, null, null] },
  published: { bodies: [{ fileState: 'publish' }], state: [1, 1, 1, 'publish'] },
  staged: { bodies: [{ fileState: 'stage' }], state: [1, null, 1, 'stage'] },
  'published, then edited': {
    bodies: [{ fileState: 'publish' }, { pageContent: '2' }],
    state: [2, 1, 1, 'publish'],
  },
  'published, then a later version staged': {
    bodies: [{ fileState: 'publish' }, { pageContent: '2', fileState: 'stage' }],
    state: [2, 1, 2, 'stage'],
  },
}

interface Trigger {
  readonly name: string
  readonly send: (file: any) => Promise<{ readonly status: number; readonly body: any }>
  readonly next: (state: State) => State
}

const publishIt = (state: State): State => [state[0], state[0], state[0], 'publish']
const stageIt = (state: State): State => [state[0], state[1], state[0], 'stage']
const save = ([version, live, staged, fileState]: State): State => [
  version + 1,
  live,
  staged,
  fileState,
]
const post = (json: object) => (file: any) => server.call('POST', pathOf(file), { json })
const act = (method: string, action: string) => (file: any) =>
  server.call(method, `${pathOf(file)}/${action}`)

const TRIGGERS: readonly Trigger[] = [
  { name: 'POST fileState publish', send: post({ fileState: 'publish' }), next: publishIt },
  { name: 'POST fileState stage', send: post({ fileState: 'stage' }), next: stageIt },
  { name: 'GET publish', send: act('GET', 'publish'), next: publishIt },
  { name: 'POST publish', send: act('POST', 'publish'), next: publishIt },
  { name: 'GET stage', send: act('GET', 'stage'), next: stageIt },
  { name: 'POST stage', send: act('POST', 'stage'), next: stageIt },
  { name: 'POST pageContent', send: post({ pageContent: 'new' }), next: save },
  { name: 'POST title', send: post({ title: 'new' }), next: save },
  {
    name: 'POST pageContent and publish',
    send: post({ pageContent: 'new', fileState: 'publish' }),
    next: (state) => publishIt(save(state)),
  },
  {
    name: 'POST pageContent and stage',
    send: post({ pageContent: 'new', fileState: 'stage' }),
    next: (state) => stageIt(save(state)),
  },
  {
    name: 'POST /upload',
    send: async (file) => ({
      status: 200,
      body: await uploadFile(server, 'new', { asset_file_id: String(file.asset_file_id) }),
    }),
    next: save,
  },
  {
    name: 'POST unpublish',
    send: act('POST', 'unpublish'),
    next: (state) => (state[1] === null ? state : [state[0], null, state[2], 'stage']),
  },
  {
    name: 'POST unstage',
    send: act('POST', 'unstage'),
    next: ([version, live, staged, state]) => [
      ...([version, live, live] as const),
      staged === live ? state : live === null ? null : 'publish',
    ],
  },
]

for (const [from, { bodies, state }] of Object.entries(STATES)) {
  for (const { name, send, next } of TRIGGERS) {
    test(`a file that is ${from}: ${name}`, async () => {
      const file = await makeFile(server, { pageContent: '1' })
      for (const json of bodies) await server.call('POST', pathOf(file), { json })
      assert.deepEqual(await stateNow(file), state)

      const answer = await send(file)
      assert.equal(answer.status, 200)
      assert.deepEqual(stateOf(answer.body), next(state))
      assert.deepEqual(await stateNow(file), next(state))
      await assertState(file)
    })
  }
}

/** Checks the computed state. A search finds the file under this state and under no other. */
async function assertState(file: any): Promise<void> {
  const { body } = await read(server, pathOf(file))
  const { version, live_version: live, staged_version: staged, asset_file_id } = body
  const none = staged === null ? 'draft' : 'staged'
  const some = live === version ? 'published' : 'changed'
  assert.equal(body.state, live === null ? none : some)
  for (const state of ['draft', 'staged', 'published', 'changed']) {
    const found = await searchState(server, { state, asset_file_id })
    assert.deepEqual(found, state === body.state ? [asset_file_id] : [], state)
  }
}

async function searchState(at: TestServer, qry: object): Promise<readonly number[]> {
  const query = new URLSearchParams({ qry: JSON.stringify(qry), fields: 'asset_file_id,state' })
  const { body, text } = await at.call('GET', `${PATH}?${query}`)
  assert.ok(Array.isArray(body.asset_file), text)
  return body.asset_file.map((file: any) => file.asset_file_id)
}

test('visitors get the live version, the stage shows the staged one, and a save moves neither', async () => {
  const file = await makeFile(server, { pageContent: '1' })
  const texts = async () => [await textOf(file), await textOf(file, '?state=stage')]
  assert.deepEqual(await texts(), ['not-published', 'not-published'])

  await server.call('GET', `${pathOf(file)}/publish`)
  await server.call('POST', pathOf(file), { json: { pageContent: '2' } })
  assert.deepEqual(await texts(), ['1', '1'])
  await server.call('GET', `${pathOf(file)}/stage`)
  await server.call('POST', pathOf(file), { json: { pageContent: '3' } })
  assert.deepEqual(await texts(), ['1', '2'])
  await server.call('GET', `${pathOf(file)}/publish`)
  assert.deepEqual(await texts(), ['3', '3'])
})

test('publish and stage do not change the content', async () => {
  const file = await makeFile(server, { title: 'T' })
  const { body } = await server.call('GET', `${pathOf(file)}/publish`)
  const { date_modified, date_published, date_staged } = body
  const moved = {
    ...{ fileState: 'publish', state: 'published', live_version: 1, staged_version: 1 },
    was_published: true,
  }
  assert.deepEqual(body, { ...file, ...moved, date_modified, date_published, date_staged })
  assert.ok(date_published >= file.date_added && date_staged === date_published)
})

test('publishing the live version changes nothing', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  const before = await read(server, pathOf(file))
  for (const method of ['GET', 'POST']) {
    const again = await server.call(method, `${pathOf(file)}/publish`)
    assert.deepEqual(
      [again.status, again.body, again.headers.etag],
      [200, before.body, before.etag],
    )
  }
})

test('publish?version=n rolls the live site back and leaves the stage', async () => {
  const file = await makeFile(server, { pageContent: '1' })
  await server.call('POST', pathOf(file), { json: { pageContent: '2', fileState: 'publish' } })
  const answer = await server.call('POST', `${pathOf(file)}/publish?version=1`)
  assert.deepEqual(stateOf(answer.body), [2, 1, 2, 'publish'])
  assert.deepEqual([await textOf(file), await textOf(file, '?state=stage')], ['1', '2'])

  await server.call('GET', `${pathOf(file)}/publish?version=2`)
  assert.deepEqual([await stateNow(file), await textOf(file)], [[2, 2, 2, 'publish'], '2'])
})

test('stage?version=n stages an older version, but none before the live version', async () => {
  const file = await makeFile(server, { pageContent: '1' })
  await server.call('POST', pathOf(file), { json: { pageContent: '2', fileState: 'publish' } })
  for (const pageContent of ['3', '4'])
    await server.call('POST', pathOf(file), { json: { pageContent, fileState: 'stage' } })
  const answer = await server.call('POST', `${pathOf(file)}/stage`, { json: { version: 3 } })
  assert.deepEqual(stateOf(answer.body), [4, 2, 3, 'stage'])
  assert.deepEqual([await textOf(file), await textOf(file, '?state=stage')], ['2', '3'])

  const behind = await server.call('GET', `${pathOf(file)}/stage?version=1`)
  assert.match(
    assertProblem(behind, 'invalid-content').errors[0].detail,
    /stage version 2 or a later/,
  )
  assert.deepEqual(await stateNow(file), [4, 2, 3, 'stage'])
  assertProblem(await server.call('GET', `${pathOf(file)}/stage?version=9`), 'not-found')
})

test('a missing version cannot go live', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  assertProblem(await server.call('POST', `${pathOf(file)}/publish?version=2`), 'not-found')
  for (const version of ['0', '-1', '1.5', 'x', '', '1&version=1', '99999999999999999']) {
    const answer = await server.call('POST', `${pathOf(file)}/publish?version=${version}`)
    assertProblem(answer, 'bad-request')
  }
  assert.deepEqual(await stateNow(file), [1, 1, 1, 'publish'])
})

test('unpublish removes a file from the site and can be undone', async () => {
  const file = await makeFile(server, { pageContent: '1', fileState: 'publish' })
  const { body } = await server.call('POST', `${pathOf(file)}/unpublish`)
  assert.deepEqual([body.live_version, body.date_published], [null, null])
  assertProblem(await server.call('GET', file.url), 'not-published')
  assert.equal(await textOf(file, '?state=stage'), '1')
  await server.call('GET', `${pathOf(file)}/publish`)
  assert.equal(await textOf(file), '1')
})

test('a search finds the files that were never live', async () => {
  const made = await server.call('POST', '/api/v2/asset_category', { json: { name: newName() } })
  const parent_category_id = made.body.asset_category_id
  const make = (fields: object): Promise<any> => makeFile(server, { parent_category_id, ...fields })
  const draft = await make({ fileState: 'stage' })
  await make({ fileState: 'publish' })
  const past = await make({ fileState: 'publish' })
  await server.call('POST', `${pathOf(past)}/unpublish`)
  const copied = await server.call('POST', `${pathOf(past)}/copy`, { json: { name: newName() } })
  assert.equal(copied.status, 201, copied.text)
  const qry = JSON.stringify({ parent_category_id, was_published: false })
  const found = await server.call('GET', `/api/v2/asset_file?${new URLSearchParams({ qry })}`)
  const ids = found.body.asset_file.map(({ asset_file_id: id }: any) => id)
  assert.deepEqual(ids, [draft.asset_file_id, copied.body.asset_file_id])
})

test('a new name and content take effect only by publish', async () => {
  const file = await makeFile(server, { pageContent: '1', fileState: 'publish' })
  const name = newName()
  const { body } = await server.call('POST', pathOf(file), { json: { name, pageContent: '2' } })
  assert.deepEqual([body.name, body.url, await textOf(body)], [name, file.url, '1'])
})

test('content and state are saved in one commit or not at all', async () => {
  const file = await makeFile(server, { pageContent: '1' })
  const bad = [
    { pageContent: '2', fileState: 'live' },
    { pageContent: '2', fileState: 'publish', title: 5 },
    { pageContent: '2', fileState: null, name: '' },
    { pageContent: 2, fileState: 'publish' },
  ]
  for (const json of bad)
    assert.equal((await server.call('POST', pathOf(file), { json })).status, 422)
  assert.deepEqual(await stateNow(file), [1, null, null, null])
  assert.equal((await read(server, pathOf(file))).body.pageContent, '1')
})

test('fileState is publish or stage', async (t) => {
  for (const fileState of ['', 'Publish', 'unpublish', 'draft', 1, true, ['publish'], {}]) {
    await t.test(JSON.stringify(fileState), async () => {
      const file = await makeFile(server)
      assert.deepEqual(
        pointersOf(await server.call('POST', pathOf(file), { json: { fileState } })),
        ['/fileState'],
      )
      const json = { name: newName(), type: 'html', parent_category_id: 1, fileState }
      assert.deepEqual(pointersOf(await server.call('POST', PATH, { json })), ['/fileState'])
    })
  }
})

test('a record that is sent back with its fileState publishes nothing', async () => {
  const file = await makeFile(server, { pageContent: '1', fileState: 'publish' })
  await server.call('POST', pathOf(file), { json: { pageContent: '2' } })
  const { body } = await read(server, pathOf(file))
  const same = await server.call('POST', pathOf(file), { json: body })
  assert.deepEqual([same.status, stateOf(same.body)], [200, [3, 1, 1, 'publish']])

  const edited = await server.call('POST', pathOf(file), {
    json: { ...same.body, pageContent: '3' },
  })
  assert.deepEqual(stateOf(edited.body), [4, 1, 1, 'publish'])
  const staged = { ...edited.body, fileState: 'stage' }
  const moved = await server.call('POST', pathOf(file), { json: staged })
  assert.deepEqual(stateOf(moved.body), [5, 1, 5, 'stage'])
  await server.call('POST', pathOf(file), { json: { fileState: 'publish' } })
  assert.deepEqual(await stateNow(file), [5, 5, 5, 'publish'])
})

test('the body of an action is empty or has the members that the query accepts', async (t) => {
  const file = await makeFile(server, { pageContent: '1' })
  await server.call('POST', pathOf(file), { json: { pageContent: '2' } })
  const at = (action: string) => `${pathOf(file)}/${action}`

  const told = await server.call('POST', at('publish'), { json: { version: 1 } })
  assert.deepEqual(stateOf(told.body), [2, 1, 1, 'publish'])
  const twice = await server.call('POST', at('publish?version=1'), { json: { version: 2 } })
  assertProblem(twice, 'bad-request')
  for (const version of [0, -1, 1.5, '1', null, []]) {
    const answer = await server.call('POST', at('publish'), { json: { version } })
    assert.deepEqual(pointersOf(answer), ['/version'])
  }

  for (const action of ['publish', 'stage', 'unpublish', 'versions/1/restore']) {
    await t.test(action, async () => {
      const before = await stateNow(file)
      const wrong = await server.call('POST', at(action), { json: { x: 1, y: 2 } })
      assert.deepEqual(pointersOf(wrong), ['/x', '/y'])
      assert.deepEqual(pointersOf(await server.call('POST', at(action), { json: null })), [''])
      const form = { body: 'version=1', headers: { 'content-type': 'text/plain' } }
      assertProblem(await server.call('POST', at(action), form), 'unsupported-media-type')
      const broken = { body: '{', headers: { 'content-type': 'application/json' } }
      assertProblem(await server.call('POST', at(action), broken), 'bad-json')
      if (action !== 'publish') {
        const version = await server.call('POST', at(action), { json: { version: 1 } })
        assert.deepEqual(pointersOf(version), ['/version'])
      }
      assert.deepEqual(await stateNow(file), before)
      assert.equal((await server.call('POST', at(action), { json: {} })).status, 200)
    })
  }
})

test('a file can be created published or staged', async () => {
  assert.deepEqual(stateOf(await makeFile(server, { fileState: 'publish' })), [1, 1, 1, 'publish'])
  assert.deepEqual(stateOf(await makeFile(server, { fileState: 'stage' })), [1, null, 1, 'stage'])
})

test('the GET form is not cached, never returns 304, and refuses a prefetch', async () => {
  const file = await makeFile(server, { pageContent: '1' })
  for (const action of ['publish', 'stage']) {
    const path = `${pathOf(file)}/${action}`
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
    ]) {
      assertProblem(await server.call('GET', path, { headers }), 'prefetch-refused')
    }
    const answer = await server.call('GET', path, {
      headers: { 'if-none-match': '*', range: 'bytes=0-1' },
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('H18: HEAD on an action is 405 and changes nothing', async () => {
  const file = await makeFile(server)
  for (const [action, allow] of [
    ['publish', 'GET, POST, OPTIONS'],
    ['stage', 'GET, POST, OPTIONS'],
    ['unpublish', 'POST, OPTIONS'],
  ]) {
    const answer = await server.call('HEAD', `${pathOf(file)}/${action}`)
    assert.deepEqual([answer.status, answer.headers.allow], [405, allow])
  }
  assertProblem(await server.call('GET', `${pathOf(file)}/unpublish`), 'method-not-allowed')
  assertProblem(await server.call('DELETE', `${pathOf(file)}/publish`), 'method-not-allowed')
  assert.deepEqual(await stateNow(file), [1, null, null, null])
})

test('a reader sees the complete old or new live version', async () => {
  const texts = ['a', 'b'].map((letter) => letter.repeat(50_000))
  const file = await makeFile(server, { pageContent: texts[0], fileState: 'publish' })
  await server.call('POST', pathOf(file), { json: { pageContent: texts[1] } })

  const flips = (async () => {
    for (let flip = 0; flip < 40; flip += 1)
      await server.call('POST', `${pathOf(file)}/publish?version=${1 + (flip % 2)}`)
  })()
  const downloads = await Promise.all(
    Array.from({ length: 80 }, () => server.call('GET', file.url)),
  )
  await flips
  assert.ok(downloads.every(({ status, text }) => status === 200 && texts.includes(text)))
})
