// Pictures in other sizes, resumable uploads, schedules, the trash, copies, batches and the retention of versions on a disk
// that is full, and afterwards, when there is space again.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, test } from 'node:test'
import sharp from 'sharp'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { readMetrics, valueOf } from '../helpers/metrics.ts'
import { halves } from '../helpers/pictures.ts'
import { fillDisk, resizeDisk, whyNoDisks } from '../helpers/small-disk.ts'
import { listTrash, restore, trashItem } from '../helpers/trash.ts'
import { append, begin, look } from '../helpers/tus.ts'
import { closeFullSite, type FullSite, openFullSite, requireFull } from './full-site.ts'

const MIB = 1024 * 1024
const FILE = '/api/v2/asset_file'
const ARGS = ['--min-free-mb', '0', '--scrub-days', '0', '--max-upload-mb', '64']
const skip = whyNoDisks()

afterEach(closeFullSite)
after(removeDataDirectories)

/** Creates folders with ever smaller descriptions until not even the smallest fits. */
async function fillRecords({ call }: FullSite): Promise<void> {
  for (const sizeBytes of [100_000, 10_000, 1_000, 10])
    for (let count = 0; ; count += 1) {
      const json = { name: `${sizeBytes}-${count}`, description: 'x'.repeat(sizeBytes) }
      const answer = await call('POST', '/api/v2/asset_category', { json })
      if (answer.status === 201) continue
      requireFull(answer)
      break
    }
}

const growRecords = ({ dataDir }: FullSite): void =>
  resizeDisk(join(dataDir, 'records'), { mb: 16 })

function formsIn(dataDir: string): readonly string[] {
  const folder = join(dataDir, '.pictures')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

test('S13: a picture is resized although the result cannot be stored, and stored once there is space', {
  skip,
}, async () => {
  const { call, upload, dataDir } = await openFullSite({ mb: 16 }, { mb: 64 }, ARGS)
  const { body: file } = await upload(await halves(600, 400).png().toBuffer(), 'png')
  const widthOf = async (width: number): Promise<number> => {
    const { bytes, status, text } = await call('GET', `${file.url}?width=${width}`)
    assert.equal(status, 200, text)
    return (await sharp(bytes).metadata()).width
  }
  const release = fillDisk(dataDir, 0)
  assert.deepEqual([await widthOf(90), await widthOf(90)], [90, 90])
  assert.deepEqual([formsIn(dataDir), readdirSync(join(dataDir, '.tmp'))], [[], []])

  release()
  assert.equal(await widthOf(90), 90)
  assert.equal(formsIn(dataDir).length, 1)
})

test('S13: a resumable upload on a full disk gets 507, and continues at its offset once there is space', {
  skip,
}, async () => {
  const full = await openFullSite({ mb: 16 }, { mb: 64 }, ARGS)
  const { dataDir, call } = full
  const bytes = randomBytes(8 * MIB)
  const values = { asset_category_id: 1, filename: 'large.bin' }
  const path = String((await begin(full, values, bytes.length)).headers.location)
  await append(full, path, 0, bytes.subarray(0, 2 * MIB))
  const release = fillDisk(dataDir, 3 * MIB)
  requireFull(await append(full, path, 2 * MIB, bytes.subarray(2 * MIB)))
  assert.equal((await look(full, path)).headers['upload-offset'], String(2 * MIB))
  assert.equal(valueOf(await readMetrics(call), 'cms_resumable_uploads_unfinished_bytes'), 2 * MIB)

  release()
  assert.equal((await append(full, path, 2 * MIB, bytes.subarray(2 * MIB))).status, 204)
  const { headers } = await look(full, path)
  const { body } = await call('GET', `${FILE}/${headers['upload-asset-file-id']}`)
  assert.equal(body.sha256, createHash('sha256').update(bytes).digest('hex'))
})

test('S14: schedules that come due on a full disk are carried out once there is space', {
  skip,
}, async () => {
  const full = await openFullSite({ mb: 64 }, { mb: 3 }, ARGS)
  const { call, createFile } = full
  const due = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 10_000)
  for (let count = 0; count < 40; count += 1) {
    const { body } = await createFile(`<p>${count}</p>`)
    const json = { publish_at: due.toISOString() }
    assert.equal((await call('POST', `${FILE}/${body.asset_file_id}`, { json })).status, 200)
  }
  const states = async (): Promise<readonly unknown[]> => {
    const { body } = await call('GET', `${FILE}?length=1000`)
    const rows = body.asset_file.map((file: any) => [
      file.live_version,
      file.publish_at === null,
      file.schedule_fault,
    ])
    return [...new Set(rows.map((row: unknown) => JSON.stringify(row)))]
  }
  await fillRecords(full)
  await sleep(Math.max(0, due.getTime() - Date.now()) + 3_000)
  assert.deepEqual(await states(), ['[null,false,null]'])

  growRecords(full)
  for (
    let tries = 0;
    (await states()).length > 1 || (await states())[0] !== '[1,true,null]';
    tries += 1
  ) {
    assert.ok(tries < 200, JSON.stringify(await states()))
    await sleep(50)
  }
})

test('S14: on full records, copies, batches and restores are refused as a whole, and a deletion ends once there is space', {
  skip,
}, async () => {
  const full = await openFullSite({ mb: 64 }, { mb: 3 }, ARGS)
  const { call, createFile } = full
  const { body: folder } = await call('POST', '/api/v2/asset_category', { json: { name: 'all' } })
  const folderPath = `/api/v2/asset_category/${folder.asset_category_id}`
  const files: number[] = []
  for (let count = 0; count < 40; count += 1) {
    const { body } = await createFile(`<p>${count}</p>`)
    files.push(body.asset_file_id)
    const json = { parent_category_id: folder.asset_category_id }
    await call('POST', `${FILE}/${body.asset_file_id}`, { json })
  }
  const deleted = await createFile('<p>deleted</p>')
  await call('DELETE', `${FILE}/${deleted.body.asset_file_id}`)
  const [item] = await listTrash(full)
  const list = async (): Promise<readonly unknown[]> => {
    const { body } = await call('GET', `${FILE}?length=1000`)
    return body.asset_file.map((f: any) => [f.asset_file_id, f.live_version, f.parent_category_id])
  }
  const operations = files.map((id) => ({ op: 'publish', asset_file_id: id }))
  const asks = [
    () => call('POST', `${folderPath}/copy`, { json: { name: 'copy' } }),
    () => call('POST', '/api/v2/batch', { json: { mode: 'all', operations } }),
    () => call('POST', `${folderPath}/publish`, { json: {} }),
    () => restore(full, item),
  ]
  await fillRecords(full)
  const before = await list()
  for (const ask of asks) requireFull(await ask())
  assert.deepEqual(await list(), before)
  const remove = () => call('DELETE', `${folderPath}?recursive=true`)
  const deletion = await remove()
  if (deletion.status !== 204) requireFull(deletion)

  // A start on a full disk does not wait for the rest of the deletion.
  await full.restart()
  growRecords(full)
  if (deletion.status !== 204) assert.equal((await remove()).status, 204)
  assert.deepEqual(await list(), [])
  // The rest of the deletion follows by itself.
  const back = await restore(
    full,
    await trashItem(full, 'asset_category', folder.asset_category_id),
  )
  assert.equal(back.status, 200, back.text)
  assert.deepEqual(await list(), before)
  for (const ask of asks) {
    const answer = await ask()
    assert.ok(answer.status < 300, answer.text)
  }
})
