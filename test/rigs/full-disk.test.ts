// Servers on disks that fill up: the reserve of free space, and the behavior when the reserve was
// too small.

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { makeKey, startChild } from '../helpers/child-server.ts'
import { contentsIn, removeDataDirectories, untilContents } from '../helpers/data-directory.ts'
import { openSocket } from '../helpers/raw.ts'
import { send } from '../helpers/server.ts'
import { fillDisk, limitFiles, resizeDisk, whyNoDisks } from '../helpers/small-disk.ts'
import { closeFullSite, type FullSite, openFullSite, requireFull, untilReady } from './full-site.ts'

const MIB = 1024 * 1024
const skip = whyNoDisks()

afterEach(closeFullSite)
after(removeDataDirectories)

describe('the minimum of free space', { skip }, () => {
  const args = ['--min-free-mb', '16', '--min-free-percent', '0', '--scrub-days', '0']

  test('S13, S15: new content is refused before it is read, then all but deletes, and all is accepted again later', async () => {
    const full = await openFullSite({ mb: 64 }, { mb: 64 }, args)
    const { call, upload, createFile, dataDir } = full
    const kept = await upload(MIB)
    const deleted = await upload(MIB)
    const page = await createFile('<p>1</p>')
    const pagePath = `/api/v2/asset_file/${page.body.asset_file_id}`

    let release = fillDisk(dataDir, 12 * MIB)
    await untilReady(full, { status: 503, detail: /New content is rejected/ })
    requireFull(await upload(1_000))
    requireFull(await createFile('<p>2</p>'))
    requireFull(await call('POST', pagePath, { json: { pageContent: '<p>2</p>' } }))
    assert.match(await answerToHead(full), /^HTTP\/1\.1 507 /)
    assert.equal((await call('POST', pagePath, { json: { title: 'changed' } })).status, 200)
    assert.equal((await call('GET', `${pagePath}/publish`)).status, 200)
    assert.equal((await call('GET', kept.body.url)).bytes.length, MIB)

    release()
    release = fillDisk(dataDir, 3 * MIB)
    await untilReady(full, { status: 503, detail: /All changes except deletes/ })
    requireFull(await call('POST', pagePath, { json: { title: 'more' } }))
    requireFull(await call('GET', `${pagePath}/publish`))
    assert.equal((await call('GET', kept.body.url)).bytes.length, MIB)
    const path = `/api/v2/asset_file/${deleted.body.asset_file_id}`
    assert.equal((await call('DELETE', path)).status, 204)

    release()
    await untilReady(full, { status: 200 })
    assert.equal((await upload(MIB)).status, 201)
    assert.equal((await call('POST', pagePath, { json: { pageContent: '2' } })).status, 200)
  })

  test('S13: the refusal, the log and /ready name the flags of the minimum', async () => {
    const full = await openFullSite({ mb: 64 }, { mb: 64 }, [])
    await untilReady(full, { status: 503, detail: /a quarter of --min-free-mb/ })
    const { body } = await full.createFile('<p>1</p>')
    assert.match(body.detail, /--min-free-mb/)
    const { stderr } = await full.child.kill('SIGTERM')
    assert.match(stderr, /disk nearly full; all changes except deletes .* --min-free-mb/)
  })

  test('S14: the minimum also applies to the disk of the records', async () => {
    const full = await openFullSite({ mb: 64 }, { mb: 64 }, args)
    const release = fillDisk(join(full.dataDir, 'records'), 12 * MIB)
    await untilReady(full, { status: 503, detail: /New content is rejected/ })
    requireFull(await full.upload(1_000))
    release()
    await untilReady(full, { status: 200 })
    assert.equal((await full.upload(1_000)).status, 201)
  })

  test('S15: a disk that is almost out of inodes accepts no new content', async () => {
    const full = await openFullSite({ mb: 64, inodes: 400 }, { mb: 64 }, args)
    assert.equal((await full.upload(MIB)).status, 201)
    limitFiles(full.dataDir, 2)
    await untilReady(full, { status: 503, detail: /New content is rejected/ })
    requireFull(await full.upload(1_000))
    resizeDisk(full.dataDir, { mb: 64, inodes: 400 })
    await untilReady(full, { status: 200 })
  })

  test('an upload whose Content-Length exceeds the free space is refused before it is sent', async () => {
    const full = await openFullSite({ mb: 64 }, { mb: 64 }, args)
    assert.match(await answerToHead(full, 60 * MIB), /^HTTP\/1\.1 507 /)
    assert.equal((await full.upload(MIB)).status, 201)
  })
})

