// Calendar programs ask for a name and a password. The key may be the password, but only for the feed.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import { makeCalendar, makeEntry } from '../../helpers/modules.ts'
import { send, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let feed: string
let list: string
before(async () => {
  server = await startTestServer()
  const { url } = await makeCalendar(server, {})
  await makeEntry(server, url, { event_title: 'Talk', start_time: '2026-03-01T18:00:00Z' })
  list = url
  feed = `${url}.ics`
})
after(() => server.close())

function get(path: string, authorization: string | undefined) {
  const headers = authorization === undefined ? {} : { authorization }
  return send(server.url, 'GET', path, { headers })
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

test('the feed accepts the key as a password with any user name', async () => {
  const { text } = await get(feed, `Bearer ${server.key}`)
  assert.match(text, /SUMMARY:Talk/)
  for (const name of ['', 'anybody', 'zoë'])
    assert.deepEqual((await get(feed, basic(name, server.key))).text, text)
  assert.equal((await get(feed, basic('a', server.key).replace('Basic', 'basic'))).status, 200)
})

test('a missing or wrong key is requested by both authentication schemes', async () => {
  for (const authorization of [undefined, basic('a', 'wrong'), basic(server.key, 'wrong')]) {
    const answer = await get(feed, authorization)
    assertProblem(answer, authorization === undefined ? 'key-required' : 'key-invalid')
    assert.match(
      String(answer.headers['www-authenticate']),
      /^Basic realm="cms", .*Bearer realm="cms"/,
    )
  }
  for (const authorization of ['Basic ?', basic('a', ''), 'Basic YQ=='])
    assert.equal(
      (await get(feed, authorization)).headers['www-authenticate']?.includes('Basic'),
      true,
    )
})

test('no other address accepts or requests a password', async () => {
  for (const path of [list, '/api/v2/asset_file', '/api/v2/me']) {
    const answer = await get(path, basic('a', server.key))
    assertProblem(answer, 'key-required')
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="cms"')
  }
})

test('a key without view does not lead to a password prompt', async () => {
  const { body } = await server.call('POST', '/api/v2/api_key', {
    json: { name: 'none', grants: ['publish'] },
  })
  const answer = await get(feed, basic('a', body.secret))
  assertProblem(answer, 'grant-missing')
  assert.doesNotMatch(String(answer.headers['www-authenticate']), /Basic/)
})
