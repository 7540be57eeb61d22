// The check of an unsaved text: the same faults as a save, and no other effect.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem, newName } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/stml/check'

let server: TestServer
before(async () => {
  server = await startTestServer({ config: { processes: 2 } })
})
after(() => server.close())

const check = (pageContent: unknown, key = server.key): Promise<Answer> =>
  server.call('POST', PATH, { json: { pageContent }, key })
const save = (pageContent: string): Promise<Answer> =>
  server.call('POST', '/api/v2/asset_file', {
    json: { name: newName('stml'), type: 'stml', parent_category_id: 1, pageContent },
  })

/** Longer than a text that is checked in one step. */
const PADDING = ' '.repeat(LIMITS.inlineContentBytes + 1)

test('the check reports exactly the faults that a save would report', async () => {
  const pages = [
    '<div id="dd.0"></div>',
    '<div id="dd.0">\n<p>a</div>',
    '<p>',
    '',
    'é😀 <b>',
    '<div',
  ]
  for (const page of [...pages, ...pages.map((text) => text + PADDING)]) {
    const [told, saved] = [await check(page), await save(page)]
    assert.equal(told.status, 200, told.text)
    const { line, column, errors } = saved.body
    const isFault = saved.status === 422
    const faults = isFault ? [{ line, column, detail: errors[0].detail }] : []
    assert.deepEqual(told.body, { faults }, page.slice(0, 40))
    assert.ok(isFault || saved.status === 201, saved.text)
  }
  const [fault] = (await check('<div id="dd.0">a\n\0</div>')).body.faults
  assert.deepEqual([fault.line, fault.column], [2, 1])
})

test('the check accepts the bodies that a save accepts, and no others', async () => {
  for (const pageContent of [undefined, null, 5, ['<p>']])
    assertProblem(await check(pageContent), 'invalid-content')
  const json = { pageContent: '', type: 'stml' }
  assertProblem(await server.call('POST', PATH, { json }), 'invalid-content')
  assertProblem(await server.call('POST', `${PATH}?a=1`, { json }), 'bad-request')
  assertProblem(await check('x'.repeat(LIMITS.pageBytes + 1)), 'too-large')
  assert.equal((await check('x'.repeat(LIMITS.pageBytes))).status, 200)
})

test('the check accepts every key with a grant and leaves no trace', async () => {
  const total = async (): Promise<number> =>
    (await server.call('GET', '/api/v2/audit?count=exact')).body.page.total
  const key = await server.makeKey({ name: 'stage alone', grants: 'stage' })
  const nothing = await server.call('POST', '/api/v2/api_key', { json: { name: 'n', grants: [] } })
  const before = await total()
  assert.equal((await check('<p>', key)).body.faults.length, 1)
  assertProblem(await check('<p>', nothing.body.secret), 'grant-missing')
  const headers = { 'idempotency-key': 'one' }
  for (const pageContent of ['<p>', '<div id="dd.0"/>']) {
    const { status } = await server.call('POST', PATH, { json: { pageContent }, headers })
    assert.equal(status, 200)
  }
  assert.equal(await total(), before)
})
