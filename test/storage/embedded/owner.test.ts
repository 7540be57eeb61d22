// A process of root that cannot become the owner of a directory, and cannot start a process that
// does.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'

after(removeDataDirectories)

/**
 * Simulates a process whose threads prevent a change of its user and whose program cannot be
 * started again.
 */
const CODE = `
const [owner, dataDir] = process.argv.slice(1)
process.setgroups = () => {
  throw Object.assign(new Error('threads'), { code: 'ERR_INVALID_STATE' })
}
process.execPath = '/no/such/program'
const { becomeOwner } = await import(owner)
try {
  becomeOwner(dataDir, 'command')
} catch (error) {
  console.log(error.message)
}
`

test('a command of another user is refused with advice to become the owner', {
  skip: process.getuid?.() !== 0,
}, () => {
  const dataDir = newDataDirectory()
  mkdirSync(dataDir)
  chownSync(dataDir, 65_534, 65_534)
  const owner = pathToFileURL(join(import.meta.dirname, '../../../lib/storage/embedded/owner.js'))
  const args = ['--input-type=module', '--eval', CODE, owner.href, dataDir]
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.match(
    stdout,
    /is not allowed to switch to that user\. Run it as that user: setpriv --reuid=65534 /,
  )
  assert.equal(status, 0)
})
