// Size, placeholder, alternative text and focus of pictures, in records and versions.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { thumbHashToRGBA } from 'thumbhash'
import {
  assetFile,
  assetFileVersion,
  type AssetFile,
  type AssetFileVersion,
  LATER_FIELDS,
} from '../../../lib/schema/asset-file.ts'
import { makeFile, newName, pointersOf, uploadFile } from '../../helpers/content.ts'
import { animation, halves } from '../../helpers/pictures.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { tamper } from '../../helpers/site.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const NOTHING = { width: null, height: null, thumbhash: null }

function factsOf({ width, height, thumbhash }: any): object {
  return { width, height, thumbhash }
}

async function versionOf(id: number, number: number): Promise<any> {
  return (await server.call('GET', `/api/v2/asset_file/${id}/versions/${number}`)).body
}

test('an uploaded picture gets its size and a placeholder, in the record and in the version', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif'] as const) {
    const bytes = await halves(60, 40)[format]().toBuffer()
    const file = await uploadFile(server, bytes, { fileName: newName(format) })
    assert.deepEqual([file.width, file.height], [60, 40], format)
    const { w, h, rgba } = thumbHashToRGBA(Buffer.from(file.thumbhash, 'base64'))
    assert.ok(w > h && (rgba[0] ?? 0) > 100, format)
    assert.deepEqual(factsOf(await versionOf(file.asset_file_id, 1)), factsOf(file))
  }
})

