// The lease row that names the owner, in real records: the owner, the test for a living owner, and
// the effect of a lost lease.

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { holdLease, requireFreeLease } from '../../../lib/storage/embedded/lease.ts'
import { type LmdbKv, openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { InUseError } from '../../../lib/storage/embedded/refusal.ts'
import { markKey } from '../../../lib/storage/records/format.ts'
import { startChild, startCli } from '../../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'

after(() => removeDataDirectories())

const KEY = markKey('lease')

async function withKv(use: (kv: LmdbKv, failures: unknown[]) => Promise<void>): Promise<void> {
  const path = newDataDirectory()
  mkdirSync(path)
  const failures: unknown[] = []
  const kv = openLmdb({ path, onFailure: (cause) => failures.push(cause) })
  try {
    await use(kv, failures)
  } finally {
    await kv.close()
  }
}

type Row = Readonly<Record<string, unknown>>

function readRow(kv: LmdbKv): Row | undefined {
  const value = kv.get(KEY)
  return value === undefined ? undefined : (JSON.parse(value.toString()) as Row)
}

/**
 * The start time in ticks since the boot: field 22 of the line, and field 20 after the name. The
 * name may contain spaces and brackets.
 */
function startOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return /^\d+ \(.*\) (?:\S+ ){19}(\d+) /s.exec(stat)?.[1]
}

/** Writes the row as another process would, without the fence of this process. */
async function writeRow(kv: LmdbKv, row: Row): Promise<void> {
  const { fence } = kv
  kv.fence = () => undefined
  await kv.commit((writer) => writer.put(KEY, Buffer.from(JSON.stringify(row))))
  kv.fence = fence
}

test('a lease names its process, excludes others, and is released at the end', () =>
  withKv(async (kv) => {
    await requireFreeLease(kv, '/d')
    const end = await holdLease(kv, 'us')
    const { owner, pid, pidStart, beat } = readRow(kv) ?? {}
    assert.deepEqual([owner, pid, pidStart, beat], ['us', process.pid, startOf(process.pid), 0])
    await assert.rejects(requireFreeLease(kv, '/d'), (error: unknown) => {
      assert.ok(error instanceof InUseError)
      assert.match(
        error.message,
        new RegExp(`^Another cms-server \\(process ${process.pid}\\) owns /d\\.`),
      )
      return true
    })
    await end()
    assert.equal(readRow(kv), undefined)
    await requireFreeLease(kv, '/d')
  }))

test('the lease of an ended process is free, after a reboot or if its pid was reused', () =>
  withKv(async (kv) => {
    const end = await holdLease(kv, 'us')
    const row = readRow(kv) ?? {}
    for (const [change, isFree] of [
      [{}, false],
      [{ bootId: 'another' }, true],
      [{ pidStart: '1' }, true],
      [{ pid: 2 ** 22 + 1 }, true],
    ] as const) {
      await writeRow(kv, { ...row, ...change })
      if (isFree) await requireFreeLease(kv, '/d')
      else await assert.rejects(requireFreeLease(kv, '/d'), InUseError)
    }
    await end().catch(() => undefined)
  }))

test('a lease from another container is held while its heartbeat continues', () =>
  withKv(async (kv) => {
    const end = await holdLease(kv, 'us')
    const row = { ...readRow(kv), pidNamespace: 'another' }
    await writeRow(kv, { ...row, beat: 1 })
    const asked = requireFreeLease(kv, '/d')
    await writeRow(kv, { ...row, beat: 2 })
    await assert.rejects(asked, InUseError)
    await end()
  }))

test('a start that waits for an owner in another container says so', async () => {
  const dataDir = newDataDirectory()
  await (await startChild(dataDir)).kill('SIGTERM')
  const kv = openLmdb({ path: dataPathsOf(dataDir).records, onFailure: () => undefined })
  const end = await holdLease(kv, 'us')
  const row = readRow(kv)
  await end()
  await writeRow(kv, { ...row, pidNamespace: 'another', pid: 7 })
  await kv.close()

  const { ended, signal, stderr } = startCli(['start', '--data', dataDir, '--port', '0'])
  const waits = /"pid":7,"maxSeconds":10,"msg":"waiting for the server that last owned/
  assert.ok(await eventually(() => waits.test(stderr())), stderr())
  signal('SIGKILL')
  await ended
})

test('a process that lost its lease never commits again', () =>
  withKv(async (kv, failures) => {
    const end = await holdLease(kv, 'us')
    const row = readRow(kv) ?? {}
    const put = (): Promise<void> =>
      kv.commit((writer) => writer.put(markKey('x'), Buffer.from('x')))
    await put()
    await writeRow(kv, { ...row, owner: 'them' })
    for (const outcome of await Promise.allSettled([put(), put()])) {
      assert.ok(outcome.status === 'rejected')
      assert.equal((outcome.reason as { code?: unknown }).code, 'outcome-unknown')
    }
    assert.deepEqual([kv.hasFailed(), failures.length], [true, 1])
    await assert.rejects(put, { code: 'outcome-unknown' })
    assert.deepEqual([readRow(kv)?.['owner'], failures.length], ['them', 1])
    await assert.rejects(end, { code: 'outcome-unknown' })
  }))
