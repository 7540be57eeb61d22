// Schedules of a site with two nodes: one node is lost, or the clock of both jumps.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { killChildren, makeKey, startChild } from '../../helpers/child-server.ts'
import { startCluster, variablesOf } from '../../helpers/cluster.ts'
import { make, newName } from '../../helpers/content.ts'
import { query } from '../../helpers/postgres.ts'
import { eventually } from '../../helpers/raw.ts'
import { send, startTestServer, temporaryDirectory, type TestServer } from '../../helpers/server.ts'

const HOUR_MS = 3_600_000
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

test('a clock that jumps ahead and back publishes each file once, whichever node carries out the times', async () => {
  const site = await cluster.newSite()
  let aheadMs = 0
  const options = { now: () => new Date(Date.now() + aheadMs), config: { cluster: site } }
  const nodes = [await startTestServer(options), await startTestServer(options)] as const
  const [first, second] = nodes
  const schedule = async (node: TestServer, hours: number): Promise<number> => {
    const publish_at = new Date(Date.now() + aheadMs + hours * HOUR_MS).toISOString()
    const file = { name: newName('txt'), type: 'txt', pageContent: 'x', parent_category_id: 1 }
    const whole = publish_at.replace(/\.\d+/, '')
    return (await make(node, 'asset_file', { ...file, publish_at: whole })).asset_file_id
  }
  /** True if exactly these files are live, on both nodes. */
  const areLive = async (expected: readonly number[]): Promise<boolean> => {
    for (const node of nodes) {
      const { body } = await node.call('GET', '/api/v2/asset_file?qry={"state":"published"}')
      const ids = body.asset_file.map((file: any) => file.asset_file_id)
      if (ids.toSorted().join() !== expected.toSorted().join()) return false
    }
    return true
  }

  const one = await schedule(first, 1)
  const two = await schedule(second, 3)
  aheadMs = 2 * HOUR_MS
  assert.ok(await eventually(() => areLive([one])))
  aheadMs = 0
  const three = await schedule(second, 1)
  const four = await schedule(first, 4)
  aheadMs = 2 * HOUR_MS
  assert.ok(await eventually(() => areLive([one, three])))
  aheadMs = 5 * HOUR_MS
  assert.ok(await eventually(() => areLive([one, two, three, four])))

  const { body } = await second.call('GET', '/api/v2/change?since=0&action=publish')
  const published = body.change.map((change: any) => change.object_id)
  assert.deepEqual(
    published.toSorted((left: number, right: number) => left - right),
    [one, two, three, four],
  )
  for (const node of nodes) await node.close()
})
