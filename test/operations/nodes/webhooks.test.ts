// Webhooks of a site with several servers: one server sends, and another server takes over when the
// first ends.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { networks } from '../../../lib/config/flag-values.ts'
import { killChildren, makeKey, startChild } from '../../helpers/child-server.ts'
import { startCluster, variablesOf } from '../../helpers/cluster.ts'
import { openReceiver, type Received, type Receiver } from '../../helpers/receiver.ts'
import {
  type Answer,
  closeTestServers,
  send,
  startTestServer,
  temporaryDirectory,
  type TestOptions,
  type TestServer,
} from '../../helpers/server.ts'

const cluster = await startCluster()
const receivers: Receiver[] = []
after(closeTestServers)
after(killChildren)
after(() => Promise.all(receivers.map((receiver) => receiver.close())))

async function receive(): Promise<Receiver> {
  const receiver = await openReceiver()
  receivers.push(receiver)
  return receiver
}

const FOLDER = '/api/v2/asset_category'
const webhookAllow = networks('tests')('127.0.0.0/8')

function startNode(config: TestOptions['config']): Promise<TestServer> {
  return startTestServer({ config: { webhookAllow, ...config } })
}

type Call = (method: string, path: string, json?: object) => Promise<Answer>

const callsOf =
  (url: string, key: string): Call =>
  (method, path, json) =>
    send(url, method, path, { key, ...(json !== undefined && { json }) })

async function makeHook(call: Call, url: string): Promise<string> {
  const made = await call('POST', '/api/v2/webhook', { name: 'hook', url })
  assert.equal(made.status, 201, made.text)
  return `/api/v2/webhook/${made.body.webhook_id}`
}

/** Returns the identifier of the folder. */
async function makeFolder(call: Call, name: string): Promise<number> {
  const made = await call('POST', FOLDER, { name, parent_category_id: 1 })
  assert.equal(made.status, 201, made.text)
  return made.body.asset_category_id
}

async function makeFolders(calls: readonly Call[], name: string): Promise<readonly number[]> {
  const made: number[] = []
  for (let round = 0; round < 10; round += 1)
    for (const call of calls) made.push(await makeFolder(call, `${name} ${made.length}`))
  return made
}

/**
 * The folders that the receiver was notified of, in order, as soon as this folder is among them.
 */
async function foldersUntil(
  receiver: Receiver,
  last: number | undefined,
): Promise<readonly number[]> {
  for (let count = 1; ; count += 1) {
    const told = foldersIn(await receiver.until(count))
    if (told.includes(Number(last))) return told
  }
}

function foldersIn(received: readonly Received[]): readonly number[] {
  return received.flatMap(({ body }) =>
    body.data.object === 'asset_category' ? [Number(body.data.object_id)] : [],
  )
}

async function untilCommitted(call: Call, hook: string, { received }: Receiver): Promise<void> {
  for (;;) {
    const { body } = await call('GET', `${hook}/delivery`)
    if (body.webhook_delivery?.length === received.length) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('changes of any node are sent once and in order, and continue when the sender stops', async () => {
  const site = await cluster.newSite()
  const a = await startNode({ cluster: site })
  const b = await startNode({ cluster: site })
  const receiver = await receive()
  const calls = [callsOf(a.url, a.key), callsOf(b.url, a.key)] as const
  const hook = await makeHook(calls[1], receiver.url)
  const first = await makeFolders(calls, 'first')
  assert.deepEqual(await foldersUntil(receiver, first.at(-1)), first)
  for (const call of calls) {
    const tested = await call('POST', `${hook}/test`, {})
    assert.equal(tested.status, 200, tested.text)
  }

  // This node started first, so it is the sender.
  const stopping = a.stop()
  const second = await makeFolders([calls[1]], 'second')
  await stopping
  assert.deepEqual(await foldersUntil(receiver, second.at(-1)), [...first, ...second])
})

test('a suspended sender is replaced and sends nothing after it resumes', async () => {
  const site = await cluster.newSite()
  const dataDir = join(temporaryDirectory(), 'node')
  const halted = await startChild(dataDir, ['--webhook-allow', '127.0.0.0/8'], {
    env: variablesOf(site),
  })
  const key = await makeKey(dataDir)
  const b = await startNode({ cluster: site })
  const call = callsOf(b.url, key)
  const receiver = await receive()
  const hook = await makeHook(call, receiver.url)
  const before = await makeFolder(call, 'before')
  await foldersUntil(receiver, before)
  // Deliveries that are not committed when the node halts are sent again.
  await untilCommitted(call, hook, receiver)

  process.kill(halted.pid, 'SIGSTOP')
  const meanwhile = await makeFolder(call, 'meanwhile')
  await foldersUntil(receiver, meanwhile)
  process.kill(halted.pid, 'SIGCONT')
  const later = await makeFolders([call], 'later')
  const all = [before, meanwhile, ...later]
  assert.deepEqual(await foldersUntil(receiver, later.at(-1)), all)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(new Set(ids).size, ids.length)

  // A node that was away can take over again.
  await b.stop()
  const last = await makeFolder(callsOf(halted.url, key), 'last')
  assert.deepEqual(await foldersUntil(receiver, last), [...all, last])
  await halted.kill('SIGTERM')
})
