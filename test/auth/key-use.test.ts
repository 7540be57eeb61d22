// Recorded use of a key: when and from where. The effects on requests: guard.test.ts.

import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { type KeyUse, openKeyUse } from '../../lib/auth/key-use.ts'
import {
  type ApiKey,
  type ApiKeyUse,
  apiKey,
  apiKeyUse,
  seenTime,
} from '../../lib/schema/api-key.ts'
import { buildRecord } from '../../lib/schema/record.ts'
import { openRecords } from '../../lib/storage/records/records.ts'
import { openMemoryKv } from '../helpers/memory-kv.ts'

const NOW = new Date('2026-01-02T03:04:05Z')
const BEFORE = '2026-01-01T00:00:00.000Z'
const opened: KeyUse[] = []
after(async () => {
  for (const keyUse of opened) await keyUse.close()
})

/** Stores the keys 1 and 2. Key 1 has a usage row from a version that recorded no sources. */
async function open(reportMs?: number) {
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
  const keyUse = openKeyUse(records, { look: () => ({ now: NOW, jumps: [] }), reportMs })
  opened.push(keyUse)
  const find = (id: number): ApiKeyUse | undefined => records.get(apiKeyUse, id)?.value
  const fill = (value: boolean): void => {
    isFull = value
  }
  return { records, keyUse, find, fill }
}

const use = (apiKeyId: number, source: string | undefined, now = NOW) => ({ apiKeyId, source, now })

test('a row from before the sources is read and gets sources', async () => {
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

test('a use that could not be written stays in memory and is written the next time', async () => {
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

test('a key that is deleted within a minute of its use leaves no row', async () => {
  const { keyUse, records, find } = await open()
  keyUse.note(use(2, '192.0.2.1'))
  await records.commit((unit) => unit.remove(apiKey.recordType, 2))
  await keyUse.flush()
  assert.equal(find(2), undefined)
})

test('a key keeps its last 32 sources and its latest use', async () => {
  const { keyUse, find } = await open()
  const later = new Date(NOW.getTime() + 1_000)
  for (let last = 1; last <= 33; last += 1) keyUse.note(use(1, `192.0.2.${last}`))
  keyUse.note(use(1, undefined, later))
  assert.deepEqual(
    [1, 2].map((last) => keyUse.isFamiliar(1, `192.0.2.${last}`)),
    [false, true],
  )
  await keyUse.flush()
  assert.equal(find(1)?.last_used, later.toISOString())
  assert.equal(find(1)?.sources?.length, 32)
  assert.deepEqual(
    [1, 2].map((last) => keyUse.isFamiliar(1, `192.0.2.${last}`)),
    [false, true],
  )
})

test('an unchanged use is not written again', async () => {
  const { keyUse, records } = await open()
  keyUse.note(use(2, '192.0.2.1'))
  await keyUse.flush()
  const { revision } = records.get(apiKeyUse, 2) ?? {}
  await keyUse.flush()
  assert.equal(records.get(apiKeyUse, 2)?.revision, revision)
})

test('a deleted row makes its key unfamiliar', async () => {
  const { keyUse, records } = await open()
  keyUse.note(use(2, '192.0.2.1'))
  await keyUse.flush()
  await records.commit((unit) => unit.remove(apiKeyUse, 2))
  assert.equal(keyUse.isFamiliar(2, '192.0.2.1'), false)
})

test('the use is written with the latest time seen, which never decreases', async () => {
  const kv = openMemoryKv()
  const records = openRecords(kv)
  const jumps = [{ at: BEFORE, seconds: 5 }] as never
  let now = NOW
  const keyUse = openKeyUse(records, { look: () => ({ now, jumps }) })
  opened.push(keyUse)
  await keyUse.flush()
  now = new Date(BEFORE)
  await keyUse.flush()
  assert.deepEqual(records.get(seenTime, 1)?.value, {
    date_seen: NOW.toISOString(),
    date_last: BEFORE,
    jumps: [{ at: BEFORE, seconds: 5 }],
  })
})

test('uses are written once a minute and at the end', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const { keyUse, find } = await open()
    keyUse.note(use(2, '192.0.2.1'))
    mock.timers.tick(59_999)
    await new Promise(setImmediate)
    assert.equal(find(2), undefined)
    mock.timers.tick(1)
    await new Promise(setImmediate)
    assert.deepEqual(find(2)?.sources, ['192.0.2.1'])

    keyUse.note(use(2, '192.0.2.2'))
    await keyUse.close()
    assert.deepEqual(find(2)?.sources, ['192.0.2.2', '192.0.2.1'])
    keyUse.note(use(2, '192.0.2.3'))
    mock.timers.tick(60_000)
    await new Promise(setImmediate)
    assert.equal(find(2)?.sources?.length, 2)
  } finally {
    mock.timers.reset()
  }
})

test('a new source is written soon in a cluster, up to the limit of each key', async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  try {
    const { keyUse, find, fill } = await open(500)
    const pass = async (ms: number): Promise<void> => {
      mock.timers.tick(ms)
      for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate)
    }
    keyUse.note(use(1, '192.0.2.1'))
    await pass(499)
    assert.equal(find(1)?.sources, undefined)
    // A failed write is retried.
    fill(true)
    await pass(1)
    fill(false)
    keyUse.note(use(2, undefined))
    await pass(500)
    assert.deepEqual(find(1)?.sources, ['192.0.2.1'])
    assert.equal(find(2), undefined, 'nobody is to know where that was')

    const later = new Date(NOW.getTime() + 1_000)
    keyUse.note(use(1, '192.0.2.1', later))
    await pass(500)
    assert.equal(find(1)?.last_used, NOW.toISOString(), 'it was known')

    for (let last = 2; last <= 40; last += 1) {
      keyUse.note(use(1, `192.0.2.${last}`))
      await pass(500)
      const told = find(1)?.sources?.length
      assert.equal(told, Math.min(last, 32))
    }
    assert.equal(find(1)?.sources?.[0], '192.0.2.32')
    await pass(60_000)
    assert.equal(find(1)?.sources?.[0], '192.0.2.40')
  } finally {
    mock.timers.reset()
  }
})
