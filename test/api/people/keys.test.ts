// API keys: their visible fields, the rights to create and change them, and their end.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { startChild } from '../../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { untilFiles } from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { exchange, openSocket } from '../../helpers/raw.ts'
import {
  type Answer,
  buildForm,
  send,
  startTestServer,
  type TestServer,
} from '../../helpers/server.ts'
import { contentsOf, placesHolding } from '../../helpers/stored.ts'

const CHILD = oneServer('child')

let server: TestServer
let eva: string
let evaId: number

before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
  evaId = (await server.command({ command: 'user.create', name: 'eva', role: 'editor' })).user_id
  eva = await server.makeKey({ name: 'of eva', user: 'eva' })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const post = (path: string, json: object, key: string = server.key): Promise<Answer> =>
  server.call('POST', `/api/v2/${path}`, { json, key })
const get = (path: string, key: string = server.key): Promise<Answer> =>
  server.call('GET', `/api/v2/${path}`, { key })
const statusOf = async (key: string): Promise<number> => (await get('api_key', key)).status

async function makeKey(
  json: object,
  key: string = server.key,
): Promise<{ readonly id: number; readonly secret: string }> {
  const { status, body, text } = await post('api_key', { name: 'made', ...json }, key)
  assert.equal(status, 201, text)
  return { id: body.api_key_id, secret: body.secret }
}

describe('K6: the secret of a key', () => {
  test('is only in the response that creates it', async () => {
    const created = await post('api_key', { name: 'shown once' })
    const { api_key_id: id, secret, ...shown } = created.body
    assert.match(secret, /^cms_[0-9A-Za-z]{49}$/)
    assert.equal(shown.hint, `${secret.slice(0, 8)}…`)

    const others = [
      await get(`api_key/${id}`),
      await get('api_key?length=1000'),
      await get(`api_key/${id}?fields=hint,name`),
      await post(`api_key/${id}`, { name: 'renamed' }),
      await get(`api_key?qry=${encodeURIComponent('{"secret":"x"}')}`),
      await get(`api_key/${id}?fields=secret`),
      await post(`api_key/${id}/rotate`, {}),
    ]
    for (const answer of others) assert.ok(!answer.text.includes(secret))
    assert.deepEqual(
      others.map((answer) => answer.status),
      [200, 200, 200, 200, 400, 400, 200],
    )
  })

  test('is stored only as a hash, also after a rotation', async () => {
    const { id, secret } = await makeKey({})
    const rotated: string = (await post(`api_key/${id}/rotate`, { keep_old: 60 })).body.secret
    assert.notEqual(rotated, secret)

    for (const text of [secret, rotated]) {
      assert.deepEqual(await placesHolding(server.dataDir, text), [])
      const hash = createHash('sha256').update(text).digest('hex')
      assert.equal((await placesHolding(server.dataDir, hash)).length, 1)
    }
  })

  test('is never in the log', CHILD, async () => {
    const child = await startChild(newDataDirectory(), ['--log-level', 'debug'])
    try {
      const key = 'cms_0000000000000000000000000000000000000000000'
      for (const path of [`/api/v2/user?key=${key}`, `/file/1/${key}`, `/${key}`, '/upload'])
        await send(child.url, 'GET', path, { key })
      await send(child.url, 'POST', '/api/v2/api_key', { key, json: { name: key } })
      await send(child.url, 'GET', '/health', { headers: { authorization: `Basic ${key}` } })
    } finally {
      await child.kill('SIGTERM')
    }
    assert.ok(child.stderr().includes('"code":"key-invalid"'))
    assert.ok(!child.stderr().includes('cms_000'))
  })
})

