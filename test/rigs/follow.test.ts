// A consumer and the server are killed at random moments while clients write. In the end the
// consumer has each change once, in the order of the audit trail, and no change is missing.
// CMS_RIG=full kills a hundred times.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { SEED } from '../helpers/seed.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'
import { readLines } from './follower.ts'
import { openRandom } from './random.ts'
import { IS_FULL } from './sampling.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? (IS_FULL ? 100 : 3))
const FOLLOWER = fileURLToPath(new URL('./follower.js', import.meta.url))

after(removeDataDirectories)

const seen = (file: string): readonly number[] => readLines(file).flatMap((line) => line.sequences)

test('a consumer that is killed at any time gets each change once and in order', async () => {
  const random = openRandom(SEED)
  const dataDir = newDataDirectory()
  const file = join(temporaryDirectory(), 'followed')
  let server = await startChild(dataDir, ['--processes', '2'])
  const key = await makeKey(dataDir)
  const numbers: number[] = []

  for (let round = 0; round < ROUNDS; round += 1) {
    const stop = new AbortController()
    const writers = [1, 2, 3].map((at) => write(server.url, key, { at, signal: stop.signal }))
    for (let kill = 0; kill < 3; kill += 1) {
      const consumer = spawn(process.execPath, [FOLLOWER, server.url, key, file])
      await sleep(150 + random.below(400))
      await end(consumer)
    }
    await server.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
    stop.abort()
    await Promise.all(writers)
    server = await startChild(dataDir, ['--processes', '2'])
  }

  const consumer = spawn(process.execPath, [FOLLOWER, server.url, key, file])
  for (let next = 0; ; ) {
    const { body } = await send(server.url, 'GET', `/api/v2/change?length=1000&since=${next}`, {
      key,
    })
    numbers.push(...body.change.map(({ sequence }: any) => sequence))
    if (body.change.length === 0) break
    next = numbers.at(-1) ?? 0
  }
  assert.ok(numbers.length > 20)
  await eventually(() => seen(file).length >= numbers.length)
  await end(consumer)
  assert.deepEqual(seen(file), numbers)
  await server.kill('SIGTERM')
})

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Creates folders with content and deletes them at once. */
async function write(
  url: string,
  key: string,
  { at, signal }: { readonly at: number; readonly signal: AbortSignal },
): Promise<void> {
  const call = (method: string, path: string, json?: object) =>
    send(url, method, path, { key, json }).catch(() => undefined)
  for (let count = 0; !signal.aborted; count += 1) {
    const folder = await call('POST', '/api/v2/asset_category', {
      name: `w${at}-${count}-${Date.now()}`,
    })
    const id: unknown = folder?.body?.asset_category_id
    if (typeof id !== 'number') {
      await sleep(10)
      continue
    }
    const place = { type: 'html', parent_category_id: id }
    await call(
      'POST',
      '/api/v2/asset_file',
      [1, 2, 3].map((n) => ({ name: `${n}.html`, ...place })),
    )
    await call('DELETE', `/api/v2/asset_category/${id}?recursive=true`)
  }
}
