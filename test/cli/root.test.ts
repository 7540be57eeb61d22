// Commands run as root next to a service of another user. All files in the data directory keep that user as
// owner, and the service starts on the directory. An error about missing permissions names the file and its
// owner.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'

const NOBODY = 65_534
const skip = process.getuid?.() !== 0 && 'needs root, to be root beside another user'
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

after(removeDataDirectories)

function newForeignDirectory(): string {
  const dataDir = newDataDirectory()
  mkdirSync(dataDir, { mode: 0o700 })
  chmodSync(dirname(dataDir), 0o755)
  chownSync(dataDir, NOBODY, NOBODY)
  return dataDir
}

function foreignTo(uid: number, dataDir: string): readonly string[] {
  const names = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
  return names.filter((name) => lstatSync(join(dataDir, name)).uid !== uid)
}

/** Creates a site with one key as the user nobody, and stops the server. */
async function makeForeignSite(): Promise<{ readonly dataDir: string; readonly key: string }> {
  const dataDir = newForeignDirectory()
  await (await startChild(dataDir, [], { through: AS_NOBODY })).kill('SIGTERM')
  return { dataDir, key: await makeKey(dataDir) }
}

async function requireStart(dataDir: string, key: string): Promise<void> {
  assert.deepEqual(foreignTo(NOBODY, dataDir), [])
  const server = await startChild(dataDir, [], { through: AS_NOBODY })
  const { status } = await send(server.url, 'GET', '/api/v2/user', { key })
  assert.deepEqual([status, (await server.kill('SIGTERM')).code], [200, 0])
}

describe('root leaves only files of the owner', { skip }, () => {
  test('after commands for keys and users, a check and a start', async () => {
    const { dataDir, key } = await makeForeignSite()
    for (const args of [
      ['user', 'create', 'mia'],
      ['key', 'list'],
      ['check'],
      ['check', '--repair'],
    ]) {
      const { code, stderr } = await runCli([...args, '--data', dataDir])
      assert.equal(code, 0, stderr)
    }
    await (await startChild(dataDir)).kill('SIGKILL')
    await requireStart(dataDir, key)
  })

  test('on the first start', async () => {
    const dataDir = newForeignDirectory()
    await (await startChild(dataDir)).kill('SIGTERM')
    const key = await makeKey(dataDir)
    await requireStart(dataDir, key)
  })

  test('after a backup of a site that was never opened here, and its restore', async () => {
    const { dataDir, key } = await makeForeignSite()
    rmSync(join(dataDir, 'records', 'lock.mdb'))
    const backup = `${dataDir}-backup`
    const made = await runCli(['backup', backup, '--data', dataDir])
    assert.equal(made.code, 0, made.stderr)
    await requireStart(dataDir, key)

    const target = newForeignDirectory()
    const restored = await runCli(['restore', backup, '--data', target])
    assert.equal(restored.code, 0, restored.stderr)
    await requireStart(target, key)
  })
})

describe('root follows no link of the owner of a directory', { skip }, () => {
  /** Creates a directory of root with one file, and a backup to restore. */
  async function prepare() {
    const { dataDir } = await makeForeignSite()
    const backup = `${dataDir}-backup`
    const made = await runCli(['backup', backup, '--data', dataDir])
    assert.equal(made.code, 0, made.stderr)
    const outside = newDataDirectory()
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret'), 'of root')
    return { backup, outside, target: newForeignDirectory() }
  }
  function requireUntouched(outside: string): void {
    assert.deepEqual(foreignTo(0, outside), [])
    assert.deepEqual(readdirSync(outside), ['secret'])
  }

  test('that a restore finds in the target', async () => {
    const { backup, outside, target } = await prepare()
    symlinkSync(outside, join(target, '.tmp'))
    const { code, stderr } = await runCli(['restore', backup, '--data', target])
    assert.equal(code, 65, stderr)
    assert.match(stderr, /\.tmp is neither a file nor a directory\. Root does not follow link/)
    requireUntouched(outside)
    assert.equal(lstatSync(target).uid, NOBODY)
  })

  for (const [command, args] of [
    ['backup', ['backup', '/tmp/never-made']],
    ['check', ['check']],
    ['a start', ['start', '--read-only', '--port', '0']],
  ] as const) {
    test(`that ${command} finds in place of the lock of the records`, async () => {
      const { dataDir } = await makeForeignSite()
      const outside = newDataDirectory()
      writeFileSync(outside, 'of root')
      rmSync(join(dataDir, 'records', 'lock.mdb'))
      symlinkSync(outside, join(dataDir, 'records', 'lock.mdb'))
      const { code, stderr } = await runCli([...args, '--data', dataDir])
      assert.equal(code, 65, stderr)
      assert.match(stderr, /records\/lock\.mdb must be a file created by cms-server, not a link/)
      assert.equal(readFileSync(outside, 'utf8'), 'of root')
    })
  }

  test('that the owner creates during a restore', async () => {
    const { backup, outside } = await prepare()
    for (let round = 0; round < 3; round++) {
      const target = newForeignDirectory()
      // Repeatedly tries to replace a directory that the restore creates by a symbolic link.
      const script = `while :; do mv ${target}/.quarantine ${target}/x && ln -s ${outside} ${target}/.quarantine; done 2>/dev/null`
      const planter = spawn('setpriv', [...AS_NOBODY.slice(1), 'sh', '-c', script])
      await runCli(['restore', backup, '--data', target])
      planter.kill('SIGKILL')
      requireUntouched(outside)
    }
  })

  test('if others can change a parent directory of the target', async () => {
    const { backup, target } = await prepare()
    chownSync(dirname(target), NOBODY, NOBODY)
    const { code, stderr } = await runCli(['restore', backup, '--data', target])
    assert.equal(code, 65, stderr)
    assert.match(stderr, /could replace .*, by a link\. .* setpriv --reuid=65534/)
    assert.deepEqual(readdirSync(target), [])
  })

  test('and returns the directory to its owner after a killed restore', async () => {
    const { backup, target } = await prepare()
    mkdirSync(join(target, '.tmp'))
    const owner = { uid: NOBODY, gid: NOBODY }
    writeFileSync(join(target, '.restoring'), JSON.stringify({ backup, owner }))
    chownSync(target, 0, 0)
    const { code, stderr } = await runCli(['restore', backup, '--data', target])
    assert.equal(code, 0, stderr)
    assert.deepEqual(foreignTo(NOBODY, target), [])
  })
})

