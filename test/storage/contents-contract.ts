// The contract of Contents for every engine. The test of an engine calls contentsContract with a
// function that opens an empty store.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CmsError } from '../../lib/base/errors.ts'
import type { ContentName, Contents, Sealed } from '../../lib/storage/port.ts'
import { sha256 } from '../helpers/data-directory.ts'
import { readAll } from '../helpers/read-all.ts'

export interface OpenContents {
  readonly contents: Contents
  /** Commits the bytes that are not durable yet. */
  commit(sealed: Sealed): Promise<void>
  /** The number of stored contents, finished or not. */
  count(): number
  close(): Promise<void>
}

export type OpenContentStore = () => Promise<OpenContents>

const UNBOUNDED = Number.POSITIVE_INFINITY
const KIB = 1024
const PAGE = { fileId: 7, type: 'html' }
const STML = { fileId: 7, type: 'stml' }
const GOOD_STML = '<div id="dd.0"><p>a</p></div>'
const BAD_STML = '<div id="dd.0"><p>a</div>'

/** Expectations of a page that is encoded at once, and of a page that a worker encodes. */
const SMALL = { sizeBytes: 1, sha256: '' }
const LARGE = { sizeBytes: 1024 * KIB, sha256: '' }

const MANY = { maxBytes: 8 * 1024 * KIB }

/** Sizes below and above the limit of what an engine keeps in memory, and an odd size. */
const SIZES = [0, 1, 512 * KIB, 512 * KIB + 1, 3 * 1024 * KIB + 5]

export function contentsContract(name: string, open: OpenContentStore): void {
  describe(`contents on ${name}`, () => {
    writeContract(open)
    receiveContract(open)
    readContract(open)
    removeContract(open)
    stmlContract(open)
    verifyContract(open)
  })
}

function writeContract(open: OpenContentStore): void {
  test('written bytes are described and read back unchanged', async (t) => {
    const { contents, commit } = await openFor(t, open)
    const text = 'grüße \u{1f600}'
    const sealed = await contents.write({ text }, PAGE)
    await commit(sealed)

    const { uid, inline: _, ...described } = sealed
    assert.deepEqual(described, {
      sizeBytes: 12,
      sha256: sha256(Buffer.from(text)),
      isText: true,
      sniffedType: undefined,
    })
    assert.equal(String(await contents.read(nameOf(uid), described)), text)
  })

  test('equal bytes get different names and do not overwrite each other', async (t) => {
    const { contents, commit, count } = await openFor(t, open)
    const both = await Promise.all([
      contents.write({ text: 'a' }, PAGE),
      contents.write({ text: 'a' }, PAGE),
    ])
    for (const sealed of both) await commit(sealed)

    assert.notEqual(both[0].uid, both[1].uid)
    assert.equal(count(), 2)
  })

  const kinds = [
    ['text', Buffer.from('plain'), true, undefined],
    ['markup that reads "free", as a video may', Buffer.from('<h1>free</h1>'), true, undefined],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>'), true, 'application/xml'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff]), false, undefined],
    ['text with NUL', Buffer.from('a\0b'), false, undefined],
    ['a PDF', Buffer.from('%PDF-1.4 \xff', 'latin1'), false, 'application/pdf'],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), false, 'image/jpeg'],
    ['a JPEG-LS', Buffer.from('ffd8fff7000b0800', 'hex'), false, 'image/jls'],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), false, 'image/png'],
  ] as const
  for (const [what, bytes, isText, sniffedType] of kinds) {
    test(`${what}: isText is ${isText}, and the type of the bytes is ${sniffedType}`, async (t) => {
      const { contents } = await openFor(t, open)
      const written = await contents.write({ bytes }, PAGE)
      const received = await (
        await contents.receive(Readable.from([bytes]), { maxBytes: KIB })
      ).seal(PAGE)

      for (const sealed of [written, received])
        assert.deepEqual([sealed.isText, sealed.sniffedType], [isText, sniffedType])
    })
  }
}

