// Each key records the key that created it. A cascading delete also ends the keys that a key created, and the
// audit trail finds all of them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pendingWork, type RevokeWork } from '../../../lib/schema/pending-work.ts'
import { make } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const KEYS = '/api/v2/api_key'

interface MadeKey {
  readonly id: number
  readonly secret: string
}

const ask = (key: string, method: string, path: string, json?: object): Promise<Answer> =>
  server.call(method, path, { key, ...(json && { json }) })

async function makeKey(maker: string = server.key, fields: object = {}): Promise<MadeKey> {
  const answer = await ask(maker, 'POST', KEYS, { name: 'made', ...fields })
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.body.api_key_id, secret: answer.body.secret }
}

/** Makes a chain of keys, each created by the previous key. */
async function makeChain(length: number): Promise<readonly MadeKey[]> {
  const chain: MadeKey[] = []
  for (let at = 0; at < length; at += 1) chain.push(await makeKey(chain.at(-1)?.secret))
  return chain
}

async function livingOf(keys: readonly MadeKey[]): Promise<readonly boolean[]> {
  const answers = keys.map(({ secret }) => ask(secret, 'GET', KEYS))
  return (await Promise.all(answers)).map(({ status }) => status === 200)
}

const [YES, NO] = [true, false]

describe('made_by', () => {
  test('names the key that created the key, in every response, and is null for the command line', async () => {
    const maker = await makeKey()
    const { body } = await ask(maker.secret, 'POST', KEYS, { name: 'x', grants: ['view'] })
    const id: number = body.api_key_id
    assert.equal(body.made_by, maker.id)
    assert.equal((await ask(server.key, 'GET', `${KEYS}/${id}`)).body.made_by, maker.id)
    assert.equal((await ask(server.key, 'POST', `${KEYS}/${id}/rotate`, {})).body.made_by, maker.id)

    const { api_key_id: other } = await server.command({ command: 'key.create', name: 'by hand' })
    assert.equal((await ask(server.key, 'GET', `${KEYS}/${other}`)).body.made_by, null)
  })

  test('cannot be written', async () => {
    const { id } = await makeKey()
    const made_by = id
    assert.equal((await ask(server.key, 'POST', KEYS, { name: 'x', made_by })).status, 422)
    assert.equal((await ask(server.key, 'POST', `${KEYS}/${id}`, { made_by })).status, 422)
  })
})

test('the JSON of a key has each member once and can be sent back as it was read', async () => {
  const { id } = await makeKey()
  for (const path of [`${KEYS}/${id}`, `${KEYS}/1`]) {
    const { text } = await ask(server.key, 'GET', path)
    const headers = { 'content-type': 'application/json' }
    const posted = await server.call('POST', path, { body: text, headers })
    assert.equal(posted.status, 200, posted.text)
  }
})

