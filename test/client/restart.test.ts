import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { it } from 'node:test'
import { exportTree } from '../../lib/client/export.ts'
import { importTree } from '../../lib/client/import.ts'
import { openServer } from './server.ts'
import { readTree, temporaryDirectory, writeTree } from './tree.ts'

const SMALL_FILES = 300

function manyFiles(): Record<string, Buffer> {
  const files = Array.from({ length: SMALL_FILES }, (_, at) => [
    `folder ${at % 7}/inner ${at % 3}/${at}.bin`,
    randomBytes(20_000),
  ])
  return { ...Object.fromEntries(files), 'big.bin': randomBytes(5_000_000) }
}

it('an import and an export survive kill -9 of the server, and lose nothing', async (t) => {
  const server = await openServer()
  t.after(() => server.close())
  const { url, key } = server
  const source = await writeTree(t, manyFiles())
  const target = await temporaryDirectory(t)
  let restarts = 0
  let restarting = Promise.resolve()

  async function bounce(): Promise<void> {
    await server.kill()
    await sleep(300)
    await server.restart()
  }
  function bounceAt(...marks: readonly number[]): (done: number) => void {
    const waiting = [...marks]
    return (done) => {
      if (waiting[0] === undefined || done < waiting[0]) return
      waiting.shift()
      restarts += 1
      restarting = restarting.then(bounce)
    }
  }

  const imported = await importTree({
    source,
    url,
    key,
    categoryId: 1,
    publish: true,
    onProgress: bounceAt(40, 200),
  })
  await restarting
  assert.deepEqual(imported.failures, [])
  assert.equal(imported.uploaded + imported.replaced, SMALL_FILES + 1)
  assert.equal(imported.published, SMALL_FILES + 1)

  const exported = await exportTree({ url, key, target, state: 'live', onProgress: bounceAt(100) })
  await restarting
  assert.equal(restarts, 3)
  assert.equal(exported.written, SMALL_FILES + 1)
  const { 'Modules/': modules, ...found } = await readTree(target)
  assert.deepEqual(found, await readTree(source))

  const versions = await server.get('/api/v2/asset_file?qry={"version":{"$gt":1}}&count=exact')
  assert.deepEqual(versions['asset_file'], [])
})
