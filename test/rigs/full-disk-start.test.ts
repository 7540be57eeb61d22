// Starts of a server whose records can take no commit, and what the server catches up with once there is space.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { pendingWork } from '../../lib/schema/pending-work.ts'
import { NOBODY } from '../../lib/schema/audit.ts'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { startChild } from '../helpers/child-server.ts'
import { send } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'
import { whyNoDisks } from '../helpers/small-disk.ts'
import { listTrash } from '../helpers/trash.ts'
import {
  closeFullSite,
  fillRecordsDisk,
  type FullSite,
  openFullSite,
  requireFull,
  untilReady,
} from './full-site.ts'

const ARGS = ['--min-free-mb', '0', '--min-free-percent', '0', '--scrub-days', '0']
const skip = whyNoDisks()

afterEach(closeFullSite)
after(removeDataDirectories)

test('S14: the trash, versions and the audit trail keep their rows on full records, and expire once there is space', {
  skip,
}, async () => {
  const full = await openFullSite({ mb: 16 }, { mb: 16 }, ARGS)
  const { call, createFile } = full
  const json = { keep_versions: { latest: 1, days: 0 } }
  assert.equal((await call('PATCH', '/api/v2/asset_category/1', { json })).status, 200)
  const { body: file } = await createFile('1')
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  for (const pageContent of ['2', '3']) await call('POST', path, { json: { pageContent } })
  const deleted = await createFile('deleted')
  await call('DELETE', `/api/v2/asset_file/${deleted.body.asset_file_id}`)
  const left = async (): Promise<readonly number[]> => {
    const versions = await call('GET', `${path}/versions`)
    const audit = await call('GET', '/api/v2/audit?count=exact&length=1')
    return [versions.body.page.total, (await listTrash(full)).length, audit.body.page.total]
  }
  const before = await left()

  let release = async (): Promise<void> => undefined
  const flags = ['--min-free-mb', '1', '--min-free-percent', '0', '--scrub-days', '0']
  await full.restart([...flags, '--trash-days', '0', '--audit-rows', '2'], async () => {
    release = await fillRecordsDisk(full)
  })
  await untilReady(full, { status: 503, detail: /All changes except deletes/ })
  requireFull(await createFile('refused'))
  await untilFailed(full, ['version-retention', 'expire-trash', 'expire-audit'])
  assert.deepEqual(await left(), before)

  await release()
  await untilReady(full, { status: 200 })
  assert.ok(await eventually(async () => (await left()).join() === '1,0,2'))
})

async function untilFailed({ child }: FullSite, names: readonly string[]): Promise<void> {
  assert.ok(await eventually(async () => names.every((name) => child.stderr().includes(name))))
}

test('S14: the descendants of a revoked key are refused by a start that cannot remove them yet', {
  skip,
}, async () => {
  const full = await openFullSite({ mb: 16 }, { mb: 16 }, ARGS)
  const { call, child, dataDir } = full
  const make = async (name: string, key?: string): Promise<any> => {
    const options = { json: { name }, ...(key !== undefined && { key }) }
    const answer = await call('POST', '/api/v2/api_key', options)
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }
  const first = await make('first')
  const second = await make('second', first.secret)
  const third = await make('third', second.secret)
  const other = await make('other')
  assert.equal((await child.kill('SIGTERM')).code, 0)
  // The stored work of a revocation whose removals have not begun.
  const work = { api_key_ids: [first.api_key_id], spared: [], doer: NOBODY }
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => unit.put(pendingWork, ['work'], { kind: 'revoke', ...work })),
  )

  const release = await fillRecordsDisk(full)
  const server = await startChild(dataDir, ARGS)
  const statusOf = async ({ secret: key }: any): Promise<number> =>
    (await send(server.url, 'GET', '/api/v2/me', { key })).status
  const statuses = () => Promise.all([first, second, third, other].map(statusOf))
  assert.deepEqual(await statuses(), [401, 401, 401, 200])
  const keys = async (): Promise<readonly string[]> => {
    const { secret: key } = other
    const { body } = await send(server.url, 'GET', '/api/v2/api_key?length=1000', { key })
    return body.api_key.map(({ name }: any) => name)
  }
  assert.ok((await keys()).includes('third'))

  await release()
  assert.ok(await eventually(async () => !(await keys()).includes('third')))
  assert.deepEqual(await statuses(), [401, 401, 401, 200])
  assert.equal((await server.kill('SIGTERM')).code, 0)
})

test('S14: a server whose records take no commit stops normally, and the next start continues', {
  skip,
}, async () => {
  const full = await openFullSite({ mb: 16 }, { mb: 16 }, ARGS)
  const { body: file } = await full.createFile('kept')
  const release = await fillRecordsDisk(full)
  requireFull(await full.createFile('refused'))
  await full.restart(ARGS, release)
  const { body } = await full.call('GET', '/api/v2/asset_file')
  assert.deepEqual(
    body.asset_file.map(({ name }: any) => name),
    [file.name],
  )
  assert.equal((await full.createFile('accepted')).status, 201)
})
