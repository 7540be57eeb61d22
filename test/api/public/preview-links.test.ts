// Links of the state preview: they show the staged site to people without an account, and outlast the session.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem, make, makeFile, makeFolder, pointersOf } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, session, signIn } from '../../helpers/sessions.ts'

const ORIGIN = 'https://www.example.org'
const HOST = 'www.example.org'
const OTHER = 'https://docs.example.org'
const DAY_MS = 24 * 3_600_000

let server: TestServer
let clockMs = Date.UTC(2026, 0, 1)
let root: number
let page: any
before(async () => {
  const sites = [
    { origin: ORIGIN, folder: '/Main/website' },
    { origin: OTHER, folder: '/Main/docs' },
  ]
  const limits = { ...LIMITS, userLinksPerMaker: 2 }
  server = await startTestServer({ config: { sites }, limits, now: () => new Date(clockMs) })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  await makeFolder(server, { name: 'docs', public: true })
  page = await save('page.html', { pageContent: 'live', fileState: 'publish' })
  const json = { pageContent: 'staged', fileState: 'stage' }
  await server.call('POST', `/api/v2/asset_file/${page.asset_file_id}`, { json })
})
after(() => server.close())

const save = (name: string, fields: object): Promise<any> =>
  makeFile(server, { name, type: 'html', parent_category_id: root, ...fields })
