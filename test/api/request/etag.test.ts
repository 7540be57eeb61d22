// ETags: repeated reads get 304, and writes do not overwrite changes of other clients.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  fileOf,
  make,
  makeFile,
  makeFolder,
  newName,
  partsOf,
  read,
} from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Every object: its name, the body that creates a record, and a change. */
const OBJECTS: readonly {
  name: string
  create: () => object
  change: (value: string) => object
}[] = [
  { name: 'asset_category', create: () => ({ name: newName() }), change: (title) => ({ title }) },
  {
    name: 'asset_file',
    create: () => ({ name: newName(), type: 'html', parent_category_id: 1, pageContent: 'x' }),
    change: (pageContent) => ({ pageContent }),
  },
  { name: 'file_group', create: () => ({ name: newName() }), change: (title) => ({ title }) },
  {
    name: 'user',
    create: () => ({ name: newName('user'), role: 'editor' }),
    change: (email) => ({ email }),
  },
  {
    name: 'role',
    create: () => ({ name: newName('role'), grants: ['view'] }),
    change: (description) => ({ description }),
  },
  {
    name: 'webhook',
    create: () => ({ name: newName('hook'), url: 'https://a.invalid', status: 'paused' }),
    change: (name) => ({ name }),
  },
  { name: 'api_key', create: () => ({ name: newName('key') }), change: (name) => ({ name }) },
]

async function makeAt(object: (typeof OBJECTS)[number]): Promise<string> {
  const record = await make(server, object.name, object.create())
  return `/api/v2/${object.name}/${record[`${object.name}_id`]}`
}

/** Checks that the answer is a refusal with the current ETag, with which a client can retry. */
async function assertStale(answer: any, path: string): Promise<void> {
  const { current_etag: current } = assertProblem(answer, 'precondition-failed')
  assert.equal(answer.headers.etag, current)
  const { version } = (await read(server, path)).body
  assert.equal(answer.body.current_version, version)
  assert.match(answer.body.detail, version === undefined ? /read: its ETag/ : /at version \d+, and/)
  assert.ok(answer.body.detail.includes(current))
  const head = (await read(server, path)).etag
  assert.ok(head.startsWith(current.slice(0, -1)), `${head} is not ${current}`)
}

for (const object of OBJECTS) {
  test(`E1: ${object.name}: If-Match accepts the current ETag and rejects every other`, async () => {
    const path = await makeAt(object)
    const { etag: first } = await read(server, path)
    const write = (ifMatch: string, value: string) =>
      server.call('POST', path, { json: object.change(value), headers: { 'if-match': ifMatch } })

    assert.equal((await write(first, 'one')).status, 200)
    const { etag: second } = await read(server, path)
    assert.notEqual(second, first)
    for (const stale of [first, `W/${first}`, '"x"', `${first}, "y"`])
      await assertStale(await write(stale, 'lost'), path)
    assert.equal((await read(server, path)).etag, second)

    const { current_etag: current } = (await write(first, 'lost')).body
    assert.equal((await write(current, 'two')).status, 200)
    assert.equal((await write('*', 'three')).status, 200)
    // Proxies that compress make a tag weak or append the name of the coding.
    const { etag: third } = await read(server, path)
    assert.equal((await write(`W/${third}`, 'weak')).status, 200)
    const { etag: fourth } = await read(server, path)
    assert.equal((await write(`${fourth.slice(0, -1)}-gzip"`, 'packed')).status, 200)
    assert.equal((await write(`"x", ${(await read(server, path)).etag}`, 'four')).status, 200)
    for (const garbage of ['x', '"', 'W/', '"a" "b"']) {
      assertProblem(await write(garbage, 'lost'), 'bad-request')
    }
  })

  test(`${object.name}: a delete honors If-Match`, async () => {
    const path = await makeAt(object)
    const { etag: first } = await read(server, path)
    await server.call('POST', path, { json: object.change('new') })
    await assertStale(await server.call('DELETE', path, { headers: { 'if-match': first } }), path)
    const { etag } = await read(server, path)
    assert.equal((await server.call('DELETE', path, { headers: { 'if-match': etag } })).status, 204)
  })

  test(`${object.name}: the response to a write has the ETag of the next read, which can be 304`, async () => {
    const path = await makeAt(object)
    const written = await server.call('POST', path, { json: object.change('new') })
    const etag = String(written.headers.etag)
    assert.equal((await read(server, path)).etag, etag)
    for (const header of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
      const same = await server.call('GET', path, { headers: { 'if-none-match': header } })
      assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', etag], header)
    }
    for (const header of ['"x"', 'garbage', etag.slice(1, -1)]) {
      assert.equal(
        (await server.call('GET', path, { headers: { 'if-none-match': header } })).status,
        200,
      )
    }
    const head = await server.call('HEAD', path, { headers: { 'if-none-match': etag } })
    assert.equal(head.status, 304)
  })

  test(`E2: ${object.name}: exactly one of several writers with the same ETag succeeds`, async () => {
    const path = await makeAt(object)
    const { etag } = await read(server, path)
    const writes = Array.from({ length: 8 }, (_, index) =>
      server.call('POST', path, {
        json: object.change(`writer ${index}`),
        headers: { 'if-match': etag },
      }),
    )
    const statuses = (await Promise.all(writes)).map((answer) => answer.status).sort()
    assert.deepEqual(statuses, [200, 412, 412, 412, 412, 412, 412, 412])
  })
}