describe('rotation', () => {
  test('keeps the old secret valid for the requested time and no longer', async () => {
    const { id, secret } = await makeKey({})
    const { body } = await post(`api_key/${id}/rotate`, { keep_old: '1s' })
    assert.deepEqual([await statusOf(secret), await statusOf(body.secret)], [200, 200])

    await sleep(1_050)
    assert.deepEqual([await statusOf(secret), await statusOf(body.secret)], [401, 200])
  })

  test('ends the old secret at once by default, and earlier secrets in any case', async () => {
    const { id, secret: first } = await makeKey({})
    const second: string = (await post(`api_key/${id}/rotate`, { keep_old: '1h' })).body.secret
    const third: string = (await post(`api_key/${id}/rotate`, { keep_old: '1h' })).body.secret
    assert.deepEqual(
      [await statusOf(first), await statusOf(second), await statusOf(third)],
      [401, 200, 200],
    )

    const { body } = await server.call('POST', `/api/v2/api_key/${id}/rotate`)
    assert.deepEqual(
      [await statusOf(second), await statusOf(third), await statusOf(body.secret)],
      [401, 401, 200],
    )
  })

  test('keeps the old secret for 100 years at most', async () => {
    const { id } = await makeKey({})
    assert.equal((await post(`api_key/${id}/rotate`, { keep_old: '36500d' })).status, 200)
  })

  for (const keep_old of ['soon', -1, 1.5, '36501d', '999999999d', 1e15, true, [], '1 h']) {
    test(`refuses to keep the old secret for ${JSON.stringify(keep_old)}, and changes nothing`, async () => {
      const { id, secret } = await makeKey({})
      const { status, body } = await post(`api_key/${id}/rotate`, { keep_old })
      assert.deepEqual([status, body.code], [422, 'invalid-content'])
      assert.deepEqual(
        body.errors.map((error: any) => error.pointer),
        ['/keep_old'],
      )
      assert.equal(await statusOf(secret), 200)
    })
  }
})

describe('a user without the admin grant', () => {
  test('sees only its own user and keys', async () => {
    const { id: foreign } = await makeKey({})
    const { body: keys } = await get('api_key?count=exact', eva)
    const { body: users } = await get('user', eva)

    assert.deepEqual(
      keys.api_key.map((key: any) => key.user_id),
      Array(keys.page.total).fill(evaId),
    )
    assert.deepEqual(
      users.user.map((user: any) => user.name),
      ['eva'],
    )
    const found = await get(`api_key?qry=${encodeURIComponent(`{"api_key_id":${foreign}}`)}`, eva)
    assert.deepEqual(found.body.api_key, [])
  })

  test('K7: cannot reach the keys of others or learn that they exist', async () => {
    const { id, secret } = await makeKey({})
    for (const target of [id, 999_999]) {
      const answers = [
        await get(`api_key/${target}`, eva),
        await post(`api_key/${target}`, { name: 'mine' }, eva),
        await post(`api_key/${target}/rotate`, {}, eva),
        await server.call('DELETE', `/api/v2/api_key/${target}`, { key: eva }),
      ]
      for (const { status, body } of answers) {
        assert.deepEqual(
          [status, body.detail],
          [404, 'The record does not exist, or the key may not see it.'],
        )
      }
    }
    assert.equal(await statusOf(secret), 200)
  })

  test('K8: creates, changes, rotates and deletes its own keys, but none of other users', async () => {
    const { id, secret } = await makeKey({ grants: ['view'] }, eva)
    assert.equal((await get(`api_key/${id}`, eva)).body.user_id, evaId)
    assert.equal((await post(`api_key/${id}`, { grants: ['view', 'modify'] }, eva)).status, 200)
    assert.equal((await post(`api_key/${id}/rotate`, {}, eva)).status, 200)
    assert.equal((await server.call('DELETE', `/api/v2/api_key/${id}`, { key: eva })).status, 204)
    assert.equal(await statusOf(secret), 401)

    const foreign = await post('api_key', { name: 'x', user_id: 1 }, eva)
    assert.deepEqual([foreign.status, foreign.body.grant], [403, 'admin'])
  })
})