const ask = (json: object, key = server.key, id = page.asset_file_id): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_file/${id}/link`, { json: { state: 'preview', ...json }, key })
async function share(json: object = {}, key?: string): Promise<any> {
  const answer = await ask(json, key)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const visit = (url: string, host = HOST): Promise<Answer> =>
  server.call('GET', url.replace(ORIGIN, ''), { key: null, headers: { host } })
async function gone(url: string): Promise<void> {
  const answer = await visit(url)
  assert.deepEqual([answer.status, /preview has ended/.test(answer.text)], [404, true])
}

async function editor(name: string): Promise<{ readonly id: number; readonly key: string }> {
  const { user_id: id } = await make(server, 'user', { name, role: 'editor' })
  await givePassword(server, name)
  return { id, key: (await signIn(server, name)).secret }
}

describe('a link to the preview of a site', () => {
  test('shows the staged site on its host only, and ends after up to 30 days', async () => {
    const made = await share({ expires_in: '30d', note: 'for the agency' })
    assert.deepEqual([made.site, made.state, made.version], [ORIGIN, 'preview', null])
    assert.match(made.url, /^https:\/\/www\.example\.org\/~preview\/[\w-]{38}\/page\.html$/)
    const answer = await visit(made.url)
    assert.deepEqual([answer.status, answer.text], [200, 'staged'])
    assert.equal(answer.headers['content-security-policy'], "frame-ancestors 'self'")
    assert.equal(answer.headers['cache-control'], 'private, no-store')
    assert.equal((await visit(made.url, 'docs.example.org')).status, 404)
    const [, token = ''] = /~preview\/([\w-]+)\//.exec(made.url) ?? []
    assertProblem(await server.call('GET', `/link/${token}/page.html`, { key: null }), 'not-found')
    clockMs += 30 * DAY_MS
    await gone(made.url)
  })

  test('is refused for more than 30 days, for another site, and where no site shows the file', async () => {
    assert.deepEqual(pointersOf(await ask({ expires_in: '31d' })), ['/expires_in'])
    assert.deepEqual(pointersOf(await ask({ site: OTHER })), ['/state'])
    assert.deepEqual(pointersOf(await ask({ site: 'https://example.com' })), ['/site'])
    assert.deepEqual(pointersOf(await ask({ state: 'live', site: ORIGIN })), ['/site'])
    const away = await makeFile(server, { name: 'away.html', type: 'html', fileState: 'stage' })
    assert.deepEqual(pointersOf(await ask({}, server.key, away.asset_file_id)), ['/state'])
    const viewer = await server.makeKey({ grants: 'view' })
    assertProblem(await ask({}, viewer), 'grant-missing')
  })

  test('outlasts the session, and ends when its maker is disabled or loses the right', async () => {
    const { id, key } = await editor('carla')
    const { url } = await share({}, key)
    const { cookie } = await signIn(server, 'carla')
    await session(server.url, 'DELETE', '?everywhere=true', { cookie })
    assertProblem(await server.call('GET', '/api/v2/me', { key }), 'key-invalid')
    assert.equal((await visit(url)).text, 'staged')
    const change = (json: object): Promise<Answer> =>
      server.call('PATCH', `/api/v2/user/${id}`, { json })
    for (const [lose, again] of [
      [{ role: 'viewer' }, { role: 'stager' }],
      [{ status: 'disabled' }, { status: 'active' }],
    ] as const) {
      await change(lose)
      await gone(url)
      await change(again)
      assert.equal((await visit(url)).status, 200)
    }
    await server.call('DELETE', `/api/v2/user/${id}`)
    await gone(url)
  })

  test('ends with the file, and when the file leaves the site', async () => {
    const file = await save('moved.html', { pageContent: 'x', fileState: 'publish' })
    const { url } = (await ask({}, server.key, file.asset_file_id)).body
    assert.equal((await visit(url)).status, 200)
    const move = (parent_category_id: number): Promise<Answer> =>
      server.call('PATCH', `/api/v2/asset_file/${file.asset_file_id}`, {
        json: { parent_category_id },
      })
    await move(1)
    await gone(url)
    const list = `/api/v2/asset_file/${file.asset_file_id}/link`
    assert.equal((await server.call('GET', list)).body.asset_file_link[0].url, null)
    await move(root)
    assert.equal((await visit(url)).status, 200)
    await server.call('DELETE', `/api/v2/asset_file/${file.asset_file_id}`)
    await gone(url)
  })
})

describe('the links of a user', () => {
  const listOf = (id: number, key = server.key, query = ''): Promise<Answer> =>
    server.call('GET', `/api/v2/user/${id}/shared_link${query}`, { key })
  const idsIn = ({ body }: Answer): readonly number[] =>
    body.shared_link.map((link: any) => link.asset_file_link_id ?? link.user_id)

  test('are listed for the user and administrators, and revoked together', async () => {
    const { id, key } = await editor('dora')
    const other = await editor('emil')
    const first = await share({}, key)
    const program = (await make(server, 'api_key', { name: 'p', user_id: id })).secret
    const second = (await ask({ state: 'stage' }, program)).body
    const ids = [second.asset_file_link_id, first.asset_file_link_id]
    assert.deepEqual(idsIn(await listOf(id)), ids)
    assert.deepEqual(idsIn(await listOf(id, key)), ids)
    const narrow = await server.makeKey({ user: 'dora', grants: 'view' })
    assert.deepEqual(idsIn(await listOf(id, narrow)), [])
    assertProblem(await listOf(id, other.key), 'not-found')
    assertProblem(await listOf(id, server.key, '?kind=feed'), 'invalid-content')

    const page = await listOf(id, key, '?length=1')
    assert.deepEqual([idsIn(page), page.body.page.total], [[ids[0]], 2])
    const next = await listOf(id, key, `?length=1&cursor=${page.body.page.next}`)
    assert.deepEqual([idsIn(next), next.body.page.next], [[ids[1]], null])

    const revoke = (as: string): Promise<Answer> =>
      server.call('DELETE', `/api/v2/user/${id}/shared_link`, { key: as })
    assertProblem(await revoke(other.key), 'not-found')
    assert.equal((await revoke(narrow)).status, 204)
    assert.equal((await visit(first.url)).status, 200)
    assert.equal((await revoke(server.key)).status, 204)
    await gone(first.url)
    assert.deepEqual(idsIn(await listOf(id)), [])
    const { audit } = (await server.call('GET', '/api/v2/audit?length=1&orderDir=DESC')).body
    const { action, object, object_id, last_object_id } = audit[0]
    const told = [action, object, object_id, last_object_id]
    assert.deepEqual(told, ['delete', 'asset_file_link', ids[1], ids[0]])
  })

  test('have the links for new users, of which there are at most so many', async () => {
    const { secret: key } = await (async () => {
      await givePassword(server)
      return signIn(server)
    })()
    const invite = async (name: string): Promise<readonly [number, Answer]> => {
      const { user_id: id } = await make(server, 'user', { name, role: 'viewer' })
      return [id, await server.call('POST', `/api/v2/user/${id}/link`, { key })]
    }
    const [one] = await invite('one')
    const [two] = await invite('two')
    const users = (): Promise<Answer> => listOf(1, key, '?kind=user_link')
    assert.deepEqual(idsIn(await users()), [two, one])
    assertProblem((await invite('three'))[1], 'invalid-content')
    const revoke = (): Promise<Answer> => server.call('DELETE', `/api/v2/user/${one}/link`, { key })
    assert.equal((await revoke()).status, 204)
    assertProblem(await revoke(), 'not-found')
    const [four, made] = await invite('four')
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(idsIn(await users()), [four, two])
    // Expired links make room.
    clockMs += 4 * DAY_MS
    const { secret } = await signIn(server)
    const again = await server.call('POST', `/api/v2/user/${one}/link`, { key: secret })
    assert.equal(again.status, 201, again.text)
    await server.call('DELETE', '/api/v2/user/1/shared_link', { key: secret })
    assert.deepEqual(idsIn(await listOf(1, secret, '?kind=user_link')), [])
    const check = { json: { token: again.body.token }, key: null }
    const over = await server.call('POST', '/api/v2/session/link/check', check)
    assertProblem(over, 'link-over')
  })
})

test('a preview names only sites that the key sees', async () => {
  const { asset_category_id: elsewhere } = await makeFolder(server)
  const category_roles = [{ asset_category_id: elsewhere, role: 'editor' }]
  await make(server, 'user', { name: 'elsewhere', role: null, category_roles })
  const key = await server.makeKey({ name: 'elsewhere', user: 'elsewhere' })
  const file = await makeFile(server, { parent_category_id: elsewhere, fileState: 'publish' })
  const { asset_file_id } = file
  const preview = (json: object): Promise<Answer> =>
    server.call('POST', '/api/v2/preview', { json, key })
  const answers = [
    await preview({}),
    await preview({ asset_file_id }),
    await preview({ site: 'https://unknown.example.org' }),
    await ask({}, key, asset_file_id),
    await ask({ site: 'https://unknown.example.org' }, key, asset_file_id),
  ]
  for (const { status, text } of answers) {
    assert.equal(status, 422, text)
    assert.doesNotMatch(text, /www\.example|docs\.example/)
  }
  const known = await preview({ site: ORIGIN })
  assert.equal(known.status, 422, known.text)
  assert.match((await server.call('POST', '/api/v2/preview', { json: {} })).text, /docs\.example/)
})