test('a rotated photo has the size in which it is shown', async () => {
  const bytes = await halves(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const file = await uploadFile(server, bytes, { fileName: newName('jpg') })
  assert.deepEqual([file.width, file.height], [40, 60])
})

test('an animation has the size of one frame', async () => {
  const bytes = await animation(30, 20, 4).gif().toBuffer()
  const file = await uploadFile(server, bytes, { fileName: newName('gif') })
  assert.deepEqual([file.width, file.height], [30, 20])
})

test('a truncated or invalid picture is saved without a size', async () => {
  const whole = await halves(600, 400).jpeg().toBuffer()
  for (const bytes of [Buffer.from('no picture'), whole.subarray(0, whole.length / 2)]) {
    const file = await uploadFile(server, bytes, { fileName: newName('jpg') })
    assert.deepEqual(factsOf(file), NOTHING)
  }
  assert.deepEqual(factsOf(await makeFile(server)), NOTHING)
})

test('a large picture, which is written to a file before its save, is also measured', async () => {
  const bytes = await halves(900, 900).png({ compressionLevel: 0 }).toBuffer()
  assert.ok(bytes.length > 2 ** 20)
  const file = await uploadFile(server, bytes, { fileName: newName('png') })
  assert.deepEqual([file.width, file.height], [900, 900])
})

test('each version has the size of its own bytes, and an update of fields keeps the size', async () => {
  const first = await halves(60, 40).png().toBuffer()
  const { asset_file_id: id } = await uploadFile(server, first, { fileName: newName('png') })
  const next = await halves(30, 20).png().toBuffer()
  await uploadFile(server, next, { asset_file_id: String(id) })
  const described = { alt_text: 'Two halves', focus: '0.25,1' }
  const { body } = await server.call('POST', `/api/v2/asset_file/${id}`, { json: described })
  assert.deepEqual(
    [body.width, body.height, body.alt_text, body.focus],
    [30, 20, 'Two halves', '0.25,1'],
  )
  const [one, two, three] = await Promise.all([1, 2, 3].map((number) => versionOf(id, number)))
  assert.deepEqual([one.width, two.width, three.width], [60, 30, 30])
  assert.deepEqual([two.alt_text, three.alt_text, three.focus], [null, 'Two halves', '0.25,1'])
  const restored = await server.call('POST', `/api/v2/asset_file/${id}/versions/1/restore`)
  assert.deepEqual([restored.body.width, restored.body.alt_text], [60, null])
})

test('an upload form accepts the alternative text and the focus', async () => {
  const bytes = await halves(6, 4).png().toBuffer()
  const parts = { fileName: newName('png'), alt_text: 'Text', focus: '1,0' }
  const file = await uploadFile(server, bytes, parts)
  assert.deepEqual([file.alt_text, file.focus], ['Text', '1,0'])
})

test('a focus outside the picture is refused', async () => {
  const { asset_file_id: id } = await makeFile(server)
  for (const focus of ['1.1,0', '-0.1,0', '0.5', '.5,.5', '0.5, 0.5', '0.12345,0', 'a,b', 5]) {
    const answer = await server.call('POST', `/api/v2/asset_file/${id}`, { json: { focus } })
    assert.equal(answer.status, 422, String(focus))
    assert.deepEqual(pointersOf(answer), ['/focus'])
  }
})

test('readers see the description of the live version and nothing of the draft', async () => {
  const bytes = await halves(60, 40).png().toBuffer()
  const parts = { fileName: newName('png'), alt_text: 'Live', fileState: 'publish' }
  const { asset_file_id: id } = await uploadFile(server, bytes, parts)
  const next = await halves(30, 20).png().toBuffer()
  await uploadFile(server, next, { asset_file_id: String(id), alt_text: 'Draft', focus: '0,0' })
  const key = await server.makeKey({ name: newName(), grants: 'view' })
  const { body } = await server.call('GET', `/api/v2/asset_file/${id}`, { key })
  assert.deepEqual([body.width, body.height, body.alt_text, body.focus], [60, 40, 'Live', null])
  for (const match of [{ width: 30 }, { alt_text: 'Draft' }, { focus: '0,0' }]) {
    const query = new URLSearchParams({ qry: JSON.stringify({ asset_file_id: id, ...match }) })
    const found = await server.call('GET', `/api/v2/asset_file?${query}`, { key })
    assert.deepEqual(found.body.asset_file, [], JSON.stringify(match))
  }
})

/** The record as an earlier build has stored it. */
function earlier<T extends object>(record: T): T {
  const isLater = ([name]: readonly [string, unknown]): boolean =>
    name === 'was_published' || (LATER_FIELDS as readonly string[]).includes(name)
  return Object.fromEntries(Object.entries(record).filter((entry) => !isLater(entry))) as T
}

test('a file of an earlier build shows nulls, can be sent back and gets a size with new bytes', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const { asset_file_id: id } = await makeFile(first)
  await first.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const file = unit.get(assetFile.recordType, id)?.value
      const version = unit.get(assetFileVersion, id, 1)?.value
      assert.ok(file !== undefined && version !== undefined)
      unit.put(assetFile.recordType, [id], earlier<AssetFile>(file))
      unit.put(assetFileVersion, [id, 1], earlier<AssetFileVersion>(version))
    }),
  )

  const second = await startTestServer({ dataDir })
  const path = `/api/v2/asset_file/${id}`
  const { body } = await second.call('GET', path)
  const shown = (record: any): unknown[] => LATER_FIELDS.map((name) => record[name])
  const nulls = LATER_FIELDS.map(() => null)
  assert.deepEqual(shown(body), nulls)
  assert.deepEqual(shown((await second.call('GET', `${path}/versions/1`)).body), nulls)
  assert.equal(body.was_published, null)
  const unknown = await second.call('GET', '/api/v2/asset_file?qry={"was_published":false}')
  assert.deepEqual(unknown.body.asset_file, [])
  const list = await second.call('GET', '/api/v2/asset_file?qry={"width":null}')
  assert.deepEqual(shown(list.body.asset_file[0]), nulls)
  assert.equal((await second.call('POST', path, { json: body })).status, 200)
  const bytes = await halves(6, 4).png().toBuffer()
  const parts = { asset_file_id: String(id), name: newName('png'), type: 'png' }
  assert.equal((await uploadFile(second, bytes, parts)).width, 6)
  await second.call('POST', `${path}/publish`)
  assert.equal((await second.call('POST', `${path}/unpublish`)).body.was_published, true)
  await second.close()
})
