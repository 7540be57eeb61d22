// A text that fails the STML check never goes live. A page without a text contains an empty root element.
// Contents that are older than the check are checked before they go live.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assetFile, assetFileVersion } from '../../../lib/schema/asset-file.ts'
import type { Id, JsonObject, RecordType } from '../../../lib/schema/values.ts'
import type { Unit } from '../../../lib/storage/port.ts'
import { assertProblem, makeFile, newName, read } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

const PATH = '/api/v2/asset_file'
const EMPTY = '<div id="dd.0"></div>'
const GOOD = '<div id="dd.0">good</div>'
const BAD = '<div id="dd.0">\n<p></div>'
const dataDir = newDataDirectory()
let server: TestServer

before(async () => {
  server = await startTestServer({ dataDir })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const pathOf = (file: any) => `${PATH}/${file.asset_file_id}`
const post = (path: string, json: object = {}): Promise<Answer> =>
  server.call('POST', path, { json })
const place = (type: string) => ({ name: newName('page'), type, parent_category_id: 1 })

test('an STML file that is created without pageContent has an empty root element and can go live', async () => {
  for (const type of ['stml', 'STML']) {
    const made = [
      (await post(PATH, { ...place(type), fileState: 'publish' })).body,
      (await post(PATH, { ...place(type), pageContent: null })).body,
      ...(await server.call('POST', PATH, { json: [place(type), place(type)] })).body.asset_file,
    ]
    assert.equal(made.length, 4)
    for (const file of made) {
      assert.equal((await read(server, pathOf(file))).body.pageContent, EMPTY)
      assert.equal((await post(`${pathOf(file)}/publish`)).status, 200)
      assert.equal((await server.call('GET', file.url)).text, EMPTY)
    }
  }
  assert.equal((await makeFile(server)).type, 'html')
  const none = await post(PATH, place('html'))
  assert.deepEqual([none.body.size, none.body.pageContent], [0, ''])
})

test('an empty pageContent is checked as STML', async () => {
  assertProblem(await post(PATH, { ...place('stml'), pageContent: '' }), 'stml-invalid')
})

/**
 * Makes files from before the check. Version 1 is valid, version 2 is not, and the stored types are changed
 * to stml.
 */
async function makeOldFiles(count: number): Promise<readonly any[]> {
  const files: any[] = []
  for (let made = 0; made < count; made += 1) {
    const file = await makeFile(server, { ...place('html'), pageContent: GOOD })
    await post(pathOf(file), { pageContent: BAD })
    files.push(file)
  }
  await server.stop()
  await tamper(dataDir, async (_, records) => {
    await records.commit((unit) => {
      for (const { asset_file_id: id } of files) {
        makeStml(unit, assetFile.recordType, [id])
        for (const version of [1, 2]) makeStml(unit, assetFileVersion, [id, version])
      }
    })
  })
  server = await startTestServer({ dataDir })
  return files
}

function makeStml(unit: Unit, { name }: RecordType, ids: readonly Id[]): void {
  // The type has no indexes here because the index rows do not change.
  const type: RecordType<JsonObject> = { name, indexes: [] }
  unit.put(type, ids, { ...unit.get(type, ...ids)?.value, type: 'stml' })
}

test('an invalid version from before the check can be neither published nor staged, and the error has the position', async () => {
  const [file] = await makeOldFiles(1)
  const path = pathOf(file)
  const before = await read(server, path)
  const ways: readonly (() => Promise<Answer>)[] = [
    () => server.call('GET', `${path}/publish`),
    () => post(`${path}/publish`),
    () => post(`${path}/publish`, { version: 2 }),
    () => server.call('GET', `${path}/publish?version=2`),
    () => server.call('GET', `${path}/stage`),
    () => post(path, { fileState: 'publish' }),
    () => post(path, { fileState: 'stage' }),
    () => post(path, { title: 'x', fileState: 'publish' }),
    () => post(path, { pageContent: BAD }),
    () => post(path, { pageContent: BAD, fileState: 'publish' }),
    () => post(`${path}/versions/2/restore`),
  ]
  for (const way of ways) {
    const answer = await way()
    const { line, column, detail } = assertProblem(answer, 'stml-invalid')
    assert.deepEqual([answer.status, line, column], [422, 2, 4], detail)
  }
  assert.deepEqual(await read(server, path), before)
})

test('saves that publish nothing succeed, and valid versions go live', async () => {
  const [file, other] = await makeOldFiles(2)
  assert.equal((await post(pathOf(file), { title: 'x' })).body.version, 3)
  assert.equal((await post(`${pathOf(file)}/publish?version=1`)).body.live_version, 1)
  assert.equal((await post(`${pathOf(file)}/versions/1/restore`)).body.version, 4)
  assert.equal((await post(`${pathOf(file)}/publish`)).body.live_version, 4)
  assert.equal((await server.call('GET', file.url)).text, GOOD)
  assert.equal(
    (await post(pathOf(file), { title: 'y', fileState: 'publish' })).body.live_version,
    5,
  )

  const asText = await post(pathOf(other), { type: 'html', fileState: 'publish' })
  assert.deepEqual([asText.status, asText.body.live_version], [200, 3])
})

test('a key without publish gets only that error and nothing about the page', async () => {
  const [file] = await makeOldFiles(1)
  const key = await server.makeKey({ name: newName(), grants: 'view,modify' })
  const answers = [
    await server.call('GET', `${pathOf(file)}/publish`, { key }),
    await server.call('POST', pathOf(file), { key, json: { fileState: 'publish' } }),
  ]
  for (const answer of answers) assertProblem(answer, 'grant-missing')
})

test('a published page is complete while saves continue', async () => {
  const file = await makeFile(server, { ...place('stml'), pageContent: GOOD })
  const text = (index: number) => `<div id="dd.0">${index}</div>`
  const saves = Array.from({ length: 20 }, (_, index) =>
    post(pathOf(file), { pageContent: text(index) }),
  )
  const moves = Array.from({ length: 10 }, () => server.call('GET', `${pathOf(file)}/publish`))
  for (const { status } of await Promise.all([...saves, ...moves])) assert.equal(status, 200)
  const { body } = await read(server, pathOf(file))
  assert.equal(body.version, 21)
  const live = await server.call('GET', file.url)
  const version = await server.call('GET', `${pathOf(file)}/versions/${body.live_version}/content`)
  assert.equal(live.text, version.text)
})
