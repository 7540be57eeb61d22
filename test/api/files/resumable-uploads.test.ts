// Resumable uploads by tus 1.0.0: the protocol and the access rules.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, newName, read } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { resumableIn } from '../../helpers/stored.ts'
import { append, begin, BYTES, look, metadataOf, TUS, UPLOADS } from '../../helpers/tus.ts'

const FILE = '/api/v2/asset_file'
const bytes = randomBytes(300_000)
const sha256 = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let server: TestServer

before(async () => {
  server = await startTestServer({ config: { maxUploadBytes: 1024 * 1024 } })
})
after(() => server.close())

const fileIdOf = (answer: { headers: object }): number =>
  Number((answer.headers as Record<string, string>)['upload-asset-file-id'])

const auditOf = ({ asset_file_id: id }: any): string =>
  `qry=${JSON.stringify({ object: 'asset_file', object_id: id })}`

/** Begins an upload into the root; returns its address. */
async function begun(length = bytes.length, values = {}): Promise<string> {
  const all = { asset_category_id: 1, filename: newName('bin'), ...values }
  const answer = await begin(server, all, length)
  assert.equal(answer.status, 201, answer.text)
  return String(answer.headers.location)
}

test('OPTIONS names the version, the extensions, the largest size and the checksums', async () => {
  const { status, headers } = await server.call('OPTIONS', UPLOADS, { key: null })
  assert.equal(status, 204)
  assert.deepEqual(
    [headers['tus-version'], headers['tus-max-size'], headers['tus-checksum-algorithm']],
    ['1.0.0', String(1024 * 1024), 'sha1,sha256'],
  )
  assert.equal(
    headers['tus-extension'],
    'creation,creation-with-upload,creation-defer-length,termination,checksum,expiration',
  )
})

test('an upload in three requests becomes a file in one commit, with the last byte', async () => {
  const name = newName('bin')
  const path = await begun(bytes.length, { filename: name, title: 'A title' })
  assert.equal((await look(server, path)).headers['upload-offset'], '0')
  for (const [from, to] of [
    [0, 100_000],
    [100_000, 100_001],
    [100_001, bytes.length],
  ] as const) {
    const before = await server.call('GET', `${FILE}?qry={"name":"${name}"}`)
    assert.deepEqual(before.body.asset_file, [])
    const answer = await append(server, path, from, bytes.subarray(from, to))
    assert.equal(answer.status, 204, answer.text)
    assert.equal(answer.headers['upload-offset'], String(to))
    assert.equal(answer.headers['tus-resumable'], '1.0.0')
    if (to === bytes.length) {
      const { body } = await read(server, `${FILE}/${fileIdOf(answer)}`)
      assert.deepEqual(
        [body.name, body.title, body.version, body.size, body.sha256],
        [name, 'A title', 1, bytes.length, sha256(bytes)],
      )
      const { body: trail } = await server.call('GET', `/api/v2/audit?${auditOf(body)}`)
      assert.deepEqual(
        trail.audit.map(({ action, version }: any) => [action, version]),
        [['upload', 1]],
      )
    } else assert.ok(Date.parse(String(answer.headers['upload-expires'])) > Date.now())
  }
})

test('an upload to a file becomes its next version, and fileState publishes it', async () => {
  const file = await makeFile(server, { pageContent: 'one' })
  const values = { asset_file_id: file.asset_file_id, fileState: 'publish' }
  const path = String((await begin(server, values, 3)).headers.location)
  const answer = await append(server, path, 0, Buffer.from('two'))
  assert.equal(fileIdOf(answer), file.asset_file_id)
  const { body } = await read(server, `${FILE}/${file.asset_file_id}`)
  assert.deepEqual([body.version, body.live_version], [2, 2])
  assert.equal((await server.call('GET', body.url)).text, 'two')
})

test('HEAD returns offset, length and metadata; a lost last response is found there', async () => {
  const path = await begun(4)
  await append(server, path, 0, Buffer.from('ab'))
  const { headers, status } = await look(server, path)
  assert.deepEqual(
    [status, headers['upload-offset'], headers['upload-length'], headers['cache-control']],
    [200, '2', '4', 'no-store'],
  )
  assert.match(String(headers['upload-metadata']), /^asset_category_id MQ==,filename /)
  const last = await append(server, path, 2, Buffer.from('cd'))
  assert.deepEqual((await look(server, path)).headers['upload-offset'], '4')
  assert.equal(fileIdOf(await look(server, path)), fileIdOf(last))
  const again = assertProblem(await append(server, path, 2, Buffer.from('cd')), 'upload-offset')
  assert.equal(again.asset_file_id, fileIdOf(last))
  const { body } = await server.call('GET', path)
  assert.deepEqual(body, {
    offset: 4,
    length: 4,
    date_expires: null,
    asset_file_id: fileIdOf(last),
    version: 1,
  })
})

