// Cleanup by a start after a crash; a start after a clean stop removes nothing.

import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { contentPath, dataPathsOf, newUid } from '../../../lib/storage/embedded/data-paths.ts'
import { countKey, requireIndexKeys } from '../../../lib/storage/records/format.ts'
import { encodeCounter } from '../../../lib/storage/records/record-bytes.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { makeKey, startChild } from '../../helpers/child-server.ts'
import {
  contentsIn,
  untilContents,
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { send, startTestServer } from '../../helpers/server.ts'
import { copyCrashed, makeSite, openSite, type Site, tamper } from '../../helpers/site.ts'

const pool = openPool(1)
let site: Site
before(async () => {
  site = await makeSite()
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

/** The content path of version 1, which is live. */
function findLive(dataDir: string, fileId: number): Promise<string> {
  return findContent(dataDir, fileId, 1)
}

async function findContent(dataDir: string, fileId: number, version: number): Promise<string> {
  let path = ''
  await tamper(dataDir, async (_, records) => {
    const stored = records.get(assetFileVersion, fileId, version)
    if (stored !== undefined)
      path = contentPath(dataPathsOf(dataDir), {
        fileId,
        uid: stored.value.uid,
      })
  })
  return path
}

describe('after records and contents of different days were combined', () => {
  /**
   * The site is the state of yesterday. Today each file has a further version, one file is new, and
   * one file is deleted.
   */
  async function makeToday(): Promise<{ today: string; newId: number; goneId: number }> {
    const today = copyCrashed(site)
    const server = await startTestServer({ dataDir: today, config: { trashDays: 0 } })
    const [first = 0, gone = 0] = site.fileIds
    await server.call('POST', `/api/v2/asset_file/${first}`, { json: { pageContent: 'today' } })
    const json = { name: 'today', type: 'html', parent_category_id: 1, pageContent: 'new' }
    const { body } = await server.call('POST', '/api/v2/asset_file', { json })
    await server.call('DELETE', `/api/v2/asset_file/${gone}`)
    await server.stop()
    return { today, newId: body.asset_file_id, goneId: gone }
  }

  /** Combines the records of one directory with the content of another. */
  function mix(records: string, content: string): string {
    const dataDir = newDataDirectory()
    cpSync(content, dataDir, { recursive: true, preserveTimestamps: true })
    cpSync(dataPathsOf(records).dataFile, dataPathsOf(dataDir).dataFile, { force: true })
    return dataDir
  }

  test('S29: old records with new contents: unknown bytes are quarantined and their numbers are not reused', async (t) => {
    const { today, newId, goneId } = await makeToday()
    const server = await startTestServer({ dataDir: mix(site.dataDir, today) })
    t.after(() => server.stop())

    const kept = readdirSync(dataPathsOf(server.dataDir).quarantine)
    assert.equal(kept.filter((name) => name.includes(`-${newId}.`)).length, 1)
    assert.equal(kept.length, 2)
    assert.equal((await server.call('GET', `/api/v2/asset_file/${newId}`)).status, 404)
    const json = { name: 'again', type: 'html', parent_category_id: 1, pageContent: 'again' }
    const { body } = await server.call('POST', '/api/v2/asset_file', { json })
    assert.equal(body.asset_file_id, newId + 1)
    const { body: list } = await server.call('GET', `/api/v2/asset_file/${goneId}/versions`)
    const damaged = list.asset_file_version.map((version: any) => version.damaged)
    assert.deepEqual(damaged, [true, true])
  })

  test('S29: new records with old contents: missing contents are marked damaged and the rest is served', async (t) => {
    const { today, newId, goneId } = await makeToday()
    const server = await startTestServer({ dataDir: mix(today, site.dataDir) })
    t.after(() => server.stop())

    const { body } = await server.call('GET', `/api/v2/asset_file/${newId}/versions`)
    assert.equal(body.asset_file_version[0].damaged, true)
    const download = await server.call('GET', `/file/${newId}/today?version=1`)
    assert.equal(download.body.code, 'content-damaged')
    const [first = 0] = site.fileIds
    assert.equal((await server.call('GET', `/file/${first}/a.html`)).text, '<p>a.html 1</p>')
    const kept = readdirSync(dataPathsOf(server.dataDir).quarantine)
    assert.equal(kept.filter((name) => name.includes(`-${goneId}.`)).length, 2)
  })
})

describe('the locks of LMDB', () => {
  const states: readonly (readonly [string, (path: string) => void])[] = [
    ['gone', (path) => rmSync(path)],
    ['empty', (path) => writeFileSync(path, '')],
    ['garbage', (path) => writeFileSync(path, Buffer.alloc(8_192, 0xa5))],
  ]
  for (const [what, change] of states) {
    test(`S28: do not affect a start if they are ${what}`, async (t) => {
      const dataDir = copyCrashed(site)
      change(join(dataPathsOf(dataDir).records, 'lock.mdb'))
      const server = await startTestServer({ dataDir })
      t.after(() => server.stop())
      const [first = 0] = site.fileIds
      assert.equal((await server.call('GET', `/file/${first}/a.html`)).text, '<p>a.html 1</p>')
      const json = { name: 'after', type: 'html', parent_category_id: 1, pageContent: 'x' }
      assert.equal((await server.call('POST', '/api/v2/asset_file', { json })).status, 201)
    })
  }
})

describe('after a crash', () => {
  test('S25: bytes without a version are moved to quarantine, and everything else stays', async () => {
    const dataDir = copyCrashed(site)
    const before = contentsIn(dataDir)
    const strays = [
      contentPath(dataPathsOf(dataDir), { fileId: 99, uid: newUid() }),
      join(dataDir, '3c', 'notes.txt'),
    ]
    for (const path of strays) writeFileSync(path, 'stray')
    mkdirSync(join(dataDir, '3d', 'folder'))

    const storage = await openSite(dataDir, pool)
    await storage.close()

    assert.deepEqual([storage.recovered.wasCrash, storage.recovered.quarantined], [true, 3])
    assert.deepEqual(contentsIn(dataDir), before)
    const kept = readdirSync(dataPathsOf(dataDir).quarantine).map((name) =>
      name.replace(/^\d+-\d+-/, ''),
    )
    assert.deepEqual(kept.sort(), [...strays.map((path) => basename(path)), 'folder'].sort())
  })

  test('incomplete uploads are removed', async () => {
    const dataDir = copyCrashed(site)
    writeFileSync(join(dataPathsOf(dataDir).tmp, newUid()), 'half an upload')

    const storage = await openSite(dataDir, pool)
    await storage.close()
    assert.equal(storage.recovered.temporaryFiles, 1)
    assert.deepEqual(readdirSync(dataPathsOf(dataDir).tmp), [])
  })

  const losses: readonly (readonly [string, (path: string) => unknown])[] = [
    ['missing', (path) => rmSync(path)],
    ['cut', (path) => truncateSync(path, statSync(path).size - 1)],
    ['longer than they were', (path) => truncateSync(path, statSync(path).size + 1)],
    ['a link to bytes of the same length', (path) => replaceByLink(path)],
  ]
  for (const [what, lose] of losses) {
    test(`S21, S22: a version whose bytes are ${what} is marked damaged, and only its download gets 500`, async (t) => {
      const dataDir = copyCrashed(site)
      const [good = 0, bad = 0] = site.fileIds
      lose(await findLive(dataDir, bad))
      const server = await startTestServer({ dataDir })
      t.after(() => server.stop())

      const download = await server.call('GET', `/file/${bad}/b.html`)
      assert.deepEqual([download.status, download.body.code], [500, 'content-damaged'])
      const versions = await server.call('GET', `/api/v2/asset_file/${bad}/versions`)
      assert.deepEqual(
        versions.body.asset_file_version.map((version: any) => version.damaged),
        [false, true],
      )
      const republish = await server.call('POST', `/api/v2/asset_file/${bad}/publish?version=1`)
      assert.equal(republish.body.code, 'content-damaged')

      assert.equal((await server.call('GET', `/file/${good}/a.html`)).text, '<p>a.html 1</p>')
      assert.equal(
        (await server.call('GET', `/file/${bad}/b.html?version=2`)).text,
        '<p>b.html 2</p>',
      )
    })
  }

  test('a damaged version cannot be published, nor can a version that shares its bytes', async (t) => {
    const dataDir = copyCrashed(site)
    const [, bad = 0] = site.fileIds
    rmSync(await findContent(dataDir, bad, 2))
    const server = await startTestServer({ dataDir })
    t.after(() => server.stop())
    const path = `/api/v2/asset_file/${bad}`
    const post = (json: object, to = '') => server.call('POST', path + to, { json })
    const requireRefused = async () => {
      const answers = [
        await server.call('GET', `${path}/publish`),
        await post({}, '/publish'),
        await post({ version: 2 }, '/publish'),
        await post({ fileState: 'publish' }),
        await post({ title: 'x', fileState: 'publish' }),
        await post({}, '/versions/2/restore'),
      ]
      for (const { body } of answers) assert.equal(body.code, 'content-damaged')
    }

    await requireRefused()
    await post({ title: 'saved' })
    const { body: file } = await server.call('GET', `${path}?fields=version,live_version`)
    assert.deepEqual(file, { version: 3, live_version: 1 })
    await requireRefused()
    const { body: list } = await server.call('GET', `${path}/versions?fields=damaged`)
    const [damaged, whole] = [{ damaged: true }, { damaged: false }]
    assert.deepEqual(list.asset_file_version, [damaged, damaged, whole])

    const { body: mended } = await post({ pageContent: 'new', fileState: 'publish' })
    assert.deepEqual([mended.version, mended.live_version], [4, 4])
  })

  test('index rows and counters are repaired before contents are looked up', async () => {
    const dataDir = copyCrashed(site)
    const before = contentsIn(dataDir)
    const [fileId = 0] = site.fileIds
    await tamper(dataDir, (kv, records) => {
      const stored = records.get(assetFileVersion, fileId, 1)
      assert.ok(stored !== undefined)
      const found = { ids: [fileId, 1], record: stored.value }
      return kv.commit((writer) => {
        const rows = requireIndexKeys(writer, assetFileVersion, found)
        for (const row of rows) writer.remove(row)
        writer.put(countKey(writer, assetFileVersion), encodeCounter(77))
      })
    })

    const storage = await openSite(dataDir, pool)
    const count = storage.records.count(assetFileVersion)
    await storage.close()

    assert.deepEqual(
      [storage.recovered.mended, storage.recovered.quarantined, storage.recovered.damagedVersions],
      [2, 0, 0],
    )
    assert.equal(count, 6)
    assert.deepEqual(contentsIn(dataDir), before)
  })

  test('a changed index row does not make the bytes an orphan', async () => {
    const dataDir = copyCrashed(site)
    const before = contentsIn(dataDir)
    const [fileId = 0] = site.fileIds
    await tamper(dataDir, (kv, records) => {
      const stored = records.get(assetFileVersion, fileId, 1)
      assert.ok(stored !== undefined)
      const version = stored.value
      return kv.commit((writer) => {
        const rowsOf = (record: typeof version) =>
          requireIndexKeys(writer, assetFileVersion, { ids: [fileId, 1], record })
        for (const row of rowsOf(version)) writer.remove(row)
        for (const row of rowsOf({ ...version, uid: newUid() })) writer.put(row, Buffer.alloc(0))
      })
    })

    const { close, recovered } = await openSite(dataDir, pool)
    await close()
    assert.deepEqual([recovered.quarantined, recovered.damagedVersions], [0, 0])
    assert.deepEqual(contentsIn(dataDir), before)
  })

  test('a second start finds nothing more to do', async () => {
    const dataDir = copyCrashed(site)
    writeFileSync(join(dataDir, '3c', 'stray'), '')
    const first = await openSite(dataDir, pool)
    await first.close()
    rmSync(dataPathsOf(dataDir).clean)
    const second = await openSite(dataDir, pool)
    await second.close()

    assert.equal(first.recovered.quarantined, 1)
    assert.deepEqual(second.recovered, {
      wasCrash: true,
      temporaryFiles: 0,
      quarantined: 0,
      damagedVersions: 0,
      mended: 0,
    })
  })
})

describe('after a clean stop', () => {
  test('a mark exists, and the next start checks nothing', async () => {
    const dataDir = copyCrashed(site)
    await (await openSite(dataDir, pool)).close()
    assert.ok(existsSync(dataPathsOf(dataDir).clean))
    writeFileSync(join(dataDir, '3c', 'stray'), '')

    const storage = await openSite(dataDir, pool)
    assert.ok(!existsSync(dataPathsOf(dataDir).clean))
    await storage.close()

    assert.equal(storage.recovered.wasCrash, false)
    assert.ok(existsSync(join(dataDir, '3c', 'stray')))
    assert.ok(existsSync(dataPathsOf(dataDir).clean))
  })

  test('records that were changed after the stop are checked', async () => {
    const dataDir = copyCrashed(site)
    await (await openSite(dataDir, pool)).close()
    await tamper(dataDir, (kv) =>
      kv.commit((writer) => writer.put(countKey(writer, assetFileVersion), encodeCounter(1))),
    )

    const storage = await openSite(dataDir, pool)
    await storage.close()
    assert.deepEqual([storage.recovered.wasCrash, storage.recovered.mended], [true, 1])
  })
})

test('a killed server leaves no mark, and the next start quarantines unknown contents', async (t) => {
  const dataDir = newDataDirectory()
  const child = await startChild(dataDir)
  const key = await makeKey(dataDir)
  const json = {
    name: 'a.txt',
    type: 'txt',
    parent_category_id: 1,
    pageContent: 'kept',
    fileState: 'publish',
  }
  const { body } = await send(child.url, 'POST', '/api/v2/asset_file', { key, json })
  await child.kill('SIGKILL')
  assert.ok(!existsSync(dataPathsOf(dataDir).clean))
  writeFileSync(
    contentPath(dataPathsOf(dataDir), { fileId: 2, uid: newUid() }),
    'sealed and never committed',
  )

  const server = await startTestServer({ dataDir })
  t.after(() => server.stop())
  assert.equal((await server.call('GET', body.url, { key })).text, 'kept')
  await untilContents(dataDir, 1)
  assert.equal(Object.keys(fingerprint(dataPathsOf(dataDir).quarantine)).length, 1)
})

function replaceByLink(path: string): void {
  const target = `${path}.target`
  cpSync(path, target)
  rmSync(path)
  symlinkSync(target, path)
}
