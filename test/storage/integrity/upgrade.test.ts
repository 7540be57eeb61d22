// start --upgrade: a directory of another format is refused, and a synthetic earlier format is converted. This version
// has no step of its own (lib/storage/embedded/upgrade-steps.ts).

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { restoreEmbedded } from '../../../lib/storage/backup/restore.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { FORMAT, stepsFrom, UPGRADE_STEPS } from '../../../lib/storage/embedded/upgrade-steps.ts'
import { openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import type { UpgradeProgress } from '../../../lib/storage/engine.ts'
import { RECORDS } from '../../../lib/storage/records/format.ts'
import { openPool, type Pool } from '../../../lib/workers/pool.ts'
import { runCli } from '../../helpers/child-server.ts'
import {
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
  sha256,
} from '../../helpers/data-directory.ts'
import {
  EARLIER_FORMAT,
  EARLIER_ROWS,
  makeEarlier,
  STEP,
  writeInstance,
} from '../../helpers/earlier-format.ts'
import { startTestServer } from '../../helpers/server.ts'
import { copySite, makeSite, openSite, type Site, tamper } from '../../helpers/site.ts'

const CHILD = fileURLToPath(new URL('./upgrade-child.js', import.meta.url))

const PATHS = ['asset_file', 'asset_category', 'file_group/1', 'user', 'asset_file/2/versions']

let pool: Pool
let site: Site
let earlier: string
let answers: readonly string[]
before(async () => {
  pool = openPool(1)
  site = await makeSite()
  answers = await answersOf(copySite(site.dataDir))
  earlier = copySite(site.dataDir)
  await makeEarlier(earlier)
  writeInstance(earlier, { ...instanceOf(earlier), format: EARLIER_FORMAT })
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

const instanceOf = (dataDir: string): Record<string, unknown> =>
  JSON.parse(readFileSync(dataPathsOf(dataDir).instance, 'utf8')) as Record<string, unknown>

/** The responses of a server that runs on the directory. */
async function answersOf(dataDir: string): Promise<readonly string[]> {
  const server = await startTestServer({ dataDir })
  const found = []
  for (const path of PATHS)
    found.push((await server.call('GET', `/api/v2/${path}`, { key: site.key })).text)
  await server.stop()
  return found
}

/** Upgrades with the synthetic step and returns the progress. */
async function upgrade(dataDir: string): Promise<readonly UpgradeProgress[]> {
  const told: UpgradeProgress[] = []
  const storage = await openSite(dataDir, pool, {
    config: { dataDir, upgrade: true },
    upgradeSteps: [STEP],
    onUpgrade: (progress) => told.push(progress),
  })
  await storage.close()
  return told
}

function commandsOn(dataDir: string): readonly (readonly string[])[] {
  const data = ['--data', dataDir]
  const beside = join(dirname(dataDir), 'new')
  return [
    ['start', ...data, '--port', '0'],
    ['start', ...data, '--port', '0', '--upgrade'],
    ['start', ...data, '--port', '0', '--read-only'],
    ['check', ...data],
    ['check', ...data, '--repair'],
    ['backup', beside, ...data],
    ['restore', dataDir, '--data', beside],
    ['key', 'create', ...data, '--name', 'x'],
    ['key', 'list', ...data],
    ['user', 'list', ...data],
  ]
}

describe('a format that this version cannot convert', () => {
  const formats = [
    [
      'earlier',
      { format: EARLIER_FORMAT },
      /has format 1; this .* cannot convert .* Start the ver/,
    ],
    ['newer', { format: FORMAT + 1 }, /has format 3; this .* Start the version that wrote it\./],
    [
      'newer, during its upgrade',
      { format: FORMAT + 1, upgradingFrom: FORMAT },
      /upgrade of .* to format 3 was interrupted.*"cms-server start --upgrade" of the version/,
    ],
  ] as const

  for (const [name, format, told] of formats)
    test(`${name}: every command refuses it in one line and changes nothing`, async () => {
      const dataDir = copySite(site.dataDir)
      writeInstance(dataDir, { ...instanceOf(dataDir), ...format })
      const unchanged = fingerprint(dataDir)
      for (const args of commandsOn(dataDir)) {
        const { code, stderr } = await runCli(args)
        assert.equal(code, 65, `${args.join(' ')}: ${stderr}`)
        assert.match(stderr, told)
        assert.match(stderr, /^cms-server: .*\n$/)
      }
      assert.deepEqual(fingerprint(dataDir), unchanged)
    })
})

describe('an earlier format with a step', () => {
  test('is refused without --upgrade and stays unchanged', async () => {
    const dataDir = copySite(earlier)
    const unchanged = fingerprint(dataDir)
    for (const config of [{ dataDir }, { dataDir, readOnly: true }])
      await assert.rejects(openSite(dataDir, pool, { config, upgradeSteps: [STEP] }), {
        message: `${dataDir} has format 1 of an earlier version; this cms-server reads format 2. Make a backup with the version that wrote it, or copy the directory while no server runs. Then run "cms-server start --upgrade" to convert it in place.`,
      })
    assert.deepEqual(fingerprint(dataDir), unchanged)
  })

  test('is converted with --upgrade, has the same responses, and check finds no fault', async () => {
    const dataDir = copySite(earlier)
    const told = await upgrade(dataDir)
    const total = told.at(-1)?.total ?? 0
    assert.deepEqual(
      [told[0], told.at(-1)],
      [0, total].map((done) => ({ from: EARLIER_FORMAT, to: FORMAT, done, total })),
    )
    assert.ok(total > 0)
    assert.deepEqual(instanceOf(dataDir), instanceOf(site.dataDir))
    const { code, stdout } = await runCli(['check', '--data', dataDir])
    assert.equal(code, 0, stdout)
    assert.deepEqual(await answersOf(dataDir), answers)
    assert.deepEqual(await upgrade(dataDir), [])
  })

  test('with a damaged record is refused before anything is changed', async () => {
    const dataDir = copySite(earlier)
    const kv = openLmdb({ path: dataPathsOf(dataDir).records, onFailure: assert.ifError })
    const [pair] = RECORDS.flatMap((range) => [...kv.pairs({ ...range, limit: 1 })])
    assert.ok(pair !== undefined)
    const value = Buffer.from(pair.value)
    value.writeUInt8(value.readUInt8(12) ^ 1, 12)
    await kv.commit((writer) => writer.put(pair.key, value))
    await kv.close()
    await assert.rejects(upgrade(dataDir), /are damaged: .*Nothing was changed/)
    assert.equal(instanceOf(dataDir)['format'], EARLIER_FORMAT)
  })

  test('with records that crash their reader is refused', async () => {
    const dataDir = copySite(earlier)
    const { dataFile } = dataPathsOf(dataDir)
    const bytes = readFileSync(dataFile)
    writeFileSync(dataFile, bytes.fill(0xff, 8_192))
    await assert.rejects(upgrade(dataDir), /are damaged: the process that read them crashed/)
    assert.equal(instanceOf(dataDir)['format'], EARLIER_FORMAT)
  })

  test('is converted while it is restored from a backup', async () => {
    const backup = copySite(earlier)
    const { dataFile, manifest } = dataPathsOf(backup)
    const bytes = readFileSync(dataFile)
    writeFileSync(
      manifest,
      JSON.stringify({
        format: EARLIER_FORMAT,
        uuid: instanceOf(backup)['uuid'],
        moment: '2026-11-23T00:00:00.000Z',
        records: { count: 1, bytes: bytes.length, sha256: sha256(bytes) },
        contents: { count: 6, bytes: 1 },
        faults: [],
      }),
    )
    const dataDir = newDataDirectory()
    const { signal } = new AbortController()
    const options = { backup, dataDir, pool, signal, onProgress: () => undefined }
    await assert.rejects(restoreEmbedded(options), /has format 1;/)
    await restoreEmbedded({ ...options, upgradeSteps: [STEP] })
    assert.equal(instanceOf(dataDir)['format'], FORMAT)
    const { code, stdout } = await runCli(['check', '--data', dataDir])
    assert.equal(code, 0, stdout)
  })
})

test('an upgrade that SIGKILL ends after any commit is refused until it is resumed, and loses nothing', async () => {
  const dataDir = copySite(earlier)
  let left = Number.POSITIVE_INFINITY
  for (let kills = 1; ; kills += 1) {
    const child = fork(CHILD, [dataDir, '2'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const [told] = (await once(child, 'message')) as [string]
    if (told === 'stopped') child.kill('SIGKILL')
    await once(child, 'exit')
    if (told === 'upgraded') {
      assert.ok(kills > 3, `${kills} kills`)
      break
    }
    const now = earlierRows(dataDir)
    assert.ok(now < left, 'the second run continues after the first')
    left = now
    assert.deepEqual(
      [instanceOf(dataDir)['format'], instanceOf(dataDir)['upgradingFrom']],
      [FORMAT, EARLIER_FORMAT],
    )
    await assert.rejects(openSite(dataDir, pool, { upgradeSteps: [STEP] }), {
      message: `The upgrade of ${dataDir} was interrupted. Resume it with "cms-server start --upgrade".`,
    })
  }
  assert.deepEqual(await answersOf(dataDir), answers)
})

function earlierRows(dataDir: string): number {
  const { records: path } = dataPathsOf(dataDir)
  const kv = openLmdb({ path, readOnly: true, onFailure: assert.ifError })
  const count = kv.count(EARLIER_ROWS)
  void kv.close()
  return count
}

test('steps follow each other up to the format of this version', () => {
  const run = async (): Promise<void> => undefined
  const steps = [
    { from: 0, to: EARLIER_FORMAT, run },
    { from: EARLIER_FORMAT, to: FORMAT, run },
  ]
  const fromTo = (format: unknown) => stepsFrom(format, steps)?.map(({ from, to }) => [from, to])
  assert.deepEqual(fromTo(0), [
    [0, 1],
    [1, 2],
  ])
  assert.deepEqual(fromTo(1), [[1, 2]])
  assert.deepEqual(fromTo(FORMAT), [])
  for (const format of [-1, 3, '2', undefined]) assert.equal(fromTo(format), undefined)
  assert.deepEqual(UPGRADE_STEPS, [])
})

test('records without the identity of a site are refused, also without instance.json', async () => {
  const dataDir = copySite(site.dataDir)
  rmSync(dataPathsOf(dataDir).instance)
  await tamper(dataDir, async (kv) =>
    kv.commit((writer) => {
      for (const { key } of [...writer.pairs({ start: Buffer.from('m'), end: Buffer.from('n') })])
        writer.remove(key)
    }),
  )
  const { code, stderr } = await runCli(['start', '--data', dataDir, '--port', '0'])
  assert.equal(code, 65, stderr)
  assert.match(stderr, /hold no site identity/)
})
