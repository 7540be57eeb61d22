// What is kept of the use of a key: when, and from where. What follows from it for who asks: guard.test.ts.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type KeyUse, openKeyUse } from '../../lib/auth/key-use.ts'
import { type ApiKey, type ApiKeyUse, apiKey, apiKeyUse } from '../../lib/schema/api-key.ts'
import { buildRecord } from '../../lib/schema/record.ts'
import { openRecords } from '../../lib/storage/records/records.ts'
import { openMemoryKv } from '../helpers/memory-kv.ts'

const NOW = new Date('2026-01-02T03:04:05Z')
const BEFORE = '2026-01-01T00:00:00.000Z'
const opened: KeyUse[] = []
after(async () => {
  for (const keyUse of opened) await keyUse.close()
})

/** The keys 1 and 2, the first with a row as it was before there were sources. */
async function open() {
  const kv = openMemoryKv()
  let isFull = false
  const commit: typeof kv.commit = (plan) =>
    isFull ? Promise.reject(new Error('full')) : kv.commit(plan)
  const records = openRecords({ ...kv, commit })
  const values = { name: 'x', user_id: 1, grants: null, asset_category_id: null, status: 'active' }
  const keyOf = (id: number): ApiKey => buildRecord(apiKey, values, { id, owner: 'x', now: BEFORE })
  await records.commit((unit) => {
    for (const id of [1, 2]) unit.put(apiKey.recordType, [id], keyOf(id))
    unit.put(apiKeyUse, [1], { last_used: BEFORE })
  })
  const keyUse = openKeyUse(records, () => ({ now: NOW, jumps: [] }))
  opened.push(keyUse)
  const find = (id: number): ApiKeyUse | undefined => records.get(apiKeyUse, id)?.value
  const fill = (value: boolean): void => {
    isFull = value
  }
  return { records, keyUse, find, fill }
}

const use = (apiKeyId: number, source: string | undefined, now = NOW) => ({ apiKeyId, source, now })

test('a row of before the sources is read, and gets them', async () => {
  const { keyUse, find } = await open()
  assert.equal(keyUse.isFamiliar(1, '192.0.2.1'), false)
  for (const source of ['192.0.2.1', '192.0.2.2', '192.0.2.1', undefined])
    keyUse.note(use(1, source))
  assert.equal(keyUse.isFamiliar(1, '192.0.2.2'), true)
  await keyUse.flush()
  assert.deepEqual(find(1), {
    last_used: NOW.toISOString(),
    sources: ['192.0.2.1', '192.0.2.2'],
  })
  assert.deepEqual(
    ['192.0.2.1', '192.0.2.3'].map((source) => keyUse.isFamiliar(1, source)),
    [true, false],
  )
})

test('what could not be written is known all the same, and written the next time', async () => {
  const { keyUse, find, fill } = await open()
  keyUse.note(use(1, '192.0.2.1'))
  keyUse.note(use(2, '192.0.2.9'))
  fill(true)
  const flushing = keyUse.flush()
  assert.equal(keyUse.isFamiliar(1, '192.0.2.1'), true)
  keyUse.note(use(1, '192.0.2.2'))
  await assert.rejects(flushing, /full/)
  assert.equal(find(1)?.last_used, BEFORE)

  fill(false)
  await keyUse.flush()
  assert.deepEqual(find(1)?.sources, ['192.0.2.2', '192.0.2.1'])
  assert.deepEqual(find(2)?.sources, ['192.0.2.9'])
})

test('a key that is deleted within the minute of its use leaves nothing behind', async () => {
  const { keyUse, records, find } = await open()
  keyUse.note(use(2, '192.0.2.1'))
  await records.commit((unit) => unit.remove(apiKey.recordType, 2))
  await keyUse.flush()
  assert.equal(find(2), undefined)
})
