import assert from 'node:assert/strict'
import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openCtr, openHmac } from '../../lib/auth/site-cipher.ts'

const SIZES = [0, 1, 15, 16, 17, 64, 65, 1_000]
const KEY = randomBytes(32)

test('hashes and encrypts exactly like the objects of Node', () => {
  const hmac = openHmac(KEY)
  const turn = openCtr(KEY)
  // With the last initialization vector, incrementing the counter carries over all bytes.
  const ivs = [randomBytes(16), Buffer.alloc(16), Buffer.alloc(16, 0xff)]
  for (const bytes of SIZES.map((size) => randomBytes(size))) {
    assert.deepEqual(hmac(bytes), createHmac('sha256', KEY).update(bytes).digest())
    for (const iv of ivs) {
      const cipher = createCipheriv('aes-256-ctr', KEY, iv)
      const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
      assert.deepEqual(turn(iv, bytes), encrypted)
      assert.deepEqual(turn(iv, encrypted), bytes)
    }
  }
})
