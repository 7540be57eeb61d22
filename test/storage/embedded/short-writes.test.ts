// A short write: the disk takes a part of the bytes and reports the number, and the rest must
// follow. No disk does this on request, so Node's write call is replaced. The code above the call
// is real.

import assert from 'node:assert/strict'
import fs, { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { Sealing } from '../../../lib/storage/embedded/receive-upload.ts'
import { eventually } from '../../helpers/raw.ts'
import { temporaryDirectory } from '../../helpers/server.ts'

const MIB = 1024 * 1024
const directory = temporaryDirectory()
after(() => fs.rmSync(directory, { recursive: true, force: true }))

/** The maximum number of bytes that each call writes. */
let most = Number.POSITIVE_INFINITY
const { writev, write } = fs
const writevAll = promisify(writev)
const writeAll = promisify(write)
fs.writev = Object.assign((): never => assert.fail('asked without a promise'), {
  [promisify.custom]: (fd: number, chunks: readonly Buffer[]) =>
    writevAll(fd, [Buffer.concat([...chunks]).subarray(0, most)]),
}) as unknown as typeof writev
fs.write = Object.assign((): never => assert.fail('asked without a promise'), {
  [promisify.custom]: (fd: number, bytes: Buffer, at: number) =>
    writeAll(fd, bytes, at, Math.min(most, bytes.length - at)),
}) as unknown as typeof write
syncBuiltinESMExports()
// The import follows the replacement because the module keeps the functions that it imports.
const { receive } = await import('../../../lib/storage/embedded/receive-upload.ts')

const sealing: Sealing = {
  write: () => assert.fail('it is more than stays in memory'),
  async seal() {
    return { uid: '', sizeBytes: 0, sha256: '', isText: false } as never
  },
}

let count = 0
async function receiveAll(chunks: readonly Buffer[]) {
  count += 1
  const tmpPath = join(directory, String(count))
  const stream = Readable.from(chunks)
  const options = { stream, inlineBytes: 10, tmpPath, maxBytes: 100 * MIB }
  return { tmpPath, received: await receive(options, sealing) }
}

/** The number of descriptors of the file in this process. */
function openOf(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }).length
}

for (const part of [Number.POSITIVE_INFINITY, MIB - 1, 300_000]) {
  test(`all bytes are written in order, ${part} at a time`, async () => {
    most = part
    const chunks = [700_000, 700_000, 1, 20].map((size, at) => Buffer.alloc(size, `${at} of some`))
    const { tmpPath, received } = await receiveAll(chunks)
    assert.equal(received.sizeBytes, 1_400_021)
    assert.ok(readFileSync(tmpPath).equals(Buffer.concat(chunks)))
    assert.equal(openOf(tmpPath), 1)
    await received.discard()
    assert.deepEqual([openOf(tmpPath), existsSync(tmpPath)], [0, false])
  })
}

test('a file is closed after it was sealed or could not be sealed', async () => {
  most = Number.POSITIVE_INFINITY
  const whole = await receiveAll([Buffer.alloc(100)])
  await whole.received.seal({ fileId: 1, type: 'bin' })
  assert.deepEqual([openOf(whole.tmpPath), existsSync(whole.tmpPath)], [0, true])

  const seal = sealing.seal
  try {
    Object.assign(sealing, { seal: () => Promise.reject(new Error('no room')) })
    const failing = await receiveAll([Buffer.alloc(100)])
    await assert.rejects(failing.received.seal({ fileId: 1, type: 'bin' }), /no room/)
    assert.deepEqual([openOf(failing.tmpPath), existsSync(failing.tmpPath)], [0, false])
  } finally {
    Object.assign(sealing, { seal })
  }
})

for (const [what, count, sizeBytes] of [
  ['a MiB', 3, 600_000],
  ['1,024 pieces', 1_024, 1],
] as const) {
  test(`${what} of a stream is written before the rest arrives`, async () => {
    most = Number.POSITIVE_INFINITY
    // Without object mode the stream would join chunks that arrive together.
    const stream = new Readable({ objectMode: true, read: () => undefined })
    const tmpPath = join(directory, `awaited-${count}`)
    const receiving = receive({ stream, inlineBytes: 0, tmpPath, maxBytes: 100 * MIB }, sealing)
    for (let at = 0; at < count; at += 1) stream.push(Buffer.alloc(sizeBytes))
    const isWritten = (): boolean =>
      existsSync(tmpPath) &&
      fs.statSync(tmpPath).size >= Math.min(2 * sizeBytes * count, MIB, 1_024)
    assert.ok(await eventually(isWritten, 10_000))
    stream.push(null)
    const received = await receiving
    assert.equal(received.sizeBytes, count * sizeBytes)
    await received.discard()
  })
}

test('a stream that breaks off leaves no file', async () => {
  const stream = new Readable({ read: () => undefined })
  stream.push(Buffer.alloc(2 * MIB))
  const tmpPath = join(directory, 'broken')
  const receiving = receive({ stream, inlineBytes: 10, tmpPath, maxBytes: 100 * MIB }, sealing)
  setImmediate(() => stream.destroy(new Error('cut off')))
  await assert.rejects(receiving, /cut off/)
  assert.deepEqual([openOf(tmpPath), existsSync(tmpPath)], [0, false])
})
