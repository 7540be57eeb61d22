import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { AssetFileVersion } from '../../../lib/schema/asset-file.ts'
import { assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { newUid } from '../../../lib/storage/embedded/data-paths.ts'
import { openObjectStore } from '../../../lib/cluster/object-store.ts'
import { removeOrphans } from '../../../lib/cluster/orphan-sweep.ts'
import { beginMark, finishMark, requireMarked } from '../../../lib/cluster/site-mark.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { BUCKET, startBreakingS3 } from '../../helpers/breaking-s3.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const HOUR_MS = 3_600_000
const pool = openPool(1)
const s3 = await startBreakingS3()
const settings = {
  bucket: BUCKET,
  endpoint: s3.endpoint,
  accessKeyId: 'a',
  secretAccessKey: 'b',
  forcePathStyle: true,
  cacheBytes: 0,
}
const store = await openObjectStore({ settings, pool })
after(async () => {
  store.close()
  await s3.close()
  await pool.close()
})

async function openSite() {
  const prefix = `${newUid()}/`
  const records = openRecords(openMemoryKv())
  const { signal } = new AbortController()

  async function put(ageMs: number): Promise<{ uid: string; key: string }> {
    const uid = newUid()
    const key = `${prefix}${uid.slice(0, 2)}/7.${uid}`
    await store.put(key, Buffer.from('a'))
    const object = s3.objects.get(key)
    assert.ok(object)
    object.atMs = Date.now() - ageMs
    return { uid, key }
  }

  return {
    prefix,
    put,
    name: (uid: string, fileId = 7) =>
      records.commit((unit) => {
        unit.put(assetFileVersion, [fileId, 1], {
          asset_file_id: fileId,
          version: 1,
          uid,
        } as AssetFileVersion)
      }),
    remove: () => removeOrphans({ store, prefix, records, graceMs: HOUR_MS, signal }),
    isThere: (key: string) => s3.objects.has(key),
  }
}

describe('orphans', () => {
  test('are removed if they are older than the grace period, and nothing else is removed', async () => {
    const site = await openSite()
    const [named, old, young] = [
      await site.put(9 * HOUR_MS),
      await site.put(2 * HOUR_MS),
      await site.put(0),
    ]
    await site.name(named.uid)
    await store.put(`${site.prefix}ab/notes.txt`, Buffer.from('not ours'))

    assert.deepEqual(await site.remove(), { listed: 4, removed: 1, refused: 0, endedUploads: 0 })
    const left = [named, old, young].map(({ key }) => site.isThere(key))
    assert.deepEqual(
      [...left, site.isThere(`${site.prefix}ab/notes.txt`)],
      [true, false, true, true],
    )
  })

  test('are identified by file and uid together', async () => {
    const site = await openSite()
    const other = await site.put(2 * HOUR_MS)
    await site.name(other.uid, 8)
    assert.equal((await site.remove()).removed, 1)
  })

  test('are kept if they are the majority, because then the records are wrong', async () => {
    const site = await openSite()
    for (let at = 0; at < 101; at += 1) await site.put(2 * HOUR_MS)
    const found = await site.remove()
    assert.deepEqual([found.removed, found.refused], [0, 101])
  })

  test('are removed even if the store cannot list multipart uploads', async () => {
    const site = await openSite()
    const [named, old] = [await site.put(9 * HOUR_MS), await site.put(2 * HOUR_MS)]
    await site.name(named.uid)
    s3.break({ fault: { status: 501, code: 'NotImplemented' }, when: /^GET .*[?&]uploads/ })
    const { removed, uploadsLeft = '' } = await site.remove()
    s3.mend()
    assert.deepEqual([removed, site.isThere(old.key)], [1, false])
    assert.match(uploadsLeft, /^ListMultipartUploads: 501 NotImplemented/)
  })

  test('of unfinished multipart uploads are aborted', async () => {
    const site = await openSite()
    const upload = { sha256: '', parts: [], atMs: 0 }
    s3.uploads.set('1', { ...upload, key: `${site.prefix}ab/7.${newUid()}` })
    s3.uploads.set('young', { ...upload, key: `${site.prefix}ab/8.${newUid()}`, atMs: Date.now() })
    s3.uploads.set('other', { ...upload, key: `other/ab/7.${newUid()}` })
    assert.equal((await site.remove()).endedUploads, 1)
    assert.deepEqual([...s3.uploads.keys()], ['young', 'other'])
  })
})

describe('a place of contents', () => {
  const place = () => ({ store, prefix: `${newUid()}/` })

  async function mark(at: ReturnType<typeof place>, uuid: string): Promise<void> {
    await beginMark(at, uuid)
    await finishMark(at, uuid)
  }

  test('belongs to the site that marked it', async () => {
    const at = place()
    await assert.rejects(requireMarked(at, 'one'), /instance\.json is missing/)
    await mark(at, 'one')
    await requireMarked(at, 'one')
    await assert.rejects(requireMarked(at, 'two'), /of another site/)
    await assert.rejects(beginMark(at, 'two'), /of another site/)
  })

  test('of a process that was killed while it created a site is taken by the next process', async () => {
    const at = place()
    await beginMark(at, 'one')
    await assert.rejects(requireMarked(at, 'two'), /instance\.json is missing/)
    await mark(at, 'two')
    await requireMarked(at, 'two')
    await assert.rejects(finishMark(at, 'one'), /of another site/)
  })

  test('that lacks only the last step of a new site is completed by the next node', async () => {
    const at = place()
    await beginMark(at, 'one')
    await requireMarked(at, 'one')
    await assert.rejects(beginMark(at, 'two'), /of another site/)
  })

  test('is refused if it contains foreign objects', async () => {
    const at = place()
    await store.put(`${at.prefix}a.txt`, Buffer.from('a'))
    await assert.rejects(beginMark(at, 'one'), /holds other objects/)
  })

  for (const text of ['{"format":2,"uuid":"one"}', 'half', '7']) {
    test(`with the mark ${text} is refused`, async () => {
      const at = place()
      await store.put(`${at.prefix}instance.json`, Buffer.from(text))
      await assert.rejects(requireMarked(at, 'one'), /another version/)
    })
  }

  test('is refused if the store forbids reading', async (t) => {
    s3.break({ fault: { status: 403, code: 'AccessDenied' }, when: /./ })
    t.after(() => s3.mend())
    await assert.rejects(
      requireMarked(place(), 'one'),
      /cannot be used: GetObject: 403 AccessDenied/,
    )
  })
})
