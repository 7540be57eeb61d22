// A server that is killed while it clears a deleted folder whose files others refer to. The references from outside are
// cleared or their entries deleted, and no reference to a missing file ever remains.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { entryTypeName } from '../../lib/schema/entry.ts'
import { verifyRecords } from '../../lib/storage/integrity/verify-records.ts'
import { killChildren, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'
import { openRandom } from './random.ts'
import { IS_FULL } from './sampling.ts'
import { SEED } from '../helpers/seed.ts'

after(async () => {
  await killChildren()
  removeDataDirectories()
})

const ROUNDS = IS_FULL ? 40 : 2
const FILES = 40
const ENTRIES = 1_500
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']

for (let round = 0; round < ROUNDS; round += 1)
  test(`a folder is cleared after a kill (TEST_SEED=${SEED}, round ${round})`, async (t) => {
    const dataDir = newDataDirectory()
    let child = await startChild(dataDir, ARGS)
    const key = await makeKey(dataDir)
    const call = (method: string, path: string, json?: unknown) =>
      send(child.url, method, path, { key, ...(json !== undefined && { json }) })
    const made = async (path: string, json: unknown): Promise<any> => {
      const answer = await call('POST', path, json)
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    }
    const folder = await made('/api/v2/asset_category', { name: 'gone' })
    const inside = { parent_category_id: folder.asset_category_id }
    const files: number[] = []
    for (let at = 0; at < FILES; at += 1) {
      const json = { name: `f${at}.txt`, type: 'txt', pageContent: 'x', ...inside }
      files.push((await made('/api/v2/asset_file', json)).asset_file_id)
    }
    const own = await made('/api/v2/datatable', { name: 'own', table_schema: 'f FILE', ...inside })
    await made(own.module_url, { f: files[0] })
    const table_schema = 'bound FILE ON DELETE CASCADE, loose FILES ON DELETE SET NULL, n I'
    const outside = await made('/api/v2/datatable', { name: 'outside', table_schema })
    const rows = Array.from({ length: ENTRIES }, (_, n) => {
      const file = files[n % FILES]
      return n % 3 === 0 ? { bound: file, n } : { loose: [file, files[(n + 1) % FILES]], n }
    })
    for (let at = 0; at < ENTRIES; at += 500)
      await made(outside.module_url, rows.slice(at, at + 500))

    const path = `/api/v2/asset_category/${folder.asset_category_id}?recursive=true`
    const removal = call('DELETE', path).catch(() => undefined)
    const count = async (): Promise<number> =>
      (await call('GET', `${outside.module_url}?count=exact&length=1`)).body.page.total
    const least = ENTRIES - 1 - openRandom(SEED + round).below(ENTRIES / 6)
    while ((await count()) > least);
    await child.kill('SIGKILL')
    await removal
    const entries = { name: entryTypeName('datatable', outside.datatable_id), indexes: [] }
    await tamper(dataDir, async (kv, records) => {
      assert.deepEqual(verifyRecords(kv).faults, [])
      t.diagnostic(`${records.count(entries)} of ${ENTRIES} entries were left after the kill`)
    })

    child = await startChild(dataDir, ARGS)
    const referring = async (): Promise<number> => {
      const qry = '{"$or":[{"bound":{"$exists":true}},{"loose":{"$exists":true}}]}'
      return (await call('GET', `${outside.module_url}?length=1&qry=${qry}`)).body.datatable_entry
        .length
    }
    while ((await referring()) > 0) await sleep(50)
    assert.equal(await count(), rows.filter((row) => !('bound' in row)).length)
    assert.equal((await call('GET', `/api/v2/asset_file/${files[0]}`)).status, 404)
    await child.kill('SIGTERM')
    await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
  })
