import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { exportTree } from '../../lib/client/export.ts'
import { importTree } from '../../lib/client/import.ts'
import { openProxy } from './proxy.ts'
import { openServer } from './server.ts'
import { readTree, temporaryDirectory, writeTree } from './tree.ts'

it('a change whose response was lost is made once and counted correctly', async (t) => {
  const server = await openServer()
  t.after(() => server.close())
  const { url, takeLost } = await openProxy(t, server.url, { losesAnswers: true })
  const source = await writeTree(t, { 'in/a.txt': 'one', 'in/b.bin': randomBytes(2_000_000) })
  const target = await temporaryDirectory(t)
  const options = { source, url, key: server.key, categoryId: 1 }

  const created = await importTree({ ...options, publish: false })
  assert.deepEqual([created.uploaded, created.unchanged, created.folders], [2, 0, 1])
  assert.deepEqual(takeLost(), ['POST /api/v2/asset_category', 'POST /upload', 'POST /upload'])

  await writeFile(join(source, 'in/a.txt'), 'second')
  const replaced = await importTree({ ...options, publish: true })
  assert.deepEqual([replaced.replaced, replaced.unchanged, replaced.published], [1, 1, 2])
  assert.equal(takeLost().length, 2)

  const answer = await server.get(
    '/api/v2/asset_file?fields=name,version,live_version&orderStr=name',
  )
  assert.deepEqual(answer['asset_file'], [
    { name: 'a.txt', version: 2, live_version: 2 },
    { name: 'b.bin', version: 1, live_version: 1 },
  ])

  const exported = await exportTree({ url, key: server.key, target, state: 'live' })
  assert.deepEqual([exported.written, exported.failed, takeLost().length], [2, 0, 2])
  const { 'Modules/': modules, ...found } = await readTree(target)
  assert.deepEqual(found, await readTree(source))
})

it('files of a batch whose response was lost are counted correctly', async (t) => {
  const server = await openServer()
  t.after(() => server.close())
  const { url, takeLost } = await openProxy(t, server.url, { losesAnswers: true })
  const source = await writeTree(t, { 'a.html': '<p>a</p>', 'b.html': '<p>b</p>' })

  const options = { source, url, key: server.key, categoryId: 1, publish: true }
  const { uploaded, unchanged, published, failed } = await importTree(options)
  assert.deepEqual([uploaded, unchanged, published, failed], [2, 0, 2, 0])
  // The retry sends the files one by one; each name is already taken. The answer to the first upload is lost
  // too.
  assert.deepEqual(takeLost(), ['POST /api/v2/asset_file', 'POST /upload'])

  const answer = await server.get('/api/v2/asset_file?fields=version,live_version')
  const once = { version: 1, live_version: 1 }
  assert.deepEqual(answer['asset_file'], [once, once])
})
