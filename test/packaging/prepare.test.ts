// The script that npm runs before packing: a failed build keeps the previous build.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../helpers/server.ts'

const PREPARE = fileURLToPath(new URL('../../../packaging/prepare.mjs', import.meta.url))

/** A clone with a built server, whose next build is this command. */
function cloneWith(t: { after(work: () => void): void }, build: string): string {
  const clone = temporaryDirectory()
  t.after(() => rmSync(clone, { recursive: true, force: true }))
  for (const path of [
    'packaging',
    'dist/server',
    'node_modules/typescript',
    'node_modules/esbuild',
  ])
    mkdirSync(join(clone, path), { recursive: true })
  cpSync(PREPARE, join(clone, 'packaging/prepare.mjs'))
  writeFileSync(join(clone, 'dist/server/main.js'), 'built before')
  const scripts = { build, prepare: 'node packaging/prepare.mjs' }
  const about = { name: 'clone', version: '1.0.0', type: 'module', files: ['dist/server'], scripts }
  writeFileSync(join(clone, 'package.json'), JSON.stringify(about))
  return clone
}

function pack(clone: string) {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  return spawnSync('npm', ['pack'], { cwd: clone, env, encoding: 'utf8' })
}

test('a failed build keeps the previous server', (t) => {
  const clone = cloneWith(t, 'rm -rf dist/server && mkdir dist/server && exit 1')
  const { status, stderr } = pack(clone)
  assert.notEqual(status, 0)
  assert.match(stderr, /dist\/server is still the previous build/)
  assert.equal(readFileSync(join(clone, 'dist/server/main.js'), 'utf8'), 'built before')
  assert.deepEqual(readdirSync(join(clone, 'dist')), ['server'])
})

test('a successful build replaces it', (t) => {
  const clone = cloneWith(
    t,
    'rm -rf dist/server && mkdir dist/server && echo new > dist/server/main.js',
  )
  const { status, stderr } = pack(clone)
  assert.equal(status, 0, stderr)
  assert.equal(readFileSync(join(clone, 'dist/server/main.js'), 'utf8'), 'new\n')
  assert.deepEqual(readdirSync(join(clone, 'dist')), ['server'])
})
