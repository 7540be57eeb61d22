// The .deb of `npm run package` is installed, used, upgraded, removed and purged in a chroot: an
// overlay on the files of this machine that is discarded afterwards. npm run rig:package runs this
// test.

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { settingOf } from '../packaging/confine.ts'
import { requireForms } from '../helpers/pictures.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'

const PACKAGES = 'dist/package'
const skip =
  process.env['CMS_RIG'] !== 'full'
    ? 'runs by npm run rig:package'
    : process.getuid?.() !== 0 && 'a chroot needs root'

const layers = temporaryDirectory()
const root = join(layers, 'root')
const mounted: string[] = []

function mount(point: string, args: readonly string[]): void {
  mkdirSync(point, { recursive: true })
  execFileSync('mount', [...args, point], { stdio: 'pipe' })
  mounted.unshift(point)
}

before(() => {
  if (skip !== false) return
  mount(layers, ['-t', 'tmpfs', 'tmpfs'])
  for (const name of ['upper', 'work']) mkdirSync(join(layers, name))
  const places = `lowerdir=/,upperdir=${layers}/upper,workdir=${layers}/work`
  mount(root, ['-t', 'overlay', '-o', places, 'overlay'])
  mount(join(root, 'proc'), ['-t', 'proc', 'proc'])
  mount(join(root, 'dev'), ['--bind', '/dev'])
})
after(() => {
  for (const point of mounted) execFileSync('umount', ['--lazy', point])
})

function inside(...command: readonly string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('chroot', [root, ...command], { encoding: 'utf8', env })
}

function mustRun(...command: readonly string[]): string {
  const { status, stdout, stderr } = inside(...command)
  assert.equal(status, 0, `${command.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Starts the service with the settings of its unit, on another port. */
async function startService() {
  const unit = mustRun('cat', '/usr/lib/systemd/system/cms-server.service')
  const [user = ''] = settingOf(unit, 'User')
  const command = settingOf(unit, 'ExecStart')
  const options = [`--userspec=${user}:${user}`, root, ...command, '--port', '0']
  const child = spawn('chroot', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = ''
  for await (const chunk of child.stdout) {
    told += String(chunk)
    const url = /listening on (\S+)\n/.exec(told)?.[1]
    if (url !== undefined) return { url, child }
  }
  throw new Error(`The service ended: ${told}`)
}

async function stopService({ child }: Awaited<ReturnType<typeof startService>>): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  execFileSync('kill', [String(child.pid)])
  assert.equal(await ended, 0)
}

const PROGRAM = '/usr/lib/cms-server/dist/server'
const IS_REJECTED = `
  const { compile } = require('/usr/lib/cms-server/bin/load-program')
  process.stdout.write(String(compile('${PROGRAM}/main.js').cachedDataRejected))`

test('the package is installed, serves, is upgraded, and is removed without the site', {
  skip,
}, async () => {
  const name = readdirSync(PACKAGES).find((item) => item.endsWith('.deb')) ?? ''
  copyFileSync(join(PACKAGES, name), join(root, 'tmp', name))
  const deb = `/tmp/${name}`
  const data = join(root, 'var/lib/cms-server')
  assert.match(mustRun('dpkg', '-i', deb), /systemctl enable --now cms-server/)
  const [uid = ''] = mustRun('id', '-u', 'cms-server').split('\n')
  assert.deepEqual([statSync(data).mode & 0o777, statSync(data).uid], [0o700, Number(uid)])

  // A new Node rejects the compiled code, and then the package compiles the program again.
  mustRun('sh', '-c', `echo other > ${PROGRAM}/main.cache`)
  assert.equal(mustRun('node', '-e', IS_REJECTED), 'true')
  mustRun('dpkg-trigger', '--no-await', '--by-package=nodejs', '/usr/bin/node')
  mustRun('dpkg', '--triggers-only', '--pending')
  assert.equal(mustRun('node', '-e', IS_REJECTED), 'false')

  await stopService(await startService())
  // Without a running server, commands of root use the site of the service.
  const key = mustRun('cms-server', 'key', 'create', '--name', 'first').trim()
  const second = await startService()
  assert.equal((await send(second.url, 'GET', '/api/v2/asset_category/1', { key })).status, 200)
  await requireForms(second.url, key)
  mustRun('cms-server', 'user', 'create', 'mia')
  await stopService(second)
  const owners = mustRun('find', '/var/lib/cms-server', '-not', '-user', 'cms-server')
  assert.equal(owners, '')

  mustRun('dpkg', '-i', deb)
  mustRun('cms-server', 'check')
  mustRun('dpkg', '--remove', 'cms-server')
  assert.ok(!existsSync(join(root, 'usr/lib/cms-server')))
  assert.ok(!existsSync(join(root, 'usr/bin/cms-server')))
  assert.ok(existsSync(join(data, 'instance.json')))
  assert.match(mustRun('dpkg', '--purge', 'cms-server'), /kept the site in \/var\/lib\/cms-server/)
  assert.ok(existsSync(join(data, 'instance.json')))
})
