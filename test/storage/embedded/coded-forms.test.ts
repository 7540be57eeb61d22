// The disk cache of compressed forms.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFormStore } from '../../../lib/storage/embedded/coded-forms.ts'
import { newUid } from '../../../lib/storage/embedded/data-paths.ts'
import { temporaryDirectory } from '../../helpers/server.ts'

test('the least recently used forms are removed beyond the maximum', async () => {
  const home = temporaryDirectory()
  const paths = { directory: join(home, '.forms'), tmp: join(home, '.tmp') }
  mkdirSync(paths.tmp)
  const uids = Array.from({ length: 30 }, newUid)
  const form = Buffer.alloc(10_000, 1)
  const limited = { ...paths, maxBytes: 200_000 }
  const store = openFormStore(limited)
  for (const [at, uid] of uids.entries()) {
    const name = { uid, coding: 'br' } as const
    await store.write(name, form)
    const path = join(paths.directory, uid.slice(0, 2), `${uid}.br`)
    // The first form is in use.
    const days = at === 0 ? 0 : 40 - at
    utimesSync(path, Date.now() / 1000, Date.now() / 1000 - days * 24 * 3600)
  }
  const found = await Promise.all(uids.map((uid) => store.read({ uid, coding: 'br' })))
  const kept = found.flatMap((each, at) => (each === undefined ? [] : [at]))
  assert.equal(kept[0], 0)
  assert.equal(kept.at(-1), 29)
  assert.ok(kept.length > 10 && kept.length * 12_288 <= 212_288, `${kept.length} forms`)
  assert.deepEqual(readdirSync(paths.tmp), [])
})
