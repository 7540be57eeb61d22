// Actions on webhooks: pause, resume, replay, rotate, test, and the callers that may use them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { assertProblem, pointersOf } from '../../helpers/content.ts'
import type { Received } from '../../helpers/receiver.ts'
import { openSite, type Site } from './site.ts'

const HOOKS = '/api/v2/webhook'

let site: Site
before(async () => {
  site = await openSite({ webhookRetryMs: 20, webhookDeliveries: 5 })
})
after(() => site.close())

const namesOf = (received: readonly Received[]): readonly unknown[] =>
  received.map(({ headers }) => headers['webhook-id'])

test('a paused webhook sends nothing and continues where it stopped', async () => {
  const receiver = await site.receive()
  const hook = await site.hook(receiver, { objects: ['asset_category'] })
  const path = `${HOOKS}/${hook.webhook_id}`
  const first = await site.folder()
  await receiver.until(1)
  assert.equal((await site.ok('POST', `${path}/pause`)).status, 'paused')
  const second = await site.folder()
  // An active webhook has already received the change.
  const other = await site.receive()
  await site.hook(other, { objects: ['asset_category'] })
  await site.folder()
  await other.until(1)
  assert.equal(receiver.received.length, 1)
  assert.equal((await site.ok('POST', `${path}/resume`)).status, 'active')
  const received = await receiver.until(3)
  const ids = received.map(({ body }) => body.data.object_id)
  assert.deepEqual(ids.slice(0, 2), [first, second])
})

test('a replay sends earlier messages again, with the same ids', async () => {
  const receiver = await site.receive()
  const hook = await site.hook(receiver, { objects: ['asset_category'] })
  const path = `${HOOKS}/${hook.webhook_id}`
  for (let at = 0; at < 3; at += 1) await site.folder()
  const before = namesOf((await receiver.until(3)).slice(0, 3))
  const since = receiver.received[0]?.body.data.sequence - 1
  await site.ok('POST', `${path}/replay`, { since })
  const all = namesOf(await receiver.until(6))
  assert.deepEqual(all.slice(3, 6), before)
  const rows = await site.untilDelivered(hook.webhook_id, 5)
  assert.equal(rows.length, 5, 'no more are kept')
  const { body } = await site.server.call('POST', `${path}/replay`, { json: { since: 1e9 } })
  assert.match(body.detail, /from 0, .* to \d+, the newest change/)
  for (const json of [{}, { since: -1 }, { since: '1' }, { since: 1, until: 2 }])
    assertProblem(await site.server.call('POST', `${path}/replay`, { json }), 'invalid-content')
})

test('the old secret also signs for the requested time after a rotation', async () => {
  const receiver = await site.receive()
  const hook = await site.hook(receiver, { objects: ['asset_category'] })
  const path = `${HOOKS}/${hook.webhook_id}`
  const { secret } = await site.ok('POST', `${path}/rotate`)
  await site.folder()
  const [both] = await receiver.until(1)
  for (const each of [hook.secret, secret]) verify(both, each)
  const { secret: third } = await site.ok('POST', `${path}/rotate`, { keep_old: 0 })
  await site.folder()
  const [, alone] = await receiver.until(2)
  verify(alone, third)
  for (const each of [hook.secret, secret]) assert.throws(() => verify(alone, each))
})

function verify(received: Received | undefined, secret: string): void {
  assert.ok(received)
  const plain = Object.entries(received.headers).map(([name, value]) => [name, String(value)])
  new Webhook(secret).verify(received.text, Object.fromEntries(plain))
}

test('a test returns its result and is no change', async () => {
  const receiver = await site.receive()
  receiver.answer({ status: 200, body: 'fine' })
  const hook = await site.hook(receiver, { status: 'paused' })
  const path = `${HOOKS}/${hook.webhook_id}`
  const told = await site.ok('POST', `${path}/test`)
  const { type, sequence, status, error, answer } = told
  assert.deepEqual(
    [type, sequence, status, error, answer],
    ['webhook.test', null, 200, null, 'fine'],
  )
  const [received] = await receiver.until(1)
  assert.equal(received?.body.data.webhook_id, hook.webhook_id)
  verify(received, hook.secret)
  const [row] = await site.untilDelivered(hook.webhook_id, 1)
  assert.deepEqual({ number: 1, ...told }, row)
  assert.equal((await site.ok('GET', path)).position, hook.position)
})

