// A resumable upload of a large file through nginx, over many cuts of the connection and some kills of the server. The
// file must have the right bytes, exist once, and leave nothing beside it. CMS_RIG_MB is the size of the file,
// CMS_RIG_ROUNDS the number of cuts.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { startCuttingProxy } from '../helpers/cutting-proxy.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { freePort, NO_NGINX, startNginx } from '../helpers/nginx.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'
import { resumableIn } from '../helpers/stored.ts'
import { uploadWithClient } from '../helpers/tus.ts'
import { openProgress } from './progress.ts'
import { IS_FULL } from './sampling.ts'

const MIB = 1024 * 1024
const SIZE_MB = Number(process.env['CMS_RIG_MB'] ?? (IS_FULL ? 2_048 : 24))
const CUTS = Number(process.env['CMS_RIG_ROUNDS'] ?? (IS_FULL ? 100 : 8))
/** After this number of cuts the server is killed, too. */
const CUTS_OF_A_KILL = IS_FULL ? 20 : 4

after(removeDataDirectories)

/** Returns the SHA-256 of the file. */
function writeLarge(path: string): string {
  const sum = createHash('sha256')
  const fd = openSync(path, 'w')
  for (let at = 0; at < SIZE_MB; at += 1) {
    const block = randomBytes(MIB)
    sum.update(block)
    writeSync(fd, block)
  }
  closeSync(fd)
  return sum.digest('hex')
}

test(`a file of ${SIZE_MB} MiB is uploaded through nginx despite ${CUTS} interruptions`, {
  skip: NO_NGINX,
}, async (t) => {
  const dataDir = newDataDirectory()
  const path = join(temporaryDirectory(), 'large.bin')
  const sha256 = writeLarge(path)
  const port = String(await freePort())
  const args = ['--port', port, '--max-upload-mb', '4096', '--min-free-mb', '0']
  let child: ChildServer = await startChild(dataDir, args)
  t.after(() => child.kill('SIGKILL'))
  const key = await makeKey(dataDir)
  const nginx = await startNginx({ url: child.url, dataDir })
  t.after(() => nginx.close())

  let kills = 0
  let isDown = false
  let restarting: Promise<void> = Promise.resolve()
  /** While the server is down, the client sees a cut connection, because tus-js-client begins again after a 502. */
  const killAndStart = async (): Promise<void> => {
    isDown = true
    kills += 1
    proxy.cutAll()
    await child.kill('SIGKILL')
    child = await startChild(dataDir, args)
    isDown = false
  }
  const limit = (SIZE_MB * MIB) / (CUTS + 1)
  const proxy = await startCuttingProxy(nginx.url, (cuts) => {
    if (!isDown && cuts >= (kills + 1) * CUTS_OF_A_KILL && cuts < CUTS) restarting = killAndStart()
    if (isDown) return 0
    return cuts < CUTS ? limit : undefined
  })
  t.after(() => proxy.close())
  const progress = openProgress('resumable', () => JSON.stringify({ cuts: proxy.cuts(), kills }))
  const begunMs = performance.now()
  try {
    const id = await uploadWithClient({
      url: proxy.url,
      key,
      bytes: createReadStream(path),
      values: { asset_category_id: '1', filename: 'large.bin' },
      retryDelays: Array.from({ length: 120 }, () => 500),
    })
    await restarting
    const { body } = await send(child.url, 'GET', `/api/v2/asset_file/${id}`, { key })
    assert.deepEqual([body.size, body.sha256, body.version], [SIZE_MB * MIB, sha256, 1])
    const all = await send(child.url, 'GET', '/api/v2/asset_file?qry={"name":"large.bin"}', { key })
    assert.equal(all.body.asset_file.length, 1)
    assert.deepEqual(await resumableIn(dataDir), [])
    assert.ok(proxy.cuts() >= CUTS, String(proxy.cuts()))
    const seconds = Math.round((performance.now() - begunMs) / 1_000)
    t.diagnostic(JSON.stringify({ cuts: proxy.cuts(), kills, seconds }))
  } finally {
    progress.close()
  }
})
