// The Dockerfile, .dockerignore and the compose files fit the project. npm run rig:image builds and runs the image.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { addServerOptions } from '../../lib/config/config.ts'
import { BIN } from '../helpers/child-server.ts'
import { execForm, readDockerfile } from '../rigs/image/dockerfile.ts'

const PROJECT = dirname(dirname(BIN))
const read = (name: string): string => readFileSync(join(PROJECT, name), 'utf8')
const steps = readDockerfile(join(PROJECT, 'Dockerfile')).at(-1)?.steps ?? []
const textsOf = (wanted: string) =>
  steps.filter(({ instruction }) => instruction === wanted).map(({ text }) => text)

test('the build context has existing files only, and neither data nor secrets', () => {
  const [first, ...names] = read('.dockerignore').trim().split('\n')
  assert.equal(first, '*')
  const missing = names.filter((name) => !existsSync(join(PROJECT, name.replace('!', ''))))
  assert.deepEqual(missing, [])
  for (const name of ['!content', '!.git', '!secrets', '!node_modules', '!dist'])
    assert.ok(!names.includes(name), name)
})

test('the image starts the server as a user without privileges, and its variables are settings', () => {
  const [user = ''] = textsOf('USER')
  assert.match(user, /^[1-9]\d*:0$/)
  assert.deepEqual(textsOf('ENTRYPOINT').map(execForm), [['cms-server']])
  assert.deepEqual(textsOf('CMD').map(execForm), [['start']])
  const names = (textsOf('ENV')[0] ?? '').split(' ').map((item) => item.split('=')[0] ?? '')
  assertSettings(names)
  const [, data] = /CMS_DATA=(\S+)/.exec(textsOf('ENV').join(' ')) ?? []
  assert.deepEqual(textsOf('VOLUME'), [data])
})

test('the image compiles the program with its own Node, after the program is copied', () => {
  const texts = steps.map(({ text }) => text)
  const compiled = texts.indexOf('node /opt/cms-server/bin/compile-program.mjs')
  assert.ok(compiled > texts.findLastIndex((text) => text.startsWith('--from=build')))
})

test('the compose files mount the volume of the image, and their variables are settings', () => {
  const [volume = ''] = textsOf('VOLUME')
  for (const name of ['compose.yaml', 'compose.cluster.yaml']) {
    const text = read(name)
    assert.ok(text.includes(`:${volume}"]`) || text.includes(`:${volume}", `), name)
    assert.ok(text.includes('read_only: true'), name)
    assertSettings([...text.matchAll(/^ +(CMS_\w+):/gm)].map(([, variable = '']) => variable))
  }
})

test('the nginx configuration of the cluster has the lines of the documents', () => {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.endsWith(';'))
  const own = lines(read('packaging/cluster/nginx.conf')).filter((line) => line !== 'listen 80;')
  const known = ['docs/cluster.md', 'docs/reverse-proxy.md'].flatMap((name) => lines(read(name)))
  const documented = new Set(known.map((line) => line.replace('10.0.0.', '10.89.0.')))
  assert.deepEqual(
    own.filter((line) => !documented.has(line)),
    [],
  )
})

function assertSettings(names: readonly string[]): void {
  const { options } = addServerOptions(new Command())
  const known = new Set(options.map(({ envVar }) => envVar))
  const unknown = names.filter((name) => name.startsWith('CMS_') && !known.has(name))
  assert.deepEqual(unknown, [])
}
