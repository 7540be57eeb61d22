// Times in the audit trail when the clocks of the writing nodes differ.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditClockReset } from '../../../lib/schema/audit.ts'
import { openSharedRecords } from '../../../lib/cluster/replicated-kv.ts'
import { startCluster } from '../../helpers/cluster.ts'
import { startTestServer, temporaryDirectory } from '../../helpers/server.ts'

const cluster = await startCluster()
const CHANGES = 20

async function turnsIn(databaseUrl: string): Promise<number> {
  const onFailure = (cause: unknown): void => assert.fail(String(cause))
  const node = await openSharedRecords({ databaseUrl, directory: temporaryDirectory(), onFailure })
  try {
    return node.records.count(auditClockReset)
  } finally {
    await node.close()
  }
}

for (const [behindMs, turns] of [
  [400, 0],
  [5_000, CHANGES / 2],
] as const)
  test(`a clock that is ${behindMs} ms behind that of another node counts as ${turns} resets`, async (t) => {
    const settings = await cluster.newSite()
    const startMs = Date.parse('2026-01-01T00:00:00.000Z')
    let passedMs = 0
    const start = (aheadMs: number) =>
      startTestServer({
        now: () => new Date(startMs + passedMs + aheadMs),
        config: { cluster: settings },
      })
    const ahead = await start(behindMs)
    const behind = await start(0)
    t.after(() => Promise.all([ahead, behind].map((node) => node.close())))

    const before = await turnsIn(settings.databaseUrl)
    for (let at = 0; at < CHANGES; at += 1) {
      passedMs += 10
      const node = at % 2 === 0 ? ahead : behind
      const json = { name: `folder ${at}` }
      const made = await node.call('POST', '/api/v2/asset_category', { key: ahead.key, json })
      assert.equal(made.status, 201, made.text)
    }
    assert.equal((await turnsIn(settings.databaseUrl)) - before, turns)
  })
