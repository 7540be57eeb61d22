// Webhooks over time and restarts: the server gives up after three days of failures, and a restart loses
// nothing.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { eventually } from '../../helpers/raw.ts'
import { openReceiver } from '../../helpers/receiver.ts'
import { openSite } from './site.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const DAY_MS = 86_400_000

test(
  'a delivery that failed for three days is given up, shown in the record and the metrics, and restarted by a replay',
  oneNode('counts'),
  async () => {
    const clock = { offsetMs: 0 }
    const now = (): Date => new Date(Date.now() + clock.offsetMs)
    const site = await openSite({ webhookRetryMs: 5 }, { now })
    const receiver = await site.receive()
    receiver.answer({ status: 500 })
    const hook = await site.hook(receiver, { objects: ['asset_category'] })
    const path = `/api/v2/webhook/${hook.webhook_id}`
    const folder = await site.folder()
    await receiver.until(2)
    const waiting = await site.untilShown(hook.webhook_id, ({ state }) => state === 'waiting')
    assert.match(waiting.last_error, /answered 500/)
    clock.offsetMs = 3 * DAY_MS
    const shown = await site.untilShown(hook.webhook_id, ({ state }) => state === 'given_up')
    assert.match(shown.last_error, /answered 500\. Deliveries have failed since \d{4}-/)
    const { text } = await site.server.call('GET', '/metrics')
    assert.match(text, /^cms_webhooks\{state="given_up"\} 1$/m)
    assert.match(text, /^cms_webhook_failures_total [3-9]$/m)

    const count = receiver.received.length
    receiver.answer({ status: 204 })
    await site.folder()
    await site.ok('POST', `${path}/replay`, { since: hook.position })
    const received = await receiver.until(count + 2)
    assert.equal(received[count]?.body.data.object_id, folder)
    await site.close()
  },
)

test('a restart continues after the last delivered message and waits for the remaining time', async () => {
  const receiver = await openReceiver()
  const site = await openSite({ webhookRetryMs: 60_000 })
  const hook = await site.hook(receiver, { objects: ['asset_category'] })
  const ids = [await site.folder(), await site.folder()]
  await receiver.until(2)
  receiver.answer({ status: 503 })
  ids.push(await site.folder())
  await receiver.until(3)
  await site.server.stop()

  const { dataDir } = site.server
  const again = await openSite({ webhookRetryMs: 60_000 }, { dataDir })
  const path = `/api/v2/webhook/${hook.webhook_id}`
  const shown = await again.ok('GET', path)
  assert.equal(shown.state, 'waiting')
  assert.equal(receiver.received.length, 3)
  receiver.answer({ status: 204 })
  await again.ok('POST', `${path}/resume`)
  const received = await receiver.until(4)
  assert.deepEqual(
    received.map(({ body }) => body.data.object_id),
    [...ids, ids[2]],
  )
  assert.equal(received[3]?.headers['webhook-id'], received[2]?.headers['webhook-id'])
  await again.server.stop()
  await receiver.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a webhook whose changes were removed is given up and shows the position to resume from', async () => {
  const clock = { offsetMs: -3 * DAY_MS }
  const now = (): Date => new Date(Date.now() + clock.offsetMs)
  const site = await openSite({}, { now, config: { auditDays: 0 } })
  const receiver = await openReceiver()
  const hook = await site.hook(receiver, { objects: ['asset_category'], status: 'paused' })
  const path = `/api/v2/webhook/${hook.webhook_id}`
  for (let at = 0; at < 3; at += 1) await site.folder()
  clock.offsetMs = 0
  const late = await site.folder()
  await site.server.stop()

  const { dataDir } = site.server
  const again = await openSite({}, { now, dataDir, config: { auditDays: 1 } })
  const find = (): Promise<any> => again.ok('GET', '/api/v2/audit?qry={"object":"asset_category"}')
  await eventually(async () => (await find()).audit.length === 1)
  await again.ok('POST', `${path}/resume`)
  const shown = await again.untilShown(hook.webhook_id, ({ state }) => state === 'given_up')
  const [, since] = /continue with a replay since (\d+)/.exec(shown.last_error) ?? []
  const early = await again.server.call('POST', `${path}/replay`, { json: { since: 0 } })
  assert.match(early.body.detail, new RegExp(`from ${since}, just before the oldest`))
  await again.ok('POST', `${path}/replay`, { since: Number(since) })
  const received = await receiver.until(1)
  assert.equal(received[0]?.body.data.object_id, late)
  await again.close()
  await receiver.close()
})
