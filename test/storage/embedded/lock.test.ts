// One server for each data directory.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { LeaseLostError, requireFreeLease } from '../../../lib/storage/embedded/lease.ts'
import { markKey } from '../../../lib/storage/records/format.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { acquireLock, askOwner } from '../../../lib/storage/embedded/lock.ts'
import { openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import { InUseError } from '../../../lib/storage/embedded/refusal.ts'
import { openStorage } from '../../../lib/server/open-storage.ts'
import { LIMITS } from '../../../lib/config/limits.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { runCli, startChild } from '../../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { send, startTestServer } from '../../helpers/server.ts'

const pool = openPool(1)
after(async () => {
  await pool.close()
  removeDataDirectories()
})

const start = (dataDir: string) =>
  runCli(['start', '--data', dataDir, '--port', '0', '--log-level', 'silent', '--workers', '1'])

describe('S31: a second server on a directory', () => {
  test('exits with 75 and one line, and the first server continues', async (t) => {
    const dataDir = newDataDirectory()
    const first = await startChild(dataDir)
    t.after(() => first.kill('SIGKILL'))

    const { code, stdout, stderr } = await start(dataDir)
    assert.deepEqual(
      [code, stdout, stderr],
      [
        75,
        '',
        `cms-server: Another cms-server owns ${dataDir}. Stop the other server first, or name another directory.\n`,
      ],
    )
    assert.equal((await send(first.url, 'GET', '/ready', {})).status, 200)
    assert.ok(existsSync(join(dataDir, 'lock')))
  })

  test('is detected by the lease if the socket is invisible', async (t) => {
    const dataDir = newDataDirectory()
    const first = await startChild(dataDir)
    t.after(() => first.kill('SIGKILL'))
    rmSync(join(dataDir, 'lock'))

    const { code, stderr } = await start(dataDir)
    assert.equal(code, 75)
    assert.match(stderr, new RegExp(`Another cms-server \\(process ${first.pid}\\) owns`))
    assert.equal((await runCli(['backup', `${dataDir}-backup`, '--data', dataDir])).code, 75)
    assert.equal((await send(first.url, 'GET', '/ready', {})).status, 200)
  })

  test('is refused like a repair, while a check without repair is allowed', async (t) => {
    const dataDir = newDataDirectory()
    const first = await startChild(dataDir)
    t.after(() => first.kill('SIGKILL'))

    assert.equal((await runCli(['check', '--data', dataDir, '--repair'])).code, 75)
    assert.equal((await runCli(['check', '--data', dataDir])).code, 0)
  })
})

for (const [what, prepare] of [
  ['an empty directory', async () => undefined],
  [
    'a directory that a killed server left',
    async (dataDir: string) => (await startChild(dataDir)).kill('SIGKILL'),
  ],
] as const) {
  test(`S31: exactly one of eight servers that start at once on ${what} succeeds`, async (t) => {
    const dataDir = newDataDirectory()
    await prepare(dataDir)
    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, () => startChild(dataDir, ['--log-level', 'silent'])),
    )
    const winners = attempts.flatMap((attempt) =>
      attempt.status === 'fulfilled' ? [attempt.value] : [],
    )
    t.after(() => Promise.all(winners.map((winner) => winner.kill('SIGKILL'))))

    const losers = attempts.flatMap((attempt) =>
      attempt.status === 'rejected' ? [String(attempt.reason)] : [],
    )
    assert.equal(winners.length, 1)
    assert.deepEqual(
      losers.filter((text) => !/ended with 75: cms-server: Another cms-server .*\n$/.test(text)),
      [],
    )
    assert.equal((await winners[0]?.kill('SIGTERM'))?.code, 0)
  })
}

