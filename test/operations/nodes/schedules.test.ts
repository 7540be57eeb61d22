// Schedules of a site with two nodes, one of which is lost.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { killChildren, makeKey, startChild } from '../../helpers/child-server.ts'
import { startCluster, variablesOf } from '../../helpers/cluster.ts'
import { query } from '../../helpers/postgres.ts'
import { send, startTestServer, temporaryDirectory } from '../../helpers/server.ts'

const cluster = await startCluster()
after(killChildren)

test('a file goes live once while the lease of a lost node lasts', async () => {
  const site = await cluster.newSite()
  const dataDir = join(temporaryDirectory(), 'node')
  // The first node takes the lease.
  const lost = await startChild(dataDir, ['--log-level', 'error'], { env: variablesOf(site) })
  const key = await makeKey(dataDir)
  const other = await startTestServer({ config: { cluster: site } })
  const call = async (method: string, path: string, json?: object) =>
    (await send(other.url, method, path, { key, ...(json !== undefined && { json }) })).body

  process.kill(lost.pid, 'SIGSTOP')
  await query(
    site.databaseUrl,
    "update cms_nodes set until_at = clock_timestamp() + interval '1 hour'",
  )
  const { asset_file_id: id } = await call('POST', '/api/v2/asset_file', {
    ...{ name: 'a.txt', type: 'txt', parent_category_id: 1, pageContent: 'x' },
    publish_at: new Date(Date.now() + 2_000).toISOString().replace(/\.\d+/, ''),
  })
  while ((await call('GET', `/api/v2/asset_file/${id}`)).live_version === null) await sleep(50)

  process.kill(lost.pid, 'SIGCONT')
  await lost.kill('SIGTERM')
  const { change: published } = await call('GET', '/api/v2/change?since=0&action=publish')
  assert.deepEqual(
    published.map((change: Record<string, unknown>) => change['object_id']),
    [id],
  )
  await other.close()
})
