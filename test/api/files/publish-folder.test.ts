// Publish, stage and unpublish of all files below a folder.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { assetFile, assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { buildRecord } from '../../../lib/schema/record.ts'
import { MAX_PUBLISHED_FILES, MAX_SHOWN_FAILURES } from '../../../lib/shared/limits.ts'
import { assertProblem, makeFile, makeFolder, newName, read } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

const dataDir = newDataDirectory()
let server: TestServer
before(async () => {
  server = await startTestServer({ dataDir })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const act = (folder: any, action: string, call: Call = {}): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_category/${folder.asset_category_id}/${action}`, call)

function numbersOf(answer: Answer): readonly unknown[] {
  assert.equal(answer.status, 200, answer.text)
  const { matched, changed, unchanged, failed_count: refused } = answer.body
  return [matched, changed, unchanged, refused]
}

const fileNow = async (file: any): Promise<any> =>
  (await read(server, `/api/v2/asset_file/${file.asset_file_id}`)).body

const below = (parent: any): Promise<any> =>
  makeFolder(server, { parent_category_id: parent.asset_category_id })
const fileIn = (folder: any, fields: object = {}): Promise<any> =>
  makeFile(server, { parent_category_id: folder.asset_category_id, ...fields })

async function lastAudit(): Promise<any> {
  return (await server.call('GET', '/api/v2/audit?length=1&orderDir=DESC')).body.audit[0]
}

test('every file below the folder is published, staged and unpublished, and a dry run changes nothing', async () => {
  const folder = await makeFolder(server)
  const inner = await below(await below(folder))
  const files = [await fileIn(folder), await fileIn(inner)]
  // More files than one commit changes.
  for (let at = 0; at < 60; at += 1) await fileIn(inner)
  const other = await makeFile(server)

  assert.deepEqual(numbersOf(await act(folder, 'publish?dry_run=true')), [62, 62, 0, 0])
  for (const file of files) assert.equal((await fileNow(file)).live_version, null)
  const { audit_id: before } = await lastAudit()

  assert.deepEqual(numbersOf(await act(folder, 'stage')), [62, 62, 0, 0])
  const row = await lastAudit()
  assert.deepEqual([row.action, row.count, row.audit_id - before], ['stage', 12, 62])
  assert.deepEqual(numbersOf(await act(folder, 'stage')), [62, 0, 62, 0])
  assert.deepEqual(numbersOf(await act(folder, 'publish')), [62, 62, 0, 0])
  for (const file of files) assert.equal((await fileNow(file)).live_version, 1)
  assert.deepEqual(numbersOf(await act(inner, 'publish?dry_run=true')), [61, 0, 61, 0])
  assert.deepEqual(numbersOf(await act(folder, 'unpublish')), [62, 62, 0, 0])
  for (const file of files) {
    const { live_version: live, staged_version: staged } = await fileNow(file)
    assert.deepEqual([live, staged], [null, 1])
  }
  assert.equal((await fileNow(other)).staged_version, null)
})

/** Pages whose text was saved before the check of type stml. */
async function makeInvalid(folder: any, count: number): Promise<readonly any[]> {
  const files: any[] = []
  for (let at = 0; at < count; at += 1)
    files.push(await fileIn(folder, { pageContent: '<div id="dd.0"><p></div>' }))
  await server.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      for (const { asset_file_id: id } of files) {
        const file = unit.get(assetFile.recordType, id) ?? assert.fail()
        unit.put(assetFile.recordType, [id], { ...file.value, type: 'stml' })
        const version = unit.get(assetFileVersion, id, 1) ?? assert.fail()
        unit.put(assetFileVersion, [id, 1], { ...version.value, type: 'stml' })
      }
    }),
  )
  server = await startTestServer({ dataDir })
  return files
}

test('a refused file does not prevent the others, and a dry run says the same', async () => {
  const folder = await makeFolder(server)
  const good = await fileIn(folder)
  const page = await fileIn(folder, {
    name: newName('stml'),
    type: 'stml',
    pageContent: '<div id="dd.0"></div>',
  })
  const invalid = await makeInvalid(folder, MAX_SHOWN_FAILURES + 1)
  const dry = await act(folder, 'publish?dry_run=true')
  assert.deepEqual(numbersOf(dry), [103, 2, 0, 101])
  assert.equal((await fileNow(good)).live_version, null)
  const answer = await act(folder, 'publish')
  assert.deepEqual(numbersOf(answer), [103, 2, 0, 101])
  for (const { body } of [dry, answer]) {
    assert.deepEqual(
      body.failed.map(({ asset_file_id: id }: any) => id),
      invalid.slice(0, MAX_SHOWN_FAILURES).map(({ asset_file_id: id }) => id),
    )
    const { status, code } = body.failed[0].problem
    assert.deepEqual([status, code], [422, 'stml-invalid'])
  }
  for (const file of [good, page]) assert.equal((await fileNow(file)).live_version, 1)
  for (const file of invalid) assert.equal((await fileNow(file)).live_version, null)
})

test('a key changes only what it may, and hidden folders count as empty', async () => {
  const folder = await makeFolder(server)
  const [shown, hidden] = [await below(folder), await below(folder)]
  const inHidden = await below(hidden)
  const own = await fileIn(folder)
  const seen = await fileIn(shown)
  const others = [await fileIn(hidden), await fileIn(inHidden)]
  const [name, id] = [newName(), folder.asset_category_id]
  const json = {
    name,
    role: null,
    category_roles: [
      { asset_category_id: id, role: 'editor' },
      { asset_category_id: shown.asset_category_id, role: 'viewer' },
      { asset_category_id: hidden.asset_category_id, role: null },
      { asset_category_id: inHidden.asset_category_id, role: 'editor' },
    ],
  }
  const made = await server.call('POST', '/api/v2/user', { json })
  assert.equal(made.status, 201, made.text)
  const key = await server.makeKey({ user: name })
  for (const query of ['?dry_run=true', '']) {
    const answer = await act(folder, `publish${query}`, { key })
    assert.deepEqual(numbersOf(answer), [2, 1, 0, 1])
    const [{ asset_file_id: refused, problem }] = answer.body.failed
    assert.deepEqual([refused, problem.code], [seen.asset_file_id, 'grant-missing'])
  }
  assert.equal((await fileNow(own)).live_version, 1)
  for (const file of [seen, ...others]) assert.equal((await fileNow(file)).live_version, null)
  assertProblem(await act(shown, 'publish', { key }), 'grant-missing')
  assertProblem(await act(hidden, 'publish', { key }), 'not-found')
})

test('a folder with too many files is refused, and nothing is changed', async () => {
  const folder = await makeFolder(server)
  await server.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const place = { parent_category_id: folder.asset_category_id }
      const origin = { owner: 'x', now: new Date().toISOString() }
      for (let at = 0; at <= MAX_PUBLISHED_FILES; at += 1) {
        const id = 1_000_000 + at
        const values = { ...place, name: `${at}`, title: null, description: null }
        unit.put(
          assetCategory.recordType,
          [id],
          buildRecord(assetCategory, values, { id, ...origin }),
        )
      }
    }),
  )
  server = await startTestServer({ dataDir })
  const file = await fileIn(folder)
  assertProblem(await act(folder, 'publish'), 'too-large')
  assert.equal((await fileNow(file)).live_version, null)
})

test('a retry with the same Idempotency-Key changes nothing', async () => {
  const folder = await makeFolder(server)
  const file = await fileIn(folder)
  const call = { headers: { 'idempotency-key': newName('key') } }
  const first = await act(folder, 'publish', call)
  assert.deepEqual(numbersOf(first), [1, 1, 0, 0])
  await act(folder, 'unpublish')
  const again = await act(folder, 'publish', call)
  assert.deepEqual(again.body, first.body)
  assert.equal((await fileNow(file)).live_version, null)
})

test('expect must be the number of files, and a request that differs changes nothing', async () => {
  const folder = await makeFolder(server)
  const file = await fileIn(folder)
  const differs = await act(folder, 'publish?expect=2')
  assert.equal(assertProblem(differs, 'count-differs').matched, 1)
  assertProblem(await act(folder, 'publish?expect=0'), 'count-differs')
  assertProblem(await act(folder, 'publish?expect=x'), 'bad-request')
  assertProblem(await act(folder, 'publish?expected=1'), 'bad-request')
  assertProblem(await act(folder, 'publish', { json: { expect: 1 } }), 'invalid-content')
  assertProblem(await act(folder, 'publish', { headers: { 'if-match': '"r1"' } }), 'bad-request')
  assert.equal((await fileNow(file)).live_version, null)
  assert.deepEqual(numbersOf(await act(folder, 'publish?expect=1')), [1, 1, 0, 0])
})
