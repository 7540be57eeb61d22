// Encrypted values that clients and the disk keep: only their key decrypts them, and later releases must
// decrypt them too. A changed key derivation would make every cursor and every kept answer unreadable, so the
// tests pin one sample of each.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCursorCipher } from '../../lib/auth/site-tokens.ts'
import { decrypt, encrypt } from '../../lib/auth/encryption.ts'

const SITE_KEY = new Uint8Array(32).fill(7)
const CURSOR = Buffer.from('["a",5]').toString('base64url')
const ENCRYPTED_CURSOR = 'LNoSIEFaLllOSxqxB5lVMc85ezOSkH8'
const NOT_OURS = { code: 'bad-qry' }

describe('a cursor', () => {
  const cipher = openCursorCipher(SITE_KEY)

  test('is always the same text, even after a restart', () => {
    assert.equal(cipher.encrypt(CURSOR), ENCRYPTED_CURSOR)
    assert.equal(openCursorCipher(SITE_KEY).decrypt(ENCRYPTED_CURSOR), CURSOR)
  })

  test('is decrypted unchanged, whatever its length', () => {
    for (let length = 0; length < 70; length += 1) {
      const cursor = Buffer.alloc(length, 'x').toString('base64url')
      assert.equal(cipher.decrypt(cipher.encrypt(cursor)), cursor)
    }
  })

  test('is refused if any character is changed, if it is truncated, and on another site', () => {
    for (let at = 0; at < ENCRYPTED_CURSOR.length; at += 1) {
      const other = ENCRYPTED_CURSOR[at] === 'A' ? 'B' : 'A'
      const text = `${ENCRYPTED_CURSOR.slice(0, at)}${other}${ENCRYPTED_CURSOR.slice(at + 1)}`
      assert.throws(() => cipher.decrypt(text), NOT_OURS, text)
    }
    for (const text of ['', 'A', ENCRYPTED_CURSOR.slice(0, 20), `${ENCRYPTED_CURSOR}=`])
      assert.throws(() => cipher.decrypt(text), NOT_OURS, text)
    const elsewhere = openCursorCipher(new Uint8Array(32).fill(8))
    assert.throws(() => elsewhere.decrypt(ENCRYPTED_CURSOR), NOT_OURS)
  })
})

describe('an encrypted text', () => {
  const key = { secret: 's', purpose: 'p' }
  const kept = 'tR2C6mEKeJidM/l4bvG2A+Jen7/PuaoqgTrU3kPq0rg='

  test('differs each time and is decrypted by its key', () => {
    assert.notEqual(encrypt('zoë', key), encrypt('zoë', key))
    for (const text of ['', 'zoë', 'x'.repeat(1_000)])
      assert.equal(decrypt(encrypt(text, key), key), text)
  })

  test('of an earlier release is decrypted', () => assert.equal(decrypt(kept, key), 'zoë'))

  test('is not decrypted with another secret, for another purpose, or with a changed bit', () => {
    assert.equal(decrypt(kept, { ...key, secret: 'S' }), undefined)
    assert.equal(decrypt(kept, { ...key, purpose: 'P' }), undefined)
    for (let at = 0; at < 32; at += 1) {
      const bytes = Buffer.from(kept, 'base64')
      bytes[at] = (bytes[at] ?? 0) ^ 1
      assert.equal(decrypt(bytes.toString('base64'), key), undefined, `byte ${at}`)
    }
  })
})
