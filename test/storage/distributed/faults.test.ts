// Contents when the store, or the connection to the store, is broken: test/helpers/breaking-s3.ts.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError } from '../../../lib/base/errors.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { newUid } from '../../../lib/storage/embedded/data-paths.ts'
import type { ContentName, Sealed } from '../../../lib/storage/port.ts'
import { INLINE_ROWS } from '../../../lib/storage/records/inline-contents.ts'
import { BUCKET, type Fault, startBreakingS3 } from '../../helpers/breaking-s3.ts'
import { sha256 } from '../../helpers/data-directory.ts'
import { readAll } from '../../helpers/read-all.ts'
import { AT_ONCE, CACHE_BYTES, type Node, type NodeOptions, openNode } from './open-cluster.ts'

const KIB = 1024
const MIB = 1024 * KIB
const PAGE = { fileId: 7, type: 'bin' }
/** TIMES lets a single hang end soon. IMPATIENT gives up soon when the store stays silent. */
const TIMES = { connectMs: 1_000, attemptMs: 600, callMs: 10_000 }
const IMPATIENT = { connectMs: 300, attemptMs: 300, callMs: 1_000 }
const SLOW_DOWN = { status: 503, code: 'SlowDown' }
const BROKEN = { status: 500, code: 'InternalError' }

const pool = openPool(2)
const s3 = await startBreakingS3()
const nodes: Node[] = []
afterEach(() => s3.mend())
after(async () => {
  for (const node of nodes) await node.close()
  await s3.close()
  await pool.close()
})

async function open(more: Partial<NodeOptions> & { prefix?: string } = {}): Promise<Node> {
  const { prefix = `${newUid()}/`, ...rest } = more
  const settings = {
    bucket: BUCKET,
    endpoint: s3.endpoint,
    accessKeyId: 'a',
    secretAccessKey: 'b',
    forcePathStyle: true,
    prefix,
    cacheBytes: CACHE_BYTES,
  }
  const node = await openNode({ settings, pool, times: TIMES, limits: AT_ONCE, ...rest })
  nodes.push(node)
  return node
}

/** Opens two nodes of one site. The second node has no local copy of what the first node writes. */
async function openTwo(more: Partial<NodeOptions> = {}): Promise<{
  readonly first: Node
  readonly second: Node
}> {
  const prefix = `${newUid()}/`
  return { first: await open({ prefix }), second: await open({ prefix, ...more }) }
}

function nameOf({ uid }: Sealed): ContentName {
  return { fileId: 7, uid }
}

async function upload({ contents }: Node, bytes: Buffer): Promise<Sealed> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / MIB) }, (_, at) =>
    bytes.subarray(at * MIB, (at + 1) * MIB),
  )
  const received = await contents.receive(Readable.from(pieces), { maxBytes: 64 * MIB })
  return received.seal(PAGE)
}

function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof CmsError, String(error))
  assert.equal(error.code, 'unavailable')
  assert.match(error.facts.headers?.['retry-after'] ?? '', /^\d+$/)
  return true
}

/**
 * A retry does not help, so the error has no Retry-After. The cause names the call, the status and
 * the code.
 */
function isRefusedBy(said: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof CmsError, String(error))
    assert.deepEqual([error.code, error.facts.headers], ['unavailable', undefined])
    assert.match(String(error.facts.cause), said)
    return true
  }
}

