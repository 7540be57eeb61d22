// Identifiers of events in feeds: they differ between two sites, and a site keeps its identifiers after a
// restore.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { oneServer } from '../../helpers/engine.ts'
import { makeCalendar, makeEntry } from '../../helpers/modules.ts'
import { runCli } from '../../helpers/child-server.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const EVENT = { event_title: 'a', start_time: '2026-03-01T09:00:00Z' }

async function uidOf(server: TestServer, url: string, key?: string): Promise<string> {
  const { status, text } = await server.call('GET', `${url}.ics`, key === undefined ? {} : { key })
  assert.equal(status, 200, text)
  // The feed folds long lines.
  return /^UID:(.*)\r$/m.exec(text.replaceAll('\r\n ', ''))?.[1] ?? ''
}

test('events of two sites have different UIDs, which survive a restart', async () => {
  const uids: string[] = []
  for (let site = 0; site < 2; site += 1) {
    const dataDir = newDataDirectory()
    const server = await startTestServer({ dataDir })
    const { url, id } = await makeCalendar(server)
    await makeEntry(server, url, EVENT)
    const uid = await uidOf(server, url)
    assert.match(
      uid,
      new RegExp(`^calendar-${id}-entry-1@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
    )
    await server.stop()
    const again = await startTestServer({ dataDir })
    assert.equal(await uidOf(again, url, server.key), uid)
    await again.close()
    uids.push(uid)
  }
  assert.notEqual(uids[0], uids[1])
})

test('a restored site keeps the UIDs of its events', oneServer('backup'), async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const { url } = await makeCalendar(server)
  await makeEntry(server, url, EVENT)
  const uid = await uidOf(server, url)
  const backup = newDataDirectory()
  const made = await runCli(['backup', backup, '--data', server.dataDir])
  assert.equal(made.code, 0, made.stderr)
  await server.close()
  const dataDir = newDataDirectory()
  assert.equal((await runCli(['restore', backup, '--data', dataDir])).code, 0)
  const restored = await startTestServer({ dataDir })
  assert.equal(await uidOf(restored, url, server.key), uid)
  await restored.close()
})