test('a new address resets failed deliveries, and a deleted webhook is sent nothing', async () => {
  const [receiver, other] = [await site.receive(), await site.receive()]
  receiver.answer({ status: 410 })
  const hook = await site.hook(receiver, { objects: ['asset_category'] })
  const path = `${HOOKS}/${hook.webhook_id}`
  await site.folder()
  await site.untilShown(hook.webhook_id, ({ state }) => state === 'given_up')
  await site.ok('POST', path, { url: other.url })
  await other.until(1)
  await site.ok('DELETE', path)
  await site.folder()
  const last = await site.receive()
  await site.hook(last, { objects: ['asset_category'] })
  await site.folder()
  await last.until(1)
  assert.deepEqual([receiver.received.length, other.received.length], [1, 1])
  assert.equal((await site.server.call('GET', `${path}/delivery`)).status, 404)
})

describe('webhooks can be', () => {
  test('read only by administrators of the whole site without exceptions', async () => {
    const folder = await site.folder()
    const keys = [
      await site.server.makeKey({ name: 'narrow', category: folder }),
      await site.server.makeKey({ name: 'views', grants: 'view' }),
      await site.server.makeKey({ name: 'partly', user: await partlyAdmin(folder) }),
    ]
    const hook = await site.hook({ url: 'https://a.invalid' }, { status: 'paused' })
    const path = `${HOOKS}/${hook.webhook_id}`
    for (const key of keys) {
      for (const [method, to] of [
        ['GET', HOOKS],
        ['GET', path],
        ['GET', `${path}/delivery`],
        ['DELETE', path],
        ...['pause', 'resume', 'rotate', 'test'].map(
          (name) => ['POST', `${path}/${name}`] as const,
        ),
      ] as const)
        assertProblem(await site.server.call(method, to, { key }), 'grant-missing')
      const json = { name: 'x', url: 'https://a.invalid' }
      assertProblem(await site.server.call('POST', HOOKS, { key, json }), 'grant-missing')
      const since = { since: 0 }
      const replay = await site.server.call('POST', `${path}/replay`, { key, json: since })
      assertProblem(replay, 'grant-missing')
    }
    assert.deepEqual(await site.ok('GET', path), withoutSecret(hook))
  })

  test('changed only with every grant; a key for metrics can only read them', async () => {
    const key = await site.server.makeKey({ name: 'metrics', grants: 'admin' })
    const hook = await site.hook({ url: 'https://a.invalid' }, { status: 'paused' })
    const path = `${HOOKS}/${hook.webhook_id}`
    for (const to of [HOOKS, path, `${path}/delivery`])
      assert.equal((await site.server.call('GET', to, { key })).status, 200)
    for (const to of [path, ...['pause', 'resume', 'rotate', 'test'].map((at) => `${path}/${at}`)])
      assertProblem(await site.server.call('POST', to, { key, json: {} }), 'grant-missing')
    assertProblem(await site.server.call('DELETE', path, { key }), 'grant-missing')
  })
})

function withoutSecret({ secret: _, ...rest }: any): object {
  return rest
}

/** Makes an administrator whose role in one folder is only viewer. */
async function partlyAdmin(folder: number): Promise<string> {
  const category_roles = [{ asset_category_id: folder, role: 'viewer' }]
  const json = { name: 'partly', role: 'admin', category_roles }
  await site.ok('POST', '/api/v2/user', json)
  return json.name
}

test('an invalid address is refused when it is set', async () => {
  const urls = [
    'example.org',
    'ftp://example.org',
    'https://',
    'https://user:password@example.org/',
    'https://example.org/#a',
    'https://exa mple.org/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'https://0x0a000001/',
    'http://93.184.216.34/',
  ]
  for (const url of urls) {
    const answer = await site.server.call('POST', HOOKS, { json: { name: 'x', url } })
    assert.deepEqual(pointersOf(answer), ['/url'], `${url}: ${answer.text}`)
  }
  for (const [name, value] of [
    ['objects', ['nothing']],
    ['objects', []],
    ['actions', ['create', 'create']],
    ['asset_category_id', 999_999],
    ['position', 5],
  ] as const) {
    const json = { name: 'x', url: 'https://a.invalid', [name]: value }
    const answer = await site.server.call('POST', HOOKS, { json })
    assert.equal(pointersOf(answer)[0], `/${name}`, answer.text)
  }
})
