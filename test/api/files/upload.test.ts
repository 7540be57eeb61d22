// POST /upload: bytes become a new file or the next version of a file.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  fileOf,
  makeFile,
  makeFolder,
  newName,
  partsOf,
  pointersOf,
  read,
  untilFiles,
  uploadFile,
} from '../../helpers/content.ts'
import { eventually, openSocket } from '../../helpers/raw.ts'
import { buildForm, type Part, startTestServer, type TestServer } from '../../helpers/server.ts'
import { contentsOf, unfinishedIn } from '../../helpers/stored.ts'

const PATH = '/api/v2/asset_file'
const MIB = 1024 * 1024
const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\r\n%\xe2\xe3\xcf\xd3\r\n', 'latin1'),
  randomBytes(4_000),
  Buffer.from('\r\n%%EOF\n'),
])
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const tmpFiles = () => unfinishedIn(server.dataDir)
const contents = () => contentsOf(server.dataDir)
const pathOf = (file: any) => `${PATH}/${file.asset_file_id}`
const intoRoot = (fields: Readonly<Record<string, string>> = {}) =>
  partsOf({ asset_category_id: '1', ...fields })

test('an upload into a folder creates a new file, which is not live', async () => {
  const name = newName('pdf')
  const answer = await server.upload([...intoRoot(), fileOf(PDF, name)])
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, pathOf(answer.body))
  const { body } = await read(server, pathOf(answer.body))
  assert.deepEqual(answer.body, body)
  assert.deepEqual(
    [body.name, body.type, body.parent_category_id, body.mime_type],
    [name, 'pdf', 1, 'application/pdf'],
  )
  assert.deepEqual(
    [body.version, body.live_version, body.staged_version, body.fileState],
    [1, null, null, null],
  )
  assert.deepEqual([body.size, body.sha256, body.pageContent], [PDF.length, sha256(PDF), null])
})

test('a PDF is stored byte by byte, unlike pageContent', async () => {
  const file = await uploadFile(server, PDF, { fileName: newName('pdf'), fileState: 'publish' })
  const download = await server.call('GET', file.url)
  assert.ok(download.bytes.equals(PDF))
  assert.equal(download.headers['content-type'], 'application/pdf')
})

test('an upload replaces the content of a file as its next version, which is not live', async () => {
  const file = await makeFile(server, { pageContent: 'one', fileState: 'publish', title: 'T' })
  const answer = await server.upload([
    ...partsOf({ asset_file_id: String(file.asset_file_id) }),
    fileOf('two', 'other.html'),
  ])
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.location, undefined)
  const { body } = answer
  assert.deepEqual(
    [body.version, body.live_version, body.name, body.type, body.title],
    [2, 1, file.name, 'html', 'T'],
  )
  assert.equal((await server.call('GET', file.url)).text, 'one')
  await server.call('GET', `${pathOf(file)}/publish`)
  assert.equal((await server.call('GET', file.url)).text, 'two')
})

const PARTS = { name: 'given.txt', type: 'txt', title: 'A title', fileState: 'stage' }

test('M12: the parts name, type, title and fileState are accepted before and after the bytes', async () => {
  for (const isBefore of [true, false]) {
    const { asset_category_id: folder } = await makeFolder(server)
    const fields = partsOf({ asset_category_id: String(folder), ...PARTS })
    const file = fileOf('x', 'ignored.bin')
    const { body } = await server.upload(isBefore ? [...fields, file] : [file, ...fields])
    assert.deepEqual({ ...body, ...PARTS, parent_category_id: folder, staged_version: 1 }, body)
  }
})

test('a replacement accepts the same parts', async () => {
  const file = await makeFile(server)
  const parts = { ...PARTS, name: newName(), asset_file_id: String(file.asset_file_id) }
  const { body } = await server.upload([fileOf('x', 'ignored'), ...partsOf(parts)])
  assert.deepEqual(
    [body.version, body.name, body.type, body.title, body.staged_version],
    [2, parts.name, 'txt', 'A title', 2],
  )
})

test('without the part type, the extension of the name decides', async () => {
  for (const [name, type] of [
    ['a.PDF', 'pdf'],
    ['a.tar.gz', 'gz'],
    ['noending', 'bin'],
    ['a.b c', 'bin'],
  ] as const) {
    const { asset_category_id } = await makeFolder(server)
    const file = await uploadFile(server, 'x', {
      asset_category_id: String(asset_category_id),
      fileName: name,
    })
    assert.equal(file.type, type, name)
  }
})

test('a taken name is refused with the identifier of the other file', async () => {
  const file = await makeFile(server, { name: 'Taken.pdf' })
  await untilFiles(server)
  const before = (await contents()).length
  for (const name of ['Taken.pdf', 'tAKEN.PDF']) {
    const body = assertProblem(
      await server.upload([...intoRoot(), fileOf(PDF, name)]),
      'name-taken',
    )
    assert.equal(body.asset_file_id, file.asset_file_id)
  }
  assert.equal((await read(server, pathOf(file))).body.version, 1)
  assert.equal((await contents()).length, before)
})

