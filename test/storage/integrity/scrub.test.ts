// The findings of the scrub, its reactions, and the resumption of an interrupted pass.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { markKey } from '../../../lib/storage/records/format.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
  untilContents,
} from '../../helpers/data-directory.ts'
import { readMetrics, valueOf } from '../../helpers/metrics.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { copyCrashed, makeSite, openSite, type Site, tamper } from '../../helpers/site.ts'

const FAST = { everyMs: 86_400_000, bytesPerSecond: 1e12 }
const MIB = 1024 * 1024
const NO_LIMITS = { minFreeBytes: 0, minFreeRatio: 0 }

const pool = openPool(1)
let site: Site
before(async () => {
  site = await makeSite()
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

/** Changes the byte in the middle; the length stays. */
function flip(path: string): void {
  const bytes = readFileSync(path)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

function contentOf(dataDir: string, fileId: number): string {
  const path = contentsIn(dataDir).find((name) => basename(name).startsWith(`${fileId}.`))
  assert.ok(path)
  return path
}

async function untilScrubbed({ call }: TestServer): Promise<void> {
  const deadline = performance.now() + 30_000
  const name = 'cms_scrub_last_end_timestamp_seconds'
  while (Number.isNaN(valueOf(await readMetrics(call), name))) {
    assert.ok(performance.now() < deadline, 'the pass did not end')
    await sleep(20)
  }
}

/** Uploads files of 40,000 bytes, each with one version. */
async function makeFiles(dataDir: string, count: number): Promise<void> {
  const server = await startTestServer({ dataDir })
  for (let index = 0; index < count; index += 1) {
    const { status } = await server.upload([
      { name: 'asset_category_id', value: '1' },
      { name: 'fileState', value: 'publish' },
      { name: 'Filedata', fileName: `${index}.bin`, bytes: Buffer.alloc(40_000, index) },
    ])
    assert.equal(status, 201)
  }
  await server.stop()
  await untilContents(dataDir, count)
}

describe('a content that changed on disk', () => {
  const faults: readonly (readonly [string, (path: string, other: string) => void])[] = [
    ['one bit is flipped', flip],
    ['it is truncated', (path) => writeFileSync(path, readFileSync(path).subarray(0, 20_000))],
    ['it is swapped with another', swap],
    ['it is missing', (path) => rmSync(path)],
  ]
  for (const [what, damage] of faults) {
    test(`S22: is found, never served, and quarantined when ${what}`, async (t) => {
      const dataDir = newDataDirectory()
      await makeFiles(dataDir, 4)
      const path = contentOf(dataDir, 2)
      const isMissing = what.includes('missing')
      damage(path, contentOf(dataDir, 3))
      const server = await startTestServer({ dataDir, config: { scrub: FAST } })
      t.after(() => server.stop())
      await untilScrubbed(server)

      const bad = what.includes('swapped') ? [2, 3] : [2]
      for (const id of [2, 3, 4, 5]) {
        const { status, body } = await server.call('GET', `/file/${id}/${id - 2}.bin`)
        assert.deepEqual(
          [status, body?.code],
          bad.includes(id) ? [500, 'content-damaged'] : [200, undefined],
        )
        const version = await server.call('GET', `/api/v2/asset_file/${id}/versions/1`)
        assert.equal(version.body.damaged, bad.includes(id))
      }
      const apart = readdirSync(dataPathsOf(dataDir).quarantine)
      assert.equal(apart.length, isMissing ? 0 : bad.length)
      const samples = await readMetrics(server.call)
      assert.equal(valueOf(samples, 'cms_contents_damaged_total'), bad.length)
      assert.equal(valueOf(samples, 'cms_scrub_contents_total'), 4)
    })
  }

  test('S22: damages every version that shares it, and no other', async (t) => {
    const dataDir = copyCrashed(site)
    const [fileId = 0] = site.fileIds
    const edit = await startTestServer({ dataDir })
    await edit.call('POST', `/api/v2/asset_file/${fileId}`, { json: { title: 'shares' } })
    await edit.stop()
    const shared = contentsIn(dataDir).find((path) =>
      readFileSync(path, 'utf8').includes('a.html 2'),
    )
    flip(shared ?? '')

    const server = await startTestServer({ dataDir, config: { scrub: FAST } })
    t.after(() => server.stop())
    await untilScrubbed(server)
    const { body } = await server.call('GET', `/api/v2/asset_file/${fileId}/versions`)
    assert.deepEqual(
      body.asset_file_version.map((version: any) => version.damaged),
      [true, true, false],
    )
  })
})

function swap(left: string, right: string): void {
  renameSync(left, `${left}.swap`)
  renameSync(right, left)
  renameSync(`${left}.swap`, right)
}

test('an interrupted pass continues where it stopped', async () => {
  const dataDir = newDataDirectory()
  await makeFiles(dataDir, 40)
  const slow = { ...FAST, bytesPerSecond: MIB / 4 }
  const first = await startTestServer({ dataDir, config: { scrub: slow } })
  const scrubbed = async () => valueOf(await readMetrics(first.call), 'cms_scrub_contents_total')
  while ((await scrubbed()) === 0) await sleep(50)
  await first.stop()

  let mark: { readonly after?: string } = {}
  await tamper(dataDir, async (kv) => {
    mark = JSON.parse(String(kv.get(markKey('scrub'))))
  })
  const uids = contentsIn(dataDir).map((path) => basename(path).split('.')[1] ?? '')
  const done = uids.filter((uid) => uid <= (mark.after ?? '')).length
  assert.ok(done >= 8 && done < 40, `${done} were compared`)

  for (const path of contentsIn(dataDir)) flip(path)
  const second = await startTestServer({ dataDir, config: { scrub: FAST } })
  try {
    await untilScrubbed(second)
    const samples = await readMetrics(second.call)
    assert.equal(valueOf(samples, 'cms_contents_damaged_total'), 40 - done)
  } finally {
    await second.stop()
  }
})

test('contents that are missing because the whole disk is missing are not damaged', async () => {
  const dataDir = copyCrashed(site)
  const storage = await openSite(dataDir, pool)
  const { instance } = dataPathsOf(dataDir)
  renameSync(instance, `${instance}.away`)
  for (const path of contentsIn(dataDir)) renameSync(path, `${path}.away`)

  const { log, said } = listen()
  const watch = await storage.keepWatch({ headroom: NO_LIMITS, scrub: FAST, log })
  assert.match((await said).message, /content scrub failed/)
  assert.equal(watch.status().scrub.damaged, 0)
  await watch.close()
  await storage.close()
})

test('a content that cannot be read is reported and not marked as damaged', async () => {
  const dataDir = copyCrashed(site)
  const storage = await openSite(dataDir, pool)
  const [path = ''] = contentsIn(dataDir)
  const shard = dirname(path)
  const fileIds = readdirSync(shard).map((name) => Number(name.split('.')[0]))
  renameSync(shard, `${shard}.away`)
  writeFileSync(shard, '')

  const { log, said } = listen()
  const watch = await storage.keepWatch({ headroom: NO_LIMITS, scrub: FAST, log })
  const { facts, message } = await said
  assert.match(message, /could not be read/)
  assert.ok(fileIds.includes(facts.asset_file_id))
  const { damaged, unreadable } = watch.status().scrub
  assert.equal(damaged, 0)
  assert.ok(unreadable > 0)
  await watch.close()
  await storage.close()
})

test('the log names the file, its versions and the fault', async () => {
  const dataDir = copyCrashed(site)
  const storage = await openSite(dataDir, pool)
  const [fileId = 0] = site.fileIds
  flip(contentOf(dataDir, fileId))

  const { log, said } = listen()
  const watch = await storage.keepWatch({ headroom: NO_LIMITS, scrub: FAST, log })
  const { uid, versions, ...facts } = (await said).facts
  assert.deepEqual(facts, { asset_file_id: fileId, fault: 'damaged' })
  assert.equal(versions.length, 1)
  assert.match(uid, /^[0-9a-f]{32}$/)
  await watch.close()
  await storage.close()
})

/** A logger, and the first error that it receives. A warning fails the test. */
function listen() {
  let warn: (facts: object, message: string) => void = () => undefined
  let error = warn
  const said = new Promise<{ readonly facts: any; readonly message: string }>((resolve, reject) => {
    warn = (_, message) => reject(new Error(message))
    error = (facts, message) => resolve({ facts, message })
  })
  return { log: { warn, error }, said }
}
