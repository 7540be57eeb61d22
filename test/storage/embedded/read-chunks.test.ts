// Any stretch of a file in pieces, at the sizes where another piece or another memory begins.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readChunks } from '../../../lib/storage/embedded/read-chunks.ts'

const CHUNK = 256 * 1024
const SIZE = 5 * CHUNK + 7
const bytes = Buffer.alloc(SIZE)
for (let at = 0; at < SIZE; at += 1) bytes[at] = (at * 31 + (at >>> 8)) % 251

let directory: string
let path: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'cms-test-'))
  path = join(directory, 'file')
  writeFileSync(path, bytes)
})
after(() => rmSync(directory, { recursive: true }))

const isClosed = ({ fd }: FileHandle): boolean => fd === -1

const STRETCHES: readonly (readonly [start: number, end: number])[] = [
  [0, 0],
  [0, 1],
  [SIZE - 1, SIZE - 1],
  [3, 2],
  [0, CHUNK - 1],
  [0, CHUNK],
  [5, CHUNK + 4],
  [5, CHUNK + 5],
  [CHUNK - 1, 3 * CHUNK],
  [0, SIZE - 1],
]

test('a stretch of a file comes whole, in as few pieces as there can be, and the file is closed', async () => {
  for (const [start, end] of STRETCHES) {
    const handle = await open(path)
    const sizes: number[] = []
    let at = start
    for await (const chunk of readChunks(handle, { start, end })) {
      assert.ok(chunk.equals(bytes.subarray(at, at + chunk.length)), `${start} to ${end} at ${at}`)
      sizes.push(chunk.length)
      at += chunk.length
    }
    assert.equal(at, end + 1, `${start} to ${end}`)
    assert.equal(sizes.length, Math.ceil((end + 1 - start) / CHUNK), `${start} to ${end}`)
    assert.ok(isClosed(handle))
  }
})

test('a chunk is good until the next but one is asked for', async () => {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(await open(path), { start: 0, end: SIZE - 1 })) {
    chunks.push(chunk)
    const before = chunks.length - 2
    if (before >= 0)
      assert.ok(chunks[before]?.equals(bytes.subarray(before * CHUNK, (before + 1) * CHUNK)))
  }
  assert.ok(new Set(chunks.map(({ buffer }) => buffer)).size <= 3, 'its memory is used again')
})

test('a file that ends early is a fault, behind what it has', async () => {
  const handle = await open(path)
  let sizeBytes = 0
  await assert.rejects(
    async () => {
      for await (const chunk of readChunks(handle, { start: SIZE - 5, end: SIZE + 5 }))
        sizeBytes += chunk.length
    },
    { message: `The file ends at byte ${SIZE} and not at ${SIZE + 5}.` },
  )
  assert.equal(sizeBytes, 5)
  assert.ok(isClosed(handle))
})

test('who leaves early closes the file', async () => {
  const handle = await open(path)
  for await (const chunk of readChunks(handle, { start: 0, end: SIZE - 1 })) {
    assert.equal(chunk.length, CHUNK)
    break
  }
  assert.ok(isClosed(handle))
})
