// cms-server health: the health check that runs in a container.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'

after(removeDataDirectories)

test('health exits with 0 while the server responds, and otherwise with 1 and the reason', async () => {
  const child = await startChild(newDataDirectory(), ['--host', '0.0.0.0'])
  const { port } = new URL(child.url)
  const env = { CMS_HOST: '0.0.0.0', CMS_PORT: port }
  const url = `http://127.0.0.1:${port}`
  const lives = await runCli(['health'], { env })
  assert.deepEqual([lives.code, lives.stdout], [0, `${url}/health 200 ok\n`])
  const ready = await runCli(['health', '--ready', '--port', port])
  assert.deepEqual([ready.code, ready.stdout], [0, `${url}/ready 200 ready\n`])

  await child.kill('SIGTERM')
  const gone = await runCli(['health'], { env })
  assert.equal(gone.code, 1)
  assert.match(gone.stdout, /\/health connect ECONNREFUSED/)
})

// Nothing is left in the event loop, so Node ends the process.
const NEVER = 'globalThis.fetch=()=>new(Promise)(()=>undefined)'

test('a command whose work never completes fails', async () => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NEVER)}` }
  const { code, stdout, stderr } = await runCli(['health'], { env })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^cms-server: the command ended before its work was finished/)
})
