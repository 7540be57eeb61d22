// A server whose clock is set back by an hour, or ahead by ten years, between two runs.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { send } from '../helpers/server.ts'

after(removeDataDirectories)

const HOUR_MS = 3_600_000
const YEARS_MS = 10 * 365 * 24 * HOUR_MS
const SHIFT = new URL('../helpers/shift-clock.js', import.meta.url).href
const FILE = '/api/v2/asset_file/2'

function startAt(dataDir: string, offsetMs: number): Promise<ChildServer> {
  const env = { NODE_OPTIONS: `--import=${SHIFT}`, CMS_TEST_CLOCK_MS: String(offsetMs) }
  return startChild(dataDir, [], { env })
}

test('S40: a clock that is set back reactivates no key and changes neither order nor ETags', async (t) => {
  const dataDir = newDataDirectory()
  const first = await startAt(dataDir, 0)
  t.after(() => first.kill('SIGKILL'))
  const key = await makeKey(dataDir)
  const short = await makeKey(dataDir, ['--name', 'short', '--expires', '30m'])
  const long = await makeKey(dataDir, ['--name', 'long', '--expires', '30d'])
  const statusesOf = async ({ url }: ChildServer) => {
    const keys = [key, short, long]
    const answers = await Promise.all(
      keys.map((each) => send(url, 'GET', '/api/v2/user', { key: each })),
    )
    return answers.map((answer) => answer.status)
  }
  const save = async ({ url }: ChildServer, path: string, json: object) =>
    (await send(url, 'POST', path, { key, json })).body
  assert.deepEqual(await statusesOf(first), [200, 200, 200])
  await first.kill('SIGTERM')

  const later = await startAt(dataDir, HOUR_MS)
  t.after(() => later.kill('SIGKILL'))
  assert.deepEqual(await statusesOf(later), [200, 401, 200])
  const page = { name: 'a.txt', type: 'txt', parent_category_id: 1, pageContent: '1' }
  await save(later, '/api/v2/asset_file', page)
  const { headers } = await send(later.url, 'GET', FILE, { key })
  await later.kill('SIGTERM')

  const back = await startAt(dataDir, 0)
  t.after(() => back.kill('SIGKILL'))
  assert.ok(await eventually(() => /system clock moved backwards/.test(back.stderr())))
  assert.deepEqual(await statusesOf(back), [200, 401, 200])
  const again = { key, headers: { 'if-none-match': String(headers.etag) } }
  assert.equal((await send(back.url, 'GET', FILE, again)).status, 304)
  assert.equal((await save(back, FILE, { pageContent: '2' })).version, 2)
  const { body } = await send(back.url, 'GET', `${FILE}/versions`, { key })
  assert.deepEqual(
    body.asset_file_version.map((version: any) => version.version),
    [2, 1],
  )
  await back.kill('SIGTERM')

  const ahead = await startAt(dataDir, YEARS_MS)
  t.after(() => ahead.kill('SIGKILL'))
  assert.deepEqual(await statusesOf(ahead), [200, 401, 401])
  assert.equal((await save(ahead, FILE, { pageContent: '3' })).version, 3)
  assert.equal((await ahead.kill('SIGTERM')).code, 0)
})
