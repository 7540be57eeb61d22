// A restored backup assigns revision numbers again. An ETag from before the restore must not let a change
// overwrite a newer change of another client.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runCli } from '../../helpers/child-server.ts'
import { assertProblem, make, makeFile, makeFolder, read } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { oneServer } from '../../helpers/engine.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

after(removeDataDirectories)

/** Makes one record of each kind and returns their paths, each with a change. */
async function makeRecords(
  server: TestServer,
): Promise<ReadonlyMap<string, (to: string) => object>> {
  const folder = await makeFolder(server, {})
  const file = await makeFile(server, {})
  const group = await make(server, 'file_group', { name: 'group' })
  const table = await make(server, 'datatable', { name: 'table', table_schema: 'a C(99)' })
  const calendar = await make(server, 'calendar', { name: 'calendar' })
  await server.call('POST', table.module_url, { json: { a: 'x' } })
  const start_time = '2026-03-01T10:00:00Z'
  await server.call('POST', calendar.module_url, { json: { event_title: 'x', start_time } })
  const title = (to: string): object => ({ title: to })
  return new Map([
    [`/api/v2/asset_category/${folder.asset_category_id}`, title],
    [`/api/v2/asset_file/${file.asset_file_id}`, title],
    [`/api/v2/file_group/${group.file_group_id}`, title],
    [`/api/v2/datatable/${table.datatable_id}`, (to) => ({ description: to })],
    [`${table.module_url}/1`, (to) => ({ a: to })],
    [`${calendar.module_url}/1`, (to) => ({ event_title: to })],
    ['/api/v2/user/1', (to) => ({ email: `${to}@example.org` })],
    ['/api/v2/api_key/1', (to) => ({ name: to })],
  ])
}

test('an ETag from before a restore matches no change after it', oneServer('backup'), async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const records = await makeRecords(server)
  const kept = new Map<string, string>()
  for (const path of records.keys()) kept.set(path, (await read(server, path)).etag)
  const backup = newDataDirectory()
  const { code, stderr } = await runCli(['backup', backup, '--data', server.dataDir])
  assert.equal(code, 0, stderr)
  // The restore loses this change and assigns its revision again.
  const lost = new Map<string, string>()
  for (const [path, change] of records) {
    const answer = await server.call('POST', path, { json: change('a') })
    assert.equal(answer.status, 200, answer.text)
    lost.set(path, String(answer.headers['etag']))
  }
  await server.stop()

  const dataDir = newDataDirectory()
  assert.equal((await runCli(['restore', backup, '--data', dataDir])).code, 0)
  const restored = await startTestServer({ dataDir })
  for (const [path, change] of records) {
    const headersOf = (etag = ''): object => ({ headers: { 'if-match': etag } })
    const early = await restored.call('POST', path, {
      json: change('c'),
      ...headersOf(kept.get(path)),
    })
    assertProblem(early, 'precondition-failed')
    assert.equal((await restored.call('POST', path, { json: change('b') })).status, 200, path)
    const stale = await restored.call('POST', path, {
      json: change('c'),
      ...headersOf(lost.get(path)),
    })
    const { current_etag: current } = assertProblem(stale, 'precondition-failed')
    const again = await restored.call('GET', path, {
      headers: { 'if-none-match': lost.get(path) ?? '' },
    })
    assert.equal(again.status, 200, path)
    // The ETag in the refusal is valid, even if a proxy has made it weak.
    const merged = await restored.call('POST', path, {
      json: change('c'),
      ...headersOf(`W/${current}`),
    })
    assert.equal(merged.status, 200, merged.text)
  }
  await restored.close()
})
