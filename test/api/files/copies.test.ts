// Copies of files and folders: drafts that share the bytes of the originals.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  untilFiles,
  uploadFile,
} from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { siteBehind } from '../../helpers/engine.ts'
import {
  type Answer,
  type Call,
  send,
  startTestServer,
  type TestServer,
} from '../../helpers/server.ts'
import { contentsOf } from '../../helpers/stored.ts'

let server: TestServer

before(async () => {
  // Deleted bytes are removed at once.
  server = await startTestServer({ config: { trashDays: 0 } })
})
after(async () => {
  await server.close()
  removeDataDirectories()
})

const FILE = '/api/v2/asset_file'
const FOLDER = '/api/v2/asset_category'

const copyOf = (file: any, json: object = {}, call: Omit<Call, 'json'> = {}): Promise<Answer> =>
  server.call('POST', `${FILE}/${file.asset_file_id}/copy`, { json, ...call })
const copyFolder = (folder: any, json: object = {}, call: Omit<Call, 'json'> = {}) =>
  server.call('POST', `${FOLDER}/${folder.asset_category_id}/copy`, { json, ...call })

async function textOf(file: any): Promise<string> {
  const { status, body } = await server.call('GET', `${FILE}/${file.asset_file_id}`)
  assert.equal(status, 200)
  return body.pageContent
}

async function filesIn(folder: any): Promise<readonly any[]> {
  const qry = JSON.stringify({ parent_category_id: folder.asset_category_id })
  const query = new URLSearchParams({ qry, length: '1000' })
  return (await server.call('GET', `${FILE}?${query}`)).body.asset_file
}

/** A cluster is checked by its number of contents alone, because the command would need its settings. */
async function requireClean(dataDir: string): Promise<void> {
  if ((await siteBehind(dataDir)) !== undefined) return
  const { stdout } = await runCli(['check', '--data', dataDir])
  assert.match(stdout, /\nNo faults found\.\n$/)
}

test('a copy is a draft with one version, the description and the bytes of the latest version', async () => {
  const file = await makeFile(server, { title: 'first', fileState: 'publish' })
  await server.call('POST', `${FILE}/${file.asset_file_id}`, {
    json: { pageContent: '<p>second</p>', title: 'second', alt_text: 'words' },
  })
  const { status, body, headers } = await copyOf(file)
  assert.equal(status, 201)
  assert.equal(headers['location'], `${FILE}/${body.asset_file_id}`)
  assert.deepEqual(
    [body.version, body.live_version, body.staged_version, body.state, body.title, body.alt_text],
    [1, null, null, 'draft', 'second', 'words'],
  )
  assert.equal(body.pageContent, '<p>second</p>')
  const { body: trail } = await server.call('GET', '/api/v2/audit?length=1&orderDir=DESC')
  const [{ action, object, object_id }] = trail.audit
  assert.deepEqual([action, object, object_id], ['create', 'asset_file', body.asset_file_id])
})

test('a copy without a name gets a free name, and a taken name is refused', async () => {
  const folder = await makeFolder(server)
  const place = { parent_category_id: folder.asset_category_id }
  const file = await makeFile(server, { ...place, name: 'hello.html' })
  const nameOf = async (json?: object) => (await copyOf(file, json)).body.name
  assert.equal(await nameOf(), 'hello copy.html')
  assert.equal(await nameOf(), 'hello copy 2.html')
  assert.equal(await nameOf({ name: 'other.html' }), 'other.html')
  assertProblem(await copyOf(file, { name: 'Hello.html' }), 'name-taken')
  const elsewhere = await makeFolder(server)
  assert.equal(await nameOf({ parent_category_id: elsewhere.asset_category_id }), 'hello.html')
  const long = await makeFile(server, { ...place, name: `${'ä'.repeat(125)}.html` })
  assert.equal((await copyOf(long)).body.name, `${'ä'.repeat(122)} copy.html`)
  assertProblem(await copyOf(file, { parent_category_id: 999_999 }), 'invalid-content')
  assertProblem(await copyOf(file, { title: 'x' }), 'invalid-content')
})

test('shared bytes are stored once and stay until their last file is removed', async () => {
  const original = await uploadFile(server, Buffer.alloc(600_000, 7))
  await untilFiles(server)
  const before = (await contentsOf(server.dataDir)).length
  const first = (await copyOf(original)).body
  const second = (await copyOf(first)).body
  assert.equal((await contentsOf(server.dataDir)).length, before)
  const hashes = [original, first, second].map(({ sha256 }) => sha256)
  assert.equal(new Set(hashes).size, 1)
  for (const gone of [original, first])
    assert.equal((await server.call('DELETE', `${FILE}/${gone.asset_file_id}`)).status, 204)
  await requireClean(server.dataDir)
  const content = await server.call('GET', `${FILE}/${second.asset_file_id}/versions/1/content`)
  assert.equal(content.status, 200)
  assert.equal((await contentsOf(server.dataDir)).length, before)
  // A new version with the same bytes also shares them.
  await server.call('POST', `${FILE}/${second.asset_file_id}`, { json: { title: 'again' } })
  await server.call('DELETE', `${FILE}/${second.asset_file_id}`)
  assert.equal((await contentsOf(server.dataDir)).length, before - 1)
  await requireClean(server.dataDir)
})

