// Deliveries of webhooks: the changes of the site, in order, with a signature that other programs can verify.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Received, Receiver } from '../../helpers/receiver.ts'
import { openSite, type Site } from './site.ts'

let site: Site
let receiver: Receiver
before(async () => {
  site = await openSite({ webhookRetryMs: 20, webhookTimeoutMs: 1_000 })
})
after(() => site.close())

const idsOf = (received: readonly Received[]): readonly number[] =>
  received.map(({ body }) => body.data.object_id)

const namesOf = (received: readonly Received[]): readonly string[] =>
  received.map(({ headers }) => String(headers['webhook-id']))

function verify({ headers, text }: Received, secret: string): void {
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)])
  new Webhook(secret).verify(text, Object.fromEntries(plain))
}

function signatureByOpenssl({ headers, text }: Received, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex')
  const input = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`
  const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary']
  return `v1,${execFileSync('openssl', args, { input }).toString('base64')}`
}

describe('a webhook sends', () => {
  test('every change once, in order, with a signature that other programs verify', async () => {
    receiver = await site.receive()
    const hook = await site.hook(receiver, { objects: ['asset_category'] })
    assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const ids: number[] = []
    for (let at = 0; at < 30; at += 1) ids.push(await site.folder())
    const received = await receiver.until(30)
    assert.deepEqual(idsOf(received), ids)
    assert.equal(new Set(namesOf(received)).size, 30)
    const sequences = received.map(({ body }) => body.data.sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
    )
    for (const each of received) verify(each, hook.secret)
    const [first] = received
    assert.ok(first)
    assert.equal(first.body.type, 'asset_category.create')
    assert.equal(first.body.timestamp, first.body.data.date_added)
    assert.equal(first.headers['webhook-signature'], signatureByOpenssl(first, hook.secret))
    assert.throws(() => verify({ ...first, text: `${first.text} ` }, hook.secret))
  })

  test('messages that are listed as delivered, and shows its secret only once', async () => {
    const [hook] = (await site.ok('GET', '/api/v2/webhook')).webhook
    const newest = receiver.received.at(-1)?.body.data.sequence
    const shown = await site.untilShown(hook.webhook_id, ({ position }) => position >= newest)
    assert.deepEqual([shown.state, shown.last_error, shown.date_retry], ['delivering', null, null])
    assert.equal(typeof shown.date_delivered, 'string')
    assert.equal(JSON.stringify(shown).includes('whsec_'), false)
  })

  test('the changes that its objects, actions and folder select', async () => {
    const [all, files, inFolder] = [
      await site.receive(),
      await site.receive(),
      await site.receive(),
    ]
    const top = await site.folder()
    const below = await site.folder({ parent_category_id: top })
    await site.hook(all, {})
    await site.hook(files, { objects: ['asset_file'], actions: ['create'] })
    await site.hook(inFolder, { asset_category_id: top })
    const inside = await site.file({ parent_category_id: below })
    const outside = await site.file({ parent_category_id: 1 })
    await site.ok('POST', `/api/v2/asset_file/${inside}`, { title: 'T' })
    await site.ok('POST', '/api/v2/user', { name: 'ada' })
    await site.ok('POST', `/api/v2/asset_category/${below}`, { title: 'T' })
    await all.until(7)
    await inFolder.until(3)
    await files.until(2)
    const shown = (received: readonly Received[]) =>
      received.map(({ body }) => `${body.type} ${body.data.object_id}`)
    assert.deepEqual(shown(files.received), [
      `asset_file.create ${inside}`,
      `asset_file.create ${outside}`,
    ])
    assert.deepEqual(shown(inFolder.received), [
      `asset_file.create ${inside}`,
      `asset_file.update ${inside}`,
      `asset_category.update ${below}`,
    ])
    await site.ok('POST', `/api/v2/asset_file/${inside}`, { parent_category_id: 1 })
    await site.ok('POST', `/api/v2/asset_file/${outside}`, { parent_category_id: top })
    await inFolder.until(5)
    assert.deepEqual(shown(inFolder.received).slice(3), [
      `asset_file.delete ${inside}`,
      `asset_file.create ${outside}`,
    ])
    assert.ok(shown(all.received).some((line) => line.startsWith('user.create')))
  })
})

describe('a failed delivery', () => {
  test('is retried with the same id, and later messages wait', async () => {
    const own = await site.receive()
    own.answer(
      { status: 500, body: 'x'.repeat(5_000) },
      { status: 503 },
      { status: 200, body: 'ok' },
    )
    const hook = await site.hook(own, { objects: ['asset_category'] })
    const ids = [await site.folder(), await site.folder()]
    const received = await own.until(4)
    const [a, b, c, d] = namesOf(received)
    assert.deepEqual([a === b, b === c, c === d], [true, true, false])
    assert.deepEqual(idsOf(received), [ids[0], ids[0], ids[0], ids[1]])
    const rows = await site.untilDelivered(hook.webhook_id, 4)
    assert.deepEqual(
      rows.map((row) => [row.status, row.attempt, row.error === null, row.answer?.length]),
      [
        [200, 1, true, 2],
        [200, 3, true, 2],
        [503, 2, false, 0],
        [500, 1, false, 1_024],
      ],
    )
    assert.equal(rows[0].message_id, d)
    const page = await site.ok('GET', `/api/v2/webhook/${hook.webhook_id}/delivery?length=3`)
    const next = await site.ok(
      'GET',
      `/api/v2/webhook/${hook.webhook_id}/delivery?length=3&cursor=${page.page.next}`,
    )
    assert.deepEqual([page.webhook_delivery.length, page.page.total], [3, 4])
    assert.deepEqual(next.webhook_delivery, rows.slice(3))
  })

  test('waits for as long as Retry-After says', async () => {
    const own = await site.receive()
    own.answer({ status: 429, headers: { 'retry-after': '3600' } })
    const hook = await site.hook(own, { objects: ['asset_category'] })
    await site.folder()
    const shown = await site.untilShown(hook.webhook_id, ({ state }) => state === 'waiting')
    const inMs = Date.parse(shown.date_retry) - Date.now()
    assert.ok(inMs > 3_500_000 && inMs <= 3_600_000, String(inMs))
    assert.match(shown.last_error, /answered 429/)
    own.answer({ status: 204 })
    await site.ok('POST', `/api/v2/webhook/${hook.webhook_id}/resume`)
    await own.until(2)
    await site.untilShown(hook.webhook_id, ({ state }) => state === 'delivering')
  })

  test('follows no redirect', async () => {
    const [own, other] = [await site.receive(), await site.receive()]
    own.answer({ status: 307, headers: { location: other.url } })
    const hook = await site.hook(own, { objects: ['asset_category'] })
    await site.folder()
    const shown = await site.untilShown(hook.webhook_id, ({ state }) => state === 'waiting')
    assert.match(shown.last_error, /answered 307, a redirect to .*Redirects are not followed/)
    assert.deepEqual(other.received, [])
    await site.ok('DELETE', `/api/v2/webhook/${hook.webhook_id}`)
  })

  test('is given up at once after a 410 until the webhook is resumed', async () => {
    const own = await site.receive()
    own.answer({ status: 410 })
    const hook = await site.hook(own, { objects: ['asset_category'] })
    await site.folder()
    const shown = await site.untilShown(hook.webhook_id, ({ state }) => state === 'given_up')
    assert.match(shown.last_error, /410/)
    own.answer({ status: 204 })
    const after = await site.folder()
    await site.ok('POST', `/api/v2/webhook/${hook.webhook_id}/resume`)
    assert.equal((await own.until(3))[2]?.body.data.object_id, after)
  })

  test('includes slow receivers and endless answers', async () => {
    const [slow, endless] = [
      await site.receive({ answers: 'never' }),
      await site.receive({ answers: 'endlessly' }),
    ]
    const [first, second] = [await site.hook(slow, {}), await site.hook(endless, {})]
    const [late, long] = [
      await site.ok('POST', `/api/v2/webhook/${first.webhook_id}/test`),
      await site.ok('POST', `/api/v2/webhook/${second.webhook_id}/test`),
    ]
    assert.deepEqual([late.status, late.answer], [null, null])
    assert.match(late.error, /no complete response arrived within 1 s/)
    assert.deepEqual([long.status, long.error, long.answer.length], [200, null, 1_024])
    for (const { webhook_id: id } of [first, second])
      await site.ok('DELETE', `/api/v2/webhook/${id}`)
  })
})

test('many deliveries and many waiting requests cause no leak warning of Node', async (t) => {
  const warnings: string[] = []
  const note = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', note)
  t.after(() => process.off('warning', note))
  const slow = await site.receive({ answers: 'never' })
  const hooks: any[] = []
  for (let at = 0; at < 12; at += 1) hooks.push(await site.hook(slow, { objects: ['calendar'] }))
  const waiting = hooks.map(() => site.ok('GET', '/api/v2/change?wait=1&object=calendar'))
  const paths = hooks.map(({ webhook_id: id }) => `/api/v2/webhook/${id}`)
  await Promise.all(paths.map((path) => site.ok('POST', `${path}/test`)))
  await Promise.all(waiting)
  assert.deepEqual(warnings, [])
  for (const path of paths) await site.ok('DELETE', path)
})

test('the receiver of docs/changes.md accepts signed requests only', async (t) => {
  const text = readFileSync(new URL('../../../../docs/changes.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const code = blocks.find((block) => block.includes('webhook-signature')) ?? assert.fail()
  const free = await site.receive()
  await free.close()
  const hook = await site.hook(free, { objects: ['asset_category'], status: 'paused' })
  const program = code.replace(
    '.listen(9000)',
    `.listen(${free.port}, '127.0.0.1', () => console.log('up'))`,
  )
  const env = { ...process.env, SECRET: hook.secret }
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env })
  t.after(() => child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'up')
  const forged = await fetch(free.url, {
    method: 'POST',
    headers: { 'webhook-id': 'a', 'webhook-signature': 'v1,AAAA' },
    body: '{}',
  })
  assert.equal(forged.status, 401)
  const id = await site.folder()
  await site.ok('POST', `/api/v2/webhook/${hook.webhook_id}/resume`)
  assert.equal((await lines.next()).value, `asset_category.create ${id}`)
})
