// The authority over links to files, and how a link depends on its maker.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder } from '../../helpers/content.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, PASSWORD, session, signIn } from '../../helpers/sessions.ts'

const START_MS = Date.parse('2026-05-04T10:00:00Z')
const HOUR_MS = 3_600_000

let server: TestServer
let nowMs = START_MS
let id: number
let folderId: number
before(async () => {
  server = await startTestServer({ now: () => new Date(nowMs) })
  folderId = (await makeFolder(server)).asset_category_id
  const fields = { parent_category_id: folderId, fileState: 'publish' }
  id = (await makeFile(server, fields)).asset_file_id
  await server.call('POST', `/api/v2/asset_file/${id}`, { json: { pageContent: '<p>2</p>' } })
  await server.call('POST', `/api/v2/asset_file/${id}/stage`)
})
after(() => server.close())

const LINKS = (): string => `/api/v2/asset_file/${id}/link`
const ask = (key: string, json: object = {}): Promise<Answer> =>
  server.call('POST', LINKS(), { json, key })
async function link(key: string, json: object = {}): Promise<any> {
  const answer = await ask(key, json)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const statusOf = async (url: string): Promise<number> =>
  (await server.call('GET', url, { key: null })).status
const idsSeenBy = async (key: string): Promise<readonly number[]> => {
  const { body } = await server.call('GET', `${LINKS()}?length=1000`, { key })
  return body.asset_file_link.map((each: any) => each.asset_file_link_id)
}
const change = (path: string, json: object): Promise<Answer> =>
  server.call('POST', `/api/v2/${path}`, { json })

let users = 0
async function makeUser(role: string): Promise<{ readonly name: string; readonly id: number }> {
  users += 1
  const name = `user-${users}`
  const { user_id } = await make(server, 'user', { name, role })
  return { name, id: user_id }
}
async function makeKey(fields: object): Promise<{ readonly secret: string; readonly id: number }> {
  const { secret, api_key_id } = await make(server, 'api_key', { name: 'a', ...fields })
  return { secret, id: api_key_id }
}
async function signedIn(name: string): Promise<string> {
  await givePassword(server, name)
  return (await signIn(server, name)).secret
}

test('a link needs the grant that reading its version needs', async () => {
  const grants: readonly (readonly [readonly string[], readonly number[]])[] = [
    [['view'], [201, 403, 403]],
    [['stage'], [403, 201, 403]],
    [
      ['view', 'publish'],
      [201, 201, 403],
    ],
    [
      ['view', 'modify'],
      [201, 201, 201],
    ],
  ]
  for (const [held, statuses] of grants) {
    const { secret } = await makeKey({ grants: held })
    const bodies = [{ state: 'live' }, { state: 'stage' }, { version: 1 }]
    const answers = await Promise.all(bodies.map((json) => ask(secret, json)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
      held.join(),
    )
  }
  const other = await makeFolder(server)
  const { secret } = await makeKey({ asset_category_id: other.asset_category_id })
  assertProblem(await ask(secret), 'not-found')
  assertProblem(await server.call('GET', LINKS(), { key: secret }), 'not-found')
})

describe('a link stops working', () => {
  const cases: Readonly<Record<string, (key: number, user: number) => Promise<Answer>>> = {
    'its key is deleted': (key) => server.call('DELETE', `/api/v2/api_key/${key}`),
    'its key is disabled': (key) => change(`api_key/${key}`, { status: 'inactive' }),
    'its key loses the grant': (key) => change(`api_key/${key}`, { grants: ['create'] }),
    'its key is limited to another folder': async (key) =>
      change(`api_key/${key}`, {
        asset_category_id: (await makeFolder(server)).asset_category_id,
      }),
    'its user is disabled': (_, user) => change(`user/${user}`, { status: 'disabled' }),
    'its user loses the role': (_, user) => change(`user/${user}`, { role: null }),
    'its user loses the role in the folder': (_, user) =>
      change(`user/${user}`, {
        category_roles: [{ asset_category_id: folderId, role: null }],
      }),
    'its user is deleted': (_, user) => server.call('DELETE', `/api/v2/user/${user}`),
  }
  for (const [when, act] of Object.entries(cases))
    test(`when ${when}`, async () => {
      const user = await makeUser('editor')
      const key = await makeKey({ user_id: user.id })
      const { url } = await link(key.secret, { state: 'stage' })
      assert.equal(await statusOf(url), 200)
      const answer = await act(key.id, user.id)
      assert.ok(answer.status < 300, answer.text)
      assert.equal(await statusOf(url), 404)
    })

  test('when its key expires, and never later than its key or secret', async () => {
    const date_expires = new Date(nowMs + HOUR_MS).toISOString()
    const { secret } = await makeKey({ date_expires })
    const made = await link(secret, { expires_in: '7d' })
    assert.equal(made.date_expires, date_expires)
    nowMs += HOUR_MS
    assert.equal(await statusOf(made.url), 404)
  })

  test('while the file is outside the folder of its key', async () => {
    const other = await makeFolder(server)
    const { secret } = await makeKey({ asset_category_id: folderId })
    const { url } = await link(secret)
    const move = (parent_category_id: number): Promise<Answer> =>
      change(`asset_file/${id}`, { parent_category_id })
    assert.equal((await move(other.asset_category_id)).status, 200)
    assert.equal(await statusOf(url), 404)
    assert.equal((await move(folderId)).status, 200)
    assert.equal(await statusOf(url), 200)
  })
})

test('the link of a user outlives the session and ends with the user', async () => {
  const user = await makeUser('editor')
  const secret = await signedIn(user.name)
  const made = await link(secret, { state: 'stage', expires_in: '90d' })
  assert.deepEqual([made.api_key_id, made.owner], [null, user.name])
  await server.call('DELETE', '/api/v2/session', { key: secret })
  nowMs += 20 * 24 * HOUR_MS
  assert.equal(await statusOf(made.url), 200)
  await change(`user/${user.id}`, { status: 'disabled' })
  assert.equal(await statusOf(made.url), 404)
})

test('a key manages its own links, a user those of the keys, an administrator all', async () => {
  const user = await makeUser('editor')
  const person = await signedIn(user.name)
  const [one, two] = [await makeKey({ user_id: user.id }), await makeKey({ user_id: user.id })]
  const [ofOne, ofTwo, ofPerson] = [
    await link(one.secret),
    await link(two.secret),
    await link(person),
  ].map((each) => Number(each.asset_file_link_id))
  const stranger = (await makeKey({ user_id: (await makeUser('editor')).id })).secret

  assert.deepEqual(await idsSeenBy(one.secret), [ofOne])
  assert.deepEqual(await idsSeenBy(person), [ofPerson, ofTwo, ofOne])
  assert.deepEqual(await idsSeenBy(stranger), [])
  const all = await idsSeenBy(server.key)
  for (const each of [ofOne, ofTwo, ofPerson]) assert.ok(all.includes(Number(each)))

  const revoke = (key: string, linkId: number | undefined): Promise<Answer> =>
    server.call('DELETE', `${LINKS()}/${linkId}`, { key })
  for (const key of [stranger, one.secret]) assertProblem(await revoke(key, ofTwo), 'not-found')
  assertProblem(await revoke(stranger, 999_999), 'not-found')
  assert.equal((await revoke(one.secret, ofOne)).status, 204)
  assert.equal((await revoke(person, ofTwo)).status, 204)
  assert.equal((await revoke(server.key, ofPerson)).status, 204)
})

test('a list shows the address only to keys that may read the version', async () => {
  const user = await makeUser('editor')
  const person = await signedIn(user.name)
  await link(person, { state: 'stage' })
  await change(`user/${user.id}`, { role: 'viewer' })
  const { body } = await server.call('GET', LINKS(), { key: person })
  assert.equal(body.asset_file_link[0].url, null)
})

test('links and their changes are hidden from other readers of the file', async () => {
  const { secret } = await makeKey({ grants: ['view'] })
  const read = async (): Promise<string> => {
    const file = await server.call('GET', `/api/v2/asset_file/${id}`, { key: secret })
    const list = await server.call('GET', LINKS(), { key: secret })
    const changes = await server.call('GET', '/api/v2/change?since=0', { key: secret })
    return JSON.stringify([file.text, file.headers.etag, list.text, changes.body.change])
  }
  const before = await read()
  await link(server.key)
  assert.equal(await read(), before)
})

test('revoking all keys also ends the links that users made', async () => {
  const own = await startTestServer()
  try {
    const { asset_file_id: file } = await makeFile(own, { fileState: 'publish' })
    await givePassword(own)
    const { secret: key } = await signIn(own)
    const { body } = await own.call('POST', `/api/v2/asset_file/${file}/link`, { json: {}, key })
    assert.equal((await own.call('GET', body.url, { key: null })).status, 200)
    await own.command({ command: 'key.revoke-all' })
    assert.equal((await own.call('GET', body.url, { key: null })).status, 404)
  } finally {
    await own.close()
  }
})

describe('bounds', () => {
  let small: TestServer
  let file: number
  before(async () => {
    const limits = { linksPerUser: 6, linksPerFile: 8, keyChanges: 4 }
    small = await startTestServer({ now: () => new Date(nowMs), limits })
    file = (await makeFile(small, { fileState: 'publish' })).asset_file_id
  })
  after(() => small.close())
  const askSmall = (call: Call): Promise<Answer> =>
    small.call('POST', `/api/v2/asset_file/${file}/link`, { json: {}, ...call })

  test('keys leave room for their user, and users for others', async () => {
    for (let at = 0; at < 3; at += 1) assert.equal((await askSmall({})).status, 201)
    assert.match(assertProblem(await askSmall({}), 'invalid-content').detail, /have 3 links/)
    await givePassword(small)
    const json = { name: 'admin', password: PASSWORD }
    const { secret: key } = (await session(small.url, 'POST', '', { json })).body
    for (let at = 0; at < 3; at += 1) assert.equal((await askSmall({ key })).status, 201)
    assert.match(assertProblem(await askSmall({ key }), 'invalid-content').detail, /has 6 links/)

    const { user_id } = await make(small, 'user', { name: 'b', role: 'editor' })
    const { secret } = await make(small, 'api_key', { name: 'b', user_id })
    for (let at = 0; at < 2; at += 1) assert.equal((await askSmall({ key: secret })).status, 201)
    const { detail } = assertProblem(await askSmall({ key: secret }), 'invalid-content')
    assert.match(detail, /file has 8 links/)
  })

  test('a key that may only view makes few links an hour', async () => {
    file = (await makeFile(small, { fileState: 'publish' })).asset_file_id
    const { user_id } = await make(small, 'user', { name: 'v', role: 'viewer' })
    const { secret: key } = await make(small, 'api_key', { name: 'v', user_id })
    const path = `/api/v2/asset_file/${file}/link`
    for (let at = 0; at < 4; at += 1) {
      const { status, body } = await askSmall({ key })
      assert.equal(status, 201)
      await small.call('DELETE', `${path}/${body.asset_file_link_id}`, { key })
    }
    assertProblem(await askSmall({ key }), 'too-many-requests')
  })
})
