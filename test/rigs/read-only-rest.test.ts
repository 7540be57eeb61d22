// Unfinished work after a crash, as a server with --read-only shows it: folders and keys that were
// being deleted are gone, and searches by incomplete indexes are refused.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newWorkId, putWork } from '../../lib/operations/pending-work.ts'
import { assetCategory } from '../../lib/schema/asset-category.ts'
import { assetFileVersion } from '../../lib/schema/asset-file.ts'
import { rowRange } from '../../lib/storage/records/format.ts'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import { copySite, tamper } from '../helpers/site.ts'
import { makeOperationSite } from './operations.ts'

const ARGS = ['--min-free-mb', '0', '--scrub-days', '0']
const FILES = '/api/v2/asset_file?length=100'
const FOLDER = 13
let prepared: { readonly dataDir: string; readonly key: string }
before(async () => {
  prepared = await makeOperationSite()
})
after(removeDataDirectories)

test('the contents of a deleted folder are in no list before they are cleared', async () => {
  const dataDir = copySite(prepared.dataDir)
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      unit.remove(assetCategory.recordType, FOLDER)
      putWork(unit, newWorkId(), { kind: 'purge', asset_category_id: FOLDER })
    }),
  )
  const server = await startChild(dataDir, [...ARGS, '--read-only'])
  const { body } = await send(server.url, 'GET', FILES, prepared)
  await server.kill('SIGTERM')
  const folders = body.asset_file.map((file: any) => file.parent_category_id)
  assert.deepEqual([folders.includes(FOLDER), folders.includes(1)], [false, true])
})

test('keys that are being revoked, and the keys that they made, are refused', async () => {
  const dataDir = copySite(prepared.dataDir)
  const ended = await makeKey(dataDir, ['--name', 'ended', '--role', 'admin'])
  const writer = await startChild(dataDir, ARGS)
  const make = async (key: string, name: string) => {
    const json = { name, grants: ['view'] }
    const { status, body, text } = await send(writer.url, 'POST', '/api/v2/api_key', { key, json })
    assert.equal(status, 201, text)
    return { id: Number(body.api_key_id), secret: String(body.secret) }
  }
  const child = await make(ended, 'child')
  const spared = await make(ended, 'spared')
  const me = await send(writer.url, 'GET', '/api/v2/me', { key: ended })
  const id = me.body.api_key?.api_key_id ?? me.body.api_key_id
  assert.ok(Number.isInteger(id), me.text)
  await writer.kill('SIGTERM')
  await tamper(dataDir, (_, records) =>
    records.commit((unit) =>
      putWork(unit, newWorkId(), {
        kind: 'revoke',
        api_key_ids: [id],
        spared: [spared.id],
        doer: null,
      }),
    ),
  )
  const server = await startChild(dataDir, [...ARGS, '--read-only'])
  const statuses = await Promise.all(
    [prepared.key, ended, child.secret, spared.secret].map(
      async (key) => (await send(server.url, 'GET', FILES, { key })).status,
    ),
  )
  await server.kill('SIGTERM')
  assert.deepEqual(statuses, [200, 401, 401, 200])
})

test('an index with a missing row is refused until a start repairs it', async () => {
  const dataDir = copySite(prepared.dataDir)
  await tamper(dataDir, (kv) =>
    kv.commit((writer) => {
      const [row] = writer.keys({
        ...rowRange(writer, assetFileVersion, { index: 'uid' }),
        limit: 1,
      })
      assert.ok(row !== undefined)
      writer.remove(row)
    }),
  )
  const refused = await runCli(['start', '--data', dataDir, '--port', '0', '--read-only'])
  assert.equal(refused.code, 65, refused.stderr)
  assert.match(refused.stderr, /^cms-server: .* must be repaired .*once without --read-only.*\n$/)
  await (await startChild(dataDir, ARGS)).kill('SIGTERM')
  await (await startChild(dataDir, [...ARGS, '--read-only'])).kill('SIGTERM')
})
