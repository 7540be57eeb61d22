// A clock that jumps ahead: retention counts the time that a server has run, whatever the clock says, and
// records are removed when this time is over.

import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { dataPathsOf } from '../../lib/storage/embedded/data-paths.ts'
import { startChild } from '../helpers/child-server.ts'
import { assertProblem, make } from '../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { oneServer } from '../helpers/engine.ts'
import { eventually } from '../helpers/raw.ts'
import { givePassword, session, signIn } from '../helpers/sessions.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const DAY_MS = 86_400_000
const YEARS = 3_650
const SHIFT = new URL('../helpers/shift-clock.js', import.meta.url).href
/** The name begins with the directory of its shard. */
const ORPHAN = `00/7.${'0'.repeat(32)}`

after(removeDataDirectories)

/** A clock that a test can advance or jump. */
function openClock() {
  let wallMs = 0
  let upMs = 0
  return {
    now: () => new Date(Date.now() + wallMs),
    uptimeMs: () => performance.now() + upMs,
    live(days: number) {
      wallMs += days * DAY_MS
      upMs += days * DAY_MS
    },
    jump(days: number) {
      wallMs += days * DAY_MS
    },
  }
}

type Clock = ReturnType<typeof openClock>

function start(dataDir: string, clock: Clock): Promise<TestServer> {
  return startTestServer({ dataDir, config: { auditDays: 30 }, ...clock })
}

async function idsOf(server: TestServer): Promise<string> {
  const { body } = await server.call('GET', '/api/v2/audit?length=1000&fields=audit_id')
  return body.audit.map((row: any) => row.audit_id).join()
}

describe('rows of the audit trail stay when the clock jumps', () => {
  const ways = {
    'between two runs': async (clock: Clock, server: TestServer) => {
      await server.stop()
      clock.jump(YEARS)
    },
    'while the server runs': async (clock: Clock, server: TestServer) => {
      clock.jump(YEARS)
      await make(server, 'file_group', { name: 'behind the jump' })
      await server.stop()
    },
    'and is corrected again': async (clock: Clock, server: TestServer) => {
      clock.jump(YEARS)
      await server.stop()
      await (await start(server.dataDir, clock)).stop()
      clock.jump(-YEARS)
    },
  }
  for (const [way, jump] of Object.entries(ways))
    test(way, async (t) => {
      const clock = openClock()
      const dataDir = newDataDirectory()
      const first = await start(dataDir, clock)
      t.after(() => first.stop())
      await make(first, 'file_group', { name: 'old' })
      clock.live(20)
      await make(first, 'file_group', { name: 'young' })
      assert.equal(await idsOf(first), '1,2,3')
      await jump(clock, first)

      // The first two rows have lived 31 days and are removed, which shows that the check has run.
      const second = await start(dataDir, clock)
      clock.live(11)
      await second.stop()
      const third = await start(dataDir, clock)
      t.after(() => third.stop())
      assert.ok(await eventually(async () => !(await idsOf(third)).startsWith('1,')))
      assert.match(await idsOf(third), /^3,/)
    })
})

test('an Idempotency-Key is valid for 24 hours of uptime, in the same run and the next', async (t) => {
  const clock = openClock()
  const dataDir = newDataDirectory()
  const first = await start(dataDir, clock)
  t.after(() => first.stop())
  const post = (server: TestServer) =>
    server.call('POST', '/api/v2/file_group', {
      key: first.key,
      json: { name: 'once' },
      headers: { 'idempotency-key': 'a' },
    })
  const isReplay = async (server: TestServer) =>
    (await post(server)).headers['idempotency-replayed'] === 'true'
  assert.equal((await post(first)).status, 201)
  clock.jump(2)
  assert.ok(await isReplay(first))
  await first.stop()

  clock.jump(2)
  const second = await start(dataDir, clock)
  t.after(() => second.stop())
  assert.ok(await isReplay(second))
  clock.live(2)
  assert.equal(await isReplay(second), false)
})

