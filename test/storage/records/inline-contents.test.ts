// Small contents that are carried in the commit that names them are read back byte for byte or not
// at all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CARRIED,
  carriedKey,
  carriedName,
  carriedSize,
  copyCarried,
  findCarried,
  putCarried,
} from '../../../lib/storage/records/inline-contents.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const NAME = { fileId: 7, uid: '0a'.repeat(16) }
const KEY = carriedKey(NAME)

test('contents that are carried are found by their name, whatever was put before and behind them', async () => {
  const kv = openMemoryKv()
  const contents = ['longer than the next', '', 'x', 'longer than any of the others']
  await kv.commit((writer) => {
    for (const [at, text] of contents.entries())
      putCarried(writer, { fileId: at + 1, uid: 'u' }, Buffer.from(text))
  })
  for (const [at, text] of contents.entries()) {
    const name = { fileId: at + 1, uid: 'u' }
    assert.equal(findCarried(kv, name)?.toString(), text)
    assert.equal(carriedSize(kv, carriedKey(name)), text.length)
  }
  assert.equal(findCarried(kv, { fileId: 9, uid: 'u' }), undefined)
  assert.equal(carriedSize(kv, carriedKey({ fileId: 9, uid: 'u' })), undefined)
})

test('bytes that are not those that were put are not found', async () => {
  const kv = openMemoryKv()
  await kv.commit((writer) => putCarried(writer, NAME, Buffer.from('hello')))
  const row = kv.get(KEY) ?? Buffer.alloc(0)
  for (let at = 0; at < row.length; at += 1) {
    const other = Buffer.from(row)
    other[at] = (other[at] ?? 0) ^ 1
    await kv.commit((writer) => writer.put(KEY, other))
    assert.equal(findCarried(kv, NAME), undefined, `byte ${at}`)
  }
  assert.equal(row.toString('hex'), `3610a686${Buffer.from('hello').toString('hex')}`)
})

test('a copy takes just its bytes of the room, and none where that is too small', async () => {
  const kv = openMemoryKv()
  await kv.commit((writer) => putCarried(writer, NAME, Buffer.from('hello')))
  for (const size of [5, 6, 100]) {
    const target = Buffer.alloc(size, '.')
    const copy = copyCarried(kv, KEY, target)
    assert.equal(copy && Buffer.from(copy).toString(), 'hello')
    assert.equal(target.toString(), 'hello'.padEnd(size, '.'))
  }
  const small = Buffer.alloc(4, '.')
  assert.deepEqual([copyCarried(kv, KEY, small), small.toString()], [undefined, '....'])
  assert.equal(copyCarried(kv, carriedKey({ fileId: 8, uid: 'x' }), small), undefined)
})

test('the rows of carried contents are all of one stretch, and nothing else is', async () => {
  const kv = openMemoryKv()
  const carried: number[] = []
  const records = openRecords(kv, { onCarried: (sizeBytes) => carried.push(sizeBytes) })
  await records.commit((unit) => {
    unit.put(book, [1], makeBook(1, { title: 'b' }))
  })
  assert.deepEqual(carried, [])
  await records.commit((unit) => {
    unit.carry(NAME, Buffer.from('hello'))
    unit.carry({ ...NAME, fileId: 8 }, Buffer.from('you'))
  })
  assert.deepEqual(carried, [8])
  const rows = [...kv.keys(CARRIED)]
  assert.deepEqual(rows.map(carriedName), [NAME, { ...NAME, fileId: 8 }])
})
