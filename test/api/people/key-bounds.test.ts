// The limits of what keys create and send together: sibling keys get no more than their user, and leave room
// for the person and for others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const KEYS = '/api/v2/api_key'

const makeKey = (server: TestServer, key: string, fields: object = {}): Promise<Answer> =>
  server.call('POST', KEYS, { key, json: { name: 'made', grants: ['view'], ...fields } })

async function openSite(options: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer(options)
  const { user_id: userId } = await server.command({
    command: 'user.create',
    name: 'bert',
    role: 'viewer',
  })
  const key = await server.makeKey({ name: 'first', user: 'bert', grants: 'view' })
  return { server, key, userId: Number(userId) }
}

test('the number of active keys that one key made is limited', async () => {
  const { server, key } = await openSite({ limits: { keysPerKey: 2 } })
  try {
    const [first, second] = [await makeKey(server, key), await makeKey(server, key)]
    assert.deepEqual([first.status, second.status], [201, 201])
    const refused = await makeKey(server, key)
    assertProblem(refused, 'invalid-content')
    assert.match(refused.body.detail, /has created 2 active keys/)

    // An inactive key makes room, and cannot become active while another key uses the room.
    const path = `${KEYS}/${first.body.api_key_id}`
    const set = (status: string): Promise<Answer> =>
      server.call('POST', path, { key, json: { status } })
    assert.equal((await set('inactive')).status, 200)
    assert.equal((await makeKey(server, key)).status, 201)
    assertProblem(await set('active'), 'invalid-content')
    assert.equal((await server.call('DELETE', path, { key })).status, 204)
    assertProblem(await makeKey(server, key), 'invalid-content')
  } finally {
    await server.close()
  }
})

test('keys made by keys leave room among the keys of their user', async () => {
  const { server, key, userId } = await openSite({ limits: { keysPerUser: 6, keysPerKey: 2 } })
  try {
    // Each key creates the next key, so that no key creates many.
    let maker = key
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) {
      const { status, body } = await makeKey(server, maker)
      statuses.push(status)
      if (status === 201) maker = body.secret
    }
    assert.deepEqual(statuses, [201, 201, 201, 422])
    const own = await makeKey(server, server.key, { user_id: userId })
    assert.equal(own.status, 201, own.text)
  } finally {
    await server.close()
  }
})

test('keys cannot fill the audit trail with changes of keys', async () => {
  const { server, key } = await openSite({ limits: { keyChanges: 4 } })
  try {
    const { body } = await makeKey(server, key)
    const path = `${KEYS}/${body.api_key_id}`
    const rename = (secret: string, name: string): Promise<Answer> =>
      server.call('POST', path, { key: secret, json: { name } })
    // Changes by sibling keys count together, and rotations count like other changes.
    assert.equal((await rename(key, 'b')).status, 200)
    assert.equal((await rename(body.secret, 'c')).status, 200)
    const { status, body: rotated } = await server.call('POST', `${path}/rotate`, { key, json: {} })
    assert.equal(status, 200)
    const refused = await rename(key, 'd')
    assertProblem(refused, 'too-many-requests')
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assertProblem(await rename(rotated.secret, 'd'), 'too-many-requests')
    assert.equal((await rename(server.key, 'e')).status, 200)
    // A leaked key can always be deleted.
    assert.equal((await server.call('DELETE', path, { key })).status, 204)
  } finally {
    await server.close()
  }
})

test('sibling keys share the rate limit of their user', oneNode('rates'), async () => {
  const { server, key } = await openSite({ config: { rateLimit: 4 } })
  try {
    const keys = [key]
    for (let count = 0; count < 5; count += 1)
      keys.push(await server.makeKey({ name: `sibling ${count}`, user: 'bert', grants: 'view' }))
    const ask = (secret: string): Promise<Answer> =>
      server.call('GET', '/api/v2/me', { key: secret })
    const began = performance.now()
    const answers = await Promise.all(
      keys.flatMap((one) => Array.from({ length: 10 }, () => ask(one))),
    )
    const seconds = (performance.now() - began) / 1_000
    const letIn = answers.filter(({ status }) => status === 200).length
    // The limit of a user is one and a half times the limit of a key.
    assert.ok(letIn <= 6 + 6 * seconds, `${letIn} in ${seconds} s`)
    const refused = answers.find(({ status }) => status === 429)
    assert.match(
      refused?.body.detail,
      /a key may send 4 requests per second, and all keys of a user together 6/i,
    )
    assert.equal((await ask(server.key)).status, 200)
  } finally {
    await server.close()
  }
})
