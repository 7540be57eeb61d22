// Import and export of entries from the command line: effects of the flags, and exit codes.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { calendarFile, vevent } from '../calendar/files.ts'
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

test('an .ics file is imported into a calendar, after a dry run', async () => {
  const json = { name: 'Talks', time_zone: 'Europe/Berlin' }
  const { module_url: calendar } = (await server.call('POST', '/api/v2/calendar', { json })).body
  const broken = vevent('UID:b', 'SUMMARY:Bad', 'DTSTART:tomorrow')
  const event = vevent('UID:a', 'SUMMARY:A', 'DTSTART:20260131T120000', 'GEO:1;2')
  writeFileSync(fileAt('talks.ics'), calendarFile(event, broken))
  const args = ['import', fileAt('talks.ics'), '--module', calendar]
  const dry = await cli(...args, '--dry-run')
  assert.deepEqual([dry.code, dry.stderr], [1, ''])
  const refusal = 'refused: line 13, DTSTART: "Bad": "tomorrow" is not a date or time.'
  const rest = `unchanged +0\nrefused +1\n${refusal}\nnot supported and not imported: GEO \\(1\\)\n$`
  assert.match(dry.stdout, new RegExp(`^to create +1\nto update +0\n${rest}`))
  assert.equal((await server.call('GET', calendar)).body.page.total, 0)
  assert.match((await cli(...args)).stdout, /^created +1\n/)
  writeFileSync(fileAt('one.ics'), calendarFile(event))
  const again = await cli('import', fileAt('one.ics'), '--module', calendar)
  assert.deepEqual([again.code, /^unchanged +1$/m.test(again.stdout)], [0, true])

  for (const [flags, message] of [
    [['--rows', '1-2'], /--rows is for rows, not for events/],
    [['--module', module], /is imported into a calendar/],
  ] as const)
    assert.match((await cli(...args, ...flags)).stderr, message)
  const rows = await cli('import', fileAt('in.csv'), '--module', module, '--dry-run')
  assert.match(rows.stderr, /--dry-run is for the events of an \.ics file/)
  assert.match(
    (await cli('import', fileAt('no.ics'), '--module', calendar)).stderr,
    /cannot be read/,
  )
})