test('an empty file is a file', async () => {
  const file = await uploadFile(server, '', { fileState: 'publish' })
  assert.deepEqual([file.size, file.sha256], [0, sha256('')])
  const download = await server.call('GET', file.url)
  assert.deepEqual(
    [download.status, download.bytes.length, download.headers['content-length']],
    [200, 0, '0'],
  )
})

const FILE: Part = fileOf('x', 'form.bin')
const BAD_FORMS: readonly (readonly [string, readonly Part[]])[] = [
  ['no parts', []],
  ['no file', intoRoot()],
  ['no identifier', [FILE]],
  ['both identifiers', [...intoRoot({ asset_file_id: '1' }), FILE]],
  ['a repeated identifier', [...intoRoot(), ...intoRoot(), FILE]],
  ['two files', [...intoRoot(), FILE, FILE]],
  ['a file under another name', [...intoRoot(), { ...FILE, name: 'file' }]],
  ['a file without a file name', [...intoRoot(), { name: 'Filedata', value: 'x' }]],
  ['an unknown part', [...intoRoot({ description: 'x' }), FILE]],
  [
    'the part __proto__',
    [...partsOf({ asset_category_id: '1' }), { name: '__proto__', value: 'x' }, FILE],
  ],
  ['an identifier that is 0', [...intoRoot({ asset_category_id: '0' }), FILE]],
  ['an identifier with a sign', [...intoRoot({ asset_category_id: '+1' }), FILE]],
  ['an identifier that is not a number', [...intoRoot({ asset_category_id: 'Main' }), FILE]],
  ['an identifier that is empty', [...intoRoot({ asset_category_id: '' }), FILE]],
  ['a value over 4 KiB', [...intoRoot({ title: 'x'.repeat(5_000) }), FILE]],
]

test('an invalid form gets 400 and leaves nothing', async (t) => {
  await untilFiles(server)
  const before = await contents()
  for (const [what, parts] of BAD_FORMS) {
    await t.test(what, async () => {
      assertProblem(await server.upload(parts), 'bad-multipart')
    })
  }
  assert.deepEqual([await contents(), tmpFiles()], [before, []])
  const found = await server.call('GET', `${PATH}?qry={"name":"form.bin"}`)
  assert.deepEqual(found.body.asset_file, [])
})

test('a large refused upload leaves nothing', async (t) => {
  const taken = await makeFile(server, { name: newName('bin') })
  await untilFiles(server)
  const before = await contents()
  const big = (name: string) => fileOf(Buffer.alloc(2 * MIB, 0x61), name)
  const forms: Readonly<Record<string, readonly Part[]>> = {
    'its name is taken': [...intoRoot(), big(taken.name)],
    'its name is taken and comes last': [big('x.bin'), ...intoRoot({ name: taken.name })],
    'it has both identifiers': [big('x.bin'), ...intoRoot({ asset_file_id: '1' })],
    'it has no identifier': [big('x.bin')],
    'its folder is missing': [big('x.bin'), ...partsOf({ asset_category_id: '999999' })],
    'its file is missing': [big('x.bin'), ...partsOf({ asset_file_id: '999999' })],
    'it is not STML': [big('x.stml'), ...intoRoot()],
    'an unknown part follows': [big('x.bin'), ...intoRoot({ description: 'x' })],
  }
  for (const [what, parts] of Object.entries(forms)) {
    await t.test(what, async () => {
      const { status } = await server.upload(parts)
      assert.ok(status >= 400 && status < 500, String(status))
      assert.deepEqual(tmpFiles(), [])
    })
  }
  assert.deepEqual(await contents(), before)
})

test('the fields of a form are checked like a body', async () => {
  const refused = async (fields: Readonly<Record<string, string>>) =>
    pointersOf(await server.upload([...intoRoot(fields), fileOf('x', 'ok.bin')]))
  assert.deepEqual(await refused({ type: 'no token', fileState: 'live', name: 'a/b' }), [
    '/fileState',
    '/name',
    '/type',
  ])
  assert.deepEqual(await refused({ asset_category_id: '999999' }), ['/parent_category_id'])
  const lost = [...partsOf({ asset_file_id: '999999' }), fileOf('x', 'x')]
  assertProblem(await server.upload(lost), 'not-found')
})

