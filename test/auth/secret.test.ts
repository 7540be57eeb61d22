import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, hintOf, isSecret, newSecret } from '../../lib/auth/secret.ts'

test('secrets have one form, never repeat, and are distinguished from texts with one changed character', () => {
  const secrets = Array.from({ length: 500 }, newSecret)
  assert.equal(new Set(secrets).size, 500)
  for (const secret of secrets) {
    assert.match(secret, /^cms_[0-9A-Za-z]{49}$/)
    assert.ok(isSecret(secret))
    const at = 4 + (secret.charCodeAt(10) % 49)
    const other = secret[at] === 'x' ? 'y' : 'x'
    assert.equal(isSecret(`${secret.slice(0, at)}${other}${secret.slice(at + 1)}`), false)
  }
})

test('the checksum of secrets is part of the format', () => {
  // A secret of 43 digits with its CRC-32 in base62, calculated by an independent program.
  assert.ok(isSecret('cms_3mVq8XKc1ZtR7yBn0LwPa5GhJdSf2EuTo9iQxYsWkC43QlCuW'))
})

const WRONG: readonly (readonly [string, string])[] = [
  ['no text', ''],
  ['only the prefix', 'cms_'],
  ['one digit missing', newSecret().slice(0, -1)],
  ['a wrong checksum', `cms_${'0'.repeat(48)}1`],
  ['a line end after it', `${newSecret()}\n`],
  ['a space before it', ` ${newSecret()}`],
  ['capitals for the prefix', newSecret().replace('cms', 'CMS')],
]
for (const [what, text] of WRONG) {
  test(`a text with ${what} is not a secret`, () => assert.equal(isSecret(text), false))
}

test('only a hash and a hint of 8 characters of a secret are stored', () => {
  const secret = newSecret()
  assert.match(hashSecret(secret), /^[0-9a-f]{64}$/)
  assert.equal(hashSecret(secret), hashSecret(secret))
  assert.equal(hintOf(secret), `${secret.slice(0, 8)}…`)
})
