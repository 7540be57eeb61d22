// Import and export of entries from the command line: effects of the flags, and exit codes.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Ended, runCli } from '../helpers/child-server.ts'
import { startTestServer, temporaryDirectory, type TestServer } from '../helpers/server.ts'

const directory = temporaryDirectory()
const fileAt = (name: string): string => join(directory, name)
let server: TestServer
let module: string
before(async () => {
  server = await startTestServer()
  const json = { name: 'Cities', table_schema: 'name C(40) NOTNULL, area F' }
  module = (await server.call('POST', '/api/v2/datatable', { json })).body.module_url
})
after(() => server.close())

function cli(...args: readonly string[]): Promise<Ended> {
  return runCli(args, { env: { CMS_URL: server.url, CMS_KEY: server.key } })
}

test('a file is imported and exported with the flags', async () => {
  writeFileSync(fileAt('in.csv'), 'name\tarea\tmayor\nRome\t1285\tx\nOslo\t454\ty\nBern\t52\tz\n')
  const flags = ['--delimiter', 'tab', '--ignore-unknown', '--rows', '2-']
  const imported = await cli('import', fileAt('in.csv'), '--module', module, ...flags)
  assert.deepEqual([imported.code, imported.stderr], [0, ''])
  assert.match(imported.stdout, /^created +2\nupdated +0\nfailed +0\n.*\n\d+ rows per second\n$/)

  const target = fileAt('out.csv')
  const address = `${server.url}${module}`
  const chosen = ['--fields', 'name, area', '--order', 'area DESC', '--qry', '{"area":{"$gt":50}}']
  const exported = await cli('export', target, '--module', address, ...chosen)
  assert.equal(exported.code, 0, exported.stderr)
  assert.match(exported.stdout, /^written +2\n/)
  assert.equal(readFileSync(target, 'utf8'), 'name,area\r\nOslo,454\r\nBern,52\r\n')
})

test('a failed row makes the exit code 1, and the others are imported', async () => {
  // Excel reads the delimiter from the first line.
  writeFileSync(fileAt('bad.csv'), '\uFEFFsep=;\r\nname;area\r\nParis;105\r\n;1\r\n')
  const { code, stdout } = await cli('import', fileAt('bad.csv'), '--module', module)
  assert.equal(code, 1)
  assert.match(stdout, /^created +1$/m)
  assert.match(stdout, /^failed: row 2: name is required$/m)
})

test('unknown columns are refused with exit code 1', async () => {
  writeFileSync(fileAt('unknown.csv'), 'nmae\nParis\n')
  const { code, stdout, stderr } = await cli('import', fileAt('unknown.csv'), '--module', module)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^cms-server: The file has columns .* "nmae" \(did you mean "name"\?\)/)
})

const UNKNOWN_USES = [
  ['import', 'a.csv'],
  ['import', 'a.csv', '--module', '/x', '--category', '1'],
  ['import', 'a.csv', '--module', '/x', '--publish'],
  ['import', 'a.csv', '--category', '1', '--as-new'],
  ['import', 'a.csv', '--module', '/x', '--delimiter', '|'],
  ['import', 'a.csv', '--module', '/x', '--rows', '9-3'],
  ['export', 'a.csv', '--module', '/x', '--state', 'stage'],
  ['export', 'a', '--qry', '{}'],
  ['export', 'a.csv', '--module', '/x', '--order', 'name up'],
]

for (const args of UNKNOWN_USES) {
  test(`an invalid command line is refused: ${args.join(' ')}`, async () => {
    const { code, stderr } = await cli(...args)
    assert.equal(code, 2, stderr)
    assert.match(stderr, /^error: /)
  })
}
