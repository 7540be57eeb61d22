// No content is removed while a backup copies the contents of its point in time.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { holdContents } from '../../../lib/storage/backup/hold-contents.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { runCli } from '../../helpers/child-server.ts'
import { uploadFile } from '../../helpers/content.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { copySite, makeSite, type Site } from '../../helpers/site.ts'

let site: Site
before(async () => {
  site = await makeSite()
})
after(removeDataDirectories)

/** A path next to the data directory. */
function beside(dataDir: string, name: string): string {
  return join(dirname(dataDir), name)
}

describe('while a backup holds the contents', () => {
  async function startWithFile(): Promise<{ server: TestServer; id: number; path: string }> {
    const server = await startTestServer({
      dataDir: newDataDirectory(),
      config: { trashDays: 0 },
    })
    const { asset_file_id: id } = await uploadFile(server, Buffer.alloc(200_000, 7))
    const path = contentsIn(server.dataDir)[0] ?? ''
    return { server, id, path }
  }

  test('a delete is answered at once, and its bytes are removed after the backup', async (t) => {
    const { server, id, path } = await startWithFile()
    t.after(() => server.stop())
    const hold = await holdContents(dataPathsOf(server.dataDir))
    assert.equal((await server.call('DELETE', `/api/v2/asset_file/${id}`)).status, 204)
    assert.equal((await server.call('GET', `/api/v2/asset_file/${id}`)).status, 404)
    assert.ok(existsSync(path))

    await hold.release()
    assert.ok(await eventually(() => !existsSync(path)))
    const next = await uploadFile(server, Buffer.alloc(200_000, 8))
    const name = contentsIn(server.dataDir)[0] ?? ''
    await server.call('DELETE', `/api/v2/asset_file/${next.asset_file_id}`)
    assert.ok(!existsSync(name))
  })

  test('a second backup is refused', async (t) => {
    const { server } = await startWithFile()
    t.after(() => server.stop())
    const hold = await holdContents(dataPathsOf(server.dataDir))
    const args = ['backup', beside(server.dataDir, 'second'), '--data', server.dataDir]
    const { code, stderr } = await runCli(args)
    assert.deepEqual([code, /Another backup is being made/.test(stderr)], [1, true])

    await hold.release()
    assert.equal((await runCli(args)).code, 0)
  })

  test('the server can be stopped, and the next start removes deleted contents', async () => {
    const { server, id, path } = await startWithFile()
    const hold = await holdContents(dataPathsOf(server.dataDir))
    await server.call('DELETE', `/api/v2/asset_file/${id}`)
    await server.stop()
    assert.ok(await eventually(() => hold.lost.aborted))
    assert.ok(existsSync(path))

    const again = await startTestServer({ dataDir: server.dataDir, config: { trashDays: 0 } })
    await again.stop()
    assert.ok(!existsSync(path))
  })

  test('of a site without a server, no server starts, and commands get the reason', async () => {
    const dataDir = copySite(site.dataDir)
    const hold = await holdContents(dataPathsOf(dataDir))
    assert.equal((await runCli(['start', '--data', dataDir, '--port', '0'])).code, 75)
    for (const args of [
      ['backup', beside(dataDir, 'target')],
      ['key', 'list'],
    ]) {
      const { code, stderr } = await runCli([...args, '--data', dataDir])
      assert.deepEqual([code, /A backup of this directory is being made/.test(stderr)], [1, true])
    }
    await hold.release()
  })
})
