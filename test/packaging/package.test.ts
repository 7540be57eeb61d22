// The installed package: `npm pack`, unpacked into node_modules beside its dependencies and no other
// packages. It runs, and keeps its data outside of the directory that an upgrade replaces.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'
import type { Script } from 'node:vm'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const root = temporaryDirectory()
const installed = join(root, 'node_modules', 'cms-server')
const bin = join(installed, 'bin', 'cms-server')

before(() => {
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'))
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    const isNeeded = path.startsWith('node_modules/') && dev !== true && !/.node_modules/.test(path)
    if (isNeeded && existsSync(join(PROJECT, path))) link(path)
  }
  install()
})
after(() => {
  removeDataDirectories()
  rmSync(root, { recursive: true, force: true })
})

function link(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  symlinkSync(join(PROJECT, path), join(root, path))
}

/** Imitates an upgrade: removes the old package and unpacks the new one. */
function install(): void {
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', root]
  const name = execFileSync('npm', args, { cwd: PROJECT, encoding: 'utf8' }).trim()
  execFileSync('tar', ['xf', join(root, name), '-C', installed, '--strip-components=1'])
}

test('the package contains the built server and its documents, and neither sources nor tests', () => {
  const names = readdirSync(installed).toSorted()
  assert.deepEqual(names, [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'docs',
    'package.json',
    'packaging',
  ])
  assert.deepEqual(readdirSync(join(installed, 'dist')), ['server'])
})

test('the version contains the commit of the build wherever it is shown', async () => {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim()
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  const told = (await runCli(['--version'], { bin })).stdout.trim()
  const hasHistory =
    existsSync(join(PROJECT, '.git')) && git('rev-parse', '--is-shallow-repository') === 'false'
  const commit = hasHistory ? `+${git('rev-list', '--count', 'HEAD')}.` : ''
  assert.ok(told.startsWith(`${version}${commit}`), told)
  if (hasHistory) assert.match(told, /\+\d+\.[0-9a-f]{7,}(?:\.dirty)?$/)

  const dataDir = newDataDirectory()
  const child = await startChild(dataDir, [], { bin })
  const { body } = await send(child.url, 'GET', '/ready', {})
  const key = await makeKey(dataDir)
  const metrics = await send(child.url, 'GET', '/metrics', { key })
  await child.kill('SIGTERM')
  assert.equal(body.version, told)
  assert.ok(metrics.text.includes(`\ncms_build_info{version="${told}"} 1\n`))
})

test('the program runs from the compiled code of the build, and without such code', async () => {
  const { cacheOf, compile } = createRequire(import.meta.url)(
    join(installed, 'bin', 'load-program'),
  ) as LoadProgram
  const program = join(installed, 'dist', 'server', 'main.js')
  assert.equal(compile(program).cachedDataRejected, false)
  const { stdout: version } = await runCli(['--version'], { bin })

  writeFileSync(cacheOf(program), 'code of another version')
  assert.equal(compile(program).cachedDataRejected, true)
  assert.equal((await runCli(['--version'], { bin })).stdout, version)
  rmSync(cacheOf(program))
  assert.equal((await runCli(['--version'], { bin })).stdout, version)

  execFileSync(process.execPath, [join(installed, 'bin', 'compile-program.mjs')])
  assert.equal(compile(program).cachedDataRejected, false)
  assert.equal((await runCli(['--version'], { bin })).stdout, version)
})

interface LoadProgram {
  readonly cacheOf: (file: string) => string
  readonly compile: (file: string) => Script
}

test('a site survives an upgrade of the package, because it is outside the package', async () => {
  const home = newDataDirectory()
  const options = { bin, env: { HOME: home, XDG_STATE_HOME: '' } }
  const first = await startChild(undefined, [], options)
  const { stdout: key } = await runCli(['key', 'create', '--name', 'a'], options)
  assert.equal((await first.kill('SIGTERM')).code, 0)
  assert.ok(existsSync(join(home, '.local/state/cms-server/instance.json')))
  const inside = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    inside.filter((path) => path.endsWith('data.mdb')),
    [],
  )

  install()
  const second = await startChild(undefined, [], options)
  const { status } = await send(second.url, 'GET', '/api/v2/asset_category/1', { key: key.trim() })
  await second.kill('SIGTERM')
  assert.equal(status, 200)
})

test('an install without build tools uses the existing build or explains what to do', () => {
  const clone = newDataDirectory()
  const prepare = () =>
    spawnSync(process.execPath, [join(PROJECT, 'packaging', 'prepare.mjs')], {
      cwd: clone,
      encoding: 'utf8',
    })
  mkdirSync(join(clone, 'dist', 'server'), { recursive: true })
  const { status, stderr } = prepare()
  assert.equal(status, 1)
  assert.match(stderr, /not built.*npm ci && npm prune --omit=dev/s)

  writeFileSync(join(clone, 'dist', 'server', 'main.js'), '')
  assert.deepEqual([prepare().status, prepare().stderr], [0, ''])
})

describe('the default of --data', () => {
  const places = [
    ['of a package is in XDG_STATE_HOME', { HOME: '/h', XDG_STATE_HOME: '/s' }, '/s/cms-server'],
    [
      'of a package ignores a relative XDG_STATE_HOME',
      { HOME: '/h', XDG_STATE_HOME: 's' },
      '/h/.local/',
    ],
    ['of a package ignores CMS_DATA', { HOME: '/h', CMS_DATA: '/d' }, '/h/.local/state/cms-se'],
  ] as const
  for (const [what, env, place] of places) {
    test(what, async () => {
      const { stdout } = await runCli(['start', '--help'], { bin, env })
      assert.ok(stdout.includes(`data directory (default: "${place}`), stdout)
    })
  }

  test('of a clone is its directory content/', async () => {
    const { stdout } = await runCli(['start', '--help'], { env: { XDG_STATE_HOME: '/s' } })
    assert.ok(stdout.includes(`(default: "${join(PROJECT, 'content')}"`), stdout)
  })

  test('is required if the user has no home directory', {
    skip: process.getuid?.() !== 0 && 'needs root, to become a user that nobody has named',
  }, async () => {
    const through = [
      'setpriv',
      '--reuid=54321',
      '--regid=54321',
      '--clear-groups',
      'env',
      '-u',
      'HOME',
    ]
    execFileSync('chmod', ['a+rx', root])
    const { code, stderr } = await runCli(['start'], {
      bin,
      through: [...through, '-u', 'XDG_STATE_HOME'],
    })
    assert.deepEqual([code, stderr], [2, "error: required option '--data <dir>' not specified\n"])
  })
})