describe('the socket', () => {
  test('of a stopped server is taken over', async (t) => {
    const dataDir = newDataDirectory()
    const child = await startChild(dataDir)
    await child.kill('SIGKILL')
    assert.ok(existsSync(join(dataDir, 'lock')))

    const server = await startTestServer({ dataDir })
    t.after(() => server.stop())
    assert.equal((await server.call('GET', '/ready')).status, 200)
    assert.equal((await server.command({ command: 'key.list' })).length, 1)
  })

  test('is taken over although another start died while taking it over', async (t) => {
    const dataDir = newDataDirectory()
    await (await startChild(dataDir)).kill('SIGKILL')
    const takeover = join(dataDir, 'lock.takeover')
    writeFileSync(takeover, '')
    utimesSync(takeover, new Date(), new Date(Date.now() - 6_000))

    const lock = await acquireLock(dataDir)
    t.after(() => lock.release())
    assert.ok(!existsSync(takeover))
  })

  test('works in a directory whose path is longer than a socket address', async (t) => {
    const dataDir = join(newDataDirectory(), 'd'.repeat(120))
    const server = await startTestServer({ dataDir })
    t.after(() => server.stop())

    assert.ok(Buffer.byteLength(join(dataDir, 'lock')) > 107)
    assert.ok((await server.makeKey({ name: 'far' })).startsWith('cms_'))
    assert.equal((await start(dataDir)).code, 75)
  })

  test('is taken over from a dangling link, which the commands report', async (t) => {
    const dataDir = newDataDirectory()
    await (await startTestServer({ dataDir })).stop()
    symlinkSync('lock', join(dataDir, 'lock'))
    await assert.rejects(askOwner(dataDir, { command: 'key.list' }), { code: 'ELOOP' })
    const target = `${dataDir}-backup`
    const { code, stderr } = await runCli(['backup', target, '--data', dataDir])
    assert.equal(code, 1)
    assert.match(stderr, /ELOOP/)

    const server = await startTestServer({ dataDir })
    t.after(() => server.stop())
    assert.ok(Array.isArray(await server.command({ command: 'user.list' })))
  })

  test('is left to another start that is already taking it over', async () => {
    const dataDir = newDataDirectory()
    mkdirSync(dataDir)
    symlinkSync('lock', join(dataDir, 'lock'))
    const takeover = join(dataDir, 'lock.takeover')
    writeFileSync(takeover, '')
    utimesSync(takeover, new Date(), new Date(Date.now() + 3_600_000))

    await assert.rejects(acquireLock(dataDir), /Another cms-server is starting/)
    assert.ok(existsSync(takeover))
  })

  test('that closes without an answer is reported to the command', async (t) => {
    const dataDir = newDataDirectory()
    mkdirSync(dataDir)
    const server = createServer((socket) => socket.end())
    server.listen(join(dataDir, 'lock'))
    await once(server, 'listening')
    t.after(() => server.close())
    await assert.rejects(askOwner(dataDir, { command: 'key.list' }), {
      code: 'unavailable',
      message: /stopped before it answered/,
    })
  })

  test('is removed by a clean stop', async () => {
    const dataDir = newDataDirectory()
    const server = await startTestServer({ dataDir })
    await server.stop()

    assert.ok(!existsSync(join(dataDir, 'lock')))
    assert.equal(await askOwner(dataDir, { command: 'key.list' }), undefined)
  })

  for (const [what, line] of [
    ['no JSON', '{"command'],
    ['an unknown command', '{"command":"__proto__"}'],
    ['longer than a command may be', `"${'x'.repeat(70_000)}"`],
  ] as const) {
    test(`refuses a line that is ${what} and stays open`, async (t) => {
      const server = await startTestServer({ dataDir: newDataDirectory() })
      t.after(() => server.stop())
      assert.equal(JSON.parse(await sendLine(server.dataDir, line)).ok, false)
      assert.ok(Array.isArray(await server.command({ command: 'user.list' })))
    })
  }
})

test('S31, S32: a server without its lease commits nothing and reports a failed storage', async (t) => {
  const dataDir = newDataDirectory()
  const failures: unknown[] = []
  const storage = await openStorage({
    config: { dataDir },
    limits: LIMITS,
    pool,
    onFailure: (cause) => failures.push(cause),
    onTrouble: (_, cause) => assert.ifError(cause),
  })
  t.after(() => storage.close())
  const usurper = openLmdb({ path: dataPathsOf(dataDir).records, onFailure: assert.ifError })
  await usurper.commit((writer) => writer.put(markKey('lease'), Buffer.from('{"owner":"another"}')))
  await usurper.close()

  await assert.rejects(
    storage.records.commit(() => 1),
    { code: 'outcome-unknown' },
  )
  assert.ok(failures[0] instanceof LeaseLostError)
})

async function sendLine(dataDir: string, line: string): Promise<string> {
  const socket = createConnection(join(dataDir, 'lock'))
  socket.end(`${line}\n`)
  return text(socket)
}

describe('S31: the lease of another container', () => {
  const key = markKey('lease')
  const lease = (beat: number) => ({
    owner: 'another',
    pid: 1,
    pidStart: '1',
    pidNamespace: 'pid:[1]',
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    beat,
  })

  for (const [what, step] of [
    ['that continues its heartbeat keeps the directory', 1],
    ['without a heartbeat is taken over', 0],
  ] as const) {
    test(what, async () => {
      const kv = openLmdb({ path: newDataDirectory(), onFailure: assert.ifError })
      let beat = 0
      const write = () =>
        kv.commit((writer) => writer.put(key, Buffer.from(JSON.stringify(lease(beat)))))
      await write()
      const timer = setInterval(() => {
        beat += step
        void write()
      }, 100)
      const free = requireFreeLease(kv, 'the directory')
      await (step === 0 ? free : assert.rejects(free, InUseError)).finally(() => {
        clearInterval(timer)
      })
      await kv.close()
    })
  }
})
