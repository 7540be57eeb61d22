// Server and consumer are killed while changes are made and delivered. For a consumer that
// remembers ids, each change came once and in order, and no change is missing. CMS_RIG=full kills
// more often.

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { openReceiver } from '../helpers/receiver.ts'
import { send } from '../helpers/server.ts'
import { SEED } from '../helpers/seed.ts'
import { openRandom } from './random.ts'
import { IS_FULL } from './sampling.ts'

const CONSUMER = fileURLToPath(new URL('./webhook-consumer.js', import.meta.url))
const ROUNDS = IS_FULL ? 60 : 3
/** The number of folders made in each round. */
const FOLDERS = 20
const MAX_PAUSE_MS = 300
const ARGS = ['--webhook-allow', 'loopback', '--log-level', 'error']
const LIST = '/api/v2/asset_category'
/** The number of folders of a new site. */
const OWN_FOLDERS = 12
/** The maximum length of a list. */
const PAGE = 1000
const HOOK = '/api/v2/webhook/1'

after(removeDataDirectories)

test('each change is delivered once and in order across kills of server and consumer', async (t) => {
  const random = openRandom(SEED)
  const dataDir = newDataDirectory()
  const file = join(`${dataDir}-seen`)
  // The port is free after the receiver is closed.
  const { port, close } = await openReceiver()
  await close()
  let server = await startChild(dataDir, ARGS)
  const key = await makeKey(dataDir)
  let consumer = await startConsumer(port, file)
  t.after(() => consumer.kill('SIGKILL'))
  t.after(() => server.kill('SIGKILL'))
  const post = (path: string, json: object) => send(server.url, 'POST', path, { key, json })
  const hook = { name: 'rig', url: `http://127.0.0.1:${port}/`, objects: ['asset_category'] }
  assert.equal((await post('/api/v2/webhook', hook)).status, 201)

  for (let round = 0; round < ROUNDS; round += 1) {
    const isServer = random.below(2) === 0
    const killing = sleep(random.below(MAX_PAUSE_MS)).then(() => kill(isServer ? server : consumer))
    for (let at = 0; at < FOLDERS; at += 1)
      await post(LIST, { name: `${round}-${at}` }).catch(() => undefined)
    await killing
    if (isServer) server = await startChild(dataDir, ARGS)
    else consumer = await startConsumer(port, file)
    // Resuming the webhook skips the delay of failed deliveries.
    assert.equal((await post(`${HOOK}/resume`, {})).status, 200)
  }
  const wanted = (await allFolders(server, key)).filter((id) => id > OWN_FOLDERS)
  const seen = await untilSeen(file, wanted.length)
  assert.deepEqual(seen, wanted, `TEST_SEED=${SEED}`)
})

/** Returns the ids of all folders in order, from all pages. */
async function allFolders(server: ChildServer, key: string): Promise<readonly number[]> {
  const ids: number[] = []
  for (let start = 1; ; start += 1) {
    const page = `${LIST}?length=${PAGE}&start=${start}&orderStr=asset_category_id`
    const { status, text, body } = await send(server.url, 'GET', page, { key })
    assert.equal(status, 200, text)
    ids.push(...body.asset_category.map((one: any) => one.asset_category_id))
    if (body.asset_category.length < PAGE) return ids
  }
}

async function startConsumer(port: number, file: string): Promise<ChildProcess> {
  const child = fork(CONSUMER, [String(port), file])
  await once(child, 'message')
  return child
}

async function kill(one: ChildServer | ChildProcess): Promise<void> {
  if ('ended' in one) {
    await one.kill('SIGKILL')
    return
  }
  const ended = once(one, 'exit')
  one.kill('SIGKILL')
  await ended
}

/** Returns the deliveries of the consumer as soon as there are `count` of them. */
async function untilSeen(file: string, count: number): Promise<readonly number[]> {
  for (;;) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
    if (lines.length >= count) return lines.map((line) => Number(line.split(' ')[1]))
    await sleep(50)
  }
}
