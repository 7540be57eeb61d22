// A directory that version 0.1.0 wrote: a start refuses it, and start --upgrade converts it without
// changing any answer. corpora/format-1.tar.gz contains the directory and the answers of that
// version; corpora/make-format-1.mjs made it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import { convertKeys } from '../../../lib/storage/integrity/upgrade.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { OLD_KEYS } from '../../../lib/storage/records/legacy-keys.ts'
import { runCli, startChild } from '../../helpers/child-server.ts'
import {
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
  sha256,
} from '../../helpers/data-directory.ts'
import { send, startTestServer, type TestServer } from '../../helpers/server.ts'
import { copySite } from '../../helpers/site.ts'

const ARCHIVE = fileURLToPath(new URL('../../../../test/corpora/format-1.tar.gz', import.meta.url))

interface Told {
  readonly authorization: string
  readonly answers: readonly {
    readonly path: string
    readonly status: number
    readonly text: string
  }[]
}

let old = ''
let told: Told
before(() => {
  old = newDataDirectory()
  const directory = dirname(old)
  mkdirSync(directory, { recursive: true })
  execFileSync('tar', ['-C', directory, '-xzf', ARCHIVE])
  told = JSON.parse(readFileSync(join(directory, 'answers.json'), 'utf8')) as Told
})
after(() => removeDataDirectories())

const instanceOf = (dataDir: string): Record<string, unknown> =>
  JSON.parse(readFileSync(dataPathsOf(dataDir).instance, 'utf8')) as Record<string, unknown>

const openUpgraded = (dataDir: string): Promise<TestServer> =>
  startTestServer({ dataDir, config: { upgrade: true, baseUrl: 'http://cms.test' } })

/**
 * Fields that answers have gained since version 0.1.0: sign-in fields of users (nobody had a
 * password then), fields of rows that followers use, the computed state of files, and hints for
 * searches that find nothing.
 */
const TOLD_SINCE: readonly (string | RegExp)[] = [
  /,"state":"(?:draft|staged|published|changed)"/g,
  /(?<="next":null),"hint":"(?:[^"\\]|\\.)*"/g,
  ',"has_password":false,"has_second_factor":false,"recovery_codes_left":0',
  ',"asset_category_id":null,"previous_category_id":null,"changes":null',
  ',"api_key_name":null',
  ',"entries":null,"name":null,"path":null,"previous_name":null,"previous_path":null',
]

/**
 * Compares every answer with the answer of the earlier version, byte for byte except for
 * TOLD_SINCE. Refusals and missing things are compared by status.
 */
async function assertSame({ url }: { readonly url: string }): Promise<void> {
  const headers = { authorization: told.authorization }
  const wrong: string[] = []
  for (const { path, status, text } of told.answers) {
    const answer = await send(url, 'GET', path, { headers })
    const plain = TOLD_SINCE.reduce<string>(
      (rest, since) => rest.replaceAll(since, ''),
      answer.text,
    )
    const same = plain === text
    if (answer.status !== status || (status === 200 && !same))
      wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  }
  assert.deepEqual(wrong, [])
}

describe('a directory of format 1', () => {
  test('is refused by every command, in one line that tells the way, and stays as it is', async () => {
    const dataDir = copySite(old)
    const unchanged = fingerprint(dataDir)
    for (const args of [
      ['start', '--data', dataDir, '--port', '0'],
      ['start', '--data', dataDir, '--port', '0', '--read-only'],
      ['check', '--data', dataDir],
      ['backup', join(dirname(dataDir), 'backup'), '--data', dataDir],
      ['key', 'create', '--data', dataDir, '--name', 'x'],
    ]) {
      const { code, stderr } = await runCli(args)
      assert.equal(code, 65, `${args[0]}: ${stderr}`)
      assert.match(
        stderr,
        /^cms-server: .* has format 1 of .*backup.*"cms-server start --upgrade".*\n$/,
      )
    }
    assert.deepEqual(fingerprint(dataDir), unchanged)
  })

  test('answers what it did when it is upgraded, and has nothing that check finds', async () => {
    const dataDir = copySite(old)
    const server = await openUpgraded(dataDir)
    await assertSame(server)
    await server.stop()
    const { format, upgradingFrom } = instanceOf(dataDir)
    assert.deepEqual([format, upgradingFrom], [2, undefined])
    const { code, stdout } = await runCli(['check', '--data', dataDir])
    assert.equal(code, 0, stdout)
    const plain = await startTestServer({ dataDir, config: { baseUrl: 'http://cms.test' } })
    await assertSame(plain)
    await plain.stop()
  })

  test('tells how far its upgrade is, step by step to the end of each', async () => {
    const child = await startChild(copySite(old), ['--upgrade', '--log-level', 'info'])
    await child.kill('SIGTERM')
    const lines = child.stdout().split('\n').concat(child.stderr().split('\n'))
    const told = lines
      .filter((line) => line.includes('upgrading the records'))
      .map((line) => JSON.parse(line) as { step: string; done: number; total: number })
    for (const step of ['keys', 'audit']) {
      const own = told.filter((line) => line.step === step)
      assert.deepEqual([own[0]?.done, own[0]?.total], [0, own.at(-1)?.total], step)
      assert.ok((own[0]?.total ?? 0) > 0 && own.at(-1)?.done === own.at(-1)?.total, step)
    }
  })

  test('is told from a damaged one, which is refused before anything is changed', async () => {
    const dataDir = copySite(old)
    const kv = openLmdb({ path: dataPathsOf(dataDir).records, onFailure: () => undefined })
    await kv.commit((writer) => {
      for (const { key, value } of [...writer.pairs(OLD_KEYS)].slice(-9, -8)) {
        value.writeUInt8(value.readUInt8(12) ^ 1, 12)
        writer.put(key, value)
      }
    })
    await kv.close()
    const { code, stderr } = await runCli(['start', '--data', dataDir, '--port', '0', '--upgrade'])
    assert.equal(code, 65, stderr)
    assert.match(stderr, /are damaged: .*its bytes differ.*Nothing was changed/)
    assert.equal(instanceOf(dataDir)['format'], 1)
  })

  test('whose instance.json is missing is refused all the same, and upgraded', async () => {
    const dataDir = copySite(old)
    rmSync(dataPathsOf(dataDir).instance)
    const refused = await runCli(['start', '--data', dataDir, '--port', '0'])
    assert.equal(refused.code, 65, refused.stderr)
    assert.match(refused.stderr, /start --upgrade/)
    assert.ok(!existsSync(dataPathsOf(dataDir).instance))
    const server = await openUpgraded(dataDir)
    await assertSame(server)
    await server.stop()
  })
})

