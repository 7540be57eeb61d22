// Every save creates a version, whatever it changes. Versions share unchanged bytes without a copy.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { contentsIn } from '../../helpers/data-directory.ts'
import {
  assertProblem,
  fileOf,
  makeFile,
  newName,
  partsOf,
  pointersOf,
  read,
  uploadFile,
} from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { eventually } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { contentsOf } from '../../helpers/stored.ts'

const DAMAGE = oneServer('damage')
const KIB = 1024
/** Large enough to be written to a file at once and not kept in memory. */
const LONG = 'long '.repeat(60 * KIB)
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const pathOf = (file: any) => `/api/v2/asset_file/${file.asset_file_id}`
const save = (file: any, json: object): Promise<Answer> =>
  server.call('POST', pathOf(file), { json })
const replace = (file: any, bytes: string | Uint8Array): Promise<any> =>
  uploadFile(server, bytes, { asset_file_id: String(file.asset_file_id) })
const contentOf = async (file: any, version: number): Promise<string> =>
  (await server.call('GET', `${pathOf(file)}/versions/${version}/content`)).text

/** How many versions each body adds to a file that is live and has the title T. */
const BODIES: readonly (readonly [object, number])[] = [
  [{}, 0],
  [{ fileState: 'publish' }, 0],
  [{ fileState: 'stage' }, 0],
  [{ title: 'T' }, 1],
  [{ title: 'U' }, 1],
  [{ description: null }, 1],
  [{ pageContent: 'text' }, 1],
  [{ pageContent: 'other' }, 1],
  [{ pageContent: 'text', fileState: 'stage' }, 1],
  [{ type: 'html' }, 1],
  [{ parent_category_id: 1 }, 1],
  [{ live_version: 1, fileState: 'publish' }, 1],
]

for (const [json, added] of BODIES) {
  test(`an update with ${JSON.stringify(json)} adds ${added} versions, and without fileState moves no pointer`, async () => {
    const fields = { pageContent: 'text', title: 'T', fileState: 'publish' }
    const file = await makeFile(server, fields)
    const before = await read(server, pathOf(file))
    const { status, body, headers } = await save(file, json)
    assert.deepEqual([status, body.version], [200, 1 + added])
    if ('fileState' in json) return
    const { live_version, staged_version, fileState } = body
    assert.deepEqual([live_version, staged_version, fileState], [1, 1, 'publish'])
    assert.equal(headers.etag === before.etag, added === 0)
  })
}

test('a record that is sent back as it was read is a save', async () => {
  for (const file of [await makeFile(server), await uploadFile(server, Buffer.from([0, 255]))]) {
    const { body } = await read(server, pathOf(file))
    const answer = await save(file, body)
    assert.deepEqual([answer.status, answer.body.version], [200, 2], answer.text)
    assert.equal(answer.body.sha256, body.sha256)
  }
})

test('a save of unchanged content needs the grant modify', async () => {
  const key = await server.makeKey({ name: newName(), grants: 'publish' })
  const file = await makeFile(server, { title: 'T' })
  const json = { title: 'T', fileState: 'publish' }
  const { body } = await server.call('POST', pathOf(file), { json, key })
  assert.deepEqual([body.code, body.grant], ['grant-missing', 'modify'])
  assert.equal((await read(server, pathOf(file))).body.live_version, null)
})

test('a save with If-Match or an Idempotency-Key adds one version if it is sent twice', async () => {
  const file = await makeFile(server, { title: 'T' })
  const json = { title: 'T' }
  const once = { json, headers: { 'idempotency-key': newName() } }
  const first = await server.call('POST', pathOf(file), once)
  const again = await server.call('POST', pathOf(file), once)
  assert.deepEqual([first.body.version, again.text], [2, first.text])
  const ifMatch = { json, headers: { 'if-match': String(first.headers.etag) } }
  assert.equal((await server.call('POST', pathOf(file), ifMatch)).body.version, 3)
  assertProblem(await server.call('POST', pathOf(file), ifMatch), 'precondition-failed')
  assert.equal((await read(server, pathOf(file))).body.version, 3)
})

test('unchanged bytes are stored once for all kinds of saves', async () => {
  const own = await startTestServer()
  const post = (path: string, json: object): Promise<Answer> => own.call('POST', path, { json })
  try {
    const file = await makeFile(own, { pageContent: LONG })
    const again = [...partsOf({ asset_file_id: String(file.asset_file_id) }), fileOf(LONG, 'x')]
    await post(pathOf(file), { pageContent: LONG })
    await post(pathOf(file), { title: 'x' })
    await post(pathOf(file), { pageContent: LONG, type: 'txt' })
    await own.upload(again)
    await post(`${pathOf(file)}/versions/1/restore`, {})
    assert.equal((await read(own, pathOf(file))).body.version, 6)
    const isKept = (count: number) =>
      eventually(async () => (await contentsOf(own.dataDir)).length === count)
    assert.ok(await isKept(1))
    for (const version of [1, 2, 3, 4, 5, 6]) {
      const content = await own.call('GET', `${pathOf(file)}/versions/${version}/content`)
      assert.ok(content.text === LONG, `version ${version}`)
    }
    await own.upload([...again.slice(0, -1), fileOf(`${LONG}!`, 'x')])
    assert.ok(await isKept(2))
  } finally {
    await own.close()
  }
})