test('the first request may send bytes, even all of them, and an empty upload is complete at once', async () => {
  const call = { headers: BYTES, body: 'abc' }
  const values = { asset_category_id: 1, filename: newName('txt') }
  const half = await begin(server, values, 6, call)
  assert.deepEqual([half.status, half.headers['upload-offset']], [201, '3'], half.text)
  const rest = await append(server, String(half.headers.location), 3, Buffer.from('def'))
  const { url } = (await read(server, `${FILE}/${fileIdOf(rest)}`)).body
  assert.equal((await server.call('GET', `${url}?version=1`)).text, 'abcdef')

  const whole = await begin(server, { ...values, filename: newName('txt') }, 3, call)
  assert.equal((await read(server, `${FILE}/${fileIdOf(whole)}`)).body.size, 3)
  const empty = await begin(server, { ...values, filename: newName('txt') }, 0)
  assert.equal(empty.status, 201, empty.text)
  assert.equal((await read(server, `${FILE}/${fileIdOf(empty)}`)).body.size, 0)
})

test('the length can be sent later, but only once', async () => {
  const metadata = metadataOf({ asset_category_id: 1, filename: newName('txt') })
  const headers = { ...TUS, 'upload-defer-length': '1', 'upload-metadata': metadata }
  const path = String((await server.call('POST', UPLOADS, { headers })).headers.location)
  await append(server, path, 0, Buffer.from('abc'))
  const before = (await look(server, path)).headers
  assert.deepEqual([before['upload-defer-length'], before['upload-length']], ['1', undefined])
  await append(server, path, 3, Buffer.from('d'), { headers: { 'upload-length': '6' } })
  assert.equal((await look(server, path)).headers['upload-length'], '6')
  const other = { headers: { 'upload-length': '5' } }
  assertProblem(await append(server, path, 4, Buffer.from('e'), other), 'bad-request')
  const last = await append(server, path, 4, Buffer.from('ef'))
  assert.equal((await read(server, `${FILE}/${fileIdOf(last)}`)).body.size, 6)
})

test('a request with a wrong checksum changes nothing', async () => {
  const path = await begun(3)
  for (const algorithm of ['sha1', 'sha256']) {
    const wrong = createHash(algorithm).update('other').digest('base64')
    const headers = { 'upload-checksum': `${algorithm} ${wrong}` }
    assertProblem(await append(server, path, 0, Buffer.from('a'), { headers }), 'checksum-mismatch')
    assert.equal((await look(server, path)).headers['upload-offset'], '0')
  }
  const right = createHash('sha1').update('abc').digest('base64')
  const headers = { 'upload-checksum': `sha1 ${right}` }
  assert.equal((await append(server, path, 0, Buffer.from('abc'), { headers })).status, 204)
})

test('a request that does not follow the protocol is refused, and the offset stays', async () => {
  const path = await begun(10)
  const abc = Buffer.from('abc')
  const cases = [
    [await append(server, path, 1, abc), 'upload-offset', 409],
    [await append(server, path, 0, Buffer.alloc(11)), 'too-large', 413],
    [
      await append(server, path, 0, abc, { headers: { 'tus-resumable': '0.2.2' } }),
      'tus-version',
      412,
    ],
    [
      await append(server, path, 0, abc, { headers: { 'content-type': 'text/plain' } }),
      'unsupported-media-type',
      415,
    ],
    [
      await append(server, path, 0, abc, { headers: { 'upload-checksum': 'md5 x' } }),
      'bad-request',
      400,
    ],
    [
      await append(server, path, 0, abc, { headers: { 'upload-offset': '-1' } }),
      'bad-request',
      400,
    ],
    [await append(server, `${UPLOADS}/${'0'.repeat(32)}`, 0, abc), 'not-found', 404],
    [await begin(server, { asset_category_id: 1, filename: 'x' }, 2 ** 30), 'too-large', 413],
    [await begin(server, { asset_category_id: 1 }, 3), 'bad-request', 400],
    [
      await begin(server, { asset_category_id: 1, filename: 'x', nmae: 'y' }, 3),
      'bad-request',
      400,
    ],
    [await begin(server, { filename: 'x' }, 3), 'bad-request', 400],
    [await begin(server, { asset_category_id: 999_999, filename: 'x' }, 3), 'invalid-content', 422],
  ] as const
  for (const [answer, code, status] of cases) {
    assertProblem(answer, code)
    assert.equal(answer.status, status)
    assert.equal(answer.headers['tus-resumable'], '1.0.0')
  }
  assert.equal(cases[2]?.[0].headers['tus-version'], '1.0.0')
  assert.equal((await look(server, path)).headers['upload-offset'], '0')
})

