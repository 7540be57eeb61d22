// A child process that has sent its result and does not exit: Node can hang in its own exit.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { killAfterGrace } from '../../../lib/storage/integrity/inspect-records.ts'
import { temporaryDirectory } from '../../helpers/server.ts'

const LIMIT = { timeout: 30_000 }

let directory: string
before(() => {
  directory = temporaryDirectory()
  writeFileSync(join(directory, 'hangs.mjs'), 'process.send(1); setInterval(() => {}, 1_000)')
  writeFileSync(join(directory, 'ends.mjs'), 'process.send(1, () => process.exit(3))')
})
after(() => rmSync(directory, { recursive: true, force: true }))

for (const [script, ending] of [
  ['hangs.mjs', [null, 'SIGKILL']],
  ['ends.mjs', [3, null]],
] as const) {
  test(`a child that sent everything gets a bounded time to exit: ${script}`, LIMIT, async (t) => {
    const child = fork(join(directory, script), { execArgv: [] })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await once(child, 'message')
    killAfterGrace(child)
    assert.deepEqual(await ended, ending)
  })
}