/**
 * Behaves like Node in Debian 13, which disables setgroups() because libuv may use io_uring:
 * CVE-2024-22017.
 */
const FIXED = `data:text/javascript,${encodeURIComponent(
  `if (process.getuid() === 0) process.setgroups = () => {
    throw Object.assign(new Error('setgroups() disabled'), { code: 'ERR_INVALID_STATE' })
  }`,
)}`
const env = { NODE_OPTIONS: `--import=${FIXED}` }

describe('if Node cannot change its user', { skip }, () => {
  test('commands continue as the owner in another process', async () => {
    const { dataDir, key } = await makeForeignSite()
    const made = await runCli(['user', 'create', 'mia', '--data', dataDir], { env })
    assert.equal(made.code, 0, made.stderr)
    const again = await runCli(['user', 'create', 'mia', '--data', dataDir], { env })
    assert.equal(again.code, 1)
    assert.match(again.stderr, /mia/)
    await requireStart(dataDir, key)
  })

  test('a start prints the command to use', async () => {
    const { dataDir } = await makeForeignSite()
    const { code, stderr } = await runCli(['start', '--port', '0', '--data', dataDir], { env })
    assert.equal(code, 65)
    assert.match(stderr, /setpriv --reuid=65534 --regid=65534 --clear-groups cms-server/)
  })
})

test('every command names the directory that the user may not use, and its owner', {
  skip,
}, async () => {
  const closed = newDataDirectory()
  chmodSync(dirname(closed), 0o755)
  await (await startChild(closed)).kill('SIGTERM')
  const backup = `${closed}-backup`
  assert.equal((await runCli(['backup', backup, '--data', closed])).code, 0)
  const open = newForeignDirectory()
  for (const args of [
    ['check', '--data', closed],
    ['check', '--data', backup],
    ['backup', join(open, 'a'), '--data', closed],
    ['restore', backup, '--data', join(open, 'b')],
    ['key', 'list', '--data', closed],
    ['start', '--data', closed, '--port', '0'],
  ]) {
    const { code, stderr } = await runCli(args, { through: AS_NOBODY })
    const path = args.includes('restore') || args[2] === backup ? backup : closed
    assert.equal(code, 65, stderr)
    assert.ok(
      stderr.includes(`has no access to ${path} or to something in it (${path} belongs to 0`),
      stderr,
    )
  }
})

test('an error about a missing file permission names the file and its owner', {
  skip,
}, async () => {
  const { dataDir } = await makeForeignSite()
  const file = join(dataDir, 'records', 'data.mdb')
  execFileSync('chown', ['0:0', file])
  for (const args of [
    ['start', '--port', '0'],
    ['key', 'list'],
  ]) {
    const all = [...args, '--data', dataDir]
    const { code, stderr } = await runCli(all, { through: AS_NOBODY })
    assert.equal(code, 65, stderr)
    assert.match(
      stderr,
      /^cms-server: The user 65534 \(nobody\) has no access to .*data\.mdb belongs to 0 \(root\)\)/,
    )
  }
})
