// How passwords are hashed: a fast hash would reveal the passwords to anybody with a copy of the
// disk.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '@node-rs/argon2'
import { hashPassword, verifyPassword } from '../../lib/workers/passwords.ts'

test('a password is stored as argon2id with 19 MiB, two passes, one lane and a new salt', async () => {
  const kept = await hashPassword('correct horse battery')
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.ok(await verify(kept, 'correct horse battery'))
  assert.ok(!(await verify(kept, 'correct horse batterY')))
  assert.notEqual(await hashPassword('correct horse battery'), kept)
})

test('a password is verified against its hash and never accepted without one', async () => {
  const hashed = await hashPassword('correct horse battery')
  assert.ok(await verifyPassword({ hashed, password: 'correct horse battery' }))
  assert.ok(!(await verifyPassword({ hashed, password: 'correct horse batterY' })))
  assert.ok(!(await verifyPassword({ hashed: null, password: '' })))
})