describe('cascade=true', () => {
  test('ends all keys made by the key, directly or indirectly; without it they stay valid', async () => {
    const chain = await makeChain(4)
    const [first, second, third, last] = chain as readonly [MadeKey, MadeKey, MadeKey, MadeKey]
    const sibling = await makeKey(first.secret)
    await ask(server.key, 'DELETE', `${KEYS}/${second.id}`)
    assert.deepEqual(await livingOf(chain), [YES, NO, YES, YES])

    // The chain from the first key to the last leads through a deleted key.
    const { status } = await ask(server.key, 'DELETE', `${KEYS}/${first.id}?cascade=true`)
    assert.equal(status, 204)
    assert.deepEqual(await livingOf([first, third, last, sibling]), [NO, NO, NO, NO])
  })

  test('ends no sibling and no maker of the key', async () => {
    const [first, second, third] = (await makeChain(3)) as readonly [MadeKey, MadeKey, MadeKey]
    const beside = await makeKey(first.secret)
    await ask(server.key, 'DELETE', `${KEYS}/${second.id}?cascade=true`)
    assert.deepEqual(await livingOf([first, beside, second, third]), [YES, YES, NO, NO])
  })

  test('ends the calling key and the keys that it made, except keys with more rights', async () => {
    const weak = await makeKey(server.key, { grants: ['view', 'modify'] })
    const [within, raised] = [
      await makeKey(weak.secret, { grants: ['view'] }),
      await makeKey(weak.secret, { grants: ['view'] }),
    ]
    const below = await makeKey(raised.secret, { grants: [] })
    await ask(server.key, 'POST', `${KEYS}/${raised.id}`, { grants: null })

    const path = `${KEYS}/${weak.id}?cascade=true`
    assert.equal((await ask(weak.secret, 'DELETE', path)).status, 204)
    assert.deepEqual(await livingOf([weak, within, raised, below]), [NO, NO, YES, NO])
  })

  test('ends keys of other users only with the global grant admin', async () => {
    const { user_id } = await make(server, 'user', { name: 'other', role: 'viewer' })
    const first = await makeKey()
    const foreign = await makeKey(first.secret, { user_id })
    const { status } = await ask(first.secret, 'DELETE', `${KEYS}/${first.id}?cascade=true`)
    assert.equal(status, 204)
    assert.deepEqual(await livingOf([first, foreign]), [NO, NO])
  })

  for (const value of ['false', ''])
    test(`with the value ${JSON.stringify(value)} ends no other key`, async () => {
      const chain = await makeChain(2)
      const { status } = await ask(server.key, 'DELETE', `${KEYS}/${chain[0]?.id}?cascade=${value}`)
      assert.ok(status === 204 || status === 400)
      assert.deepEqual(await livingOf(chain.slice(1)), [YES])
    })

  test('is accepted only for keys', async () => {
    const { user_id } = await make(server, 'user', { name: 'third', role: 'viewer' })
    const { status } = await ask(server.key, 'DELETE', `/api/v2/user/${user_id}?cascade=true`)
    assert.equal(status, 400)
  })

  test('leaves a row of the audit trail for each key that ended', async () => {
    const chain = await makeChain(3)
    const own = await makeKey()
    const path = `${KEYS}/${chain[0]?.id}?cascade=true`
    const answer = await ask(own.secret, 'DELETE', path)
    assert.equal(answer.status, 204, answer.text)

    const { body } = await ask(server.key, 'GET', '/api/v2/audit?orderStr=audit_id&orderDir=DESC')
    const id = answer.headers['x-request-id']
    const rows: readonly any[] = body.audit.filter((row: any) => row.request_id === id)
    assert.deepEqual(
      rows.map((row) => row.object_id).sort((left, right) => left - right),
      chain.map((key) => key.id),
    )
    for (const row of rows) {
      const { user_id, api_key_id, object, count } = row
      assert.deepEqual([user_id, api_key_id, object, count], [1, own.id, 'api_key', 1])
    }
  })
})

test('the next start completes a cascade after a crash', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const ids: number[] = []
  for (let at = 0; at < 25; at += 1) {
    const made = await first.call('POST', KEYS, { json: { name: `key ${at}` } })
    ids.push(made.body.api_key_id)
  }
  await first.stop()
  const [spared, ...ended] = ids
  const work: RevokeWork = {
    kind: 'revoke',
    api_key_ids: ended,
    spared: [spared ?? 0],
    doer: null,
  }
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => unit.put(pendingWork, ['cut-off'], work)),
  )

  const second = await startTestServer({ dataDir })
  try {
    const { body } = await second.call('GET', `${KEYS}?fields=api_key_id`, { key: first.key })
    const left = (body.api_key as any[]).map((key) => key.api_key_id)
    assert.deepEqual(
      ended.filter((id) => left.includes(id)),
      [],
    )
    assert.ok(left.includes(spared))
  } finally {
    await second.stop()
    removeDataDirectories()
  }
})