test('a taken name is refused before any bytes, and at the end', async () => {
  const name = newName('bin')
  const path = await begun(3, { filename: name })
  const file = await makeFile(server, { name })
  const values = { asset_category_id: 1, filename: name }
  assert.equal(
    assertProblem(await begin(server, values, 3), 'name-taken').asset_file_id,
    file.asset_file_id,
  )
  assertProblem(await append(server, path, 0, Buffer.from('abc')), 'name-taken')
  assert.equal((await look(server, path)).headers['upload-offset'], '0')
})

test('only the user who started an upload can see, continue and end it', async () => {
  const folder = await makeFolder(server)
  const into = String(folder.asset_category_id)
  const ada = await server.call('POST', '/api/v2/user', {
    json: { name: newName(), role: 'editor' },
  })
  const other = await server.makeKey({ user: ada.body.name })
  const path = await begun(3, { asset_category_id: into })
  for (const call of [{ key: other }]) {
    assertProblem(await append(server, path, 0, Buffer.from('abc'), call), 'not-found')
    assert.equal((await look(server, path, call)).status, 404)
    assertProblem(await server.call('DELETE', path, { headers: TUS, ...call }), 'not-found')
  }
  const same = await server.makeKey({ grants: 'view' })
  assertProblem(await append(server, path, 0, Buffer.from('abc'), { key: same }), 'grant-missing')
  const second = await server.makeKey({})
  assert.equal((await append(server, path, 0, Buffer.from('abc'), { key: second })).status, 204)
})

test('DELETE ends an upload and removes its bytes; the file of a complete upload stays', async () => {
  const path = await begun(10)
  await append(server, path, 0, Buffer.from('abc'))
  const uid = path.slice(UPLOADS.length + 1)
  assert.ok((await resumableIn(server.dataDir)).includes(uid))
  assert.equal((await server.call('DELETE', path, { headers: TUS })).status, 204)
  assert.ok(!(await resumableIn(server.dataDir)).includes(uid))
  assert.equal((await look(server, path)).status, 404)
  assertProblem(await append(server, path, 3, Buffer.from('d')), 'not-found')

  const whole = await begun(3)
  const id = fileIdOf(await append(server, whole, 0, Buffer.from('abc')))
  assert.equal((await server.call('DELETE', whole, { headers: TUS })).status, 204)
  assert.equal((await server.call('GET', `${FILE}/${id}`)).status, 200)
})

test('a page of an allowed origin may send and read all headers, and addresses have the base path', async (t) => {
  const origin = 'https://editor.example'
  const own = await startTestServer({
    config: { corsOrigins: [origin], baseUrl: 'https://www.example.org/cms' },
  })
  t.after(() => own.close())
  const preflight = await own.call('OPTIONS', UPLOADS, { key: null, headers: { origin } })
  const listOf = (name: string): readonly string[] =>
    String(preflight.headers[name]).toLowerCase().split(', ')
  const sent = ['tus-resumable', 'upload-offset', 'upload-length', 'upload-metadata']
  for (const name of [...sent, 'upload-checksum', 'upload-defer-length', 'content-type'])
    assert.ok(listOf('access-control-allow-headers').includes(name), name)
  const read = ['location', 'upload-offset', 'upload-length', 'upload-expires', 'tus-resumable']
  for (const name of [...read, 'upload-asset-file-id'])
    assert.ok(listOf('access-control-expose-headers').includes(name), name)

  const values = { asset_category_id: 1, filename: newName('bin') }
  const { headers } = await begin(own, values, 3, { headers: { origin } })
  assert.equal(headers['access-control-allow-origin'], origin)
  const path = String(headers.location)
  assert.match(path, /^\/cms\/api\/v2\/uploads\/[0-9a-f]{32}$/)
  assert.equal((await append(own, path, 0, Buffer.from('abc'))).status, 204)
})

test('a picture that arrives in parts is measured', async () => {
  const picture = Buffer.from(PIXEL, 'base64')
  const path = await begun(picture.length, { filename: newName('png'), alt_text: 'A dot' })
  await append(server, path, 0, picture.subarray(0, 20))
  const last = await append(server, path, 20, picture.subarray(20))
  const { body } = await read(server, `${FILE}/${fileIdOf(last)}`)
  assert.deepEqual([body.width, body.height, body.alt_text], [1, 1, 'A dot'])
})
