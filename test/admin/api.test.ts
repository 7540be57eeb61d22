// The typed client of the administration area, which does not depend on a browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Api, dataOf, openApi, recordOf } from '../../lib/admin/client/api.ts'
import { Problem } from '../../lib/admin/client/problem.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

let server: TestServer
let api: Api
before(async () => {
  server = await startTestServer()
  api = openApi(`${server.url}/api/v2`, {
    fetch(request) {
      request.headers.set('authorization', `Bearer ${server.key}`)
      return fetch(request)
    },
  })
})
after(() => server.close())

test('a response returns its content', async () => {
  const me = await dataOf(api.GET('/me'))
  assert.equal(me.user.name, 'admin')
})

test('a record has its ETag, which its changes use', async () => {
  const { api_key: key } = await dataOf(api.GET('/me'))
  const params = { path: { id: key.api_key_id } }
  const { record, etag } = await recordOf(api.GET('/api_key/{id}', { params }))
  assert.equal(record.name, 'admin')
  const change = (body: { readonly name: string }) =>
    api.PATCH('/api_key/{id}', { params: { ...params, header: { 'If-Match': etag } }, body })
  await change({ name: 'chief' })
  await assert.rejects(change({ name: 'boss' }), ({ code }: Problem) => {
    return code === 'precondition-failed'
  })
})

test('a refusal is thrown with its faults and their pointers', async () => {
  const call = dataOf(api.POST('/api_key', { body: { name: 'x'.repeat(300) } }))
  await assert.rejects(call, (error: Problem) => {
    assert.ok(error instanceof Problem)
    const { status, code, errors, requestId } = error.facts
    assert.deepEqual(
      [status, code, errors.map(({ pointer }) => pointer)],
      [422, 'invalid-content', ['/name']],
    )
    assert.match(requestId ?? '', /^[\da-f-]{36}$/)
    return true
  })
})
