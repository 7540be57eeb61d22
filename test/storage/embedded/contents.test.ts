import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { INLINE_ROWS, inlineKey, putInline } from '../../../lib/storage/records/inline-contents.ts'
import { watchContentDisk } from '../../../lib/storage/embedded/content-disk.ts'
import { buildWriteFiles, openContents } from '../../../lib/storage/embedded/file-contents.ts'
import type { ContentLimits } from '../../../lib/storage/engine.ts'
import { openHolds } from '../../../lib/storage/embedded/backup-holds.ts'
import { openWriteOut } from '../../../lib/storage/embedded/content-flush.ts'
import {
  contentPath,
  dataPathsOf,
  makeDirectories,
  newUid,
} from '../../../lib/storage/embedded/data-paths.ts'
import type { ContentName } from '../../../lib/storage/port.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { filesIn, sha256 } from '../../helpers/data-directory.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'
import { readAll } from '../../helpers/read-all.ts'
import { temporaryDirectory } from '../../helpers/server.ts'
import { contentsContract, type OpenContentStore } from '../contents-contract.ts'

const pool = openPool(2)
after(() => pool.close())

function opener(limits: ContentLimits): OpenContentStore {
  return async () => {
    const dataDir = temporaryDirectory()
    const { kv, writeOut, contents } = openIn(dataDir, limits)
    return {
      contents,
      commit: async ({ uid, inline }) => {
        if (inline === undefined) return
        await kv.commit((writer) => putInline(writer, { fileId: 7, uid }, inline))
        writeOut.add(inline.length)
      },
      count: () => filesIn(dataDir).length + kv.count(INLINE_ROWS),
      close: async () => {
        await writeOut.close()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }
}

function openIn(
  dataDir: string,
  limits: ContentLimits,
  onTrouble: (cause: unknown) => void = assert.ifError,
) {
  const dataPaths = dataPathsOf(dataDir)
  makeDirectories(dataPaths)
  const kv = openMemoryKv()
  const disk = watchContentDisk(pool, assert.ifError)
  const writeOut = openWriteOut({ kv, write: buildWriteFiles(dataPaths, pool), onTrouble })
  const contents = openContents({ dataPaths, disk, limits, kv, writeOut, holds: openHolds() })
  return { dataPaths, kv, writeOut, contents }
}

const PAGE = { fileId: 7, type: 'html' }
const SECRET = { sizeBytes: 6, sha256: sha256(Buffer.from('secret')) }

const AT_ONCE = { ...LIMITS, inlineContentBytes: -1 }

contentsContract('the embedded engine, small ones in the commit', opener(LIMITS))
contentsContract('the embedded engine, each written at once', opener(AT_ONCE))

describe('contents that were stored in a commit', () => {
  const dataDir = temporaryDirectory()
  const { dataPaths, kv, writeOut, contents } = openIn(dataDir, LIMITS)
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  test('become files before they are removed from the records', async () => {
    const names: ContentName[] = []
    for (let fileId = 1; fileId <= 600; fileId += 1) {
      const { uid, inline } = await contents.write({ text: `text ${fileId}` }, PAGE)
      const name = { fileId, uid }
      await kv.commit((writer) => putInline(writer, name, inline ?? Buffer.alloc(0)))
      names.push(name)
    }
    assert.equal(kv.count(INLINE_ROWS), 600)
    assert.equal(filesIn(dataDir).length, 0)

    await writeOut.close()
    assert.equal(kv.count(INLINE_ROWS), 0)
    for (const name of names)
      assert.equal(readFileSync(contentPath(dataPaths, name), 'utf8'), `text ${name.fileId}`)
  })

  test('share a directory with the contents of the same second', async () => {
    const secondOf = (): number => Math.floor(Date.now() / 1_000)
    const first = secondOf()
    const directories = new Set<string>()
    for (let fileId = 1; fileId <= 50; fileId += 1) {
      const { uid } = await contents.write({ text: `text ${fileId}` }, PAGE)
      directories.add(dirname(contentPath(dataPaths, { fileId, uid })))
    }
    assert.ok(directories.size <= secondOf() - first + 1, [...directories].join(' '))
  })

  test('stay in the records if they cannot become files before a stop', async (t) => {
    const other = temporaryDirectory()
    t.after(() => rmSync(other, { recursive: true, force: true }))
    const troubles: unknown[] = []
    const site = openIn(other, LIMITS, (cause) => troubles.push(cause))
    const name = { fileId: 1, uid: newUid() }
    const shard = dirname(contentPath(site.dataPaths, name))
    rmSync(shard, { recursive: true })
    writeFileSync(shard, '')
    await site.kv.commit((writer) => putInline(writer, name, Buffer.from('whole')))

    await site.writeOut.close()
    assert.deepEqual([troubles.length, site.kv.count(INLINE_ROWS)], [1, 1])
  })

  test('replace a partial file after a crash', async (t) => {
    const other = temporaryDirectory()
    t.after(() => rmSync(other, { recursive: true, force: true }))
    const half = openIn(other, LIMITS)
    const name = { fileId: 1, uid: newUid() }
    writeFileSync(contentPath(half.dataPaths, name), 'who')
    await half.kv.commit((writer) => putInline(writer, name, Buffer.from('whole')))

    const opened = await half.contents.open(name)
    assert.equal(opened && String(await readAll(opened.chunks())), 'whole')
    await half.writeOut.close()
    assert.equal(readFileSync(contentPath(half.dataPaths, name), 'utf8'), 'whole')
  })

  test('are not served when their row is damaged', async () => {
    const name = { fileId: 1, uid: newUid() }
    const expected = { sizeBytes: 5, sha256: sha256(Buffer.from('whole')) }
    await kv.commit((writer) => putInline(writer, name, Buffer.from('whole')))
    const value = kv.get(inlineKey(name)) ?? Buffer.alloc(9)
    value.writeUInt8(0, 6)
    await kv.commit((writer) => writer.put(inlineKey(name), value))
    assert.equal(await contents.read(name, expected), undefined)
  })
})

describe('S23: a foreign object with the name of a content', { timeout: 20_000 }, () => {
  const dataDir = temporaryDirectory()
  const { dataPaths, contents } = openIn(dataDir, AT_ONCE)
  const outside = join(dataDir, 'outside')
  writeFileSync(outside, 'secret')
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const kinds: readonly (readonly [string, (path: string) => void])[] = [
    ['a symbolic link', (path) => symlinkSync(outside, path)],
    ['a second name of another file', (path) => linkSync(outside, path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a directory', (path) => mkdirSync(path)],
  ]
  for (const [what, plant] of kinds) {
    test(`${what} is treated as missing`, async () => {
      const name = { fileId: 1, uid: newUid() }
      const path = contentPath(dataPaths, name)
      plant(path)

      assert.equal(await contents.read(name, SECRET), undefined)
      assert.equal(await contents.open(name), undefined)
      for (const sizeBytes of [6, LIMITS.inlineJsonBytes + 1]) {
        assert.equal(
          await contents.encode(name, { ...SECRET, sizeBytes, maxBytes: Infinity }),
          undefined,
        )
      }
      const input = { paths: [path], isInBackup: false }
      assert.deepEqual(await pool.run('hashFiles', input), [undefined])
      await assert.rejects(contents.diff({ ...name, label: 'a' }, { ...name, label: 'b' }), {
        code: 'content-damaged',
      })
    })
  }

  test('S19: files and directories are readable only by their owner', async () => {
    const { uid } = await contents.write({ text: 'a' }, { fileId: 1, type: 'txt' })
    const path = contentPath(dataPaths, { fileId: 1, uid })
    const modes = execFileSync('stat', ['-c', '%a', path, dirname(path), dataPaths.tmp])
      .toString()
      .trim()
      .split('\n')
    assert.deepEqual(modes, ['600', '700', '700'])
  })
})
