// A start after a crash with many incomplete saves: each is moved to quarantine, nothing else
// changes, and the start is fast. CMS_RIG=full uses a large site and checks the duration.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { assetFileVersion } from '../../lib/schema/asset-file.ts'
import { contentPath, dataPathsOf, newUid } from '../../lib/storage/embedded/data-paths.ts'
import { startChild } from '../helpers/child-server.ts'
import { removeDataDirectories, sha256 } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import { copySite, tamper } from '../helpers/site.ts'
import { MADE, makeOperationSite } from './operations.ts'
import { IS_FULL } from './sampling.ts'

const VERSIONS = IS_FULL ? 100_000 : 500
/** The file already has two versions. */
const FIRST = 3
const HALF_DONE = IS_FULL ? 10_000 : 200
const MAX_MS = 5_000
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']
const BATCH = 5_000
/** The tick of /proc on every Linux that Node supports. */
const TICK_MS = 10
/** The file that gets the versions. */
const FILE_ID = MADE.page

after(removeDataDirectories)

test(`S39: all ${HALF_DONE} incomplete saves are quarantined beside ${VERSIONS} versions`, async (t) => {
  const { dataDir: from, key } = await makeOperationSite()
  const dataDir = copySite(from)
  const dataPaths = dataPathsOf(dataDir)
  const first = await startChild(dataDir, ARGS)
  await first.kill('SIGKILL')
  await addVersions(dataDir)
  for (let at = 0; at < HALF_DONE; at++) {
    writeFileSync(contentPath(dataPaths, { fileId: FILE_ID, uid: newUid() }), 'half')
    writeFileSync(join(dataPaths.tmp, newUid()), 'less')
  }

  const began = performance.now()
  const server = await startChild(dataDir, ARGS)
  const ms = performance.now() - began
  const cpuMs = processorMs(server.pid)
  t.diagnostic(`ready after ${Math.round(ms)} ms, ${cpuMs} ms of processor`)
  const path = `/api/v2/asset_file/${FILE_ID}/versions/${VERSIONS}`
  const { status, text } = await send(server.url, 'GET', `${path}/content`, { key })
  assert.deepEqual([status, text], [200, `${VERSIONS}`])
  assert.equal((await server.kill('SIGTERM')).code, 0)

  assert.equal(readdirSync(dataPaths.quarantine).length, HALF_DONE)
  assert.deepEqual(readdirSync(dataPaths.tmp), [])
  if (IS_FULL) assert.ok(ms < MAX_MS, `ready after ${ms} ms`)
})

/** Returns the processor time of the process and of its ended children. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
}

/** Writes the records directly, because requests would take too long. */
async function addVersions(dataDir: string): Promise<void> {
  const dataPaths = dataPathsOf(dataDir)
  await tamper(dataDir, async (_, records) => {
    const stored = records.get(assetFileVersion, FILE_ID, 1)
    assert.ok(stored !== undefined)
    const model = stored.value
    for (let from = FIRST; from <= VERSIONS; from += BATCH) {
      const numbers = Array.from(
        { length: Math.min(BATCH, VERSIONS - from + 1) },
        (_, at) => from + at,
      )
      await records.commit((unit) => {
        for (const version of numbers) {
          const text = String(version)
          const uid = newUid()
          writeFileSync(contentPath(dataPaths, { fileId: FILE_ID, uid }), text)
          const bytes = { uid, size: text.length, sha256: sha256(Buffer.from(text)) }
          unit.put(assetFileVersion, [FILE_ID, version], { ...model, ...bytes, version })
        }
      })
    }
  })
}
