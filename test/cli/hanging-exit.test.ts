// Node can hang forever in its own exit while V8 compiles or collects garbage (nodejs/node#54918). In these
// tests every process of a server hangs there, and no other process may wait for its end.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'

after(removeDataDirectories)

const HANGS =
  "import{isMainThread}from'node:worker_threads';" +
  "isMainThread&&process.on('exit',()=>Atomics.wait(new(Int32Array)(new(SharedArrayBuffer)(4)),0,0))"
const ENV = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HANGS)}` }
/** End of a tar file: two blocks of zeros. */
const END_BYTES = 1_024

// The timeout makes a failing test end: without it, the test would hang too.
test('a start after a crash, a backup and a stop do not wait for a process that hangs', {
  timeout: 60_000,
}, async () => {
  const dataDir = newDataDirectory()
  await (await startChild(dataDir)).kill('SIGKILL')
  const key = await makeKey(dataDir)

  const server = await startChild(dataDir, [], { env: ENV })
  assert.equal((await send(server.url, 'GET', '/ready', {})).status, 200)
  for (const attempt of ['first', 'second']) {
    const { status, bytes } = await send(server.url, 'GET', '/api/v2/backup', { key })
    assert.equal(status, 200, attempt)
    assert.ok(
      bytes.includes('backup.json') && bytes.subarray(-END_BYTES).every((byte) => byte === 0),
    )
  }

  const ended = await server.kill('SIGTERM')
  assert.equal(ended.signal, 'SIGKILL', ended.stderr)
  assert.ok(existsSync(join(dataDir, 'clean.json')))
})

test('without a shell no process supervises a stop, which exits with 0', async () => {
  const server = await startChild(newDataDirectory(), [], {
    env: { PATH: '' },
    // The command itself is a shell script, so the test starts it through Node.
    through: [process.execPath],
  })
  const { code, stderr } = await server.kill('SIGTERM')
  assert.equal(code, 0, stderr)
})
