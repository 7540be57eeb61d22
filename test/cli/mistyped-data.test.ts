// A mistyped path in --data: only start and restore create a site. Every other command reports the missing
// site and creates nothing.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runCli, startChild } from '../helpers/child-server.ts'
import { temporaryDirectory } from '../helpers/server.ts'

const directory = temporaryDirectory()
after(() => rmSync(directory, { recursive: true }))

const COMMANDS: readonly (readonly string[])[] = [
  ['key', 'create', '--name', 'first'],
  ['key', 'list'],
  ['key', 'revoke', '1'],
  ['key', 'rotate', '1'],
  ['user', 'create', 'eva'],
  ['user', 'list'],
  ['user', 'disable', 'admin'],
  ['user', 'enable', 'admin'],
  ['check'],
  ['check', '--repair'],
  ['backup', join(directory, 'copy')],
]

const HINT = 'Give --data the directory of a site; only "start" and "restore" create one.'

for (const command of COMMANDS) {
  describe(command.slice(0, 2).join(' '), () => {
    test('a command refuses a missing directory and does not create it', async () => {
      const dataDir = join(directory, 'typo')
      const { code, stdout, stderr } = await runCli([...command, '--data', dataDir])
      assert.deepEqual([code, stdout], [65, ''])
      const detail = `The directory ${dataDir} does not exist. ${HINT}`
      assert.equal(stderr, `cms-server: ${detail}\n`)
      assert.ok(!existsSync(dataDir))
      assert.ok(!existsSync(join(directory, 'copy')))
    })

    test('a command refuses a directory without a site and writes nothing into it', async () => {
      const dataDir = join(directory, 'empty')
      mkdirSync(dataDir, { recursive: true })
      const { code, stdout, stderr } = await runCli([...command, '--data', dataDir])
      assert.deepEqual([code, stdout], [65, ''])
      const detail = `${dataDir} holds no site: records/data.mdb is missing. ${HINT}`
      assert.equal(stderr, `cms-server: ${detail}\n`)
      assert.deepEqual(readdirSync(dataDir), [])
    })

    test('a command refuses a file', async () => {
      const file = join(directory, 'file')
      writeFileSync(file, 'x')
      const { code, stderr } = await runCli([...command, '--data', file])
      assert.equal(code, 65)
      assert.equal(stderr, `cms-server: ${file} is not a directory. ${HINT}\n`)
    })
  })
}

// mkfs creates lost+found in the root of a file system.
test('a volume with only lost+found accepts a new or restored site', async () => {
  const volume = (name: string): string => {
    const path = join(directory, name)
    mkdirSync(join(path, 'lost+found'), { recursive: true, mode: 0o700 })
    return path
  }
  const dataDir = volume('volume')
  await (await startChild(dataDir)).kill('SIGTERM')
  const backup = join(directory, 'backup')
  assert.equal((await runCli(['backup', backup, '--data', dataDir])).code, 0)
  const target = volume('second')
  const restored = await runCli(['restore', backup, '--data', target])
  assert.equal(restored.code, 0, restored.stderr)
  assert.equal((await runCli(['check', '--data', target])).code, 0)
})
