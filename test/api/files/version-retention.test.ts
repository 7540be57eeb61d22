// Rules of folders that remove old versions: what goes, what stays, and the report beforehand. A restart begins a round.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const DAY_MS = 86_400_000
let server: TestServer
let aheadMs = 0

/** Both clocks, so that the time counts as time of a running server. */
const clocks = {
  now: () => new Date(Date.now() + aheadMs),
  uptimeMs: () => performance.now() + aheadMs,
}

before(async () => {
  server = await startTestServer(clocks)
})
after(() => server.close())

async function restart(): Promise<void> {
  await server.stop()
  server = await startTestServer({ ...clocks, dataDir: server.dataDir })
}

async function patch(path: string, json: object): Promise<any> {
  const answer = await server.call('PATCH', `/api/v2/${path}`, { json })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function makeVersions(folder: number, count: number, fields: object = {}): Promise<any> {
  const file = await makeFile(server, { parent_category_id: folder, pageContent: '1', ...fields })
  for (let version = 2; version <= count; version += 1)
    await patch(`asset_file/${file.asset_file_id}`, { pageContent: String(version) })
  return file
}

async function versionsOf({ asset_file_id: id }: any): Promise<readonly number[]> {
  const { body } = await server.call('GET', `/api/v2/asset_file/${id}/versions`)
  assert.equal(body.page.total, body.asset_file_version.length)
  return body.asset_file_version.map(({ version }: any) => version)
}

/** The versions of the file after a round of removals: another file shows that the round has run. */
async function afterRound(file: any): Promise<readonly number[]> {
  const other = await makeVersions(await makeRule({ latest: 1, days: 0 }), 2)
  await restart()
  assert.ok(await eventually(async () => (await versionsOf(other)).length === 1))
  return versionsOf(file)
}

const makeRule = async (keep_versions: object, parent_category_id = 1): Promise<number> =>
  (await makeFolder(server, { parent_category_id, keep_versions })).asset_category_id

test('old versions go; the live, staged, scheduled, pinned and latest ones stay, with their bytes', async () => {
  const folder = await makeRule({ latest: 2, days: 0 })
  const free = await makeRule({ all: true }, folder)
  const below = (await makeFolder(server, { parent_category_id: folder })).asset_category_id
  const file = await makeVersions(below, 9)
  const kept = await makeVersions(free, 4)
  const path = `asset_file/${file.asset_file_id}`
  await server.call('POST', `/api/v2/${path}/publish?version=2`)
  await server.call('POST', `/api/v2/${path}/stage?version=4`)
  await patch(path, { pinned_versions: [6] })
  // Version 10 is scheduled, and version 12 has the bytes of version 1.
  await patch(path, { pageContent: '10', publish_at: '2099-01-01' })
  await patch(path, { pageContent: '11' })
  await patch(path, { pageContent: '1' })
  await patch(path, { title: 'again' })
  await restart()

  assert.ok(await eventually(async () => (await versionsOf(file)).length === 6))
  assert.deepEqual(await versionsOf(file), [13, 12, 10, 6, 4, 2])
  assert.deepEqual(await versionsOf(kept), [4, 3, 2, 1])
  for (const [version, text] of [
    [2, '2'],
    [6, '6'],
    [12, '1'],
    [13, '1'],
  ] as const) {
    const answer = await server.call('GET', `/api/v2/${path}/versions/${version}/content`)
    assert.deepEqual([answer.status, answer.text], [200, text])
  }
  assertProblem(await server.call('GET', `/api/v2/${path}/versions/1`), 'not-found')
  const qry = encodeURIComponent(
    JSON.stringify({ object: 'asset_file', object_id: file.asset_file_id }),
  )
  const { body } = await server.call(
    'GET',
    `/api/v2/audit?qry=${qry}&orderStr=audit_id&orderDir=DESC&length=1`,
  )
  assert.deepEqual(body.audit[0].changed_fields, ['versions'])
})

test('versions that are young enough stay until their time is over', async () => {
  const folder = await makeRule({ latest: 1, days: 30 })
  const file = await makeVersions(folder, 3)
  assert.deepEqual(await afterRound(file), [3, 2, 1])
  // The time that passes between two runs does not count, so the clock advances while the server runs.
  aheadMs += 20 * DAY_MS
  const path = `asset_file/${file.asset_file_id}`
  await patch(path, { pageContent: '4' })
  await patch(path, { pageContent: '5' })
  aheadMs += 9 * DAY_MS
  assert.deepEqual(await afterRound(file), [5, 4, 3, 2, 1])
  // Versions 1 to 3 are 31 days old, version 4 is 11 days old.
  aheadMs += 2 * DAY_MS
  assert.deepEqual(await afterRound(file), [5, 4])
  aheadMs += 20 * DAY_MS
  assert.deepEqual(await afterRound(file), [5])
})

test('a report says beforehand what would go, and changes nothing', async () => {
  const folder = (await makeFolder(server)).asset_category_id
  const file = await makeVersions(folder, 5)
  await makeVersions(await makeRule({ all: true }, folder), 5)
  const path = `/api/v2/asset_category/${folder}?dry_run=true`
  const json = { keep_versions: { latest: 2, days: 0 } }
  const answer = await server.call('PATCH', path, { json })
  assert.deepEqual(
    [answer.status, answer.body],
    [200, { plan: { files: 1, versions: 3, size: 3, is_complete: true } }],
  )
  assert.equal((await versionsOf(file)).length, 5)
  const other = { json: { ...json, title: 'x' } }
  assertProblem(await server.call('PATCH', path, other), 'invalid-content')
  const key = await server.makeKey({ name: newName('key'), grants: 'view,modify' })
  assertProblem(await server.call('PATCH', path, { json, key }), 'grant-missing')
})

describe('refused values', () => {
  const rules = [
    { latest: 0, days: 1 },
    { latest: 1 },
    { all: false },
    { latest: 1, days: -1 },
    5,
    [],
  ]
  for (const keep_versions of rules)
    test(JSON.stringify(keep_versions), async () => {
      const json = { name: newName('folder'), keep_versions }
      assertProblem(
        await server.call('POST', '/api/v2/asset_category', { json }),
        'invalid-content',
      )
    })

  test('a rule of somebody who may not delete', async () => {
    const key = await server.makeKey({ name: newName('key'), grants: 'view,modify,create' })
    const json = { keep_versions: { latest: 1, days: 0 } }
    const folder = (await makeFolder(server)).asset_category_id
    const path = `/api/v2/asset_category/${folder}`
    assertProblem(await server.call('PATCH', path, { json, key }), 'grant-missing')
  })

  test('a pin of a version that does not exist', async () => {
    const { asset_file_id: id } = await makeFile(server)
    const json = { pinned_versions: [2] }
    assertProblem(
      await server.call('PATCH', `/api/v2/asset_file/${id}`, { json }),
      'invalid-content',
    )
  })
})

test('a pin is no save, and is told to keys that see drafts alone', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const key = await server.makeKey({ name: newName('key'), grants: 'view' })
  const before = await server.call('GET', path, { key })
  const pinned = await patch(path.slice('/api/v2/'.length), { pinned_versions: [1] })
  assert.deepEqual([pinned.version, pinned.pinned_versions], [1, [1]])
  const afterwards = await server.call('GET', path, { key })
  assert.deepEqual([afterwards.text, afterwards.headers.etag], [before.text, before.headers.etag])
  const { body } = await server.call('GET', `${path}/versions/1`)
  assert.equal(body.is_pinned, true)
})