describe('a key is refused at its next request when', () => {
  const ends: readonly (readonly [string, (id: number) => Promise<unknown>])[] = [
    ['it is made inactive', (id) => post(`api_key/${id}`, { status: 'inactive' })],
    [
      'it has expired',
      async (id) => {
        const end = Date.now() + 2_000
        const { status } = await post(`api_key/${id}`, {
          date_expires: new Date(end).toISOString(),
        })
        assert.equal(status, 200)
        while (Date.now() <= end) await sleep(100)
      },
    ],
    ['it is deleted', (id) => server.call('DELETE', `/api/v2/api_key/${id}`)],
    ['it is revoked', (id) => server.command({ command: 'key.revoke', key: String(id) })],
    ['it is rotated', (id) => post(`api_key/${id}/rotate`, {})],
  ]
  for (const [what, end] of ends) {
    test(what, async () => {
      const { id, secret } = await makeKey({})
      assert.equal(await statusOf(secret), 200)
      await end(id)
      assert.equal(await statusOf(secret), 401)
    })
  }

  test('its user is disabled or deleted, and is accepted again when the user is active again', async () => {
    const { body } = await post('user', { name: 'ivo', role: 'viewer' })
    const { secret } = await makeKey({ user_id: body.user_id })
    await post(`user/${body.user_id}`, { status: 'disabled' })
    assert.equal(await statusOf(secret), 401)
    await post(`user/${body.user_id}`, { status: 'active' })
    assert.equal(await statusOf(secret), 200)
    await server.call('DELETE', `/api/v2/user/${body.user_id}`)
    assert.equal(await statusOf(secret), 401)
  })
})

test('each request counts for its own key, even on one connection', async () => {
  const { secret: other } = await makeKey({ name: 'other' }, eva)
  const wrong = `${eva.slice(0, -1)}${eva.endsWith('0') ? '1' : '0'}`
  const sent = [server.key, server.key, eva, wrong, eva, other, undefined, server.key]
  const requests = sent.map((key, at) =>
    [
      'GET /api/v2/user?length=1 HTTP/1.1',
      'Host: localhost',
      ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
      ...(at === sent.length - 1 ? ['Connection: close'] : []),
      '\r\n',
    ].join('\r\n'),
  )
  const answers = (await exchange(server.url, requests.join(''))).split(/(?=HTTP\/1\.1 \d)/)
  const told = answers.map((answer) => /"name":"[a-z]+"|"status":\d+/.exec(answer)?.[0])
  const [all, own, none] = ['"name":"admin"', '"name":"eva"', '"status":401']
  assert.deepEqual(told, [all, all, own, none, own, own, none, all])
})

describe('C4: a running upload saves nothing if, before its end,', () => {
  const ends: readonly (readonly [string, number, (id: number) => Promise<unknown>])[] = [
    ['the key is revoked', 401, (id) => server.command({ command: 'key.revoke', key: String(id) })],
    ['the key loses the grant', 403, (id) => post(`api_key/${id}`, { grants: ['view'] })],
    [
      'the key is narrowed to another folder',
      422,
      (id) => post(`api_key/${id}`, { asset_category_id: 12 }),
    ],
  ]
  for (const size of [1_000, 1_200_000]) {
    for (const [what, status, end] of ends) {
      test(`${what} (${size} bytes)`, async () => {
        await untilFiles(server)
        const before = await contentsOf(server.dataDir)
        const { id, secret } = await makeKey({ grants: ['view', 'create'] })
        const answer = await uploadSlowly(secret, size, () => end(id))

        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
        const waitedFor = await untilFiles(server)
        assert.equal((await contentsOf(server.dataDir)).length, before.length + waitedFor)
        assert.equal(
          (await get(`asset_file?qry=${encodeURIComponent('{"name":"slow.bin"}')}`)).body.asset_file
            .length,
          0,
        )
      })
    }
  }

  test('and is saved if nothing happens', async () => {
    const { secret } = await makeKey({ grants: ['view', 'create'] })
    assert.match(await uploadSlowly(secret, 1_000, async () => undefined), /^HTTP\/1\.1 201 /)
  })
})

/** Sends a form except its end, waits for `meanwhile`, sends the rest and returns the answer. */
async function uploadSlowly(
  key: string,
  size: number,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', fileName: 'slow.bin', bytes: Buffer.alloc(size, 1) },
  ])
  const socket = await openSocket(server.url)
  const answer = new Promise<string>((resolve) =>
    socket.once('data', (chunk) => resolve(chunk.toString())),
  )
  const head = [
    'POST /upload HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(body.subarray(0, -10))
  await sleep(100)
  await meanwhile()
  socket.write(body.subarray(-10))
  const text = await answer
  socket.destroy()
  return text
}