test('every action of a file honors If-Match, and a rejected action changes nothing', async (t) => {
  const file = await makeFile(server, { fileState: 'publish' })
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const { etag: first } = await read(server, path)
  await server.call('POST', path, { json: { pageContent: '2' } })
  const now = await read(server, path)
  for (const [method, action] of [
    ['GET', 'publish'],
    ['POST', 'publish'],
    ['POST', 'publish?version=1'],
    ['GET', 'stage'],
    ['POST', 'stage'],
    ['POST', 'unpublish'],
    ['POST', 'unstage'],
    ['POST', 'versions/1/restore'],
  ] as const) {
    await t.test(`${method} ${action}`, async () => {
      await assertStale(
        await server.call(method, `${path}/${action}`, { headers: { 'if-match': first } }),
        path,
      )
      assert.deepEqual(await read(server, path), now)
    })
  }
  const moved = await server.call('GET', `${path}/publish`, { headers: { 'if-match': now.etag } })
  assert.deepEqual([moved.status, moved.body.live_version], [200, 2])
})

test('an upload of a next version honors If-Match', async () => {
  const file = await makeFile(server)
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const { etag } = await read(server, path)
  const parts = [...partsOf({ asset_file_id: String(file.asset_file_id) }), fileOf('new', 'x.bin')]
  await assertStale(await server.upload(parts, { headers: { 'if-match': '"x"' } }), path)
  assert.equal((await read(server, path)).etag, etag)
  assert.equal((await server.upload(parts, { headers: { 'if-match': etag } })).status, 200)
})

test('concurrent updates of different fields both succeed', async () => {
  const folder = await makeFolder(server)
  const file = await makeFile(server)
  const fields = {
    title: 'T',
    description: 'D',
    type: 'txt',
    pageContent: 'P',
    parent_category_id: folder.asset_category_id,
  }
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const updates = Object.entries(fields).map(([name, value]) =>
    server.call('POST', path, { json: { [name]: value } }),
  )
  assert.deepEqual(
    (await Promise.all(updates)).map((answer) => answer.status),
    [200, 200, 200, 200, 200],
  )
  const { body } = await read(server, path)
  assert.deepEqual({ ...body, ...fields }, body)
  assert.equal(body.version, 6)
})

test('a selection of fields and the whole record have different ETags, and If-Match accepts both', async () => {
  const file = await makeFile(server)
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const whole = await read(server, path)
  const part = await read(server, `${path}?fields=title`)
  assert.notEqual(part.etag, whole.etag)
  assert.equal(
    (await server.call('GET', path, { headers: { 'if-none-match': part.etag } })).status,
    200,
  )
  const write = await server.call('POST', path, {
    json: { title: 'x' },
    headers: { 'if-match': part.etag },
  })
  assert.equal(write.status, 200)
})

test('a rename of a parent folder changes the ETag of a file, because its path changes', async () => {
  const folder = await makeFolder(server)
  const file = await makeFile(server, { parent_category_id: folder.asset_category_id })
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const { etag } = await read(server, path)
  await server.call('POST', `/api/v2/asset_category/${folder.asset_category_id}`, {
    json: { name: newName() },
  })
  const again = await server.call('GET', path, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 200)
})
