// Names, arguments and server texts in the output of the command line. A terminal must neither execute
// control sequences in them nor display a different text.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Ended, runCli } from '../helpers/child-server.ts'
import { startTestServer, temporaryDirectory, type TestServer } from '../helpers/server.ts'

/** All characters that must not reach a terminal, except our own line feeds. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u
const NASTY = 'a\u007f\u009b\u202e\u2067\u200b\u2028z'
const SAFE = 'a\\u007f\\u009b\\u202e\\u2067\\u200b\\u2028z'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

async function cli(...args: readonly string[]): Promise<Ended> {
  const ended = await runCli(args, { env: { CMS_URL: server.url, CMS_KEY: server.key } })
  assert.doesNotMatch(ended.stdout + ended.stderr, UNSAFE)
  return ended
}

function tree(): string {
  const root = join(temporaryDirectory(), 'site')
  mkdirSync(join(root, NASTY), { recursive: true })
  writeFileSync(join(root, NASTY, 'x.txt'), 'x')
  writeFileSync(join(root, `${NASTY}.txt`), 'x')
  writeFileSync(join(root, 'b\u001b[31m.txt'), 'x')
  writeFileSync(join(root, 'c\u202e.txt'), 'x')
  return root
}

test('an import escapes the names of files and folders', async () => {
  const { code, stdout } = await cli('import', tree(), '--category', '1')
  assert.equal(code, 1)
  assert.ok(stdout.includes(SAFE), stdout)
  assert.ok(stdout.includes('b\\u001b[31m.txt'))
  assert.ok(stdout.includes('c\\u202e.txt'))
})

test('the names of keys and users are escaped', async () => {
  const directory = ['--data', server.dataDir]
  const name = 'w\u200co\u00adrd'
  assert.equal((await cli('user', 'create', name, ...directory)).code, 0)
  const made = await cli('key', 'create', '--name', name, '--user', name, ...directory)
  assert.equal(made.code, 0, made.stderr)
  for (const what of ['key', 'user']) {
    const { stdout } = await cli(what, 'list', ...directory)
    assert.ok(stdout.includes('w\\u200co\\u00adrd'), stdout)
  }
  const { code, stdout } = await cli('key', 'revoke', name, ...directory)
  assert.equal(code, 0)
  assert.ok(stdout.includes('w\\u200co\\u00adrd'), stdout)
})

test('errors escape the requested names', async () => {
  const directory = ['--data', server.dataDir]
  const cases = [
    ['key', 'revoke', NASTY, ...directory],
    ['user', 'create', NASTY, ...directory],
    ['check', '--data', join(server.dataDir, NASTY)],
    ['import', join(server.dataDir, NASTY), '--category', '1'],
    [`nothing-${NASTY}`],
    ['key', 'list', `--${NASTY}`],
    ['export', `out-${NASTY}`, '--category', NASTY],
  ]
  for (const args of cases) {
    const { code, stderr } = await cli(...args)
    assert.notEqual(code, 0, args.join(' '))
    assert.notEqual(stderr, '')
  }
})

test('a hostile server cannot write escape sequences to the terminal', async () => {
  const liar = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ status: 403, code: 'forbidden', detail: `${NASTY}\nlie` }))
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
  try {
    for (const args of [
      ['import', tree(), '--category', '1'],
      ['export', join(temporaryDirectory(), 'out'), '--category', '1'],
    ]) {
      const { code, stderr } = await cli(...args, '--url', url)
      assert.equal(code, 1)
      assert.ok(stderr.includes(`${SAFE}\\nlie`), stderr)
    }
  } finally {
    liar.close()
    liar.closeAllConnections()
  }
})
