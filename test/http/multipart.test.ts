import assert from 'node:assert/strict'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { CmsError } from '../../lib/base/errors.ts'
import {
  assertRefused,
  CUT_HERE,
  FILE,
  filePart,
  form,
  GOOD,
  hashAll,
  ID,
  part,
  type Received,
  type Sending,
  sendForm,
  sha256,
} from './form-server.ts'

test('a received file is discarded if the form is invalid', async () => {
  const endings = [part('unknown', 'x'), FILE, part('Filedata', 'x'), part('title', 'x'.repeat(65))]
  const bodies = [...endings.map((ending) => form(FILE, ending)), form(FILE, ID).subarray(0, -20)]

  for (const body of bodies) {
    const outcome = await sendForm({ body })
    assert.ok(outcome.error instanceof CmsError)
    assert.deepEqual(outcome.dropped, [{ sizeBytes: 5, sha256: sha256('hello') }])
  }
})

test('a file that was not received completely is not discarded', async () => {
  for (const abort of [true, false]) {
    const body = GOOD.subarray(0, CUT_HERE)
    const contentLength = abort ? GOOD.length : CUT_HERE
    const outcome = await sendForm({ body, contentLength, abort })

    assert.deepEqual([outcome.streams, outcome.dropped], [1, []])
  }
})

test('no part is delivered after a fault, not even from the same chunk', async () => {
  const outcome = await sendForm({ body: form(part('unknown', 'x'), FILE) })

  assertRefused(outcome, 'bad-multipart', /not known/, 'same chunk')
  assert.equal(outcome.streams, 0)
})

test('the fault is reported after a slowly failing receiver', async () => {
  let isSettled = false
  const receive = async (stream: Readable): Promise<Received> => {
    try {
      return await hashAll(stream)
    } finally {
      await wait(50)
      isSettled = true
    }
  }

  await sendForm({ body: GOOD.subarray(0, CUT_HERE), receive })
  assert.equal(isSettled, true)
})

// Limits the size inside a pipeline, as a store does.
async function receiveAtMost(maxBytes: number, stream: Readable): Promise<Received> {
  let sizeBytes = 0
  const limiter = new Transform({
    transform(chunk, _encoding, done) {
      sizeBytes += chunk.length
      done(sizeBytes > maxBytes ? new CmsError('too-large', 'over the limit') : null, chunk)
    },
  })
  const sink = new PassThrough().resume()
  await pipeline(stream, limiter, sink)
  return { sizeBytes, sha256: '' }
}

test('an error of the receiver passes unchanged, whatever follows', async () => {
  const large = filePart('x'.repeat(300_000))
  const receive = (stream: Readable) => receiveAtMost(100_000, stream)
  const bodies = [form(large, ID), form(ID, large), form(large, ID).subarray(0, 200_000)]

  for (const body of bodies) {
    assertRefused(await sendForm({ body, receive }), 'too-large', /over the limit/, 'limiter')
  }
})

test('a foreign error of the receiver also passes unchanged', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const sendings: Sending['receive'][] = [
    async () => Promise.reject(full),
    () => {
      throw full
    },
    async (stream) => {
      await hashAll(stream)
      throw full
    },
  ]

  for (const receive of sendings) {
    if (receive === undefined) continue
    const outcome = await sendForm({ body: form(filePart('x'.repeat(300_000)), ID), receive })
    assert.equal(outcome.error, full)
    assert.deepEqual(outcome.dropped, [])
    assert.deepEqual(outcome.listenersAfter, outcome.listenersBefore)
  }
})

test('a receiver that only echoes the broken stream does not hide the fault', async () => {
  const receive = (stream: Readable) =>
    hashAll(stream).catch((cause) => {
      throw new CmsError('internal', 'the stream broke', { cause })
    })

  const outcome = await sendForm({ body: GOOD.subarray(0, CUT_HERE), receive })
  assertRefused(outcome, 'bad-multipart', /cut or malformed/, 'echo')
})

test('an error of the receiver takes precedence over an earlier fault of the form', async () => {
  const receive = (stream: Readable) =>
    hashAll(stream).catch(() => {
      throw new CmsError('disk-full', 'no room')
    })

  const outcome = await sendForm({ body: GOOD.subarray(0, CUT_HERE), receive })
  assertRefused(outcome, 'disk-full', /no room/, 'own reason')
})

test('a receiver that does not read all bytes does not block the form', async () => {
  const receive = async () => ({ sizeBytes: 0, sha256: '' })

  const outcome = await sendForm({ body: form(filePart('x'.repeat(1_000_000)), ID), receive })
  assert.deepEqual(outcome.fields, { asset_category_id: '12' })
})