function receiveContract(open: OpenContentStore): void {
  for (const size of SIZES) {
    test(`an upload of ${size} bytes is complete once it is sealed and missing before`, async (t) => {
      const { contents, commit } = await openFor(t, open)
      const bytes = pattern(size)
      const seen: Buffer[] = []
      const options = { ...MANY, onChunk: (chunk: Buffer) => void seen.push(chunk) }
      const received = await contents.receive(chunked(bytes), options)
      assert.equal(received.sizeBytes, size)
      assert.ok(Buffer.concat(seen).equals(bytes))

      const sealed = await received.seal(PAGE)
      assert.deepEqual([sealed.sizeBytes, sealed.sha256], [size, sha256(bytes)])
      await commit(sealed)
      assert.ok((await contents.read(nameOf(sealed.uid), sealed))?.equals(bytes))
    })

    test(`a discarded upload of ${size} bytes leaves nothing`, async (t) => {
      const { contents, count } = await openFor(t, open)
      const received = await contents.receive(chunked(pattern(size)), MANY)
      await received.discard()
      assert.equal(count(), 0)
    })
  }

  for (const limit of [10, 600 * KIB]) {
    test(`an upload of one byte over the limit ${limit} is refused and leaves nothing`, async (t) => {
      const { contents, count } = await openFor(t, open)
      await (await contents.receive(chunked(pattern(limit)), { maxBytes: limit })).discard()

      await assert.rejects(
        contents.receive(chunked(pattern(limit + 1)), { maxBytes: limit }),
        hasCode('too-large'),
      )
      assert.equal(count(), 0)
    })
  }

  test('a stream that fails in the middle leaves nothing', async (t) => {
    const { contents, count } = await openFor(t, open)
    for (const size of [KIB, 1024 * KIB]) {
      const failure = new Error('the client went away')
      await assert.rejects(contents.receive(Readable.from(failing(size, failure)), MANY), failure)
    }
    assert.equal(count(), 0)
  })

  test('a closed stream is refused with the error that closed it', async (t) => {
    const { contents } = await openFor(t, open)
    const failure = new Error('the client went away')
    for (const cause of [undefined, failure]) {
      const stream = chunked(pattern(KIB)).on('error', () => undefined)
      stream.destroy(cause)
      await sleep(1)
      const given = Promise.race([contents.receive(stream, MANY), sleep(5_000, 'nothing')])
      await assert.rejects(given, cause ?? /closed before its end/)
    }
  })
}

function readContract(open: OpenContentStore): void {
  test('a range includes both ends, and any number of ranges can be open', async (t) => {
    const { contents } = await openFor(t, open)
    const bytes = pattern(1024 * KIB)
    const { uid } = await contents.write({ bytes }, PAGE)
    const ranges = [
      undefined,
      { start: 0, end: 0 },
      { start: 5, end: 700_000 },
      { start: bytes.length - 1, end: bytes.length - 1 },
    ]

    await Promise.all(
      ranges.map(async (range) => {
        const opened = await contents.open(nameOf(uid))
        assert.equal(opened?.sizeBytes, bytes.length)
        const part = opened === undefined ? undefined : await readAll(opened.chunks(range))
        assert.ok(part?.equals(bytes.subarray(range?.start ?? 0, (range?.end ?? bytes.length) + 1)))
      }),
    )
  })

  test('a chunk is valid until the next one is requested', async (t) => {
    const { contents } = await openFor(t, open)
    const bytes = randomBytes(3 * 1024 * KIB + 1)
    const { uid } = await contents.write({ bytes }, PAGE)
    const opened = await contents.open(nameOf(uid))
    assert.ok(opened)

    const copies: Buffer[] = []
    for await (const chunk of opened.chunks()) {
      // Gives a read-ahead the time to overwrite the memory of the chunk.
      await sleep(20)
      copies.push(Buffer.from(chunk))
    }
    assert.ok(Buffer.concat(copies).equals(bytes))
  })

  test('an open content can be read to its end after its removal', async (t) => {
    const { contents } = await openFor(t, open)
    const bytes = pattern(2 * 1024 * KIB)
    const { uid } = await contents.write({ bytes }, PAGE)
    const opened = await contents.open(nameOf(uid))
    await contents.remove([nameOf(uid)])

    const read = opened === undefined ? undefined : await readAll(opened.chunks())
    assert.ok(read?.equals(bytes))
  })

  for (const size of [0, KIB, 300 * KIB]) {
    test(`a text of ${size} characters is encoded as a JSON string`, async (t) => {
      const { contents } = await openFor(t, open)
      const text = '"\u2028\\ä\n'.repeat(size / 4)
      const { uid, sizeBytes, sha256: hash } = await contents.write({ text }, PAGE)
      const expected = { sizeBytes, sha256: hash, maxBytes: UNBOUNDED }

      const encoded = await contents.encode(nameOf(uid), expected)
      assert.equal(JSON.parse(Buffer.from(encoded ?? []).toString()), text)
      assert.equal(
        await contents.encode(nameOf(uid), { ...expected, sha256: sha256(Buffer.from('other')) }),
        undefined,
      )
      if (size < 300 * KIB) return
      const tooLarge = await contents.encode(nameOf(uid), { ...expected, maxBytes: 2 * size })
      assert.equal(Buffer.from(tooLarge ?? []).toString(), 'null')
    })
  }

  test('two texts are compared line by line', async (t) => {
    const { contents, commit } = await openFor(t, open)
    const left = await contents.write({ text: 'a\nb\nc\n' }, PAGE)
    const right = await contents.write({ text: 'a\nB\nc\n' }, PAGE)
    for (const sealed of [left, right]) await commit(sealed)

    const diff = await contents.diff(
      { ...nameOf(left.uid), label: 'one' },
      { ...nameOf(right.uid), label: 'two' },
    )
    assert.ok(diff.endsWith('--- one\n+++ two\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'))
  })

  test('a missing content is undefined in every read', async (t) => {
    const { contents } = await openFor(t, open)
    const name = nameOf('0'.repeat(32))
    const answers = [
      await contents.read(name, SMALL),
      await contents.open(name),
      await contents.encode(name, { maxBytes: UNBOUNDED, ...SMALL }),
      await contents.encode(name, { maxBytes: UNBOUNDED, ...LARGE }),
    ]
    assert.deepEqual(answers, [undefined, undefined, undefined, undefined])
  })
}

