// The log line that each request writes to stderr.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'

after(removeDataDirectories)

test('a request is logged in one line with its id, key, route, status and duration', async () => {
  const dataDir = newDataDirectory()
  const child = await startChild(dataDir)
  const key = await makeKey(dataDir)
  const signed = await send(child.url, 'GET', '/api/v2/asset_category/1?fields=name', { key })
  const refused = await send(child.url, 'GET', '/api/v2/asset_category/1', {})
  const { stderr } = await child.kill('SIGTERM')

  const lines = stderr
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line))
  const common = { method: 'GET', route: '/api/v2/asset_category/:id', address: '127.0.0.1' }
  assert.equal(lines.length, 2)
  for (const [at, expected] of [
    { status: 200, request_id: signed.headers['x-request-id'], api_key_id: 1 },
    { status: 401, request_id: refused.body.request_id, code: 'key-required' },
  ].entries()) {
    const { level, time, ms, msg, ...rest } = lines[at]
    assert.deepEqual(rest, { ...common, ...expected })
    assert.equal(typeof ms, 'number')
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
})
