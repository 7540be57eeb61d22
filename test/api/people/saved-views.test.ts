// The saved views of a user: the form of a list, who may read and replace the list, and its end with the user.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { savedViews } from '../../../lib/schema/saved-views.ts'
import { MAX_SAVED_VIEWS, MAX_VIEW_NAME, MAX_VIEW_QUERY } from '../../../lib/shared/limits.ts'
import { assertProblem } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, signIn } from '../../helpers/sessions.ts'
import { tamper } from '../../helpers/site.ts'

const VIEWS = '/api/v2/me/views'
const VIEW = { name: 'Changed', page: 'content', query: 'state=changed&sort=-size' }

let server: TestServer
let users = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

interface Person {
  readonly name: string
  readonly id: number
  /** The secret of a session. */
  readonly key: string
}

async function makePerson(): Promise<Person> {
  const name = `user-${(users += 1)}`
  const { user_id: id } = await server.command({ command: 'user.create', name, role: 'editor' })
  await givePassword(server, name)
  return { name, id, key: (await signIn(server, name)).secret }
}

const read = (key: string, headers = {}): Promise<Answer> =>
  server.call('GET', VIEWS, { key, headers })
const replace = (key: string, views: unknown, headers = {}): Promise<Answer> =>
  server.call('POST', VIEWS, { key, json: { views }, headers })

describe('saved views', () => {
  test('are the same for all sessions and whole keys of a user, and for nobody else', async () => {
    const [one, other] = [await makePerson(), await makePerson()]
    assert.deepEqual((await read(one.key)).body, { views: [] })
    const views = [VIEW, { ...VIEW, page: 'data/7', query: '' }]
    const answer = await replace(one.key, views)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { views })
    const session = (await signIn(server, one.name)).secret
    const whole = await server.makeKey({ user: one.name })
    for (const key of [session, whole]) assert.deepEqual((await read(key)).body, { views })
    for (const key of [other.key, server.key])
      assert.deepEqual((await read(key)).body, { views: [] })
    const { text } = await server.call('GET', `/api/v2/user/${one.id}`)
    assert.doesNotMatch(text, /Changed/)
  })

  test('are closed to keys that hold less than their user', async () => {
    const { name, key } = await makePerson()
    await replace(key, [VIEW])
    const narrow = await server.makeKey({ user: name, name: 'narrow', grants: 'view' })
    assertProblem(await read(narrow), 'grant-missing')
    assertProblem(await replace(narrow, []), 'grant-missing')
    assert.deepEqual((await read(key)).body, { views: [VIEW] })
  })

  test('compare If-Match and If-None-Match', async () => {
    const { key } = await makePerson()
    const { etag = '' } = (await read(key)).headers
    const first = await replace(key, [VIEW], { 'if-match': etag })
    assert.equal(first.status, 200, first.text)
    const late = await replace(key, [], { 'if-match': etag })
    assertProblem(late, 'precondition-failed')
    const current = String(first.headers['etag'])
    assert.equal((await read(key, { 'if-none-match': current })).status, 304)
    assert.equal((await replace(key, [], { 'if-match': late.body.current_etag })).status, 200)
    assert.equal((await read(key, { 'if-none-match': current })).status, 200)
  })

  test('leave no audit row', async () => {
    const { key } = await makePerson()
    const audited = async (): Promise<number> =>
      (await server.call('GET', '/api/v2/audit?count=exact&length=1')).body.page.total
    const rows = await audited()
    assert.equal((await replace(key, [VIEW])).status, 200)
    assert.equal(await audited(), rows)
  })

  test('outlast a restart, and are deleted with their user', async () => {
    const dataDir = newDataDirectory()
    const first = await startTestServer({ dataDir })
    const ids: number[] = []
    for (const name of ['stays', 'goes']) {
      ids.push((await first.command({ command: 'user.create', name, role: 'editor' })).user_id)
      const key = await first.makeKey({ user: name, name })
      const json = { views: [VIEW] }
      assert.equal((await first.call('POST', VIEWS, { key, json })).status, 200)
    }
    await first.call('DELETE', `/api/v2/user/${ids[1]}`)
    await first.stop()
    let rows: readonly unknown[] = []
    await tamper(dataDir, async (_, records) => {
      rows = ids.map((id) => records.get(savedViews, id)?.value)
    })
    assert.deepEqual(rows, [{ views: [VIEW] }, undefined])
    removeDataDirectories()
  })
})

describe('a list of views', () => {
  const most = Array.from({ length: MAX_SAVED_VIEWS }, (_, at) => ({ ...VIEW, name: `v${at}` }))
  const long = {
    ...VIEW,
    name: 'n'.repeat(MAX_VIEW_NAME),
    query: 'q'.repeat(MAX_VIEW_QUERY),
  }

  test('may reach each limit', async () => {
    for (const views of [most, [long], []]) {
      const answer = await replace(server.key, views)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual((await read(server.key)).body, { views })
    }
  })

  const wrong: Readonly<Record<string, readonly [views: unknown, pointer: string]>> = {
    'no list': [{ 0: VIEW }, '/views'],
    'no member views': [undefined, '/views'],
    'more views than the limit': [[...most, VIEW], '/views'],
    'a view that is no object': [['Changed'], '/views/0'],
    'an unknown member': [[{ ...VIEW, shared: true }], '/views/0'],
    'a missing member': [[{ name: 'a', page: 'content' }], '/views/0/query'],
    'a long name': [[{ ...long, name: `${long.name}n` }], '/views/0/name'],
    'a blank name': [[{ ...VIEW, name: ' ' }], '/views/0/name'],
    'a name that is taken in another case': [[VIEW, { ...VIEW, name: 'CHANGED' }], '/views/1/name'],
    'an unknown page': [[{ ...VIEW, page: 'users' }], '/views/0/page'],
    'a table without a number': [[{ ...VIEW, page: 'data/0' }], '/views/0/page'],
    'a long query': [[{ ...long, query: `${long.query}q` }], '/views/0/query'],
    'a query with its question mark': [[{ ...VIEW, query: '?a=1' }], '/views/0/query'],
    'a query that is not encoded': [[{ ...VIEW, query: 'q=ä b' }], '/views/0/query'],
  }
  for (const [what, [views, pointer]] of Object.entries(wrong)) {
    test(`is refused with ${what}`, async () => {
      await replace(server.key, [VIEW])
      const answer = await replace(server.key, views)
      assertProblem(answer, 'invalid-content')
      assert.deepEqual(
        answer.body.errors.map((fault: any) => fault.pointer),
        [pointer],
      )
      assert.deepEqual((await read(server.key)).body, { views: [VIEW] })
    })
  }
})
