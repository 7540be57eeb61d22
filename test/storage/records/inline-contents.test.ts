// Small contents that are stored inline in the commit that names them are read back byte for byte or not
// at all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  INLINE_ROWS,
  inlineKey,
  inlineName,
  inlineSize,
  copyInline,
  findInline,
  putInline,
} from '../../../lib/storage/records/inline-contents.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const NAME = { fileId: 7, uid: '0a'.repeat(16) }
const KEY = inlineKey(NAME)

test('inline contents are found by name, beside other contents', async () => {
  const kv = openMemoryKv()
  const contents = ['longer than the next', '', 'x', 'longer than any of the others']
  await kv.commit((writer) => {
    for (const [at, text] of contents.entries())
      putInline(writer, { fileId: at + 1, uid: 'u' }, Buffer.from(text))
  })
  for (const [at, text] of contents.entries()) {
    const name = { fileId: at + 1, uid: 'u' }
    assert.equal(findInline(kv, name)?.toString(), text)
    assert.equal(inlineSize(kv, inlineKey(name)), text.length)
  }
  assert.equal(findInline(kv, { fileId: 9, uid: 'u' }), undefined)
  assert.equal(inlineSize(kv, inlineKey({ fileId: 9, uid: 'u' })), undefined)
})

test('damaged bytes are not found', async () => {
  const kv = openMemoryKv()
  await kv.commit((writer) => putInline(writer, NAME, Buffer.from('hello')))
  const row = kv.get(KEY) ?? Buffer.alloc(0)
  for (let at = 0; at < row.length; at += 1) {
    const other = Buffer.from(row)
    other[at] = (other[at] ?? 0) ^ 1
    await kv.commit((writer) => writer.put(KEY, other))
    assert.equal(findInline(kv, NAME), undefined, `byte ${at}`)
  }
  assert.equal(row.toString('hex'), `3610a686${Buffer.from('hello').toString('hex')}`)
})

test('a copy fills only its own bytes of the buffer, and nothing if the buffer is too small', async () => {
  const kv = openMemoryKv()
  await kv.commit((writer) => putInline(writer, NAME, Buffer.from('hello')))
  for (const size of [5, 6, 100]) {
    const target = Buffer.alloc(size, '.')
    const copy = copyInline(kv, KEY, target)
    assert.equal(copy && Buffer.from(copy).toString(), 'hello')
    assert.equal(target.toString(), 'hello'.padEnd(size, '.'))
  }
  const small = Buffer.alloc(4, '.')
  assert.deepEqual([copyInline(kv, KEY, small), small.toString()], [undefined, '....'])
  assert.equal(copyInline(kv, inlineKey({ fileId: 8, uid: 'x' }), small), undefined)
})

test('the range of inline contents contains their rows and nothing else', async () => {
  const kv = openMemoryKv()
  const inline: number[] = []
  const records = openRecords(kv, { onInline: (sizeBytes) => inline.push(sizeBytes) })
  await records.commit((unit) => {
    unit.put(book, [1], makeBook(1, { title: 'b' }))
  })
  assert.deepEqual(inline, [])
  await records.commit((unit) => {
    unit.putInline(NAME, Buffer.from('hello'))
    unit.putInline({ ...NAME, fileId: 8 }, Buffer.from('you'))
  })
  assert.deepEqual(inline, [8])
  const rows = [...kv.keys(INLINE_ROWS)]
  assert.deepEqual(rows.map(inlineName), [NAME, { ...NAME, fileId: 8 }])
})