describe('an upgrade that is cut off', () => {
  test('after any of its commits is refused until it is gone on with, and loses nothing', async () => {
    const dataDir = copySite(old)
    const { instance, records } = dataPathsOf(dataDir)
    writeFileSync(instance, JSON.stringify({ ...instanceOf(dataDir), format: 2, upgradingFrom: 1 }))
    let cuts = 0
    for (let isDone = false; !isDone; cuts += 1) {
      const kv = openLmdb({ path: records, onFailure: () => undefined })
      isDone = await convertKeys(cutAfter(kv, 3), () => undefined, 17).then(
        () => true,
        (error: Error) => (assert.equal(error.message, 'cut'), false),
      )
      const left = verifyRecords(kv).faults.filter(({ detail }) => /start --upgrade/.test(detail))
      assert.equal(left.length, isDone ? 0 : 1)
      await kv.close()
      if (isDone || cuts % 16 > 0) continue
      const { code, stderr } = await runCli(['start', '--data', dataDir, '--port', '0'])
      assert.equal(code, 65)
      assert.match(
        stderr,
        /The upgrade of .* was interrupted\. Resume it with "cms-server start --upgrade"/,
      )
    }
    assert.ok(cuts > 20, `${cuts} cuts`)
    const server = await openUpgraded(dataDir)
    await assertSame(server)
    await server.stop()
  })

  test('by SIGKILL, wherever that finds it, is gone on with', async () => {
    const dataDir = copySite(old)
    const args = ['start', '--data', dataDir, '--port', '0', '--upgrade', '--log-level', 'warn']
    for (let afterMs = 200; afterMs <= 1_000; afterMs += 100) {
      const killAt = newDataDirectory()
      const timer = setTimeout(() => writeFileSync(killAt, ''), afterMs)
      await runCli(args, { killAt })
      clearTimeout(timer)
    }
    const server = await openUpgraded(dataDir)
    await assertSame(server)
    await server.stop()
  })
})

/** An engine that fails after the given number of commits. */
function cutAfter(kv: Kv, commits: number): Kv {
  let left = commits
  return {
    ...kv,
    async commit(plan) {
      if (left === 0) throw new Error('cut')
      left -= 1
      return kv.commit(plan)
    },
  }
}

test('a backup of format 1 is restored as a site of this version', async () => {
  const [backup, dataDir] = [copySite(old), newDataDirectory()]
  const { dataFile, instance, manifest } = dataPathsOf(backup)
  const bytes = readFileSync(dataFile)
  const { uuid } = instanceOf(backup)
  // The manifest of the earlier version. Unlike in that version, small contents are still in the
  // records.
  writeFileSync(
    manifest,
    JSON.stringify({
      format: 1,
      uuid,
      moment: '2026-11-23T00:00:00.000Z',
      records: { count: 1, bytes: bytes.length, sha256: sha256(bytes) },
      contents: { count: 0, bytes: 0 },
      faults: [],
    }),
  )
  assert.ok(existsSync(instance))
  const { code, stdout, stderr } = await runCli(['restore', backup, '--data', dataDir])
  assert.equal(code, 0, `${stdout}${stderr}`)
  assert.equal(instanceOf(backup)['format'], 1)
  const server = await startTestServer({ dataDir, config: { baseUrl: 'http://cms.test' } })
  await assertSame(server)
  await server.stop()
})
