// The limit of open files of the process, as the operating system reports it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { filesNeeded, readFileLimit } from '../../lib/http/file-limit.ts'

test('the limit is that of the process, and its children inherit it', () => {
  const limit = execFileSync('sh', ['-c', 'ulimit -Sn'], { encoding: 'utf8' }).trim()
  assert.equal(readFileLimit(), limit === 'unlimited' ? undefined : Number(limit))
})

test('a connection needs two files, and the server 256 more', () => {
  assert.equal(filesNeeded(0), 256)
  assert.equal(filesNeeded(1_000), 2_256)
})