test('damaged bytes are not reused, so a new save repairs the file', DAMAGE, async () => {
  for (const send of [
    (file: any) => save(file, { pageContent: LONG }),
    (file: any) => replace(file, LONG),
  ]) {
    const file = await makeFile(server, { pageContent: LONG })
    const [path = ''] = contentsIn(server.dataDir).filter((name) =>
      name.includes(`/${file.asset_file_id}.`),
    )
    writeFileSync(path, readFileSync(path).fill('x', 0, 10))
    await send(file)
    assert.ok((await contentOf(file, 2)) === LONG)
    assert.notEqual(await contentOf(file, 1), LONG)
  }
})

test('simultaneous saves each store their own text, even an unchanged one', async () => {
  const file = await makeFile(server, { pageContent: 'same' })
  const texts = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'same' : `${index}`))
  const answers = await Promise.all(texts.map((pageContent) => save(file, { pageContent })))
  for (const [index, { body }] of answers.entries())
    assert.equal(await contentOf(file, body.version), texts[index], `version ${body.version}`)
  assert.equal(new Set(answers.map(({ body }) => body.version)).size, texts.length)
})

test('pageContent null is refused for a text and accepted if a read returns null', async () => {
  const text = await makeFile(server, { pageContent: 'a' })
  for (const json of [{ pageContent: null }, { pageContent: null, fileState: 'publish' }]) {
    const answer = await save(text, json)
    assert.deepEqual([answer.status, pointersOf(answer)], [422, ['/pageContent']])
    assert.match(answer.body.detail, /send "" for an empty text/)
  }
  const { body } = await read(server, pathOf(text))
  assert.deepEqual([body.version, body.live_version, body.pageContent], [1, null, 'a'])

  const bytes = await uploadFile(server, Buffer.from([0, 1, 2]))
  const posted = await save(bytes, { pageContent: null, title: 'x' })
  assert.deepEqual([posted.status, posted.body.version, posted.body.size], [200, 2, 3])
  assert.equal((await makeFile(server, { pageContent: null })).size, 0)
})

test('pageContent is null for a text that is too long as JSON, and not for other long texts', async () => {
  const own = await startTestServer({ limits: { pageJsonBytes: 400 * KIB } })
  try {
    const file = await makeFile(own, { pageContent: 'a'.repeat(300 * KIB) })
    const json = { pageContent: null }
    assert.equal((await own.call('POST', pathOf(file), { json })).status, 422)
    const parts = partsOf({ asset_file_id: String(file.asset_file_id) })
    await own.upload([...parts, fileOf('\u0001'.repeat(300 * KIB), 'x')])
    assert.ok((await read(own, pathOf(file))).body.pageContent === null)
    assert.equal((await own.call('POST', pathOf(file), { json })).body.version, 3)
  } finally {
    await own.close()
  }
})

test('pageContent is null for a text whose escaped quotes exceed the limit', async () => {
  // Each character takes six bytes in JSON, and the quotes take two.
  const count = 300 * KIB
  for (const [pageJsonBytes, status] of [
    [6 * count + 1, 200],
    [6 * count + 2, 422],
  ] as const) {
    const own = await startTestServer({ limits: { pageJsonBytes } })
    try {
      const file = await uploadFile(own, '\u0001'.repeat(count), { fileName: 'x.txt' })
      const { pageContent } = (await read(own, pathOf(file))).body
      assert.equal(pageContent === null, status === 200)
      const answer = await own.call('POST', pathOf(file), { json: { pageContent: null } })
      assert.equal(answer.status, status, String(pageJsonBytes))
    } finally {
      await own.close()
    }
  }
})

test('fileState null is accepted if the file has null, and unpublishes nothing', async () => {
  const file = await makeFile(server)
  assert.deepEqual((await save(file, { fileState: null })).body.version, 1)
  await save(file, { fileState: 'publish' })
  const answer = await save(file, { fileState: null })
  assert.deepEqual([answer.status, pointersOf(answer)], [422, ['/fileState']])
  assert.match(answer.body.detail, /unpublish/)
  assert.equal((await read(server, pathOf(file))).body.live_version, 1)
  assert.equal((await makeFile(server, { fileState: null })).fileState, null)
})