function removeContract(open: OpenContentStore): void {
  test('a removed content is gone and can be removed again', async (t) => {
    const { contents, commit, count } = await openFor(t, open)
    const written = await Promise.all(['a', 'b', 'c'].map((text) => contents.write({ text }, PAGE)))
    for (const sealed of written) await commit(sealed)
    const [first, second, kept] = written
    const names = [nameOf(first?.uid ?? ''), nameOf(second?.uid ?? '')]

    await contents.remove(names)
    await contents.remove(names)
    await contents.remove([])

    assert.deepEqual(await Promise.all(names.map((name) => contents.read(name, SMALL))), [
      undefined,
      undefined,
    ])
    assert.equal(String(await contents.read(nameOf(kept?.uid ?? ''), kept ?? SMALL)), 'c')
    assert.equal(count(), 1)
  })
}

function stmlContract(open: OpenContentStore): void {
  test('a page of type stml is checked before it is sealed, and a refused one leaves nothing', async (t) => {
    const { contents, commit, count } = await openFor(t, open)
    const big = `${GOOD_STML.slice(0, -6)}${' '.repeat(600 * KIB)}`
    const upload = (text: string) => contents.receive(chunked(Buffer.from(text)), MANY)

    await assert.rejects(contents.write({ text: BAD_STML }, STML), hasCode('stml-invalid'))
    await assert.rejects((await upload(BAD_STML)).seal(STML), hasCode('stml-invalid'))
    await assert.rejects((await upload(big)).seal(STML), hasCode('stml-invalid'))
    await assert.rejects(
      contents.write({ bytes: Buffer.from([0xff]) }, STML),
      hasCode('stml-invalid'),
    )
    assert.equal(count(), 0)

    const good = await contents.write({ text: GOOD_STML }, STML)
    await commit(good)
    assert.equal(await contents.verify(nameOf(good.uid), { ...good, type: 'stml' }), true)
    await commit(await (await upload(`${big}</div>`)).seal(STML))
    assert.equal(count(), 2)
  })
}

function verifyContract(open: OpenContentStore): void {
  for (const size of [0, 100, 600 * KIB]) {
    test(`${size} stored bytes are verified, and checked as STML on request`, async (t) => {
      const { contents, commit } = await openFor(t, open)
      const sealed = await contents.write({ text: 'a'.repeat(size) }, PAGE)
      await commit(sealed)
      const name = nameOf(sealed.uid)
      const verify = (more: object): Promise<boolean> =>
        contents.verify(name, { ...sealed, type: 'html', ...more })
      assert.equal(await verify({}), true)
      assert.equal(await verify({ sha256: sha256(Buffer.from('other')), type: 'stml' }), false)
      await assert.rejects(verify({ type: 'STML' }), hasCode('stml-invalid'))
      assert.equal(
        await contents.verify(nameOf('0'.repeat(32)), { ...sealed, type: 'stml' }),
        false,
      )
    })
  }
}

async function openFor(t: TestContext, open: OpenContentStore): Promise<OpenContents> {
  const store = await open()
  t.after(() => store.close())
  return store
}

function nameOf(uid: string): ContentName {
  return { fileId: PAGE.fileId, uid }
}

function pattern(size: number): Buffer {
  return Buffer.from(
    Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 0xff),
  )
}

/** Splits the bytes into chunks whose length divides no size. */
function chunked(bytes: Buffer): Readable {
  const length = 65_521
  const count = Math.ceil(bytes.length / length)
  return Readable.from(
    Array.from({ length: count }, (_, index) =>
      bytes.subarray(index * length, (index + 1) * length),
    ),
  )
}

function* failing(size: number, failure: Error): Generator<Buffer> {
  yield pattern(size)
  throw failure
}

function hasCode(code: string): (error: CmsError) => boolean {
  return (error) => {
    assert.equal(error.code, code)
    return true
  }
}
