// Verification of audit rows: a check reads all rows, and a start after a crash counts them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { audit } from '../../../lib/schema/audit.ts'
import { checkEmbedded } from '../../../lib/storage/integrity/check.ts'
import { countKey, highestIdKey, recordKey } from '../../../lib/storage/records/format.ts'
import { encodeCounter } from '../../../lib/storage/records/record-bytes.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import { copyCrashed, makeSite, openSite, type Site, tamper } from '../../helpers/site.ts'

const pool = openPool(1)
const type = audit.recordType
let site: Site

before(async () => {
  site = await makeSite()
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

test('a site with a damaged audit row starts, and a check finds the row', async () => {
  const dataDir = copyCrashed(site)
  await tamper(dataDir, (kv) =>
    kv.commit((writer) => {
      const value = writer.get(recordKey(writer, type, [2])) ?? Buffer.alloc(0)
      value.writeUInt8(value.readUInt8(40) ^ 1, 40)
      writer.put(recordKey(writer, type, [2]), value)
    }),
  )
  const storage = await openSite(dataDir, pool)
  assert.throws(() => storage.records.get(type, 2), { code: 'record-damaged' })
  assert.ok(storage.records.get(type, 3) !== undefined)
  await storage.close()

  const report = await checkEmbedded({
    dataDir,
    pool,
    isRepair: false,
    onProgress: () => undefined,
  })
  assert.match(
    report.faults.map(({ detail }) => detail).join(),
    /audit\/2: A stored record is damaged/,
  )
})

test('the counters of audit rows are repaired at the start after a crash', async () => {
  const dataDir = copyCrashed(site)
  await tamper(dataDir, (kv) =>
    kv.commit((writer) => {
      writer.put(countKey(writer, type), encodeCounter(1))
      writer.put(highestIdKey(writer, type), encodeCounter(1))
    }),
  )
  const storage = await openSite(dataDir, pool)
  const ids = storage.records.list(type, []).map(([id]) => Number(id))
  assert.equal(storage.records.count(type), ids.length)
  assert.equal(storage.records.nextId(type), Number(ids.at(-1)) + 1)
  await storage.close()
})