test('a key that expired while the clock was ahead is shown as expired, and a clock that is set back is logged', async (t) => {
  const clock = openClock()
  const dataDir = newDataDirectory()
  const lines: any[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const backwards = () => lines.filter(({ msg }) => msg.startsWith('system clock moved backwards'))
  const open = () => startTestServer({ dataDir, config: { auditDays: 30 }, log, ...clock })
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

  const first = await open()
  t.after(() => first.stop())
  const made = (
    await first.call('POST', '/api/v2/api_key', { json: { name: 'k', date_expires: inDays(10) } })
  ).body
  assert.deepEqual([made.state, made.state_reason], ['active', null])
  const path = `/api/v2/api_key/${made.api_key_id}`
  clock.jump(20)
  const ahead = await first.call('GET', path)
  assert.equal(ahead.body.state, 'expired')
  await first.stop()
  assert.deepEqual(backwards(), [])

  clock.jump(-20)
  const second = await open()
  t.after(() => second.stop())
  assert.equal(backwards().length, 1)
  assert.equal((await second.call('GET', '/api/v2/me', { key: made.secret })).status, 401)
  const [shown] = (await second.call('GET', '/api/v2/api_key?qry={"name":"k"}')).body.api_key
  assert.equal(shown.state, 'expired')
  assert.match(
    shown.state_reason,
    /before it was set back. To use the key again, set date_expires to/,
  )
  const listed = (await second.command({ command: 'key.list' })).find(
    (key: any) => key.name === 'k',
  )
  assert.deepEqual([listed.state, listed.state_reason], [shown.state, shown.state_reason])

  const refused = await second.call('POST', path, { json: { date_expires: inDays(15) } })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /the server's clock showed that time/)
  const revived = await second.call('POST', path, { json: { date_expires: inDays(30) } })
  assert.equal(revived.body.state, 'active')
  assert.equal((await second.call('GET', '/api/v2/me', { key: made.secret })).status, 200)

  clock.jump(-1)
  const headers = { 'idempotency-key': 'looks' }
  await second.call('POST', '/api/v2/file_group', { json: { name: 'x' }, headers })
  await second.call('POST', '/api/v2/file_group', { json: { name: 'x' }, headers })
  const [, running] = backwards()
  const backMs = Date.parse(running.from) - Date.parse(running.to)
  assert.equal(Math.round(backMs / 1_000), running.seconds)
  assert.equal(Math.round(running.seconds / 3_600), 24)
})

test('new records after a clock was set back do not expire at once', async (t) => {
  const clock = openClock()
  const dataDir = newDataDirectory()
  const first = await start(dataDir, clock)
  t.after(() => first.stop())
  await givePassword(first)
  const old = await signIn(first)
  clock.jump(YEARS)
  await first.stop()
  clock.jump(-YEARS)

  const second = await start(dataDir, clock)
  t.after(() => second.stop())
  const statusOf = async (key: string) => (await second.call('GET', '/api/v2/me', { key })).status
  assert.equal(await statusOf(old.secret), 401)
  const { secret, cookie } = await signIn(second)
  assert.equal(await statusOf(secret), 200)
  const renewed = await session(second.url, 'POST', '/renew', { cookie })
  assert.equal(renewed.status, 200, renewed.text)
  assert.equal(await statusOf(renewed.body.secret), 200)
  const { body: made } = await second.call('POST', '/api/v2/ticket', {
    ...{ json: { path: '/file/9/a.html' }, key: secret },
  })
  assertProblem(await second.call('GET', made.path, { key: null }), 'not-found')

  const { body: key } = await second.call('POST', '/api/v2/api_key', { json: { name: 'r' } })
  const rotate = `/api/v2/api_key/${key.api_key_id}/rotate`
  const rotated = await second.call('POST', rotate, { json: { keep_old: '1h' } })
  assert.equal(rotated.status, 200, rotated.text)
  assert.equal(await statusOf(key.secret), 200)
  await assert.rejects(
    second.command({ command: 'key.create', name: 'dead', expires: '30d' }),
    /the server's clock showed that time before it was set back/,
  )
  const out = await session(second.url, 'DELETE', '', { cookie })
  assert.equal(out.status, 204)
  assert.equal(await statusOf(secret), 401)
})

test('a key of a disabled user is shown as disabled by its user', async (t) => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  t.after(() => server.stop())
  const { user_id: id } = await server.command({
    command: 'user.create',
    name: 'eva',
    role: 'editor',
  })
  await server.makeKey({ name: 'eva', user: 'eva' })
  const state = async () =>
    (await server.call('GET', '/api/v2/api_key?qry={"name":"eva"}')).body.api_key[0].state
  assert.equal(await state(), 'active')
  await server.call('POST', `/api/v2/user/${id}`, { json: { status: 'disabled' } })
  assert.equal(await state(), 'user-disabled')
})

describe('a file in quarantine', oneServer('child'), () => {
  const startAt = (dataDir: string, days: number) =>
    startChild(dataDir, [], {
      env: { NODE_OPTIONS: `--import=${SHIFT}`, CMS_TEST_CLOCK_MS: String(days * DAY_MS) },
    })
  /**
   * Makes a site with one file in quarantine. The last server crashes, because only a start after a crash
   * checks the files.
   */
  async function quarantined(end: NodeJS.Signals): Promise<string> {
    const dataDir = newDataDirectory()
    await (await startChild(dataDir)).kill(end)
    writeFileSync(join(dataDir, ORPHAN), 'nobody knows me')
    rmSync(join(dataDir, 'clean.json'), { force: true })
    await (await startChild(dataDir)).kill('SIGKILL')
    assert.equal(readdirSync(dataPathsOf(dataDir).quarantine).length, 1)
    return dataDir
  }

  test('stays when the clock jumps, and the log says what to do', async (t) => {
    const dataDir = await quarantined('SIGTERM')
    const child = await startAt(dataDir, YEARS)
    t.after(() => child.kill('SIGKILL'))
    assert.ok(
      await eventually(() =>
        /"days":3650.*system clock jumped ahead.*correct it/.test(child.stderr()),
      ),
    )
    await child.kill('SIGTERM')
    assert.equal(readdirSync(dataPathsOf(dataDir).quarantine).length, 1)
  })

  test('is removed after 30 days', async () => {
    // No run has lasted long enough to store its observed clock.
    const dataDir = await quarantined('SIGKILL')
    await (await startAt(dataDir, 31)).kill('SIGTERM')
    assert.equal(readdirSync(dataPathsOf(dataDir).quarantine).length, 0)
  })
})