test('M13: a path in the file name is part of the name', async () => {
  const { asset_category_id: folder } = await makeFolder(server)
  const upload = (fileName: string, fields: Readonly<Record<string, string>> = {}) =>
    server.upload([
      ...partsOf({ asset_category_id: String(folder), ...fields }),
      fileOf('x', fileName),
    ])
  for (const name of ['C:\\dir\\a.txt', 'caf\u00e9.txt'])
    assert.equal((await upload(name)).body.name, name)
  for (const name of ['../../etc/passwd', 'dir/a.txt', '/a.txt', 'a/'])
    assert.deepEqual(pointersOf(await upload(name)), ['/name'])
  assert.equal((await upload('dir/a.txt', { name: 'a.txt' })).body.name, 'a.txt')
})

test('a body that is not a form is refused', async () => {
  const { body } = buildForm([...intoRoot(), FILE])
  const send = (
    type: string,
    bytes: string | Uint8Array = body,
    more: Readonly<Record<string, string>> = {},
  ) => server.call('POST', '/upload', { body: bytes, headers: { 'content-type': type, ...more } })
  assertProblem(await send('application/json', '{}'), 'unsupported-media-type')
  assertProblem(
    await send('application/x-www-form-urlencoded', 'asset_category_id=1'),
    'unsupported-media-type',
  )
  assertProblem(await send('multipart/mixed; boundary=x'), 'unsupported-media-type')
  assertProblem(await send('multipart/form-data'), 'bad-multipart')
  assertProblem(await send('multipart/form-data; boundary=other'), 'bad-multipart')
  const type = buildForm([]).contentType
  assertProblem(await send(type, body.subarray(0, -10)), 'bad-multipart')
  assertProblem(await send(type, body, { 'content-encoding': 'gzip' }), 'unsupported-media-type')
  assertProblem(await server.call('POST', '/upload'), 'unsupported-media-type')
})

test('20 MB are uploaded and downloaded unchanged', async () => {
  const bytes = randomBytes(20 * MIB)
  const file = await uploadFile(server, bytes, { fileState: 'publish' })
  assert.deepEqual([file.size, file.sha256], [bytes.length, sha256(bytes)])
  const download = await server.call('GET', file.url)
  assert.equal(sha256(download.bytes), file.sha256)
  const part = await server.call('GET', file.url, {
    headers: { range: `bytes=${7 * MIB}-${7 * MIB + 99}` },
  })
  assert.ok(part.bytes.equals(bytes.subarray(7 * MIB, 7 * MIB + 100)))
  // A node caches fetched bytes a moment after it sent the last byte.
  assert.ok(await eventually(() => tmpFiles().length === 0), String(tmpFiles()))
})

test('M10: an upload over the limit gets 413 and leaves nothing', async () => {
  const small = await startTestServer({ config: { maxUploadBytes: MIB } })
  try {
    const form = (size: number) => [...intoRoot(), fileOf(Buffer.alloc(size, 1), newName('bin'))]
    assert.equal((await small.upload(form(MIB))).status, 201)
    assertProblem(await small.upload(form(MIB + 1)), 'too-large')
    assert.equal((await small.call('GET', `${PATH}?count=exact`)).body.page.total, 1)
    assert.deepEqual(unfinishedIn(small.dataDir), [])
  } finally {
    await small.close()
  }
})

test('H3: a client that disconnects leaves no record and no bytes', async (t) => {
  const name = newName('bin')
  const { contentType, body } = buildForm([...intoRoot(), fileOf(randomBytes(3 * MIB), name)])
  const head = [
    'POST /upload HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${server.key}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`,
  ]
  const before = await contents()
  for (const sent of [0, 40, 200, 64 * 1024, MIB, 2 * MIB, body.length - 1]) {
    await t.test(`after ${sent} bytes`, async () => {
      const socket = await openSocket(server.url)
      socket.on('error', () => undefined)
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      await new Promise<void>((resolve) => socket.write(body.subarray(0, sent), () => resolve()))
      if (sent >= MIB)
        assert.ok(await eventually(() => tmpFiles().length > 0), 'the upload never began')
      socket.destroy()
      assert.ok(await eventually(() => tmpFiles().length === 0), 'bytes stay in .tmp')
    })
  }
  assert.deepEqual(await contents(), before)
  const found = await server.call('GET', `${PATH}?qry={"name":"${name}"}`)
  assert.deepEqual(found.body.asset_file, [])
  assert.equal((await server.upload([...intoRoot(), fileOf('x', name)])).status, 201)
})

test('N4: exactly one of many uploads with one name succeeds, and the others leave no bytes', async () => {
  const name = newName('bin')
  await untilFiles(server)
  const before = (await contents()).length
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => server.upload([...intoRoot(), fileOf(`${at}`, name)])),
  )
  assert.deepEqual(
    answers.map((answer) => answer.status).sort(),
    [201, 409, 409, 409, 409, 409, 409, 409],
  )
  const waitedFor = await untilFiles(server)
  assert.equal((await contents()).length, before + 1 + waitedFor)
})