/** Files in the cache, including unfinished downloads. */
function filesHere({ cacheDir }: Node): readonly string[] {
  return readdirSync(cacheDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const PUT = /^PUT .*\/[0-9a-f]{2}\/7\./
const PART = /^PUT .*partNumber=2/
const GET = /^GET .*\/[0-9a-f]{2}\/7\./

describe('a save', () => {
  const passing: readonly (readonly [string, Fault])[] = [
    ['a cut connection', 'cut'],
    ['a lost response', 'lost'],
    ['500', BROKEN],
    ['503 SlowDown', SLOW_DOWN],
    ['silence', 'silent'],
  ]
  for (const [what, fault] of passing) {
    test(`survives ${what}`, async () => {
      const node = await open()
      s3.break({ fault, when: PUT, times: 1 })
      const bytes = randomBytes(200 * KIB)
      const sealed = await node.contents.write({ bytes }, PAGE)
      assert.ok((await node.contents.read(nameOf(sealed), sealed))?.equals(bytes))
      const [object] = [...s3.objects].find(([key]) => key.endsWith(sealed.uid)) ?? []
      assert.ok(object)
    })

    test(`of a multipart upload survives ${what}`, async () => {
      const { first, second } = await openTwo()
      s3.break({ fault, when: PART, times: 1 })
      const bytes = randomBytes(17 * MIB)
      const sealed = await upload(first, bytes)
      const opened = await second.contents.open(nameOf(sealed))
      assert.ok(opened && (await readAll(opened.chunks())).equals(bytes))
    })

    if (fault === 'lost' || fault === BROKEN) continue
    for (const when of [PUT, PART]) {
      test(`is refused if ${what} lasts (${when.source}), and leaves no local file`, async () => {
        const node = await open({ times: IMPATIENT })
        s3.break({ fault, when })
        const bytes = randomBytes(when === PUT ? 200 * KIB : 9 * MIB)
        await assert.rejects(upload(node, bytes), isUnavailable)
        assert.deepEqual(filesHere(node), [])
        assert.equal(s3.uploads.size, 0)
      })
    }
  }

  test('succeeds if an unanswered attempt has already completed the upload', async () => {
    const { first, second } = await openTwo()
    s3.break({ fault: 'lost', when: /^POST .*uploadId=/, times: 1 })
    const bytes = randomBytes(9 * MIB)
    const sealed = await upload(first, bytes)
    assert.equal(await second.contents.verify(nameOf(sealed), { ...sealed, type: 'bin' }), true)
  })

  test('is refused if the store is full', async () => {
    const node = await open()
    s3.break({ fault: { status: 403, code: 'QuotaExceeded' }, when: PUT })
    await assert.rejects(node.contents.write({ text: 'a' }, PAGE), { code: 'disk-full' })
  })

  test('is refused if the bucket is missing or the key is no longer valid', async () => {
    const node = await open()
    for (const fault of [
      { status: 404, code: 'NoSuchBucket' },
      { status: 403, code: 'AccessDenied' },
      { status: 403, code: 'SignatureDoesNotMatch' },
      { status: 501, code: 'NotImplemented' },
    ]) {
      s3.break({ fault, when: PUT, times: 1 })
      const said = new RegExp(`PutObject: ${fault.status} ${fault.code}`)
      await assert.rejects(node.contents.write({ text: 'a' }, PAGE), isRefusedBy(said))
    }
  })
})

describe('a read of a content that is not local', () => {
  const passing: readonly (readonly [string, Fault])[] = [
    ['a cut connection', 'cut'],
    ['500', BROKEN],
    ['503 SlowDown', SLOW_DOWN],
    ['silence', 'silent'],
    ['half a body', 'cut-body'],
    ['a body that stops', 'stalled-body'],
    ['a flipped bit', 'wrong-byte'],
  ]
  for (const [what, fault] of passing) {
    for (const size of fault === 'wrong-byte' ? [10 * KIB, 3 * MIB] : [3 * MIB]) {
      test(`of ${size} bytes survives ${what}`, async () => {
        const { first, second } = await openTwo()
        const bytes = randomBytes(size)
        const sealed = await upload(first, bytes)
        s3.break({ fault, when: GET, times: 1 })
        assert.ok((await second.contents.read(nameOf(sealed), sealed))?.equals(bytes))
      })
    }
    if (fault === 'wrong-byte') continue

    test(`of a part of a large content survives ${what}`, async () => {
      const { first, second } = await openTwo()
      const bytes = randomBytes(9 * MIB)
      const sealed = await upload(first, bytes)
      const opened = await second.contents.open(nameOf(sealed))
      s3.break({ fault, when: GET, times: 1 })
      const range = { start: 1 * MIB, end: 2 * MIB }
      assert.ok(
        opened && (await readAll(opened.chunks(range))).equals(bytes.subarray(MIB, 2 * MIB + 1)),
      )
    })

    if (fault === BROKEN) continue
    test(`is refused, and not reported as damaged, if ${what} lasts`, async () => {
      const { first, second } = await openTwo({ times: IMPATIENT })
      const sealed = await upload(first, randomBytes(10 * KIB))
      const name = nameOf(sealed)
      s3.break({ fault, when: /\/7\./ })
      await assert.rejects(second.contents.read(name, sealed), isUnavailable)
      // The answer to HEAD has no body that could be cut.
      if (fault !== 'cut-body' && fault !== 'stalled-body') {
        await assert.rejects(second.contents.open(name), isUnavailable)
        await assert.rejects(
          second.contents.verify(name, { ...sealed, type: 'bin' }),
          isUnavailable,
        )
      }
      assert.deepEqual(filesHere(second), [])
      s3.mend()
      assert.ok(await second.contents.read(name, sealed))
    })
  }

  test('is reported as damaged if the store has other bytes than were saved', async () => {
    const { first, second } = await openTwo()
    for (const size of [10 * KIB, 3 * MIB]) {
      const sealed = await upload(first, randomBytes(size))
      s3.break({ fault: 'wrong-byte', when: GET })
      assert.equal(await second.contents.read(nameOf(sealed), sealed), undefined)
      s3.mend()
    }
    assert.deepEqual(filesHere(second), [])
  })

  test('is reported as damaged if the object is missing, but not if the bucket is missing', async () => {
    const node = await open()
    const name = { fileId: 7, uid: newUid() }
    assert.equal(await node.contents.open(name), undefined)
    s3.break({ fault: { status: 404, code: 'NoSuchBucket' }, when: /\/7\./ })
    const isRefused = isRefusedBy(/GetObject: 404 NoSuchBucket/)
    await assert.rejects(node.contents.open(name), isRefused)
    await assert.rejects(node.contents.read(name, { sizeBytes: 1, sha256: 'a' }), isRefused)
  })

  test('fetches the object once for all waiting requests', async () => {
    const { first, second } = await openTwo()
    const sealed = await upload(first, randomBytes(3 * MIB))
    const before = s3.asked.length
    const all = Array.from({ length: 50 }, () => second.contents.read(nameOf(sealed), sealed))
    for (const bytes of await Promise.all(all))
      assert.equal(sha256(bytes ?? Buffer.of()), sealed.sha256)
    assert.equal(s3.asked.slice(before).filter((line) => GET.test(line)).length, 1)
  })
})

describe('a local copy', () => {
  test('is read while the store does not respond', async () => {
    const { first, second } = await openTwo()
    const bytes = randomBytes(3 * MIB)
    const sealed = await upload(first, bytes)
    await second.contents.read(nameOf(sealed), sealed)
    s3.break({ fault: 'silent', when: /./ })
    for (const node of [first, second]) {
      const opened = await node.contents.open(nameOf(sealed))
      assert.ok(opened && (await readAll(opened.chunks())).equals(bytes))
      assert.ok((await node.contents.read(nameOf(sealed), sealed))?.equals(bytes))
    }
  })

  for (const size of [3 * MIB, 6 * MIB]) {
    test(`of ${size} bytes that was damaged is dropped and fetched again`, async () => {
      const prefix = `${newUid()}/`
      const first = await open({ prefix })
      const bytes = randomBytes(size)
      const sealed = await upload(first, bytes)
      const [path = ''] = filesHere(first)
      const wrong = Buffer.from(bytes)
      wrong.writeUInt8(bytes.readUInt8(5) ^ 1, 5)
      writeFileSync(path, wrong)

      const again = await open({ prefix, cacheDir: first.cacheDir })
      const opened = await again.contents.open(nameOf(sealed))
      assert.ok(opened && (await readAll(opened.chunks())).equals(bytes))
      assert.ok((await again.contents.read(nameOf(sealed), sealed))?.equals(bytes))
      assert.ok(filesHere(again).every((file) => readFileSync(file).equals(bytes)))
    })
  }
})

describe('a content that is part of a commit', () => {
  const small = { limits: {} }

  test('stays in its row until the store has it', async () => {
    const node = await open(small)
    s3.break({ fault: BROKEN, when: PUT })
    const sealed = await node.contents.write({ text: 'small' }, PAGE)
    await node.commit(sealed)
    await node.close()
    assert.equal(node.kv.count(INLINE_ROWS), 1)
    assert.ok(node.troubles.includes('contents could not be flushed to files; retrying'))
    assert.equal(String(await node.contents.read(nameOf(sealed), sealed)), 'small')
  })

  test('is written to the store by the node that committed it', async () => {
    const prefix = `${newUid()}/`
    const first = await open({ ...small, prefix })
    const second = await open({ ...small, prefix, kv: first.kv })
    const sealed = await first.contents.write({ text: 'small' }, PAGE)
    s3.break({ fault: BROKEN, when: PUT })
    await first.commit(sealed)
    await sleep(50)
    const before = s3.asked.length
    await second.close()
    assert.deepEqual(
      s3.asked.slice(before).filter((line) => PUT.test(line)),
      [],
    )
    s3.mend()
    await first.close()
    assert.equal(first.kv.count(INLINE_ROWS), 0)
  })
})

test('a removal that the store does not answer is logged and does not fail the change', async () => {
  const node = await open()
  const sealed = await upload(node, randomBytes(KIB))
  s3.break({ fault: 'cut', when: /^DELETE/ })
  await node.contents.remove([nameOf(sealed)])
  assert.deepEqual(node.troubles, [
    'contents could not be removed from the store; the next orphan sweep removes them',
  ])
})
