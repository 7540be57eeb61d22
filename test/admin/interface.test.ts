// The interface types of the administration area match the OpenAPI document of the server.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildTypes, TYPES_PATH } from './interface-types.ts'

test('the types match the document: npm run admin:types generates them', async () => {
  const [kept, made] = [readFileSync(TYPES_PATH, 'utf8'), await buildTypes()]
  // Compares lines, because a diff of the whole text would print all of it.
  const known = new Set(kept.split('\n'))
  const missing = made.split('\n').filter((line) => !known.has(line))
  assert.deepEqual(missing.slice(0, 5), [])
  assert.ok(kept === made, 'something is in the types that is in the document no more')
})