/** Returns the answer to an upload of which only the head is sent. */
async function answerToHead({ child, dataDir }: FullSite, length = 1_000): Promise<string> {
  const key = await makeKey(dataDir)
  const socket = await openSocket(child.url)
  const first = new Promise<string>((resolve) =>
    socket.once('data', (chunk) => resolve(chunk.toString())),
  )
  const head = [
    'POST /upload HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const answer = await first
  socket.destroy()
  return answer
}

describe('a disk that is full nevertheless', { skip }, () => {
  // A deletion must succeed on a full disk. With a trash, only the deletion from the trash must.
  const args = [
    '--min-free-mb',
    '0',
    '--scrub-days',
    '0',
    '--max-upload-mb',
    '64',
    '--trash-days',
    '0',
  ]

  test('S13: an upload that does not fit gets 507, leaves nothing, and other requests continue', async () => {
    const { call, upload, createFile, dataDir } = await openFullSite({ mb: 16 }, { mb: 64 }, args)
    const kept = await upload(8 * MIB)
    requireFull(await upload(12 * MIB))
    assert.deepEqual(readdirSync(join(dataDir, '.tmp')), [])
    assert.equal(contentsIn(dataDir).length, 1)

    // The upload is buffered in memory and written by a worker in a single step.
    const release = fillDisk(dataDir, 200_000)
    requireFull(await upload(400_000))
    assert.deepEqual(readdirSync(join(dataDir, '.tmp')), [])
    assert.equal((await call('GET', kept.body.url)).bytes.length, 8 * MIB)
    assert.equal((await call('GET', '/ready', { key: null })).status, 200)

    // Small contents are durable in their record and become files when there is space.
    const { status } = await createFile('x'.repeat(20_000))
    assert.equal(status, 201)
    release()
    assert.equal((await upload(400_000)).status, 201)
    await untilContents(dataDir, 3)
  })

  test('S13, S38: a stop without space for its mark succeeds, and the next start checks everything', async () => {
    const full = await openFullSite({ mb: 16 }, { mb: 64 }, args)
    assert.equal((await full.createFile('x'.repeat(20_000))).status, 201)
    await untilContents(full.dataDir, 1)
    const release = fillDisk(full.dataDir, 0)
    const { code, stderr } = await full.child.kill('SIGTERM')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /disk full; the clean stop could not be recorded/)
    release()
    const again = await startChild(full.dataDir, args)
    assert.equal((await again.kill('SIGTERM')).code, 0)
    assert.match(again.stderr(), /"wasCrash":true/)
  })

  test('S15: without an inode for one more file an upload gets 507, and is accepted once there is one', async () => {
    const inodes = 400
    const full = await openFullSite({ mb: 64, inodes }, { mb: 64 }, args)
    const { upload, call, dataDir } = full
    const kept = await upload(MIB)
    // No inode is left for a temporary file.
    limitFiles(dataDir, 0)
    requireFull(await upload(MIB))
    requireFull(await upload(400_000))
    assert.deepEqual(readdirSync(join(dataDir, '.tmp')), [])
    assert.equal((await call('GET', kept.body.url)).bytes.length, MIB)

    resizeDisk(dataDir, { mb: 64, inodes })
    assert.equal((await upload(MIB)).status, 201)
  })

  test('S14: records that cannot grow refuse changes with 507 and lose nothing', async () => {
    const full = await openFullSite({ mb: 64 }, { mb: 3 }, args)
    const { call, child, dataDir } = full
    const folder = (name: string) =>
      call('POST', '/api/v2/asset_category', { json: { name, description: 'x'.repeat(30_000) } })
    const made: number[] = []
    let answer = await folder('0')
    for (let count = 1; answer.status === 201 && count < 500; count += 1) {
      made.push(answer.body.asset_category_id)
      answer = await folder(String(count))
    }
    requireFull(answer)

    assert.equal((await call('DELETE', `/api/v2/asset_category/${made.pop()}`)).status, 204)
    for (const id of made)
      assert.equal((await call('GET', `/api/v2/asset_category/${id}`)).status, 200)
    resizeDisk(join(dataDir, 'records'), { mb: 16 })
    assert.equal((await folder('after')).status, 201)
    assert.equal((await child.kill('SIGTERM')).code, 0)
    assert.ok(existsSync(join(dataDir, 'clean.json')))
  })

  test('S14: a server with a full disk stops normally and starts again', async () => {
    const full = await openFullSite({ mb: 64 }, { mb: 3 }, args)
    const { call, child, dataDir } = full
    const folder = (name: string, sizeBytes: number) =>
      call('POST', '/api/v2/asset_category', {
        json: { name, description: 'x'.repeat(sizeBytes) },
      })
    for (const sizeBytes of [100_000, 10_000, 1_000, 10]) {
      let count = 0
      while ((await folder(`${sizeBytes}-${count}`, sizeBytes)).status === 201) count += 1
    }
    assert.equal((await child.kill('SIGTERM')).code, 0)

    const next = await startChild(dataDir, args)
    const { body } = await send(next.url, 'GET', '/ready', {})
    assert.deepEqual(body, { status: 'ready', version: body.version })
    assert.equal((await next.kill('SIGTERM')).code, 0)
  })
})
