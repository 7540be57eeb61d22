// The systemd unit file equals the block in docs/install.md, and systemd accepts the file. Throughout its
// life, a server needs no system call, address family or privilege beyond the unit.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { after, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import { OPERATIONS } from '../rigs/operations.ts'
import { buildConfine, readUnit, settingOf, whyNoConfinement } from './confine.ts'

const INSTALL = new URL('../../../docs/install.md', import.meta.url)
const SIGSYS = 31
const skip = whyNoConfinement() ?? false

after(removeDataDirectories)

test('docs/install.md shows the unit file unchanged', () => {
  const [, shown] =
    /```ini\n# \/etc\/systemd\/system\/cms-server\.service\n([^`]*)```/.exec(
      readFileSync(INSTALL, 'utf8'),
    ) ?? []
  assert.equal(shown, readUnit())
})

test('systemd understands each line of it', { skip }, () => {
  const path = fileURLToPath(new URL('../../../packaging/cms-server.service', import.meta.url))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  const lines = stderr.split('\n').filter((line) => line.includes('cms-server.service'))
  // Node may be in another place on this machine.
  const faults = lines.filter((line) => !line.includes('is not executable'))
  assert.deepEqual([status === 0 || lines.length > 0, faults], [true, []], stderr)
})

test('a server works under the unit: start, changes, workers, backup, crash, start, stop', {
  skip,
}, async (t) => {
  const unit = readUnit()
  const dataDir = ownDirectory()
  const through = asService(buildConfine(unit), unit)
  const first = await startChild(dataDir, [], { through })
  t.after(() => first.kill('SIGKILL'))
  const key = await makeKey(dataDir)
  await use(first, key)
  await first.kill('SIGKILL')

  const second = await startChild(dataDir, [], { through })
  t.after(() => second.kill('SIGKILL'))
  const { status } = await send(second.url, 'GET', '/file/1/page.html', { key })
  assert.equal(status, 200)
  const { code, signal, stderr } = await second.kill('SIGTERM')
  assert.deepEqual([code, signal], [0, null], stderr)
})

test('systemd is notified when the server listens', async () => {
  const dataDir = newDataDirectory()
  const bin = mkdtempSync(join(tmpdir(), 'cms-bin-'))
  const told = join(bin, 'told')
  const script = `#!/bin/sh\necho "$@" "$NOTIFY_SOCKET" > ${told}.new && mv ${told}.new ${told}\n`
  writeFileSync(join(bin, 'systemd-notify'), script, { mode: 0o755 })
  const PATH = `${bin}:${process.env['PATH']}`
  const child = await startChild(dataDir, [], { env: { PATH, NOTIFY_SOCKET: '/run/x' } })
  while (!existsSync(told)) await sleep(10)
  assert.equal(readFileSync(told, 'utf8'), '--ready /run/x\n')
  assert.equal((await child.kill('SIGTERM')).code, 0)
  rmSync(bin, { recursive: true })
})

test('a start that could not notify systemd is logged', async () => {
  const child = await startChild(newDataDirectory(), [], { env: { NOTIFY_SOCKET: '/nowhere/x' } })
  while (!child.stderr().includes('systemd could not be notified')) await sleep(10)
  assert.equal((await child.kill('SIGTERM')).code, 0)
})

test('a system call outside the filter kills the process, so the filter is in force here', {
  skip,
}, () => {
  const unit = readUnit().replace('SystemCallFilter=@system-service', 'SystemCallFilter=@basic-io')
  const { signal } = spawnSync(buildConfine(unit), ['/bin/true'])
  assert.equal(signal, 'SIGSYS', `signal ${SIGSYS}`)
})

/** The data directory of a user other than root. */
function ownDirectory(): string {
  const dataDir = newDataDirectory()
  mkdirSync(dataDir, { mode: 0o700 })
  chmodSync(dirname(dataDir), 0o755)
  if (process.getuid?.() === 0) chownSync(dataDir, NOBODY, NOBODY)
  return dataDir
}

const NOBODY = 65_534

/** Runs as nobody, without capabilities, with the unit's limit of open files. */
function asService(confine: string, unit: string): readonly string[] {
  const [files] = settingOf(unit, 'LimitNOFILE')
  const limits = ['prlimit', `--nofile=${files}`]
  if (process.getuid?.() !== 0) return [...limits, confine]
  const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  return [...limits, 'setpriv', ...ids, '--inh-caps=-all', '--bounding-set=-all', confine]
}

/**
 * Uses all features: records, contents of all sizes, tables, calendars, a backup, rejected
 * requests.
 */
async function use({ url }: ChildServer, key: string): Promise<void> {
  const ask = async (method: string, path: string, json?: object) => {
    const answer = await send(url, method, path, { key, ...(json && { json }) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }
  const page = { name: 'page.html', type: 'html', fileState: 'publish', parent_category_id: 1 }
  await ask('POST', '/api/v2/asset_category', { name: 'News' })
  await ask('POST', '/api/v2/asset_file', { ...page, pageContent: '<p>' })
  await ask('POST', '/api/v2/asset_file', { ...page, name: 'b.html', pageContent: '<p>' })
  await ask('POST', '/api/v2/asset_file', { ...page, name: 'c.html', pageContent: '<p>' })
  await ask('POST', '/api/v2/datatable', { name: 'Books', table_schema: 'title C(80) NOTNULL' })
  await ask('POST', '/api/v2/calendar', { name: 'Dates' })
  const day = {
    event_title: 'a',
    start_time: '2026-01-01T10:00:00Z',
    rrule: 'FREQ=DAILY;COUNT=3',
  }
  await ask('POST', '/api/v2/module/calendar/1/dates', day)
  await ask(
    'GET',
    '/api/v2/module/calendar/1/dates?expand=true&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  )
  await ask('GET', '/api/v2/module/calendar/1/dates.ics')
  for (const { name, run } of OPERATIONS.filter((item) => !item.name.startsWith('delete'))) {
    // Some operations use a name that already exists, which the server rejects.
    const { status, text } = await run({ url, key })
    assert.ok(status < 300 || status === 409, `${name}: ${text}`)
  }
  await ask('GET', '/api/v2/asset_file/2/versions/1/diff/2')
  await ask('GET', '/file/4/c.html')
  const { body } = await ask('GET', '/api/v2/asset_file?qry={"name":{"$regex":"bin$"}}')
  for (const { url: address } of body.asset_file) await send(url, 'GET', address, { key })
  for (const path of ['/metrics', '/ready', '/public/api/system', '/api/v2/backup'])
    await ask('GET', path)
  for (const { name, run } of OPERATIONS.filter((item) => item.name.startsWith('delete ')))
    assert.ok((await run({ url, key })).status < 300, name)
}