describe('a key that may not see drafts', () => {
  test('copies the live version, and no file without a live version', async () => {
    const folder = await makeFolder(server)
    const place = { parent_category_id: folder.asset_category_id }
    const live = await makeFile(server, { ...place, pageContent: 'live', fileState: 'publish' })
    await server.call('POST', `${FILE}/${live.asset_file_id}`, {
      json: { pageContent: 'secret', title: 'secret', name: newName() },
    })
    const draft = await makeFile(server, { ...place, pageContent: 'secret' })
    const key = await server.makeKey({ name: newName('key'), grants: 'view,create' })
    const copy = await copyOf(live, { name: newName() }, { key })
    assert.equal(copy.status, 201, copy.text)
    assert.doesNotMatch(copy.text, /secret/)
    assert.equal(await textOf(copy.body), 'live')
    assertProblem(await copyOf(draft, {}, { key }), 'grant-missing')
    const whole = await copyFolder(folder, {}, { key })
    assert.equal(whole.status, 201, whole.text)
    // The first copy is also a draft.
    assert.deepEqual(whole.body.left_out, { files: 2, file_groups: 0, modules: 0 })
    assert.deepEqual(whole.body.copied, { folders: 1, files: 1 })
  })
})

test('a folder is copied with everything below it, and the response lists omitted items', async () => {
  const top = await makeFolder(server, { title: 'Top' })
  const below = await makeFolder(server, { parent_category_id: top.asset_category_id })
  for (const folder of [top, top, below])
    await makeFile(server, { parent_category_id: folder.asset_category_id, fileState: 'publish' })
  await make(server, 'datatable', {
    name: newName('table'),
    parent_category_id: below.asset_category_id,
    table_schema: 'a C(9)',
  })
  const key = { headers: { 'idempotency-key': newName('once') } }
  const answer = await copyFolder(top, {}, key)
  assert.equal(answer.status, 201, answer.text)
  const { copied, left_out: leftOut, ...copy } = answer.body
  assert.deepEqual(copied, { folders: 2, files: 3 })
  assert.deepEqual(leftOut, { files: 0, file_groups: 0, modules: 1 })
  assert.deepEqual([copy.title, copy.name], ['Top', `${top.name} copy`])
  assert.deepEqual((await copyFolder(top, {}, key)).body, answer.body)
  const files = await filesIn(copy)
  assert.deepEqual(
    files.map(({ state }) => state),
    ['draft', 'draft'],
  )
  await server.call('DELETE', `${FOLDER}/${top.asset_category_id}?recursive=true`)
  for (const file of files) assert.equal(typeof (await textOf(file)), 'string')
  await requireClean(server.dataDir)
})

test('a refused copy of a folder leaves nothing', async () => {
  const folder = await makeFolder(server)
  for (let at = 0; at < 3; at += 1)
    await makeFile(server, { parent_category_id: folder.asset_category_id })
  const count = async () =>
    (await server.call('GET', `${FILE}?length=1&count=exact`)).body.page.total
  const before = await count()
  assertProblem(await copyFolder(folder, { name: folder.name }), 'name-taken')
  assertProblem(await copyFolder(folder, { name: 'a/b' }), 'invalid-content')
  assertProblem(
    await copyFolder(folder, {}, { headers: { 'if-match': '"r99-00000000"' } }),
    'precondition-failed',
  )
  assertProblem(await copyFolder({ asset_category_id: 999_999 }), 'not-found')
  assert.equal(await count(), before)
})

test('a server that is killed during a copy of a folder has a complete copy afterwards, or none', async () => {
  const dataDir = newDataDirectory()
  let child = await startChild(dataDir)
  const key = await makeKey(dataDir)
  const call = (method: string, path: string, json?: object) =>
    send(child.url, method, path, { key, ...(json && { json }) })
  const folder = (await call('POST', FOLDER, { name: 'big' })).body
  for (let list = 0; list < 8; list += 1)
    await call(
      'POST',
      FILE,
      Array.from({ length: 50 }, (_, at) => ({
        name: `f${list}-${at}.html`,
        type: 'html',
        parent_category_id: folder.asset_category_id,
        pageContent: `text ${list} ${at}`,
      })),
    )
  let copies = 0
  for (const delayMs of [5, 20, 60, 150]) {
    const copy = call('POST', `${FOLDER}/${folder.asset_category_id}/copy`, {}).catch(
      () => undefined,
    )
    await new Promise((resolve) => {
      setTimeout(resolve, delayMs)
    })
    await child.kill('SIGKILL')
    if ((await copy)?.status === 201) copies += 1
    child = await startChild(dataDir)
    const folders = (await call('GET', `${FOLDER}?length=100`)).body.asset_category
    const seen = folders.filter(({ name }: any) => name.startsWith('big copy')).length
    assert.ok(seen >= copies, `${seen} of ${copies}`)
    copies = seen
    const { total } = (await call('GET', `${FILE}?length=1&count=exact`)).body.page
    assert.equal(total, 400 * (1 + copies))
  }
  await call('DELETE', `${FOLDER}/${folder.asset_category_id}?recursive=true`)
  await child.kill('SIGTERM')
  await requireClean(dataDir)
})
