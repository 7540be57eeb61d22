// Reading any range of a file in chunks, at the sizes where another chunk or another slice begins,
// from the disk and from the page cache.

import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import {
  CHUNK_BYTES as CHUNK,
  type ContentFiles,
  openContentFiles,
  openWarmFiles,
  type WarmFiles,
} from '../../../lib/storage/embedded/content-files.ts'
import type { OpenContent } from '../../../lib/storage/port.ts'
import { readAll } from '../../helpers/read-all.ts'

const SIZE = 5 * CHUNK + 7
const bytes = Buffer.alloc(SIZE)
for (let at = 0; at < SIZE; at += 1) bytes[at] = (at * 31 + (at >>> 8)) % 251
const others = Buffer.alloc(SIZE, 0xff)

let directory: string
let path: string
let other: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'cms-test-'))
  path = join(directory, 'file')
  other = join(directory, 'other')
  writeFileSync(path, bytes)
  writeFileSync(other, others)
})
after(() => rmSync(directory, { recursive: true }))

/** The number of descriptors of the file in this process. */
function descriptors(file: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => targetOf(fd) === file).length
}

function targetOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    // The descriptor of the directory listing is closed by now.
    return undefined
  }
}

/** Another thread closes larger files. */
async function untilClosed(file: string): Promise<void> {
  while (descriptors(file) > 0) await setImmediate()
}

async function opened(files: ContentFiles, file: string): Promise<OpenContent> {
  const content = await files.open(file)
  assert.ok(content)
  return content
}

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

const always: WarmFiles = { has: () => true, add: () => undefined, note: () => undefined }
const never: WarmFiles = { ...always, has: () => false }

for (const [where, warm] of [
  ['on disk', never],
  ['in memory', always],
] as const) {
  describe(`a file that is ${where}`, () => {
    const files = openContentFiles(warm)

    test('a range is read completely in as few chunks as possible, and the file is closed', async () => {
      for (const [start, end] of STRETCHES) {
        const content = await opened(files, path)
        const sizes: number[] = []
        let at = start
        for await (const chunk of content.chunks({ start, end })) {
          assert.ok(
            chunk.equals(bytes.subarray(at, at + chunk.length)),
            `${start} to ${end}: ${at}`,
          )
          sizes.push(chunk.length)
          at += chunk.length
        }
        assert.equal(at, end + 1, `${start} to ${end}`)
        assert.equal(sizes.length, Math.ceil((end + 1 - start) / CHUNK), `${start} to ${end}`)
        await untilClosed(path)
      }
    })

    test('it is read completely, but not if its size differs', async () => {
      const memory = Buffer.alloc(SIZE)
      assert.equal(await files.read(path, memory), true)
      assert.ok(memory.equals(bytes))
      assert.equal(await files.read(path, memory.subarray(1)), false)
      assert.equal(await files.read(join(directory, 'none'), memory), false)
      await untilClosed(path)
    })

    test('two concurrent reads have separate buffers, which are reused', async () => {
      const memories = new Set<ArrayBufferLike>()
      for (let time = 0; time < 3; time += 1) {
        const left = (await opened(files, path)).chunks()[Symbol.asyncIterator]()
        const right = (await opened(files, other)).chunks()[Symbol.asyncIterator]()
        for (let at = 0; at < SIZE; at += CHUNK) {
          const mine = (await left.next()).value as Buffer
          const its = (await right.next()).value as Buffer
          assert.ok(mine.equals(bytes.subarray(at, at + CHUNK)))
          assert.ok(its.equals(others.subarray(at, at + CHUNK)))
          for (const { buffer } of [mine, its]) memories.add(buffer)
        }
        for (const reader of [left, right]) assert.ok((await reader.next()).done)
      }
      assert.equal(memories.size, 2)
    })

    test('an abandoned read keeps its last chunk', async () => {
      const kept: Buffer[] = []
      for (let time = 0; time < 3; time += 1) {
        for await (const chunk of (await opened(files, path)).chunks()) {
          kept.push(chunk)
          break
        }
        await readAll((await opened(files, other)).chunks())
      }
      for (const chunk of kept) assert.ok(chunk.equals(bytes.subarray(0, CHUNK)))
      await untilClosed(path)
    })

    test('a close during a read closes the file once and ends the read', async () => {
      const content = await opened(files, path)
      const reader = content.chunks()[Symbol.asyncIterator]()
      const first = reader.next()
      await content.close()
      await content.close()
      await first.catch(() => undefined)
      await untilClosed(path)
      // The number of the closed descriptor now belongs to another file.
      const next = await opened(files, other)
      await assert.rejects(async () => reader.next(), { message: /closed while it was being read/ })
      await next.close()
    })

    test('a file that ends early fails after its last byte', async () => {
      const content = await opened(files, path)
      let sizeBytes = 0
      await assert.rejects(
        async () => {
          for await (const chunk of content.chunks({ start: SIZE - 5, end: SIZE + 5 }))
            sizeBytes += chunk.length
        },
        { message: `The file ends at byte ${SIZE} and not at ${SIZE + 5}.` },
      )
      assert.equal(sizeBytes, 5)
      await untilClosed(path)
    })
  })
}

test('a file that is truncated during a complete read counts as missing', async () => {
  const files = openContentFiles({
    ...always,
    has(file) {
      if (descriptors(file) > 0) truncateSync(file, 3)
      return true
    },
  })
  const short = join(directory, 'short')
  writeFileSync(short, bytes)
  assert.equal(await files.read(short, Buffer.alloc(SIZE)), false)
})

test('recently read files count as cached, up to a size, until slow reads show otherwise', () => {
  let now = 0
  const warm = openWarmFiles(() => now)
  const MIB = 1024 * 1024
  assert.equal(warm.has('a'), false)
  warm.add('a', 100 * MIB)
  warm.add('empty', 0)
  warm.note(0.1)
  assert.deepEqual([warm.has('a'), warm.has('empty')], [true, true])

  for (let time = 0; time < 2; time += 1) warm.note(10)
  for (let time = 0; time < 20; time += 1) warm.note(0.1)
  for (let time = 0; time < 2; time += 1) warm.note(10)
  assert.equal(warm.has('a'), true)
  warm.note(10)
  assert.equal(warm.has('a'), false)
  now += 1_000
  assert.equal(warm.has('a'), true)

  warm.add('b', 100 * MIB)
  warm.add('too large', 1_000 * MIB)
  assert.deepEqual([warm.has('a'), warm.has('b'), warm.has('too large')], [false, true, false])
})
