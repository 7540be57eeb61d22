// Values encrypted with the key of a site, and records from before the key existed.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { apiKey } from '../../lib/schema/api-key.ts'
import { siteKey } from '../../lib/schema/server-records.ts'
import type { JsonObject, RecordType } from '../../lib/schema/values.ts'
import { assertProblem } from '../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { startTestServer } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'

after(removeDataDirectories)

const LIST = '/api/v2/asset_category?length=1'

test('a cursor stays valid after a restart and is invalid on other sites', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const { body } = await first.call('GET', LIST)
  await first.stop()

  const path = `${LIST}&cursor=${body.page.next}`
  const again = await startTestServer({ dataDir })
  const next = await again.call('GET', path)
  assert.deepEqual([next.status, next.body.asset_category[0]?.name], [200, 'Modules'])
  await again.stop()

  const other = await startTestServer({ dataDir: newDataDirectory() })
  assertProblem(await other.call('GET', path), 'bad-qry')
  await other.stop()
})

test('a site of an earlier build keeps its API keys and gets a site key', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  await first.stop()
  // Keys of earlier builds have no date_signed_in.
  const keys: RecordType<JsonObject> = { ...apiKey.recordType }
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      unit.remove(siteKey, 1)
      const { date_signed_in: _, ...before } = unit.get(keys, 1)?.value ?? {}
      unit.put(keys, [1], before)
    }),
  )

  const again = await startTestServer({ dataDir })
  const { body, text } = await again.call('GET', '/api/v2/api_key/1', { key: first.key })
  assert.equal(body.date_signed_in, null)
  assert.equal(text.split('"date_signed_in"').length, 2)
  const page = await again.call('GET', LIST, { key: first.key })
  const next = await again.call('GET', `${LIST}&cursor=${page.body.page.next}`, { key: first.key })
  assert.equal(next.status, 200)
  await again.stop()
})
